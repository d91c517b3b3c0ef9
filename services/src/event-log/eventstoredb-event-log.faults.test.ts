/* oxlint-disable no-await-in-loop -- rounds follow one another */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { sampleEvent } from './event-log.contract.ts';
import { LogUnavailable, UnacceptableEvents, UnknownOutcome, WrongRevision, type EventLog, type ExpectedRevision, type Subscription } from './event-log.ts';
import { openEventStoreDbLog, type EventStoreDbLog, type EventStoreDbOptions, type LogNotice } from './eventstoredb-event-log.ts';
import { EventStoreStandIn } from './testing/eventstoredb-stand-in.ts';
import { runSeed, seededRandom } from './testing/random.ts';

const full = process.env['FAULTS'] === 'full';
/** Short, so that a test of a time-out takes a second; the figures of the product are ten times as long. */
const short = { callTimeout: 800, repeatFor: 2000, unavailableFor: 800 };
/** What may come to its times where other tests have the processor: it only tells an end in time from none. */
const allowance = full ? 1000 : 20_000;

let standIn: EventStoreStandIn;
const opened: EventLog[] = [];
const notices: LogNotice[] = [];
const awaited: { kind: LogNotice['kind']; resolve: () => void }[] = [];

const open = (options: Partial<EventStoreDbOptions> = {}): EventStoreDbLog => {
  const log = openEventStoreDbLog({
    url: standIn.url,
    onNotice: (notice) => {
      notices.push(notice);
      for (const waiting of awaited) if (waiting.kind === notice.kind) waiting.resolve();
    },
    ...options,
  });
  opened.push(log);
  return log;
};
/** Resolves with the next notice of a kind. */
const noticed = (kind: LogNotice['kind']): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  awaited.push({ kind, resolve });
  return promise;
};
const newStream = (): string => `match-${randomUUID()}`;
const idsOf = (events: readonly { id: string }[] | undefined): readonly string[] | undefined => events?.map((event) => event.id);

const take = async (subscription: Subscription, count: number): Promise<readonly RecordedEvent[]> => {
  const taken: RecordedEvent[] = [];
  while (taken.length < count) taken.push(...((await subscription.next(count - taken.length)) ?? []));
  return taken;
};

/** Milliseconds that something took. */
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

beforeEach(async () => {
  standIn = await EventStoreStandIn.start();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((log) => log.close()));
  await standIn.close();
  notices.length = 0;
  awaited.length = 0;
});

describe('a connection cut around an append', () => {
  test.each(['cut-before', 'cut-during', 'stored-not-answered'] as const)('%s: acknowledged in the end, stored once and whole', async (fault) => {
    const log = open();
    const stream = newStream();
    const events = Array.from({ length: 20 }, () => sampleEvent());
    standIn.faults.onNextAppends(fault, 2);
    const result = await log.append(stream, 'no-stream', events);
    const stored = await log.readStream(stream);
    expect(idsOf(stored)).toEqual(idsOf(events));
    expect(result).toEqual({ revision: 19, position: stored?.at(-1)?.position });
    expect(standIn.faults.seen).toEqual({ appends: 3, stored: 1, overtaken: 0 });
  });

  test('stored-not-answered, and somebody else went on: the original result, not a refusal', async () => {
    const log = open();
    const other = open();
    const stream = newStream();
    const mine = sampleEvent();
    standIn.faults.onNextAppends('stored-not-answered');
    const retry = noticed('call-repeated');
    const appending = log.append(stream, 'no-stream', [mine]);
    await retry;
    await other.append(stream, 0, [sampleEvent()]);
    expect((await appending).revision).toBe(0);
    expect(await log.readStream(stream)).toHaveLength(2);
  });

  test('with `any` nothing is repeated: the outcome is unknown', async () => {
    const log = open();
    standIn.faults.onNextAppends('stored-not-answered');
    await expect(log.append(newStream(), 'any', [sampleEvent()])).rejects.toBeInstanceOf(UnknownOutcome);
    expect(standIn.faults.seen).toMatchObject({ appends: 1, stored: 1 });
  });

  test('when it is cut every time the outcome is unknown, within the time for repeats', async () => {
    const log = open(short);
    standIn.faults.onNextAppends('cut-during', 1000);
    const took = await timed(() => expect(log.append(newStream(), 'no-stream', [sampleEvent()])).rejects.toBeInstanceOf(UnknownOutcome));
    expect(took).toBeLessThan(short.repeatFor + 2 * short.callTimeout + allowance);
  });

  test('50 parallel creates under a cut: exactly one wins, in each of 10 rounds', async () => {
    const log = open();
    for (let round = 0; round < 10; round += 1) {
      const stream = newStream();
      standIn.faults.onNextAppends('stored-not-answered');
      const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => log.append(stream, 'no-stream', [sampleEvent()])));
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome.status === 'rejected' && outcome.reason instanceof WrongRevision)).toHaveLength(49);
      expect(await log.readStream(stream)).toHaveLength(1);
    }
  });

  test('a retry that overtakes its original waits for it: acknowledged, stored once', async () => {
    const log = open();
    const stream = newStream();
    const event = sampleEvent();
    standIn.faults.commitTimeoutMs = 50;
    const original = standIn.faults.holdNextAppend();
    const appending = log.append(stream, 'no-stream', [event]);
    await original.arrived;
    const cut = noticed('call-repeated');
    standIn.cutConnections();
    await cut;
    await noticed('call-repeated');
    expect(standIn.faults.seen.overtaken).toBeGreaterThan(0);
    original.release();
    expect((await appending).revision).toBe(0);
    expect(idsOf(await log.readStream(stream))).toEqual([event.id]);
    expect(standIn.faults.seen.stored).toBe(1);
  });
});

