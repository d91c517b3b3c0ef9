import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiGet, apiGetFile, apiSend } from './api-client.ts';
import { createQueryClient } from './query-client.ts';

const key = { as: 'admin', idempotencyKey: 'k1' } as const;
const nothing: Error = expect.objectContaining({ name: 'ApiError', status: 0, message: '' }) as Error;

/** As a browser fetches: what is called off breaks, also in the midst of its body. Gives the calls that were made. */
const answerWith = (answer: () => Response | undefined): RequestInit[] => {
  const calls: RequestInit[] = [];
  vi.stubGlobal('fetch', (_input: string, init: RequestInit) => {
    calls.push(init);
    const response = answer();
    return response
      ? Promise.resolve(response)
      : new Promise((_, reject) => {
          init.signal?.addEventListener('abort', () => {
            reject(init.signal?.reason as Error);
          });
        });
  });
  return calls;
};
/** An answer whose body comes in pieces, as the test sends them. */
const begun = (status = 200) => {
  const body = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      body.resolve(controller);
    },
  });
  const headers = { 'X-Read-Position': '7', 'X-Commit-Position': '8' };
  const calls: RequestInit[] = [];
  vi.stubGlobal('fetch', async (_input: string, init: RequestInit) => {
    calls.push(init);
    const controller = await body.promise;
    init.signal?.addEventListener('abort', () => {
      controller.error(init.signal?.reason);
    });
    return new Response(stream, { status, headers });
  });
  return { calls, say: async (text: string) => (await body.promise).enqueue(new TextEncoder().encode(text)), end: async () => (await body.promise).close() };
};
/** What has become of a call by now. */
const watch = (asked: Promise<unknown>): { readonly outcome: () => unknown } => {
  let outcome: unknown = 'pending';
  asked.then(
    (answer) => (outcome = answer),
    (error: unknown) => (outcome = error),
  );
  return { outcome: () => outcome };
};
const outcomesAround = async (ms: number, asked: Promise<unknown>): Promise<unknown[]> => {
  const { outcome } = watch(asked);
  await vi.advanceTimersByTimeAsync(ms - 1);
  const before = outcome();
  await vi.advanceTimersByTimeAsync(1);
  return [before, outcome()];
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a server that takes a call and never answers is one that does not answer', () => {
  it.each([
    ['a read', 30_000, async () => apiGet('/tournaments/')],
    ['a file', 30_000, async () => apiGetFile('/player/p1/document')],
    ['a command', 30_000, async () => apiSend('POST', '/match/match/update', { points: 2 }, key)],
    ['a command with files', 150_000, async () => apiSend('POST', '/team/create-team-step-1', new FormData(), key)],
  ])('%s', async (_, ms, ask) => {
    const calls = answerWith(() => undefined);
    expect(await outcomesAround(ms, ask())).toEqual(['pending', nothing]);
    expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true]);
  });

  it.each([
    ['a read', async () => apiGet('/tournaments/')],
    ['a file', async () => apiGetFile('/player/p1/document')],
    ['a command', async () => apiSend('POST', '/match/match/update', {}, key)],
    // Its files have come whole by then.
    ['a command with files', async () => apiSend('POST', '/team/create-team-step-1', new FormData(), key)],
  ])('%s, also once an answer has begun', async (_, ask) => {
    const { calls, say } = begun();
    const asked = ask();
    await say('{"_id":');
    expect(await outcomesAround(30_000, asked)).toEqual(['pending', nothing]);
    expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true]);
  });

  it('and a refusal whose words do not come is one without words', async () => {
    const { say } = begun(409);
    const asked = apiSend('POST', '/match/match/update', {}, key);
    await say('{"message":');
    expect(await outcomesAround(30_000, asked)).toEqual(['pending', expect.objectContaining({ status: 409, message: '' })]);
  });
});

it('lets an answer take as long as it goes on: a slow line is no silence', async () => {
  const { say, end } = begun();
  const { outcome } = watch(apiGet('/tournaments/'));
  for (const piece of ['{"na', 'me":', '"Cup"}']) {
    await vi.advanceTimersByTimeAsync(29_999);
    await say(piece);
  }
  await vi.advanceTimersByTimeAsync(29_999);
  expect(outcome()).toBe('pending');
  await end();
  await vi.advanceTimersByTimeAsync(0);
  expect([outcome(), vi.getTimerCount()]).toEqual([{ name: 'Cup' }, 0]);
});

it('gives a file with the type that the server says', async () => {
  answerWith(() => new Response('%PDF-', { headers: { 'Content-Type': 'application/pdf' } }));
  const file = await apiGetFile('/player/p1/document');
  expect([file.type, await file.text()]).toEqual(['application/pdf', '%PDF-']);
});

it('takes an answer that breaks off for none', async () => {
  answerWith(() => new Response('{"_id":'));
  await expect(apiSend('POST', '/match/match/update', {}, key)).rejects.toEqual(nothing);
});

it('hands on what its caller calls off, as the caller says it', async () => {
  const caller = new AbortController();
  const calls = answerWith(() => undefined);
  const { outcome } = watch(apiGet('/tournaments/', { signal: caller.signal }));
  const reason = new DOMException('Not shown any more', 'AbortError');
  caller.abort(reason);
  await vi.advanceTimersByTimeAsync(0);
  expect([outcome(), calls.map(({ signal }) => signal?.aborted), vi.getTimerCount()]).toEqual([reason, [true], 0]);
});

it('tells a page of a silence after half a minute, and asks no second time by itself; asked again it waits again', async () => {
  const calls = answerWith(() => undefined);
  const client = createQueryClient();
  const retry = client.getDefaultOptions().queries?.retry ?? false;
  const read = async (): Promise<unknown> =>
    client.fetchQuery({ queryKey: ['silent'], queryFn: async ({ signal }) => apiGet('/tournaments/', { signal }), retry });
  expect(await outcomesAround(30_000, read())).toEqual(['pending', nothing]);
  expect(calls).toHaveLength(1);
  expect(await outcomesAround(30_000, read())).toEqual(['pending', nothing]);
  expect(calls).toHaveLength(2);
});
