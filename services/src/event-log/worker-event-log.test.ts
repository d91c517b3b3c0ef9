import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LogUnavailable, UnknownOutcome } from './event-log.ts';
import { sampleEvent } from './testing/sample-event.ts';
import { LogInUse } from './log-lock.ts';
import type { WorkerLogOptions } from './log-worker-client.ts';
import { openSqliteEventLog } from './sqlite-event-log.ts';
import type { CountingState } from './testing/counting-projector.ts';
import { temporaryFolder } from './testing/log-files.ts';
import { openWorkerEventLog, type WorkerEventLog } from './worker-event-log.ts';

const projectorModule = new URL('./testing/counting-projector.ts', import.meta.url).href;

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
const opened: WorkerEventLog[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.path('event-log.sqlite');
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map(async (log) => log.close()));
  folder.remove();
});

const open = async (options: Partial<WorkerLogOptions> = {}): Promise<WorkerEventLog> => {
  const log = await openWorkerEventLog({ path, projectorModule, ...options });
  opened.push(log);
  return log;
};
const stateOf = async (log: WorkerEventLog): Promise<CountingState> => (await log.commandProjector('state')) as CountingState;
const write = async (log: WorkerEventLog, count: number): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, index) => log.append(`match-${index}`, 'no-stream', [sampleEvent({ index })])));
};
/** Lets the event loop of this thread go round. */
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
};
const oneTo = (count: number): readonly bigint[] => Array.from({ length: count }, (_, index) => BigInt(index + 1));

describe('projection behind the log', () => {
  it('has projected what an append answers, event by event as readers see it', async () => {
    const log = await open();
    const result = await log.append('match-1', 'no-stream', [sampleEvent({ points: 3 }), sampleEvent({ points: 1 })]);
    expect(log.projectedPosition).toBe(result.position);
    await log.append('match-1', 1, [sampleEvent({ points: 2 })]);
    expect((await stateOf(log)).texts).toEqual(['match-1@0 {"points":3}', 'match-1@1 {"points":1}', 'match-1@2 {"points":2}']);
  });

  it('takes appends that wait together as one batch', async () => {
    const log = await open();
    await write(log, 300);
    const { positions, calls } = await stateOf(log);
    expect(positions).toEqual(oneTo(300));
    // The first turn's appends are one batch: nobody was busy before it.
    expect(calls).toBe(1);
  });

  it('projects what is appended again no second time', async () => {
    const log = await open();
    const events = [sampleEvent()];
    await log.append('match-1', 'no-stream', events);
    await Promise.all([log.append('match-2', 'no-stream', [sampleEvent()]), log.append('match-1', 'no-stream', events)]);
    expect((await stateOf(log)).positions).toEqual([1n, 2n]);
  });

  it('while many read, waits for company after a batch, and loses nothing', async () => {
    let reads = 0;
    const log = await open({ readsSoFar: () => reads });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    await write(log, 1);
    reads += 16;
    const first = log.append('match-a', 'no-stream', [sampleEvent({ points: 3 })]);
    await turns(50);
    const second = log.append('match-b', 'no-stream', [sampleEvent({ points: 2 })]);
    await turns(50);
    expect(log.queueLength).toBe(2);
    vi.advanceTimersByTime(16);
    await Promise.all([first, second]);
    // Few have read since: the next one goes at once.
    await log.append('match-c', 'no-stream', [sampleEvent({ points: 1 })]);
    const { positions, calls } = await stateOf(log);
    expect([positions, calls]).toEqual([oneTo(4), 3]);
  });

  it('catches up from the log in pages before it is ready', async () => {
    const before = openSqliteEventLog({ path });
    await Promise.all(Array.from({ length: 2500 }, (_, index) => before.append(`match-${index}`, 'no-stream', [sampleEvent({ index })])));
    await before.close();
    const heard: bigint[] = [];
    const log = await open({ onProjected: (projected) => heard.push(projected.position) });
    expect(log.projectedPosition).toBe(2500n);
    expect(heard.slice(0, 3)).toEqual([1000n, 2000n, 2500n]);
    expect(await stateOf(log)).toMatchObject({ positions: oneTo(2500), calls: 3 });
  });

  it('never fails an append: what throws is told as not projected, and is projected later', async () => {
    const log = await open();
    await log.commandProjector('fail', 2);
    const { position } = await log.append('match-1', 'no-stream', [sampleEvent()]);
    expect(position).toBe(1n);
    expect(log.projected).toEqual({ position: 0n, parked: 0, accountChanges: 0n, error: 'the read model failed' });
    const later = await log.append('match-2', 'no-stream', [sampleEvent()]);
    expect(await log.waitForProjected(later.position, 10_000)).toBe(true);
    expect((await stateOf(log)).positions).toEqual(oneTo(2));
    expect(log.projected).toEqual({ position: 2n, parked: 0, accountChanges: 0n });
  });

  it('opens the log though the projector fails at start', async () => {
    const before = openSqliteEventLog({ path });
    await before.append('match-1', 'no-stream', [sampleEvent()]);
    await before.close();
    const log = await open({ projectorOptions: { failures: 1 } });
    expect(await log.waitForProjected(1n, 10_000)).toBe(true);
  });

  it('says when a position is not reached in time, and tells listeners of each change', async () => {
    const log = await open();
    const heard: bigint[] = [];
    const leave = log.onProjected(({ position }) => heard.push(position));
    expect(await log.waitForProjected(1n, 5)).toBe(false);
    const waiting = log.waitForProjected(2n, 10_000);
    await log.append('match-1', 'no-stream', [sampleEvent()]);
    await log.append('match-1', 0, [sampleEvent()]);
    expect(await waiting).toBe(true);
    leave();
    await log.append('match-1', 1, [sampleEvent()]);
    expect(heard).toEqual([1n, 2n]);
  });

  it('refuses to open with a module that is not there', async () => {
    await expect(openWorkerEventLog({ path, projectorModule: new URL('./testing/no-such-projector.ts', import.meta.url).href })).rejects.toThrow(
      'no-such-projector',
    );
    // The lock is free again.
    await open();
  });
});

