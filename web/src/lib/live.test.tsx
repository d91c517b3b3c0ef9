import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactElement, ReactNode } from 'react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { apiGet } from './api-client.ts';
import { markLive, useIsLive, useLiveUpdates } from './live.ts';

/** The answer to `/live`: a line on which the test tells what it puts into `lines`; an empty text ends it. */
const lineTo = (lines: ((text: string) => void)[], headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => void lines.push((text) => (text === '' ? controller.close() : controller.enqueue(new TextEncoder().encode(text)))),
    }),
    { headers },
  );
/** Renders what follows the log, with answers that stay fresh until a change is told. */
const renderFollower = <Shown,>(follow: () => Shown) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const wrapper = ({ children }: { readonly children: ReactNode }): ReactElement => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  const hook = renderHook(
    () => {
      useLiveUpdates();
      return follow();
    },
    { wrapper },
  );
  return { client, ...hook };
};

it('shows a match as live on its day: what is recorded of an earlier day corrects it', () => {
  const today = kathmanduDay(Date.now());
  const { result } = renderHook(() => [
    useIsLive({ _id: 'today', date: `${today}T00:00:00.000Z` }),
    useIsLive({ _id: 'earlier', date: '2025-10-26T00:00:00.000Z' }),
    useIsLive({ _id: 'other', date: today }),
  ]);
  expect(result.current).toEqual([false, false, false]);
  act(() => {
    markLive('today');
    markLive('earlier');
  });
  expect(result.current).toEqual([true, false, false]);
});

it('reads again what failed while the server was away, as soon as it answers; a refusal, and what was read, stay', async () => {
  let isAway = false;
  const asked: string[] = [];
  const lines: ((text: string) => void)[] = [];
  vi.stubGlobal('fetch', async (input: string) => {
    if (isAway) throw new TypeError('Failed to fetch');
    if (input === '/api/live') return lineTo(lines);
    asked.push(input);
    return new Response('{}', { status: input === '/api/refused' ? 404 : 200, headers: { 'X-Read-Position': '7' } });
  });
  const { client, result, unmount } = renderFollower(() =>
    ['fails', 'stays', 'refused'].map((name) => useQuery({ queryKey: [name], queryFn: async ({ signal }) => apiGet(`/${name}`, { signal }) }).status),
  );
  const statuses = (): readonly string[] => result.current;
  await waitFor(() => expect([statuses(), lines.length]).toEqual([['success', 'success', 'error'], 1]));
  isAway = true;
  lines[0]?.('');
  await act(async () => client.refetchQueries({ queryKey: ['fails'] }));
  await waitFor(() => expect(statuses()).toEqual(['error', 'success', 'error']));
  asked.length = 0;
  isAway = false;
  await waitFor(() => expect(statuses()).toEqual(['success', 'success', 'error']));
  expect(asked).toEqual(['/api/fails']);
  unmount();
});

it('asks for no more than a log has that is another one now', async () => {
  const asked: (string | null)[] = [];
  const lines: ((text: string) => void)[] = [];
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    if (input === '/api/live') return lineTo(lines);
    asked.push(new Headers(init?.headers).get('X-Min-Position'));
    return new Response('{}', { headers: { 'X-Read-Position': '7' } });
  });
  const { unmount } = renderFollower(() => useQuery({ queryKey: ['tournaments'], queryFn: async ({ signal }) => apiGet('/tournaments/', { signal }) }).status);
  await waitFor(() => expect([asked.length, lines.length]).toEqual([1, 1]));
  lines[0]?.('id: 900\nevent: change\ndata: {"position":"900","type":"TournamentCreated","tournamentId":"t"}\n\n');
  await waitFor(() => expect(asked.slice(1)).toEqual(['900']));
  lines[0]?.('id: 12\nevent: reset\ndata:\n\n');
  await waitFor(() => expect(asked.slice(1)).toEqual(['900', '12']));
  unmount();
});

const point = (position: string): string =>
  `id: ${position}\nevent: change\ndata: ${JSON.stringify({ position, type: 'StatIncrementRecorded', matchId: 'm7' })}\n\n`;

