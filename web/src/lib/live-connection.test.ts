import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** One connection of the fake server: what it was asked with, and how to speak or hang up. */
type Line = { readonly lastEventId: string | null; readonly say: (text: string) => void; readonly hangUp: () => void };

const serve = (): { readonly lines: Line[]; readonly next: () => Promise<Line> } => {
  const lines: Line[] = [];
  const waiting: ((line: Line) => void)[] = [];
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    const headers = new Headers(init?.headers);
    if (input !== '/api/live') return Promise.resolve(new Response('{}', { headers: { 'X-Read-Position': '41' } }));
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (given) => {
        controller = given;
      },
    });
    const line: Line = {
      lastEventId: headers.get('Last-Event-ID'),
      say: (text) => controller?.enqueue(new TextEncoder().encode(text)),
      hangUp: () => controller?.close(),
    };
    lines.push(line);
    waiting.shift()?.(line);
    return Promise.resolve(new Response(body));
  });
  return { lines, next: () => new Promise((resolve) => waiting.push(resolve)) };
};

const change = (position: number): string =>
  `id: ${String(position)}\nevent: change\ndata: {"position":"${String(position)}","type":"StatIncrementRecorded","matchId":"m"}\n\n`;

let stop = (): void => {};
beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('starts after the first answer that the page read, resumes where it was cut, says that it is back, and hands on a reset', async () => {
  const { lines, next } = serve();
  const { apiGet } = await import('./api-client.ts');
  const { followLive } = await import('./live-connection.ts');
  const heard: string[] = [];
  const arrived = new EventTarget();
  stop = followLive((message) => {
    heard.push(message.kind === 'change' ? message.change.position : message.kind === 'reset' ? `reset at ${message.position}` : message.kind);
    arrived.dispatchEvent(new Event('message'));
  });
  const heardAll = async (count: number): Promise<void> => {
    while (heard.length < count) {
      await new Promise((resolve) => {
        arrived.addEventListener('message', resolve, { once: true });
      });
    }
  };
  expect(lines).toHaveLength(0);

  const opened = next();
  await apiGet('/tournaments/');
  const first = await opened;
  expect(first.lastEventId).toBe('41');
  first.say(change(42) + change(43).slice(0, 20));
  first.say(change(43).slice(20));
  await heardAll(2);

  const reopened = next();
  first.hangUp();
  const second = await reopened;
  expect(second.lastEventId).toBe('43');
  second.say(`${change(44)}id: 12\nevent: reset\ndata: \n\n`);
  await heardAll(5);
  expect(heard).toEqual(['42', '43', 'back', '44', 'reset at 12']);

  // From there on: the log may be another one, which has not come to 44.
  const again = next();
  second.hangUp();
  expect((await again).lastEventId).toBe('12');
});

it('tries at once when the browser is online again or the page is looked at, also in place of an attempt that hangs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const attempts: AbortSignal[] = [];
  let outcome: 'refused' | 'hanging' = 'refused';
  let tried = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    if (input !== '/api/live') return Promise.resolve(new Response('{}', { headers: { 'X-Read-Position': '41' } }));
    const signal = init?.signal;
    if (signal) attempts.push(signal);
    tried.resolve();
    if (outcome === 'refused') return Promise.reject(new TypeError('Failed to fetch'));
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        reject(new DOMException('Aborted', 'AbortError'));
      });
    });
  });
  /** Does what leads to one more attempt, and gives how many there are then. */
  const after = async (what: () => unknown): Promise<number> => {
    tried = Promise.withResolvers();
    await what();
    await tried.promise;
    // The attempt fails, and the pause begins.
    await vi.advanceTimersByTimeAsync(0);
    return attempts.length;
  };
  const { apiGet } = await import('./api-client.ts');
  const { followLive } = await import('./live-connection.ts');
  stop = followLive(() => {});
  expect(await after(() => apiGet('/tournaments/'))).toBe(1);
  // A server that stays away is asked ever less often: 100 times takes minutes.
  await vi.advanceTimersByTimeAsync(60_000);
  const many = attempts.length;
  expect(many).toBeLessThan(60);
  expect(await after(() => window.dispatchEvent(new Event('online')))).toBe(many + 1);
  expect(await after(() => document.dispatchEvent(new Event('visibilitychange')))).toBe(many + 2);
  // And begins anew with the short pauses.
  expect(await after(() => vi.advanceTimersByTimeAsync(250))).toBe(many + 3);
  outcome = 'hanging';
  expect(await after(() => vi.advanceTimersByTimeAsync(500))).toBe(many + 4);
  expect(attempts.at(-1)?.aborted).toBe(false);
  window.dispatchEvent(new Event('online'));
  expect(attempts.at(-1)?.aborted).toBe(true);
  expect(await after(() => vi.advanceTimersByTimeAsync(250))).toBe(many + 5);
  // Without an event it is given up after ten seconds.
  expect(await after(() => vi.advanceTimersByTimeAsync(11_000))).toBe(many + 6);
});