describe('a server that is not there', () => {
  test('absent: LogUnavailable in time, nothing stored, and the same log works when it is back', async () => {
    const log = open(short);
    const stream = newStream();
    await log.append(stream, 'no-stream', [sampleEvent()]);
    await standIn.stop();
    const bound = short.unavailableFor + 2 * short.callTimeout + allowance;
    // The first call after a cut may still find the old connection, so its outcome is not always certain.
    await log.append(stream, 0, [sampleEvent()]).catch(() => undefined);
    expect(await timed(() => expect(log.append(stream, 0, [sampleEvent()])).rejects.toBeInstanceOf(LogUnavailable))).toBeLessThan(bound);
    expect(await timed(() => expect(log.readStream(stream)).rejects.toBeInstanceOf(LogUnavailable))).toBeLessThan(bound);
    expect(await timed(() => expect(log.head()).rejects.toBeInstanceOf(LogUnavailable))).toBeLessThan(bound);
    await standIn.startAgain({ rememberIds: false });
    expect((await log.append(stream, 0, [sampleEvent()])).revision).toBe(1);
  });

  test("'Server Is Not Ready': waits for it, and says LogUnavailable when it does not come", async () => {
    const log = open(short);
    const stream = newStream();
    standIn.faults.notReady = true;
    await expect(log.append(stream, 'no-stream', [sampleEvent()])).rejects.toBeInstanceOf(LogUnavailable);
    await expect(log.readAll('start', 1)).rejects.toBeInstanceOf(LogUnavailable);
    const retry = noticed('call-repeated');
    // Of its default times: a pause of this process must not be longer.
    const appending = open().append(stream, 'no-stream', [sampleEvent()]);
    await retry;
    standIn.faults.notReady = false;
    expect((await appending).revision).toBe(0);
    expect(standIn.faults.seen.stored).toBe(1);
  });

  test('a silent peer: every call ends in its time, and another connection is used afterwards', async () => {
    const log = open(short);
    const stream = newStream();
    await log.append(stream, 'no-stream', [sampleEvent()]);
    const subscription = log.subscribe(await log.head());
    const waiting = subscription.next(1);
    standIn.silence();
    const event = sampleEvent();
    const bound = short.repeatFor + 2 * (short.callTimeout + 250) + allowance;
    expect(await timed(() => expect(log.append(stream, 0, [event])).rejects.toBeInstanceOf(UnknownOutcome))).toBeLessThan(bound);
    expect(await timed(() => expect(log.readStream(stream)).rejects.toBeInstanceOf(LogUnavailable))).toBeLessThan(bound);
    expect(await timed(() => expect(log.readAll('start', 10)).rejects.toBeInstanceOf(LogUnavailable))).toBeLessThan(bound);
    expect(notices.map((notice) => notice.kind)).toContain('connection-replaced');
    standIn.speak();
    expect((await log.append(stream, 0, [event])).revision).toBe(1);
    expect(idsOf(await waiting)).toEqual([event.id]);
  });

  test('a silent peer whom nobody follows: the call itself finds that it is silent, and leaves the connection', async () => {
    const log = open({ ...short, repeatFor: 0 });
    const stream = newStream();
    await log.append(stream, 'no-stream', [sampleEvent()]);
    standIn.silence();
    const event = sampleEvent();
    await expect(log.append(stream, 0, [event])).rejects.toBeInstanceOf(UnknownOutcome);
    expect(notices.map((notice) => notice.kind)).toEqual(['connection-replaced']);
    standIn.speak();
    expect((await log.append(stream, 0, [event])).revision).toBe(1);
  });

  test('a peer that was silent from the first connection on: no call hangs, and the log works when it speaks', async () => {
    standIn.silence();
    const log = open(short);
    const subscription = log.subscribe('start');
    const waiting = subscription.next(1);
    const event = sampleEvent();
    await expect(log.append(newStream(), 'no-stream', [event])).rejects.toBeInstanceOf(UnknownOutcome);
    await expect(log.head()).rejects.toBeInstanceOf(LogUnavailable);
    standIn.speak();
    await log.append(newStream(), 'no-stream', [event]);
    expect(idsOf(await waiting)).toEqual([event.id]);
  });
});