it('shows a match as live for what is recorded from now on, not for what was recorded while nobody listened', async () => {
  const lines: ((text: string) => void)[] = [];
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (input: string) => {
    if (input === '/api/live') return lineTo(lines, { 'X-Read-Position': '20' });
    asked.push(input);
    return new Response('{}', { headers: { 'X-Read-Position': '7' } });
  });
  const { result, unmount } = renderFollower(() => {
    useQuery({ queryKey: ['match', 'm7'], queryFn: async ({ signal }) => apiGet('/match/matches/m7', { signal }) });
    return useIsLive({ _id: 'm7', date: kathmanduDay(Date.now()) });
  });
  const isLive = (): boolean => result.current;
  await waitFor(() => expect([asked.length, lines.length]).toEqual([1, 1]));
  lines[0]?.(point('20'));
  // It is read again all the same.
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(isLive()).toBe(false);
  lines[0]?.(point('21'));
  await waitFor(() => expect(isLive()).toBe(true));
  unmount();
});

it('reads corrections again after entries that may be some: of another day than today, or of a match of today of which one is known to be', async () => {
  const lines: ((text: string) => void)[] = [];
  const asked: string[] = [];
  const corrections = { m7: 'false', m8: 'false' };
  const days = { m7: kathmanduDay(Date.now()), m8: '2099-10-26' };
  vi.stubGlobal('fetch', async (input: string) => {
    if (input === '/api/live') return lineTo(lines);
    const [, kind = '', id = ''] = /^\/api\/(match|corrections)\/(m7|m8)$/.exec(input) ?? [];
    asked.push(`${kind} ${id}`);
    return new Response(kind === 'match' ? JSON.stringify({ date: days[id as 'm7'] }) : `[{"afterDay":${corrections[id as 'm7']}}]`, {
      headers: { 'X-Read-Position': '7' },
    });
  });
  const { result, unmount } = renderFollower(() =>
    ['m7', 'm8'].flatMap((id) =>
      ['match', 'corrections'].map((kind) => useQuery({ queryKey: [kind, id], queryFn: async ({ signal }) => apiGet(`/${kind}/${id}`, { signal }) }).status),
    ),
  );
  await waitFor(() => expect([result.current, lines.length]).toEqual([['success', 'success', 'success', 'success'], 1]));
  let position = 20;
  /** What is asked again after a change of a match. */
  const askedAfter = async (type: string, id: string): Promise<readonly string[]> => {
    asked.length = 0;
    position += 1;
    lines[0]?.(`id: ${position}\nevent: change\ndata: {"position":"${position}","type":"${type}","tournamentId":"t","matchId":"${id}"}\n\n`);
    await waitFor(() => expect(asked).toContain(`match ${id}`));
    return asked.toSorted();
  };
  const entry = 'StatIncrementRecorded';
  const [both, one] = [['corrections m7', 'match m7'], ['match m7']];
  // Broken off on an earlier day or not: the first entry says it, and a status before it need not.
  expect([await askedAfter('PlayerParticipationRecorded', 'm7'), await askedAfter(entry, 'm7'), await askedAfter(entry, 'm7')]).toEqual([both, both, one]);
  corrections.m7 = 'true';
  expect([await askedAfter('StatEntryReversed', 'm7'), await askedAfter(entry, 'm7')]).toEqual([both, both]);
  expect([await askedAfter(entry, 'm8'), await askedAfter(entry, 'm8')]).toEqual([
    ['corrections m8', 'match m8'],
    ['corrections m8', 'match m8'],
  ]);
  unmount();
});

