import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { describe, expect, test } from 'vitest';
import { sampleEvent } from './testing/sample-event.ts';
import { StreamRemoved, UnknownOutcome, WrongRevision, type ExpectedRevision } from './event-log.ts';
import { allowance, eventStoreOfEachTest, idsOf, newStream, short, take, timed } from './testing/eventstoredb-of-each-test.ts';
import { EventStoreStandIn } from './testing/eventstoredb-stand-in.ts';
import { runSeed, seededRandom } from './testing/random.ts';

const full = process.env['FAULTS'] === 'full';
const { noticed, notices, open, standIn } = eventStoreOfEachTest();

describe('a connection cut around an append', () => {
  test.each(['cut-before', 'cut-during', 'stored-not-answered'] as const)('%s: acknowledged in the end, stored once and whole', async (fault) => {
    const log = open();
    const stream = newStream();
    const events = Array.from({ length: 20 }, () => sampleEvent());
    standIn().faults.onNextAppends(fault, 2);
    const result = await log.append(stream, 'no-stream', events);
    const stored = await log.readStream(stream);
    expect(idsOf(stored)).toEqual(idsOf(events));
    expect(result).toEqual({ revision: 19, position: stored?.at(-1)?.position });
    expect(standIn().faults.seen).toEqual({ appends: 3, stored: 1, overtaken: 0 });
  });

  test('stored-not-answered, and somebody else went on: the original result, not a refusal', async () => {
    const log = open();
    const other = open();
    const stream = newStream();
    const mine = sampleEvent();
    standIn().faults.onNextAppends('stored-not-answered');
    const retry = noticed('call-repeated');
    const appending = log.append(stream, 'no-stream', [mine]);
    await retry;
    await other.append(stream, 0, [sampleEvent()]);
    expect((await appending).revision).toBe(0);
    expect(await log.readStream(stream)).toHaveLength(2);
  });

  test('with `any` nothing is repeated: the outcome is unknown', async () => {
    const log = open();
    standIn().faults.onNextAppends('stored-not-answered');
    await expect(log.append(newStream(), 'any', [sampleEvent()])).rejects.toBeInstanceOf(UnknownOutcome);
    expect(standIn().faults.seen).toMatchObject({ appends: 1, stored: 1 });
  });

  test('when it is cut every time the outcome is unknown, within the time for repeats', async () => {
    const log = open(short);
    standIn().faults.onNextAppends('cut-during', 1000);
    const took = await timed(() => expect(log.append(newStream(), 'no-stream', [sampleEvent()])).rejects.toBeInstanceOf(UnknownOutcome));
    expect(took).toBeLessThan(short.repeatFor + 2 * short.callTimeout + allowance);
  });

  test('50 parallel creates under a cut: exactly one wins, in each of 10 rounds', async () => {
    const log = open();
    for (let round = 0; round < 10; round += 1) {
      const stream = newStream();
      standIn().faults.onNextAppends('stored-not-answered');
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
    standIn().faults.commitTimeoutMs = 50;
    const original = standIn().faults.holdNextAppend();
    const appending = log.append(stream, 'no-stream', [event]);
    await original.arrived;
    const cut = noticed('call-repeated');
    standIn().cutConnections();
    await cut;
    await noticed('call-repeated');
    expect(standIn().faults.seen.overtaken).toBeGreaterThan(0);
    original.release();
    expect((await appending).revision).toBe(0);
    expect(idsOf(await log.readStream(stream))).toEqual([event.id]);
    expect(standIn().faults.seen.stored).toBe(1);
  });
});

test('a stream that was removed for good by other means is one that is not there for whoever has read it, and takes nothing', async () => {
  const log = open();
  const stream = newStream();
  await log.append(stream, 'no-stream', [sampleEvent()]);
  standIn().store.tombstone(stream, 'any');
  await expect(log.append(stream, 0, [sampleEvent()])).rejects.toThrow(new WrongRevision(stream, 0, 'no-stream'));
  await expect(log.append(stream, 'no-stream', [sampleEvent()])).rejects.toThrow(StreamRemoved);
  expect([await log.readStream(stream), log.refusal()]).toEqual([undefined, undefined]);
});

describe('a server that is restarted', () => {
  test.each([{ rememberIds: true }, { rememberIds: false }])(
    'with its memory of ids: $rememberIds: repeats are stored once, and a subscription goes on',
    async ({ rememberIds }) => {
      const log = open();
      const stream = newStream();
      const first = [sampleEvent(), sampleEvent()];
      const second = [sampleEvent()];
      const repeats: [ExpectedRevision, typeof first][] = [
        ['no-stream', first],
        [1, second],
      ];
      const originals = [];
      for (const [expected, events] of repeats) originals.push(await log.append(stream, expected, events));
      const subscription = log.subscribe('start');
      await take(subscription, 3);
      const waiting = subscription.next(5);
      await standIn().restart({ rememberIds });
      for (const [index, [expected, events]] of repeats.entries()) expect(await log.append(stream, expected, events)).toEqual(originals[index]);
      expect(await log.readStream(stream)).toHaveLength(3);
      const later = sampleEvent();
      await open().append(stream, 2, [later]);
      expect(idsOf(await waiting)).toEqual([later.id]);
    },
  );

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
    ['dropped while live', () => standIn().faults.dropLiveConsumers()],
    ['ended without an error', () => standIn().faults.endLiveSubscriptions()],
    ['cut', () => standIn().cutConnections()],
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
    let checks = 0;
    log.guard(async () => {
      checks += 1;
      return undefined;
    });
    const writer = open();
    const subscription = log.subscribe('start');
    const first = sampleEvent();
    const stream = newStream();
    await writer.append(stream, 'no-stream', [first]);
    expect(idsOf(await subscription.next(10))).toEqual([first.id]);
    const waiting = subscription.next(10);
    standIn().faults.withholdLive = true;
    const missed = sampleEvent();
    await writer.append(stream, 0, [missed]);
    const behind = noticed('subscription-behind');
    for (const task of tasks) task();
    // Whatever woke it, the page was read; the notice says whether it was the watchdog.
    const got = await waiting;
    expect(idsOf(got)).toEqual([missed.id]);
    await behind;
    // At the start, by the watchdog, and over the subscription that it has opened anew.
    await expect.poll(() => checks).toBe(3);
    // One that was left is behind nothing.
    const left = subscription.next(10);
    await subscription.close();
    await left;
    await writer.append(stream, 1, [sampleEvent()]);
    for (const task of tasks) task();
    await log.head();
    await log.head();
    expect(notices.filter(({ kind }) => kind === 'subscription-behind')).toHaveLength(1);
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

test(
  `a connection cut every ${full ? '200 to 800' : '40 to 160'} ms: each of ${full ? '10,000' : '1,500'} events or more is stored and delivered once, in order`,
  { timeout: 300_000 },
  async () => {
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
      timer = setTimeout(
        () => {
          cuts += standIn().cutConnections();
          cutLater();
        },
        least + random() * 3 * least,
      );
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
  },
);

test('a process that closes its log exits by itself, with a subscription open and the connection cut before', { timeout: 60_000 }, async () => {
  const program = `
    import { randomUUID } from 'node:crypto';
    import { openEventStoreDbLog } from ${JSON.stringify(join(import.meta.dirname, 'eventstoredb-event-log.ts'))};
    const log = openEventStoreDbLog({ url: ${JSON.stringify(standIn().url)} });
    const subscription = log.subscribe('start');
    const metadata = { commandId: 'c', correlationId: 'c', causationId: 'c', actor: { role: 'system', id: 's', name: 's' }, time: '2026-11-01T10:00:00.000Z', schemaVersion: 1 };
    await log.append('match-1', 'no-stream', [{ id: randomUUID(), type: 'MatchAssigned', data: {}, metadata }]);
    const first = await subscription.next(1);
    const waiting = subscription.next(1);
    await log.close();
    console.log(first.length, await waiting);`;
  standIn().faults.onNextAppends('stored-not-answered');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    timeout: 30_000,
  });
  expect([stdout, stderr]).toEqual(['1 undefined\n', '']);
});