describe('whether the log takes writes', () => {
  test('is denied while the server cannot be reached, also when nobody writes, and not for a subscription that only ended', async () => {
    const log = open(short);
    const subscription = log.subscribe('start');
    const stream = newStream();
    await log.append(stream, 'no-stream', [sampleEvent()]);
    await take(subscription, 1);
    let lost = noticed('subscription-lost');
    standIn.faults.endLiveSubscriptions();
    await lost;
    expect(log.refusal()).toBeUndefined();
    const waiting = subscription.next(1);
    lost = noticed('subscription-lost');
    await standIn.stop();
    while (log.refusal() === undefined) {
      await lost;
      lost = noticed('subscription-lost');
    }
    expect(log.refusal()).toMatch(/^The event log does not answer: ./);
    await standIn.startAgain({ rememberIds: false });
    await open(short).append(stream, 0, [sampleEvent()]);
    await waiting;
    expect(log.refusal()).toBeUndefined();
  });

  test('is denied within a few seconds of silence, also when nobody writes, at once for a call that had no answer, and no longer than the silence lasts', async () => {
    const log = open({ ...short, every: (milliseconds, task) => {
      const timer = setInterval(task, milliseconds / 20);
      return () => {
        clearInterval(timer);
      };
    } });
    const stream = newStream();
    const subscription = log.subscribe('start');
    await log.append(stream, 'no-stream', [sampleEvent()]);
    await take(subscription, 1);
    const waiting = subscription.next(1);
    expect(log.refusal()).toBeUndefined();
    standIn.silence();
    await expect.poll(log.refusal, { timeout: 20_000 }).toMatch(/^The event log does not answer: no answer/);
    standIn.speak();
    await expect.poll(log.refusal, { timeout: 20_000 }).toBeUndefined();
    standIn.silence();
    await expect(log.append(stream, 0, [sampleEvent()])).rejects.toBeInstanceOf(UnknownOutcome);
    expect(log.refusal()).toBeDefined();
    standIn.speak();
    // Not the half minute of an append that the server refused.
    await expect.poll(log.refusal, { timeout: 20_000 }).toBeUndefined();
    await open(short).append(newStream(), 'no-stream', [sampleEvent()]);
    await waiting;
  });

  test('is denied for half a minute after an append that failed, or until one is stored', async () => {
    let ahead = 0;
    const log = open({ ...short, now: () => Date.now() + ahead });
    standIn.faults.notReady = true;
    await expect(log.append(newStream(), 'no-stream', [sampleEvent()])).rejects.toBeInstanceOf(LogUnavailable);
    expect(log.refusal()).toBe('The event log did not take the last command: it is starting');
    ahead = 30_000;
    expect(log.refusal()).toBeUndefined();
    ahead = 0;
    expect(log.refusal()).toBeDefined();
    standIn.faults.notReady = false;
    await log.append(newStream(), 'no-stream', [sampleEvent()]);
    expect(log.refusal()).toBeUndefined();
  });

  test('is not denied for what the caller did wrong', async () => {
    const log = open();
    await expect(log.append(newStream(), 3, [sampleEvent()])).rejects.toBeInstanceOf(WrongRevision);
    expect(log.refusal()).toBeUndefined();
  });
});