describe('faults', () => {
  it('bounds what waits', async () => {
    const log = await open({ queueLimit: 10 });
    const outcomes = await Promise.allSettled(Array.from({ length: 25 }, (_, index) => log.append(`match-${index}`, 'no-stream', [sampleEvent()])));
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      ...Array.from({ length: 10 }, () => 'fulfilled'),
      ...Array.from({ length: 15 }, () => 'rejected'),
    ]);
    expect(outcomes.filter((outcome) => outcome.status === 'rejected' && outcome.reason instanceof LogUnavailable)).toHaveLength(15);
    expect(log.queueLength).toBe(0);
    await log.append('match-after', 'no-stream', [sampleEvent()]);
  });

  it('bounds what waits by its size', async () => {
    const log = await open({ queueCharacters: 5000 });
    const large = () => log.append(`match-${Math.random()}`, 'no-stream', [sampleEvent('x'.repeat(2000))]);
    const outcomes = await Promise.allSettled([large(), large(), large()]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    await large();
  });

  it('has room for the text of as many appends as it is to hold', async () => {
    const log = await open({ queueLimit: 2200 });
    const large = 'x'.repeat(3600);
    await Promise.all(Array.from({ length: 2200 }, async (_, index) => log.append(`match-${index}`, 'no-stream', [sampleEvent(large)])));
    expect(await log.head()).toBe(2200n);
  });

  it('answers a crash of the worker as an unknown outcome, and goes on after a restart', async () => {
    const log = await open();
    await log.append('match-1', 'no-stream', [sampleEvent()]);
    await log.commandProjector('crash');
    const events = [sampleEvent()];
    const subscription = log.subscribe(1n);
    await expect(log.append('match-1', 0, events)).rejects.toBeInstanceOf(UnknownOutcome);
    await expect(log.append('match-2', 'no-stream', [sampleEvent()])).rejects.toBeInstanceOf(LogUnavailable);
    expect(log.health().refusal).toBe('The event log is being opened');
    // Reads go on meanwhile; the crash came after the commit.
    expect(await log.readStream('match-1')).toHaveLength(2);
    expect(await log.waitForProjected(2n, 10_000)).toBe(true);
    const repeated = await retried(async () => log.append('match-1', 0, events));
    expect(repeated).toEqual({ revision: 1, position: 2n, repeated: true });
    await log.append('match-1', 1, [sampleEvent()]);
    expect((await subscription.next(10))?.map((event) => event.position)).toEqual([2n, 3n]);
    await subscription.close();
  });

  it('what waited for a worker that crashed was not stored, and takes no room any more', async () => {
    const log = await open({ queueCharacters: 5000 });
    const large = async (stream: string) => log.append(stream, 'no-stream', [sampleEvent('x'.repeat(2000))]);
    await log.commandProjector('crash');
    const sent = large('match-1').catch((error: unknown) => error);
    await turns(1);
    const waiting = large('match-2').catch((error: unknown) => error);
    expect([await sent, await waiting].map((error) => (error instanceof Error ? error.name : error))).toEqual(['UnknownOutcome', 'LogUnavailable']);
    await retried(async () => log.commandProjector('state'));
    expect(await log.readStream('match-2')).toBeUndefined();
    await Promise.all([large('match-3'), large('match-4')]);
  });

  it('a worker that is started anew on a damaged log refuses erasures as well, wherever the damage is', async () => {
    const log = await open({ verifyAtOpen: 2 });
    await log.append('person-1', 'no-stream', [sampleEvent(), sampleEvent(), sampleEvent(), sampleEvent()]);
    const connection = new Database(path);
    connection.exec("UPDATE events SET data = '{}' WHERE position = 2");
    connection.close();
    expect((await log.verifyChain()).firstBreak?.position).toBe(2n);
    await expect(log.commandProjector('die')).rejects.toBeInstanceOf(UnknownOutcome);
    await retried(async () => log.commandProjector('state'));
    await expect(log.deleteStream('person-1')).rejects.toThrow('The event log is damaged at position 2');
    await expect(log.append('match-1', 'no-stream', [sampleEvent()])).rejects.toThrow('The event log is damaged at position 2');
  });

  it.each([
    ['an append', async (log: WorkerEventLog) => log.append('match-1', 'no-stream', [sampleEvent()])],
    ['an erasure', async (log: WorkerEventLog) => log.deleteStream('person-1')],
  ])('a worker that is started anew takes writes, whatever failed its predecessor: %s', async (_, attempt) => {
    const log = await open();
    await log.append('person-1', 'no-stream', [sampleEvent()]);
    await log.commandProjector('fail-writes');
    await expect(attempt(log)).rejects.toBeInstanceOf(UnknownOutcome);
    await vi.waitFor(() => expect(log.health().refusal).toContain('cannot be opened again'), { timeout: 30_000 });
    await expect(log.commandProjector('die')).rejects.toBeInstanceOf(UnknownOutcome);
    await retried(async () => log.commandProjector('state'));
    expect(log.health().refusal).toBeUndefined();
    await log.append('match-1', 'no-stream', [sampleEvent()]);
  });

  it('none that is started anew takes writes where only another process may: this one goes on with files that somebody removed', async () => {
    const log = await open();
    await log.append('person-1', 'no-stream', [sampleEvent()]);
    rmSync(`${path}-wal`);
    await expect(log.append('match-1', 'no-stream', [sampleEvent()])).rejects.toThrow('restart the server');
    await vi.waitFor(() => expect(log.health().refusal).toContain('restart the server'), { timeout: 30_000 });
    await expect(log.commandProjector('die')).rejects.toBeInstanceOf(UnknownOutcome);
    await retried(async () => log.commandProjector('state'));
    await expect(log.append('match-1', 'no-stream', [sampleEvent()])).rejects.toThrow('restart the server');
    await expect(log.deleteStream('person-1')).rejects.toThrow('restart the server');
    expect(log.health().refusal).toContain('restart the server');
  });

  it('asks for the end of the process when the worker dies twice within a minute', async () => {
    const fatal = Promise.withResolvers<Error>();
    const log = await open({ onFatal: fatal.resolve });
    await log.commandProjector('crash');
    await expect(log.append('match-1', 'no-stream', [sampleEvent()])).rejects.toBeInstanceOf(UnknownOutcome);
    await retried(async () => log.commandProjector('crash'));
    await expect(log.append('match-1', 0, [sampleEvent()])).rejects.toBeInstanceOf(UnknownOutcome);
    expect((await fatal.promise).message).toContain('code 3');
    await expect(log.append('match-1', 0, [sampleEvent()])).rejects.toThrow('twice within a minute');
    expect(await log.readStream('match-1')).toHaveLength(2);
  });

  it('finishes what waits when it closes, and refuses what comes after', async () => {
    const log = await open();
    const waiting = Array.from({ length: 50 }, async (_, index) => log.append(`match-${index}`, 'no-stream', [sampleEvent()]));
    const closing = log.close();
    await expect(log.append('match-late', 'no-stream', [sampleEvent()])).rejects.toBeInstanceOf(LogUnavailable);
    expect(await Promise.all(waiting)).toHaveLength(50);
    await closing;
    // The write-ahead log went into the file, and the lock is free.
    expect(readdirSync(dirname(path)).filter((name) => name.endsWith('-wal'))).toEqual([]);
    const after = openSqliteEventLog({ path });
    expect(await after.head()).toBe(50n);
    await after.close();
  });

  it('refuses a file that is no log, and a second owner', async () => {
    await open();
    await expect(openWorkerEventLog({ path })).rejects.toBeInstanceOf(LogInUse);
    expect(() => openSqliteEventLog({ path })).toThrow(LogInUse);
    const other = folder.path('other.sqlite');
    const connection = new Database(other);
    connection.exec('CREATE TABLE events (a)');
    connection.close();
    await expect(openWorkerEventLog({ path: other })).rejects.toBeInstanceOf(LogUnavailable);
  });
});