it.each([true, false])('reads corrections once more where an entry is heard of before they tell whether each is one (they are: %s)', async (afterDay) => {
  const lines: ((text: string) => void)[] = [];
  const asked: string[] = [];
  const answers: ((corrections: string) => void)[] = [];
  vi.stubGlobal('fetch', async (input: string) => {
    if (input === '/api/live') return lineTo(lines);
    asked.push(input);
    if (input === '/api/match/m7') return new Response(JSON.stringify({ date: kathmanduDay(Date.now()) }), { headers: { 'X-Read-Position': '7' } });
    return new Promise<Response>(
      (resolve) =>
        void answers.push((corrections) => {
          resolve(new Response(corrections, { headers: { 'X-Read-Position': '7' } }));
        }),
    );
  });
  const { result, unmount } = renderFollower(() => {
    useQuery({ queryKey: ['match', 'm7'], queryFn: async ({ signal }) => apiGet('/match/m7', { signal }) });
    return useQuery({ queryKey: ['corrections', 'm7'], queryFn: async ({ signal }) => apiGet('/corrections/m7', { signal }) }).data;
  });
  await waitFor(() => expect([asked.length, lines.length]).toEqual([2, 1]));
  answers[0]?.('[]');
  await waitFor(() => expect(result.current).toEqual([]));
  const both = ['/api/corrections/m7', '/api/match/m7'];
  asked.length = 0;
  lines[0]?.(point('21'));
  await waitFor(() => expect(asked.toSorted()).toEqual(both));
  lines[0]?.(point('22'));
  await waitFor(() => expect(asked).toHaveLength(3));
  answers[1]?.(`[{"afterDay":${String(afterDay)}}]`);
  await waitFor(() => expect(asked.slice(2).toSorted()).toEqual(both));
  // From then on it is known, also while they are on their way again.
  asked.length = 0;
  lines[0]?.(point('23'));
  await waitFor(() => expect(asked).toEqual(['/api/match/m7']));
  answers[2]?.(`[{"afterDay":${String(afterDay)}}]`);
  await waitFor(() => expect(answers).toHaveLength(afterDay ? 4 : 3));
  answers[3]?.('[{"afterDay":true}]');
  lines[0]?.(point('24'));
  await waitFor(() => expect(asked.toSorted()).toEqual(afterDay ? [...both, ...both].toSorted() : ['/api/match/m7', '/api/match/m7']));
  unmount();
});

it('takes no word on the first entry from corrections that were asked for before it', async () => {
  const lines: ((text: string) => void)[] = [];
  const answers: ((corrections: string) => void)[] = [];
  vi.stubGlobal('fetch', async (input: string) => {
    if (input === '/api/live') return lineTo(lines);
    if (input === '/api/match/m7') return new Response(JSON.stringify({ date: kathmanduDay(Date.now()) }), { headers: { 'X-Read-Position': '7' } });
    return new Promise<Response>(
      (resolve) =>
        void answers.push((corrections) => {
          resolve(new Response(corrections, { headers: { 'X-Read-Position': '7' } }));
        }),
    );
  });
  const { result, unmount } = renderFollower(() => {
    const match = useQuery({ queryKey: ['match', 'm7'], queryFn: async ({ signal }) => apiGet('/match/m7', { signal }) });
    const corrections = useQuery({ queryKey: ['corrections', 'm7'], queryFn: async ({ signal }) => apiGet('/corrections/m7', { signal }) });
    return { corrections: corrections.data, matchReads: match.dataUpdatedAt };
  });
  await waitFor(() => expect([answers.length, lines.length, result.current.matchReads > 0]).toEqual([1, 1, true]));
  const { matchReads } = result.current;
  lines[0]?.(point('21'));
  // By then the entry was heard of.
  await waitFor(() => expect(result.current.matchReads).toBeGreaterThan(matchReads));
  answers[0]?.('[]');
  await waitFor(() => expect([result.current.corrections, answers.length]).toEqual([[], 2]));
  const before = result.current.matchReads;
  lines[0]?.(point('22'));
  await waitFor(() => expect(result.current.matchReads).toBeGreaterThan(before));
  answers[1]?.('[{"afterDay":true}]');
  await waitFor(() => expect(answers).toHaveLength(3));
  unmount();
});

