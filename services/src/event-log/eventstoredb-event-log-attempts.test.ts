import { beforeEach, expect, it } from 'vitest';
import { callUntilAnswered, type Call } from './eventstoredb-event-log-attempts.ts';
import { NoAnswer, NotChecked, OtherLog } from './eventstoredb-event-log-errors.ts';
import { LogUnavailable, UnknownOutcome } from './event-log.ts';

const unsent = (): Error => Object.assign(new Error('14 UNAVAILABLE: No connection established. Last error: Error: connect ECONNREFUSED'), { code: 14 });
const lost = (): Error => Object.assign(new Error('14 UNAVAILABLE: read ECONNRESET'), { type: 'unavailable', code: 14 });
const denied = (): Error => Object.assign(new Error('16 UNAUTHENTICATED'), { type: 'access-denied' });

let now = 0;
let silences = 0;
let retries: string[] = [];
let closing = new AbortController();
beforeEach(() => {
  now = silences = 0;
  retries = [];
  closing = new AbortController();
});

/** Each attempt takes a second and fails as named; after those it is answered. The next one follows at once (`random`). */
const appending = async (failures: readonly Error[], more: Partial<Call<string>> = {}): Promise<string> => {
  const left = [...failures];
  return callUntilAnswered({
    unavailableFor: 2000,
    closing: closing.signal,
    now: () => now,
    random: () => -1,
    onSilence: () => void (silences += 1),
    onRetry: (reason) => void retries.push(reason),
  })({
    what: 'Appending',
    async make() {
      now += 1000;
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return 'stored';
    },
    repeatFor: 5000,
    giveUp: (reason, cause) => new UnknownOutcome(reason, { cause }),
    ...more,
  });
};

it('gives up after the shorter time where nothing was sent, and after the longer one, with the outcome unknown, as soon as something may have been', async () => {
  await expect(appending([unsent(), unsent(), unsent()])).rejects.toThrow(new LogUnavailable('Appending: no connection can be made (ECONNREFUSED)'));
  expect(now).toBe(2000);
  now = 0;
  await expect(appending([lost(), unsent(), unsent(), unsent(), unsent(), unsent()])).rejects.toThrow(
    new UnknownOutcome('Appending: no connection can be made (ECONNREFUSED)'),
  );
  expect(now).toBe(5000);
  now = 0;
  await expect(appending([lost(), unsent(), unsent()])).resolves.toBe('stored');
});

it('counts a call that was not let through as one that was not sent, and tells nobody of it', async () => {
  const unchecked = new NotChecked('the connection was lost');
  await expect(appending([unchecked, unchecked, unchecked])).rejects.toThrow(new LogUnavailable('Appending: the connection was lost'));
  expect([now, retries]).toEqual([2000, []]);
  await expect(appending([unsent()])).resolves.toBe('stored');
  expect(retries).toEqual([`Appending: ${unsent().message}`]);
});

it.each([
  ['is denied', denied(), new LogUnavailable('Appending: EventStoreDB denies access')],
  ['would reach another log', new OtherLog('it is another one'), new LogUnavailable('Appending: it is another one')],
])('does not make a call again that %s', async (_, failure, refusal) => {
  await expect(appending([failure])).rejects.toThrow(refusal);
  expect([now, retries]).toEqual([1000, []]);
});

it('does not know what came of a call that may have been taken before another log answered', async () => {
  await expect(appending([lost(), new OtherLog('it is another one')])).rejects.toThrow(new UnknownOutcome('Appending: it is another one'));
});

it('says when nobody answered, and takes the answer that a refusal means', async () => {
  await expect(
    appending([new NoAnswer('no answer within 5000 ms'), lost()], { settle: (verdict) => (verdict === 'unknown' && now === 2000 ? 'settled' : undefined) }),
  ).resolves.toBe('settled');
  expect(silences).toBe(1);
});

it('makes no attempt once the log is closed', async () => {
  const closed = new LogUnavailable('Appending: the log is closed');
  await expect(
    appending([unsent()], {
      settle: () => {
        closing.abort();
        return undefined;
      },
    }),
  ).rejects.toThrow(closed);
  await expect(appending([])).rejects.toThrow(closed);
  expect(now).toBe(1000);
});
