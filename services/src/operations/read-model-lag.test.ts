import { expect, it } from 'vitest';
import { LogUnavailable } from '../event-log/event-log.ts';
import { ReadModelLag } from './read-model-lag.ts';

type Given = ConstructorParameters<typeof ReadModelLag>[0];
const time = (second: number): string => new Date(Date.UTC(2026, 10, 21, 6, 0, second)).toISOString();

/** A log of one event a second from 06:00:01 on, and a read model of its first ones; it is 06:00:30. */
const behind = (events: number, projected: number) => {
  const now = { events, projected, heard: BigInt(events), silent: false, refusal: undefined as string | undefined };
  const answer = async <T>(value: T): Promise<T> => {
    if (now.silent) throw new LogUnavailable('The store does not answer');
    return value;
  };
  const store = {
    log: {
      head: async () => answer(now.events === 0 ? 'start' : BigInt(now.events)),
      readAll: async (after: bigint | 'start', limit: number) =>
        answer(
          Array.from({ length: now.events }, (_, index) => ({ position: BigInt(index + 1), time: time(index + 1) }))
            .filter(({ position }) => after === 'start' || position > after)
            .slice(0, limit),
        ),
    },
    reads: { position: () => BigInt(now.projected) },
    head: () => now.heard,
    refusal: () => now.refusal,
  } as unknown as Given;
  return { now, lag: new ReadModelLag(store, { now: () => Date.parse(time(30)) }) };
};

it.each([
  ['an empty log', 0, 0, { head: 0n, position: 0n, lagEvents: 0, lagMore: false, lagSeconds: 0 }],
  ['all of it', 12, 12, { head: 12n, position: 12n, lagEvents: 0, lagMore: false, lagSeconds: 0 }],
  ['nothing yet', 12, 0, { head: 12n, position: 0n, lagEvents: 12, lagMore: false, lagSeconds: 29 }],
  ['but the last two', 12, 10, { head: 12n, position: 10n, lagEvents: 2, lagMore: false, lagSeconds: 19 }],
  ['all but 999', 1009, 10, { head: 1009n, position: 10n, lagEvents: 999, lagMore: false, lagSeconds: 19 }],
  ['all but 1001', 1011, 10, { head: 1011n, position: 10n, lagEvents: 1000, lagMore: true, lagSeconds: 19 }],
  ['nothing of facts of a clock that is ahead', 60, 40, { head: 60n, position: 40n, lagEvents: 20, lagMore: false, lagSeconds: 0 }],
])('is counted from the first event that is not projected: %s', async (_, events, projected, expected) => {
  expect(await behind(events, projected).lag.measure()).toEqual({ ...expected, asOf: time(30), lagUnknown: null });
});

it('is what it was while the log does not answer, with the reason; nothing is known before it ever did', async () => {
  const { now, lag } = behind(12, 10);
  now.silent = true;
  expect(await lag.measure()).toEqual({
    head: 12n,
    position: 10n,
    lagEvents: 0,
    lagMore: false,
    lagSeconds: 0,
    lagUnknown: { reason: 'The store does not answer', asOf: null },
  });
  now.silent = false;
  await lag.measure();
  now.silent = true;
  now.refusal = 'Nobody can be reached';
  expect(await lag.measure()).toEqual({
    head: 12n,
    position: 10n,
    lagEvents: 2,
    lagMore: false,
    lagSeconds: 19,
    lagUnknown: { reason: 'Nobody can be reached', asOf: time(30) },
  });
});

it('is not told to be none of a read model that is behind what this process has heard of since', async () => {
  const { now, lag } = behind(12, 12);
  await lag.measure();
  now.silent = true;
  expect((await lag.measure()).lagUnknown).toEqual({ reason: 'The store does not answer', asOf: time(30) });
  now.heard = 13n;
  expect((await lag.measure()).lagUnknown).toEqual({ reason: 'The store does not answer', asOf: null });
});

it('does not hide what is no silence of the log', async () => {
  const { lag, now } = behind(12, 10);
  Object.defineProperty(now, 'silent', {
    get: () => {
      throw new TypeError('a fault of ours');
    },
  });
  await expect(lag.measure()).rejects.toThrow('a fault of ours');
});
