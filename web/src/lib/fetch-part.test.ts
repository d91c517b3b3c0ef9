import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchPart } from './fetch-part.ts';

const gone = new TypeError('Failed to fetch dynamically imported module');
/** A load that fails so many times. */
const failing = (times: number) => {
  const load = vi.fn<() => Promise<string>>().mockResolvedValue('here');
  for (let time = 0; time < times; time += 1) load.mockRejectedValueOnce(gone);
  return load;
};
const faultOf = async (load: () => Promise<unknown>): Promise<unknown> =>
  fetchPart(load).then(
    () => undefined,
    ({ status, message }: { readonly status: number; readonly message: string }) => [status, message],
  );

afterEach(() => {
  document.head.replaceChildren();
});

describe('a part that cannot be imported', () => {
  it.each([
    ['there is no answer', async () => Promise.reject(new TypeError('Failed to fetch'))],
    ['only a proxy answers', async () => new Response('', { status: 502 })],
  ])('is a server that does not answer, where %s', async (_, answer) => {
    vi.stubGlobal('fetch', answer);
    const load = failing(1);
    expect(await faultOf(load)).toEqual([0, '']);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('is tried once more where the server answers: it may be back just now', async () => {
    vi.stubGlobal('fetch', async () => new Response());
    expect(await fetchPart(failing(1))).toBe('here');
  });

  it('is of an older release where the server answers and does not have it', async () => {
    vi.stubGlobal('fetch', async () => new Response());
    expect(await faultOf(failing(2))).toEqual([410, 'This page is of an older release: it has to be loaded again']);
  });
});

it('asks again for a style sheet that did not come with it, and waits for that', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/assets/part.css' });
  const load = vi
    .fn<() => Promise<string>>()
    .mockResolvedValue('here')
    .mockImplementationOnce(async () => {
      document.head.append(link);
      link.dispatchEvent(new Event('error'));
      throw gone;
    });
  expect(await faultOf(load)).toEqual([0, '']);
  const part = fetchPart(load);
  const again = document.head.querySelector('link');
  expect([again === link, again?.getAttribute('href'), document.head.childElementCount, load.mock.calls.length]).toEqual([false, '/assets/part.css', 1, 1]);
  again?.dispatchEvent(new Event('load'));
  expect(await part).toBe('here');
});

const silent = async (): Promise<string> => new Promise(() => {});
const outcomeOf = (fetched: Promise<unknown>) => {
  const seen: { outcome: unknown } = { outcome: 'pending' };
  fetched.then(
    (part) => (seen.outcome = part),
    ({ status, message }: { readonly status: number; readonly message: string }) => (seen.outcome = [status, message]),
  );
  return seen;
};

describe('a part that is on its way and does not come', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('is a server that does not answer; asked again it is waited for, and not begun a second time', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const load = vi.fn<() => Promise<string>>(async () => promise);
    const seen = outcomeOf(fetchPart(load));
    await vi.advanceTimersByTimeAsync(9999);
    expect(seen.outcome).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.outcome).toEqual([0, '']);
    const again = outcomeOf(fetchPart(load));
    await vi.advanceTimersByTimeAsync(9999);
    resolve('here');
    await vi.advanceTimersByTimeAsync(0);
    expect([again.outcome, load.mock.calls.length, vi.getTimerCount()]).toEqual(['here', 1, 0]);
  });

  it.each([
    ['it has failed, and whether the server is there is not answered either', silent, failing(1)],
    ['the server is there again, and falls silent', async () => new Response(), vi.fn<() => Promise<string>>(silent).mockRejectedValueOnce(gone)],
  ])('is the same where %s', async (_, answer, load) => {
    vi.stubGlobal('fetch', answer);
    const seen = outcomeOf(fetchPart(load));
    await vi.advanceTimersByTimeAsync(9999);
    expect(seen.outcome).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.outcome).toEqual([0, '']);
  });
});