test('a stream that was removed for good by other means is one that is not there for whoever has read it, and takes nothing', async () => {
  const log = open();
  const stream = newStream();
  await log.append(stream, 'no-stream', [sampleEvent()]);
  standIn.store.tombstone(stream, 'any');
  await expect(log.append(stream, 0, [sampleEvent()])).rejects.toThrow(new WrongRevision(stream, 0, 'no-stream'));
  await expect(log.append(stream, 'no-stream', [sampleEvent()])).rejects.toThrow(UnacceptableEvents);
  expect([await log.readStream(stream), log.refusal()]).toEqual([undefined, undefined]);
});

describe('a server that is restarted', () => {
  test.each([{ rememberIds: true }, { rememberIds: false }])('with its memory of ids: $rememberIds: repeats are stored once, and a subscription goes on', async ({ rememberIds }) => {
    const log = open();
    const stream = newStream();
    const first = [sampleEvent(), sampleEvent()];
    const second = [sampleEvent()];
    const repeats: [ExpectedRevision, typeof first][] = [['no-stream', first], [1, second]];
    const originals = [];
    for (const [expected, events] of repeats) originals.push(await log.append(stream, expected, events));
    const subscription = log.subscribe('start');
    await take(subscription, 3);
    const waiting = subscription.next(5);
    await standIn.restart({ rememberIds });
    for (const [index, [expected, events]] of repeats.entries()) expect(await log.append(stream, expected, events)).toEqual(originals[index]);
    expect(await log.readStream(stream)).toHaveLength(3);
    const later = sampleEvent();
    await open().append(stream, 2, [later]);
    expect(idsOf(await waiting)).toEqual([later.id]);
  });

  test('from its file: what was acknowledged is there, at the same positions', async () => {
    const file = join(tmpdir(), `stand-in-${randomUUID()}.jsonl`);
    const onDisk = await EventStoreStandIn.start({ file });
    try {
      const log = open({ url: onDisk.url });
      const stream = newStream();
      await log.append(stream, 'no-stream', [sampleEvent(), sampleEvent()]);
      await log.append('person-1', 'no-stream', [sampleEvent()]);
      await log.deleteStream('person-1');
      const before = await log.readAll('start', 100);
      await onDisk.restart({ rememberIds: false });
      expect(await log.readAll('start', 100)).toEqual(before);
      expect(await log.readStream('person-1')).toBeUndefined();
      expect((await log.append(stream, 1, [sampleEvent()])).position).toBeGreaterThan(before.at(-1)?.position ?? 0n);
    } finally {
      await onDisk.close();
      rmSync(file);
    }
  });
});

describe('a subscription that ends', () => {
  test.each([
    ['dropped while live', () => standIn.faults.dropLiveConsumers()],
    ['ended without an error', () => standIn.faults.endLiveSubscriptions()],
    ['cut', () => standIn.cutConnections()],
  ])('%s, 20 times between events of another process: each delivered once, in order', async (_name, fault) => {
    const log = open();
    const writer = open();
    const stream = newStream();
    const subscription = log.subscribe('start');
    const written: string[] = [];
    const received: RecordedEvent[] = [];
    let ended = 0;
    for (let round = 0; round < 20; round += 1) {
      const waiting = subscription.next(100);
      ended += fault();
      const event = sampleEvent();
      written.push(event.id);
      await writer.append(stream, round === 0 ? 'no-stream' : round - 1, [event]);
      received.push(...((await waiting) ?? []));
    }
    expect(idsOf(received)).toEqual(written);
    expect(ended).toBeGreaterThan(10);
  });

  test('a live subscription that is given nothing is noticed by the watchdog', async () => {
    const tasks: (() => void)[] = [];
    const log = open({
      every: (milliseconds, task) => {
        // Beside it: whether the server is there.
        if (milliseconds === 60_000) tasks.push(task);
        return () => undefined;
      },
    });
    const writer = open();
    const subscription = log.subscribe('start');
    const first = sampleEvent();
    const stream = newStream();
    await writer.append(stream, 'no-stream', [first]);
    expect(idsOf(await subscription.next(10))).toEqual([first.id]);
    const waiting = subscription.next(10);
    standIn.faults.withholdLive = true;
    const missed = sampleEvent();
    await writer.append(stream, 0, [missed]);
    const behind = noticed('subscription-behind');
    for (const task of tasks) task();
    // Whatever woke it, the page was read; the notice says whether it was the watchdog.
    const got = await waiting;
    expect(idsOf(got)).toEqual([missed.id]);
    await behind;
  });

  test('150 subscriptions of one log wait on one call of the 100 that a connection has', async () => {
    const log = open();
    const subscriptions = Array.from({ length: 150 }, () => log.subscribe('start'));
    const waiting = subscriptions.map((subscription) => subscription.next(1));
    const event = sampleEvent();
    await log.append(newStream(), 'no-stream', [event]);
    const received = await Promise.all(waiting);
    expect(received.map(idsOf)).toEqual(Array.from({ length: 150 }, () => [event.id]));
  });
});