describe('administration', () => {
  it('verifies the chain while appends go on, with progress', async () => {
    const log = await open();
    await write(log, 1500);
    const seen: bigint[] = [];
    const [report] = await Promise.all([
      log.verifyChain(undefined, ({ position }) => seen.push(position)),
      log.append('match-more', 'no-stream', [sampleEvent()]),
    ]);
    expect(report.firstBreak).toBeUndefined();
    expect(report.events).toBeGreaterThanOrEqual(1500);
    expect(seen[0]).toBe(1000n);
    expect(await log.verifyChain(1401n)).toEqual({ events: 101, erased: 0 });
  });

  it('stops verifying when asked', async () => {
    const log = await open();
    await write(log, 1500);
    const abort = new AbortController();
    await expect(log.verifyChain(1n, () => abort.abort(new Error('enough')), abort.signal)).rejects.toThrow('enough');
    await expect(log.verifyChain(1n, undefined, abort.signal)).rejects.toThrow('enough');
  });

  it('refuses writes after a verification that found a break, and says so', async () => {
    const log = await open({ verifyAtOpen: 1 });
    await write(log, 3);
    const connection = new Database(path);
    connection.exec("UPDATE events SET type = 'MatchCancelled' WHERE position = 2");
    connection.close();
    expect((await log.verifyChain()).firstBreak?.position).toBe(2n);
    await expect(log.append('match-9', 'no-stream', [sampleEvent()])).rejects.toBeInstanceOf(LogUnavailable);
    expect(log.health().refusal).toContain('damaged at position 2');
    expect(await log.readAll('start', 10)).toHaveLength(3);
  });

  it('makes a backup under writes that is a whole log', async () => {
    const log = await open();
    await write(log, 200);
    const destination = folder.path('backup.sqlite');
    await Promise.all([log.backup(destination), log.append('match-more', 'no-stream', [sampleEvent()])]);
    const copy = openSqliteEventLog({ path: destination });
    const report = await copy.verifyChain();
    expect(report.firstBreak).toBeUndefined();
    expect(report.events).toBeGreaterThanOrEqual(200);
    expect((await copy.readAll('start', 200)).map((event) => event.id)).toEqual((await log.readAll('start', 200)).map((event) => event.id));
    await copy.close();
    await expect(log.backup(folder.path('no/such/folder.sqlite'))).rejects.toThrow('directory');
  });

  it('erases a person from every file and checkpoints', async () => {
    const log = await open();
    const marker = 'Canary Tamrakar 9801234567';
    await log.append('person-1', 'no-stream', [sampleEvent({ name: marker })]);
    await log.deleteStream('person-1');
    expect(readdirSync(dirname(path)).filter((name) => !name.endsWith('.lock') && readFileSync(join(dirname(path), name)).includes(marker))).toEqual([]);
    expect(await log.checkpoint()).toEqual({ complete: true });
    expect(log.health()).toEqual({ walBytes: 0 });
    expect(await log.verifyChain()).toEqual({ events: 1, erased: 1, untold: [{ personId: '1', position: 1n }] });
    await log.refuse({ position: 1n, reason: 'taken' });
    await expect(log.append('match-1', 'no-stream', [sampleEvent()])).rejects.toThrow('The event log is damaged at position 1: taken. Restore a backup.');
  });
});

/** Repeats what is refused while the worker starts again, a turn of the event loop at a time. */
const retried = async <R>(attempt: () => Promise<R>): Promise<R> => {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      // Gives way to the worker's messages.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
};
