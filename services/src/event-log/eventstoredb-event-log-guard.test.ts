import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { AnswerLost, NotChecked, OtherLog } from './eventstoredb-event-log-errors.ts';
import { sampleEvent } from './testing/sample-event.ts';
import { LogUnavailable } from './event-log.ts';
import { openEventStoreDbLog, WATCHDOG_INTERVAL } from './eventstoredb-event-log.ts';
import { LogGuard } from './eventstoredb-event-log-guard.ts';
import { PROBE_INTERVAL } from './eventstoredb-event-log-outage.ts';
import { EventStoreStandIn } from './testing/eventstoredb-stand-in.ts';

/** Checks that were asked for and have not answered yet. */
let checks: PromiseWithResolvers<string | undefined>[] = [];
let verdicts: (string | undefined)[] = [];
let hurried = 0;
let opened = 0;
let now = 0;
let guard: LogGuard;
beforeEach(() => {
  checks = [];
  verdicts = [];
  hurried = opened = now = 0;
  guard = new LogGuard({
    now: () => now,
    hurry: () => void (hurried += 1),
    onOpen: () => void (opened += 1),
    onVerdict: (reason) => void verdicts.push(reason),
    why: () => undefined,
  });
});
const check = async (): Promise<string | undefined> => {
  const asked = Promise.withResolvers<string | undefined>();
  checks.push(asked);
  return asked.promise;
};
const turns = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
const answer = async (other?: string): Promise<void> => {
  checks.shift()?.resolve(other);
  await turns();
};
const guarded = async (): Promise<void> => {
  guard.use(check);
  guard.connected();
  await answer();
};
let calls = 0;
const call = async (): Promise<number> => (calls += 1);

it('lets everything through where nobody checks, and over a lost connection too', async () => {
  guard.connected();
  guard.lost();
  await expect(guard.pass(call)).resolves.toBe(calls);
});

it('holds a call until the check of a new connection has passed, and asks once for all of them', async () => {
  await guarded();
  guard.lost();
  const before = calls;
  const held = [guard.pass(call), guard.pass(call)];
  await turns();
  expect([calls, hurried, checks.length]).toEqual([before, 2, 0]);
  guard.connected();
  await turns();
  expect([calls, checks.length]).toEqual([before, 1]);
  await answer();
  await Promise.all(held);
  expect([calls, opened, verdicts]).toEqual([before + 2, 2, []]);
});

it('sends nothing to another log, tells of it once, and goes on when the right one is there again', async () => {
  await guarded();
  guard.lost();
  guard.connected();
  await answer('it is another one');
  const before = calls;
  await expect(guard.pass(call)).rejects.toThrow(new OtherLog('it is another one'));
  const looking = guard.look();
  await answer('it is another one');
  await looking;
  expect([calls, guard.other, guard.refusal, verdicts]).toEqual([before, 'it is another one', 'it is another one', ['it is another one']]);
  guard.lost();
  // Nothing says yet that it is the right one.
  await expect(guard.pass(call)).rejects.toThrow(OtherLog);
  guard.connected();
  await answer();
  await expect(guard.pass(call)).resolves.toBe(before + 1);
  expect([guard.other, guard.refusal, verdicts]).toEqual([undefined, undefined, ['it is another one', undefined]]);
});

it('takes no answer that came over a connection that was lost meanwhile, nor a check', async () => {
  await guarded();
  const late = Promise.withResolvers<string>();
  const passing = guard.pass(async () => late.promise);
  await turns();
  guard.lost();
  guard.connected();
  late.resolve('stored');
  await expect(passing).rejects.toThrow(AnswerLost);
  // The server that this check asked is gone when it answers: the next one is asked as well.
  guard.lost();
  guard.connected();
  await answer();
  expect([guard.isOpen, checks.length]).toEqual([false, 1]);
  await answer();
  expect(guard.isOpen).toBe(true);
});