it('takes the lead from a tab that says nothing any more while this one is looked at, and waits again when it is taken from it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  /** Another tab has the lock and never gives it back. */
  const asked: { readonly steal: boolean; readonly lose: () => void }[] = [];
  const request = (
    _name: string,
    { steal = false, signal }: { readonly steal?: boolean; readonly signal?: AbortSignal },
    callback: () => Promise<void>,
  ): Promise<void> => {
    const { promise, reject } = Promise.withResolvers<void>();
    const lose = (): void => {
      reject(new DOMException('Aborted', 'AbortError'));
    };
    signal?.addEventListener('abort', lose);
    asked.push({ steal, lose });
    if (steal) void callback();
    return promise;
  };
  vi.stubGlobal('navigator', { locks: { request } });
  const channel = Object.assign(new EventTarget(), { told: [] as unknown[], postMessage: (message: unknown) => channel.told.push(message), close: () => {} });
  vi.stubGlobal('BroadcastChannel', function openChannel() {
    return channel;
  });
  const lines: { readonly lastEventId: string | null; readonly signal: AbortSignal | null | undefined }[] = [];
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    if (input !== '/api/live') return Promise.resolve(new Response('{}', { headers: { 'X-Read-Position': '41' } }));
    lines.push({ lastEventId: new Headers(init?.headers).get('Last-Event-ID'), signal: init?.signal });
    return Promise.resolve(new Response(new ReadableStream()));
  });
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  const { apiGet } = await import('./api-client.ts');
  const { followLive } = await import('./live-connection.ts');
  const heard: unknown[] = [];
  stop = followLive((message) => heard.push(message));
  await apiGet('/tournaments/');
  const stealsAfter = async (ms: number): Promise<boolean[]> => {
    await vi.advanceTimersByTimeAsync(ms);
    return asked.map(({ steal }) => steal);
  };
  expect(await stealsAfter(64_000)).toEqual([false]);
  channel.dispatchEvent(new MessageEvent('message', { data: { kind: 'beat' } }));
  expect(await stealsAfter(64_000)).toEqual([false]);
  visibility.mockReturnValue('hidden');
  expect(await stealsAfter(64_000)).toEqual([false]);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(await stealsAfter(64_000)).toEqual([false]);
  expect([heard, lines]).toEqual([[], []]);

  expect(await stealsAfter(1000)).toEqual([false, true]);
  const reset = { kind: 'reset', position: '41' };
  expect([heard, channel.told, lines.map(({ lastEventId }) => lastEventId)]).toEqual([[reset], [reset, { kind: 'beat' }], ['41']]);
  expect(lines[0]?.signal?.aborted).toBe(false);

  asked[1]?.lose();
  expect(await stealsAfter(64_000)).toEqual([false, true, false]);
  expect([lines[0]?.signal?.aborted, lines.length]).toEqual([true, 1]);
});

it.each([
  ['has no locks', () => vi.stubGlobal('navigator', {})],
  [
    'refuses locks',
    () => vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new DOMException('Access to the Locks API is denied', 'SecurityError')) } }),
  ],
  [
    'lets no channel be made',
    () =>
      vi.stubGlobal('BroadcastChannel', function openChannel() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      }),
  ],
])('has a line of its own where the browser %s, and tells no other tab what that hears itself', async (_, refuse) => {
  const channel = Object.assign(new EventTarget(), { told: [] as unknown[], postMessage: (message: unknown) => channel.told.push(message), close: () => {} });
  vi.stubGlobal('navigator', { locks: { request: () => new Promise(() => {}) } });
  vi.stubGlobal('BroadcastChannel', function openChannel() {
    return channel;
  });
  refuse();
  const { next } = serve();
  const { apiGet } = await import('./api-client.ts');
  const { followLive } = await import('./live-connection.ts');
  const heard = Promise.withResolvers<unknown>();
  stop = followLive(heard.resolve);
  const opened = next();
  await apiGet('/tournaments/');
  (await opened).say(change(42));
  expect(await heard.promise).toEqual({ kind: 'change', change: { position: '42', type: 'StatIncrementRecorded', matchId: 'm' }, isPast: false });
  expect(channel.told).toEqual([]);
});

it('asks later reads for at least the newest position that it knows', async () => {
  const asked: (string | null)[] = [];
  vi.stubGlobal('fetch', (_input: string, init?: RequestInit) => {
    asked.push(new Headers(init?.headers).get('X-Min-Position'));
    return Promise.resolve(new Response('{}', { headers: { 'X-Commit-Position': '90' } }));
  });
  const { apiGet, apiSend, notePosition } = await import('./api-client.ts');
  await apiGet('/tournaments/');
  notePosition('57');
  notePosition('12');
  notePosition('nonsense');
  await apiGet('/tournaments/');
  await apiSend('POST', '/match/match/update', {});
  await apiGet('/tournaments/');
  expect(asked).toEqual([null, '57', null, '90']);
});

it('turns a refusal into an error with the text that a person reads', async () => {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      new Response(JSON.stringify({ message: 'Team logo is required', errors: [{ path: 'logo', message: 'Team logo is required' }], instance: 'req-1' }), {
        status: 400,
      }),
    ),
  );
  const { apiSend, ApiError } = await import('./api-client.ts');
  const refused = await apiSend('POST', '/team/create-team-step-1', new FormData()).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({
    status: 400,
    message: 'Team logo is required',
    faults: [{ path: 'logo', message: 'Team logo is required' }],
    requestId: 'req-1',
  });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(apiSend('POST', '/team/create-team-step-1', {})).rejects.toMatchObject({ status: 0, message: '' });
});

it('sends the token of a login, its key, and credentials', async () => {
  const calls: RequestInit[] = [];
  vi.stubGlobal('fetch', (_input: string, init: RequestInit) => {
    calls.push(init);
    return Promise.resolve(new Response('{}'));
  });
  localStorage.setItem('atoken', 'abc');
  const { apiSend } = await import('./api-client.ts');
  await apiSend('PUT', '/tournaments/1', { name: 'x' }, { as: 'admin', idempotencyKey: 'k1' });
  const [sent] = calls;
  const headers = new Headers(sent?.headers);
  expect([sent?.credentials, sent?.body, headers.get('Authorization'), headers.get('Idempotency-Key'), headers.get('Content-Type')]).toEqual([
    'include',
    '{"name":"x"}',
    'Bearer abc',
    'k1',
    'application/json',
  ]);
});