/** A match that is shown, and a table beside it, on a line on which the match's answers come when the test gives them; its clock is the test's. */
const openSlowMatch = async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const lines: ((text: string) => void)[] = [];
  const asked: { readonly signal: AbortSignal | null | undefined; readonly answer: (score: number) => void }[] = [];
  let listed = 0;
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    if (input === '/api/live') return lineTo(lines);
    if (input === '/api/standings') return new Response(String((listed += 1)), { headers: { 'X-Read-Position': '7' } });
    return new Promise<Response>((resolve, reject) => {
      init?.signal?.addEventListener('abort', () => {
        reject(new DOMException('It was given up', 'AbortError'));
      });
      asked.push({
        signal: init?.signal,
        answer: (score) => {
          resolve(new Response(String(score), { headers: { 'X-Read-Position': '7' } }));
        },
      });
    });
  });
  const { result, unmount } = renderFollower(() => {
    useQuery({ queryKey: ['standings', 't'], queryFn: async ({ signal }) => apiGet('/standings', { signal }) });
    return useQuery({ queryKey: ['match', 'm7'], queryFn: async ({ signal }) => apiGet('/match/matches/m7', { signal }) }).data;
  });
  onTestFinished(() => {
    unmount();
    vi.useRealTimers();
  });
  await waitFor(() => expect([asked.length, listed, lines.length]).toEqual([1, 1, 1]));
  return {
    lines,
    asked,
    score: (): unknown => result.current,
    abandoned: (): readonly (boolean | undefined)[] => asked.map(({ signal }) => signal?.aborted),
    /** Tells a change, and waits until it has been followed. */
    change: async (position: string): Promise<void> => {
      const before = listed;
      lines[0]?.(point(position));
      await waitFor(() => expect(listed).toBe(before + 1));
    },
  };
};

it('lets come what is on its way while changes follow each other, and then reads once more; what does not come is given up', async () => {
  const { lines, asked, score, change, abandoned } = await openSlowMatch();
  asked[0]?.answer(10);
  await waitFor(() => expect([score(), lines.length]).toEqual([10, 1]));
  for (const position of ['21', '22', '23']) await change(position);
  expect(abandoned()).toEqual([false, false]);
  asked[1]?.answer(11);
  await waitFor(() => expect([score(), asked.length]).toEqual([11, 3]));
  asked[2]?.answer(13);
  await waitFor(() => expect(score()).toBe(13));
  expect(abandoned()).toEqual([false, false, false]);
  for (const position of ['24', '25']) await change(position);
  await act(async () => vi.advanceTimersByTimeAsync(5000));
  expect(abandoned()).toEqual([false, false, false, true, false]);
});

it('waits longer for what came too late for its patience', async () => {
  const { asked, score, change, abandoned } = await openSlowMatch();
  asked[0]?.answer(10);
  await waitFor(() => expect(score()).toBe(10));
  for (const position of ['21', '22']) await change(position);
  await act(async () => vi.advanceTimersByTimeAsync(5000));
  expect(abandoned()).toEqual([false, true, false]);
  await change('23');
  await act(async () => vi.advanceTimersByTimeAsync(8000));
  expect(abandoned()).toEqual([false, true, false]);
  asked[2]?.answer(13);
  await waitFor(() => expect([score(), asked.length]).toEqual([13, 4]));
  await change('24');
  await act(async () => vi.advanceTimersByTimeAsync(10_000));
  expect(abandoned()).toEqual([false, true, false, true, false]);
});

it('reads once more what comes for the first time, however long it was on its way when a change came', async () => {
  const { asked, score, change } = await openSlowMatch();
  await change('21');
  await act(async () => vi.advanceTimersByTimeAsync(6000));
  asked[0]?.answer(10);
  await waitFor(() => expect([score(), asked.length]).toEqual([10, 2]));
  asked[1]?.answer(12);
  await waitFor(() => expect(score()).toBe(12));
});

it('reads once more what comes for the first time also where everything is to be read anew, and gives up the rest', async () => {
  const { lines, asked, score, change, abandoned } = await openSlowMatch();
  const reset = (): void => lines[0]?.('id: 12\nevent: reset\ndata:\n\n');
  reset();
  await act(async () => vi.advanceTimersByTimeAsync(200));
  asked[0]?.answer(10);
  await waitFor(() => expect([score(), asked.length]).toEqual([10, 2]));
  asked[1]?.answer(12);
  await waitFor(() => expect(score()).toBe(12));
  await change('21');
  reset();
  await waitFor(() => expect(abandoned()).toEqual([false, false, true, false]));
  asked[3]?.answer(13);
  await waitFor(() => expect(score()).toBe(13));
  expect(asked).toHaveLength(4);
});