it('takes no refusal either that came over a connection that was lost meanwhile, but what says that nothing was sent', async () => {
  await guarded();
  const lose = (error: Error) => async (): Promise<never> => {
    guard.lost();
    throw error;
  };
  await expect(guard.pass(lose(new Error('wrong revision')))).rejects.toThrow(AnswerLost);
  guard.connected();
  await turns();
  await answer();
  const unsent = Object.assign(new Error('14 UNAVAILABLE: No connection established'), { code: 14 });
  await expect(guard.pass(lose(unsent))).rejects.toBe(unsent);
});

it('counts how long it is shut from the first loss on, however often the connection comes and goes', async () => {
  await guarded();
  guard.lost();
  now = 1500;
  guard.connected();
  guard.lost();
  now = 2000;
  expect(guard.refusal).toBe('The connection to the event log was lost, and it is not known yet whether the same log answers again');
});

it('holds nobody any more once it is closed', async () => {
  await guarded();
  guard.lost();
  const held = guard.pass(call).catch((error: unknown) => error);
  await turns();
  guard.close();
  await turns();
  await expect(Promise.race([held, Promise.resolve('held')])).resolves.toBeInstanceOf(NotChecked);
});

it('finds by a later look that the log has changed, while calls go through until it has answered', async () => {
  await guarded();
  const looking = guard.look();
  await expect(guard.pass(call)).resolves.toBe(calls);
  const late = Promise.withResolvers<string>();
  const passing = guard.pass(async () => late.promise);
  await answer('it is an older past');
  await looking;
  late.resolve('stored');
  await expect(passing).rejects.toThrow(AnswerLost);
  await expect(guard.pass(call)).rejects.toThrow(OtherLog);
});

it('stays shut while the log does not tell, says so once that takes longer than calls are held, and asks again when told to', async () => {
  await guarded();
  guard.lost();
  guard.connected();
  await turns();
  checks.shift()?.reject(new Error('no answer'));
  await turns();
  await expect(guard.pass(call)).rejects.toThrow(NotChecked);
  expect(guard.refusal).toBeUndefined();
  now = 2000;
  expect(guard.refusal).toBe('The connection to the event log was lost, and it is not known yet whether the same log answers again');
  const looking = guard.look();
  await answer();
  await looking;
  expect([guard.isOpen, guard.refusal]).toEqual([true, undefined]);
});

it('is asked by the watchdog every minute, of a connection that was never lost; a log that is not the right one is no failure of a command', async () => {
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  const tasks: [number, () => void][] = [];
  const pass = (time: number): void => tasks.forEach(([milliseconds, task]) => void (milliseconds === time && task()));
  const tick = (): void => pass(WATCHDOG_INTERVAL);
  const log = openEventStoreDbLog({
    url: standIn.url,
    every(milliseconds, task) {
      tasks.push([milliseconds, task]);
      return () => {};
    },
  });
  onTestFinished(async () => log.close());
  log.guard(check);
  const subscription = log.subscribe('start');
  const appending = log.append('match-1', 'no-stream', [sampleEvent()]);
  await expect.poll(() => checks.length).toBe(1);
  await answer();
  await appending;
  expect((await subscription.next(10))?.length).toBe(1);
  pass(PROBE_INTERVAL);
  expect(checks.length).toBe(0);
  tick();
  expect(checks.length).toBe(1);
  await answer('it is another one');
  await expect(log.append('match-1', 0, [sampleEvent()])).rejects.toThrow(LogUnavailable);
  await expect(log.readAll('start', 1)).rejects.toThrow(LogUnavailable);
  await expect(log.deleteStream('person-1')).rejects.toThrow(LogUnavailable);
  expect([log.refusal(), log.otherLog(), (await log.unguarded.readAll('start', 10)).length]).toEqual(['it is another one', 'it is another one', 1]);
  // More often than every minute while it is not the right one.
  pass(PROBE_INTERVAL);
  expect(checks.length).toBe(1);
  await answer();
  expect([log.refusal(), (await log.append('match-1', 0, [sampleEvent()])).revision]).toEqual([undefined, 1]);
});