test(`a connection cut every ${full ? '200 to 800' : '40 to 160'} ms: each of ${full ? '10,000' : '1,500'} events or more is stored and delivered once, in order`, { timeout: 300_000 }, async () => {
  const count = full ? 10_000 : 1500;
  const least = full ? 200 : 40;
  const log = open({ repeatFor: 60_000, unavailableFor: 60_000 });
  const writer = open({ repeatFor: 60_000, unavailableFor: 60_000 });
  const writers = 8;
  const stream = newStream();
  const acknowledged = new Map<string, bigint>();
  let issued = 0;
  let cuts = 0;
  // A quick machine goes on until it was disturbed often enough.
  const isEnough = (): boolean => issued >= count && cuts >= 6;
  const write = async (index: number): Promise<void> => {
    for (let revision = 0; !isEnough(); revision += 1) {
      issued += 1;
      const event = sampleEvent();
      const result = await writer.append(`${stream}-${index}`, revision === 0 ? 'no-stream' : revision - 1, [event]);
      acknowledged.set(event.id, result.position);
    }
  };
  const random = seededRandom(runSeed('Cut connections'));
  let timer: NodeJS.Timeout | undefined;
  const cutLater = (): void => {
    timer = setTimeout(() => {
      cuts += standIn.cutConnections();
      cutLater();
    }, least + random() * 3 * least);
  };
  cutLater();
  const received: RecordedEvent[] = [];
  const subscription = log.subscribe('start');
  const last = sampleEvent();
  const consume = async (): Promise<void> => {
    while (received.at(-1)?.id !== last.id) received.push(...((await subscription.next(100)) ?? []));
  };
  const writeAll = async (): Promise<void> => {
    await Promise.all(Array.from({ length: writers }, (_, index) => write(index)));
    acknowledged.set(last.id, (await writer.append(`${stream}-last`, 'no-stream', [last])).position);
  };
  await Promise.all([consume(), writeAll()]);
  clearTimeout(timer);
  expect(acknowledged.size).toBe(issued + 1);
  expect(new Set(idsOf(received)).size).toBe(issued + 1);
  expect(received.map((event) => [event.id, event.position])).toEqual([...acknowledged].toSorted(([, a], [, b]) => (a < b ? -1 : 1)));
});

test('a process that closes its log exits by itself, with a subscription open and the connection cut before', { timeout: 60_000 }, async () => {
  const program = `
    import { randomUUID } from 'node:crypto';
    import { openEventStoreDbLog } from ${JSON.stringify(join(import.meta.dirname, 'eventstoredb-event-log.ts'))};
    const log = openEventStoreDbLog({ url: ${JSON.stringify(standIn.url)} });
    const subscription = log.subscribe('start');
    const metadata = { commandId: 'c', correlationId: 'c', causationId: 'c', actor: { role: 'system', id: 's', name: 's' }, time: '2026-11-01T10:00:00.000Z', schemaVersion: 1 };
    await log.append('match-1', 'no-stream', [{ id: randomUUID(), type: 'MatchAssigned', data: {}, metadata }]);
    const first = await subscription.next(1);
    const waiting = subscription.next(1);
    await log.close();
    console.log(first.length, await waiting);`;
  standIn.faults.onNextAppends('stored-not-answered');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: import.meta.dirname, timeout: 30_000 });
  expect([stdout, stderr]).toEqual(['1 undefined\n', '']);
});
