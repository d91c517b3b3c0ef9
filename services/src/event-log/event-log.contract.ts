import { randomUUID } from 'node:crypto';
import type { EventMetadata, NewEvent, RecordedEvent } from '@courtledger/contracts/kernel/event';
import { isOfAnotherProgram } from '@courtledger/contracts/kernel/other-programs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnacceptableEvents, UnknownOutcome, WrongRevision, type After, type AppendResult, type EventLog, type Subscription } from './event-log.ts';
import { suiteEvent } from './testing/sample-event.ts';

/**
 * One store under the contract. `open` is called once for the suite (a store may be slow to open) and must give a log that nobody else writes while the suite
 * runs, unless it is said to be shared; it may hold other events already: every test makes streams of its own and counts from the head it found.
 */
export type LogUnderTest = {
  readonly log: EventLog;
  /**
   * Cuts what open subscriptions and reads run on, as a broken network or a thrown-away connection would; subscriptions must go on by themselves. Leave out
   * where there is nothing to cut.
   */
  readonly interrupt?: () => Promise<void> | void;
  /** Closes the log and opens the same data again; the answer is used from then on. Needed unless `lasts` is false. */
  readonly reopen?: () => Promise<LogUnderTest>;
  /** Frees everything, the log included. */
  readonly close: () => Promise<void>;
};

export type ContractOptions = {
  readonly open: () => Promise<LogUnderTest>;
  /** False where nothing survives a close (memory). Default true. */
  readonly lasts?: boolean;
  /** True where others may write meanwhile: what they write is passed over, and the head may be farther than the suite wrote. Default false. */
  readonly isShared?: boolean;
  /** Events of the long subscription test. Default: 10,000 with FAULTS=full, else 1,000. */
  readonly subscriptionEvents?: number;
  /** Time limit of a test in ms. Default 30,000. */
  readonly timeout?: number;
};

const samples = (count: number): readonly NewEvent[] => Array.from({ length: count }, (_, index) => suiteEvent({ index }));

const shape = (event: RecordedEvent) => ({
  stream: event.stream,
  revision: event.revision,
  id: event.id,
  type: event.type,
  version: event.version,
  time: event.time,
  data: event.data,
  metadata: event.metadata,
});

const readToEnd = async (log: EventLog, after: After, page: number): Promise<readonly RecordedEvent[]> => {
  const all: RecordedEvent[] = [];
  for (;;) {
    const events = await log.readAll(all.at(-1)?.position ?? after, page);
    expect(events.length).toBeLessThanOrEqual(page);
    if (events.length === 0) return all;
    all.push(...events);
  }
};

const place = ({ revision, position }: AppendResult) => ({ revision, position });

const isRising = (positions: readonly bigint[]): boolean => positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? 0n));

const withMetadata = (change: Partial<EventMetadata>): NewEvent => {
  const event = suiteEvent();
  return { ...event, metadata: { ...event.metadata, ...change } };
};

const half = (): NewEvent => suiteEvent('x'.repeat(600_000));

/** What every store of the event log must do. Call it at the top level of a test file. */
export const eventLogContract = (name: string, options: ContractOptions): void => {
  const timeout = options.timeout ?? 30_000;
  const subscriptionEvents = options.subscriptionEvents ?? (process.env['FAULTS'] === 'full' ? 10_000 : 1000);

  const run = randomUUID();
  // Too long for a stream of the product, also where it is named after a person to be deletable.
  const newStream = (kind = 'contract'): string => `${kind}-${run}-${randomUUID()}`;
  const own = (events: readonly RecordedEvent[]): readonly RecordedEvent[] =>
    options.isShared === true ? events.filter(({ stream }) => stream.includes(run)) : events;
  const take = async (subscription: Subscription, count: number, limit: number): Promise<readonly RecordedEvent[]> => {
    const taken: RecordedEvent[] = [];
    while (taken.length < count) {
      const events = await subscription.next(Math.min(limit, count - taken.length));
      if (events === undefined) break;
      taken.push(...own(events));
    }
    return taken;
  };

  describe(`event log contract: ${name}`, { timeout }, () => {
    let under: LogUnderTest;
    /** The head before the suite: what stands up to there may be more than a test can read. */
    let beginning: After;
    const log = (): EventLog => under.log;
    const expectHead = async (position: After | undefined): Promise<void> => {
      const head = await log().head();
      if (options.isShared === true && typeof head === 'bigint' && typeof position === 'bigint') expect(head).toBeGreaterThanOrEqual(position);
      else expect(head).toBe(position);
    };
    beforeAll(async () => {
      under = await options.open();
      beginning = await log().head();
    }, timeout);
    afterAll(async () => {
      await under.close();
    }, timeout);

    it('gives back what was appended, in full', async () => {
      const stream = newStream();
      const events = [
        suiteEvent({ text: 'Rhinos – काठमाडौं 🏀  \u0000 "quoted" \\', nested: { list: [1, 2.5, null, true] } }),
        suiteEvent({}, 'ContractSampledToo'),
      ];
      const result = await log().append(stream, 'no-stream', events);
      const read = await log().readStream(stream);
      expect(read?.map(shape)).toEqual(
        events.map((event, revision) => ({
          stream,
          revision,
          id: event.id,
          type: event.type,
          version: 1,
          time: event.metadata.time,
          data: event.data,
          metadata: event.metadata,
        })),
      );
      expect(read?.map((event) => JSON.parse(event.metadataText) as unknown)).toEqual(events.map((event) => event.metadata));
      expect(result.revision).toBe(1);
      expect(result.position).toBe(read?.[1]?.position);
    });

    it('takes ids in capitals for the same ids', async () => {
      const stream = newStream();
      const event = suiteEvent();
      const original = await log().append(stream, 'no-stream', [{ ...event, id: event.id.toUpperCase() }]);
      expect((await log().readStream(stream))?.map(({ id }) => id)).toEqual([event.id]);
      expect(place(await log().append(stream, 'no-stream', [event]))).toEqual(place(original));
    });

    it('keeps stream names beyond ASCII', async () => {
      const stream = `${newStream()}-बास्केटबल/🏀 x`;
      await log().append(stream, 'no-stream', [suiteEvent()]);
      expect((await log().readStream(stream))?.[0]?.stream).toBe(stream);
    });

    it('knows no stream that was never written', async () => {
      expect(await log().readStream(newStream())).toBeUndefined();
    });

    it('enforces no-stream, exact and any', async () => {
      const stream = newStream();
      await expect(log().append(stream, 0, [suiteEvent()])).rejects.toMatchObject({ name: 'WrongRevision', stream, expected: 0, actual: 'no-stream' });
      expect((await log().append(stream, 'no-stream', samples(3))).revision).toBe(2);
      await expect(log().append(stream, 'no-stream', [suiteEvent()])).rejects.toMatchObject({ name: 'WrongRevision', expected: 'no-stream', actual: 2 });
      await expect(log().append(stream, 1, [suiteEvent()])).rejects.toMatchObject({ name: 'WrongRevision', expected: 1, actual: 2 });
      await expect(log().append(stream, 3, [suiteEvent()])).rejects.toBeInstanceOf(WrongRevision);
      expect((await log().append(stream, 2, [suiteEvent()])).revision).toBe(3);
      expect((await log().append(stream, 'any', samples(2))).revision).toBe(5);
      expect((await log().append(newStream(), 'any', [suiteEvent()])).revision).toBe(0);
      expect((await log().readStream(stream))?.map((event) => event.revision)).toEqual([0, 1, 2, 3, 4, 5]);
    });

    it.each(['no-stream', 'exact'] as const)('lets exactly one of 50 parallel appends win (%s)', async (kind) => {
      const stream = newStream();
      if (kind === 'exact') await log().append(stream, 'no-stream', [suiteEvent()]);
      const attempts = Array.from({ length: 50 }, () => suiteEvent());
      const outcomes = await Promise.allSettled(attempts.map((event) => log().append(stream, kind === 'exact' ? 0 : 'no-stream', [event])));
      const winners = outcomes.flatMap((outcome, index) => (outcome.status === 'fulfilled' ? [index] : []));
      expect(winners).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome.status === 'rejected' && outcome.reason instanceof WrongRevision)).toHaveLength(49);
      const stored = await log().readStream(stream, kind === 'exact' ? 1 : 0);
      expect(stored?.map((event) => event.id)).toEqual(winners.map((index) => attempts[index]?.id));
    });

    it('stores several events all or none', async () => {
      const stream = newStream();
      await log().append(stream, 'no-stream', samples(2));
      const before = await log().head();
      await expect(log().append(stream, 0, samples(5))).rejects.toBeInstanceOf(WrongRevision);
      await expect(log().append(stream, 1, [...samples(4), suiteEvent(1n)])).rejects.toBeInstanceOf(UnacceptableEvents);
      await expectHead(before);
      expect(own(await readToEnd(log(), before, 100))).toEqual([]);
      expect(await log().readStream(stream)).toHaveLength(2);
      await log().append(stream, 1, samples(5));
      expect(own(await readToEnd(log(), before, 100)).map((event) => [event.stream, event.revision])).toEqual(
        [2, 3, 4, 5, 6].map((revision) => [stream, revision]),
      );
    });

    it('acknowledges the same event ids at the same expectation once, with the original result', async () => {
      const stream = newStream();
      const first = samples(2);
      const second = samples(3);
      const original = await log().append(stream, 'no-stream', first);
      const later = await log().append(stream, 1, second);
      expect(place(await log().append(stream, 'no-stream', first))).toEqual(place(original));
      expect(place(await log().append(stream, 1, second))).toEqual(place(later));
      await log().append(stream, 4, [suiteEvent()]);
      expect(place(await log().append(stream, 1, second))).toEqual(place(later));
      // More events than the original append held are another append.
      await expect(log().append(stream, 1, [...second, suiteEvent()])).rejects.toBeInstanceOf(WrongRevision);
      await expect(log().append(stream, 'any', [...second, suiteEvent()])).rejects.toBeInstanceOf(WrongRevision);
      // So are the same ones at another expectation than theirs.
      await expect(log().append(stream, 'no-stream', second)).rejects.toBeInstanceOf(WrongRevision);
      await expect(log().append(stream, 0, second)).rejects.toBeInstanceOf(WrongRevision);
      expect(await log().readStream(stream)).toHaveLength(6);
    });

    it('stores parallel repeats of one append once', async () => {
      const stream = newStream();
      const events = samples(2);
      const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => log().append(stream, 'no-stream', events)));
      // A store may be unable to say yet (UnknownOutcome), but it must not refuse or store twice.
      const acknowledged = attempts.filter((attempt) => attempt.status === 'fulfilled');
      expect(attempts.filter((attempt) => attempt.status === 'rejected' && attempt.reason instanceof UnknownOutcome)).toHaveLength(5 - acknowledged.length);
      expect(acknowledged.length).toBeGreaterThan(0);
      expect((await log().readStream(stream))?.map((event) => event.id)).toEqual(events.map((event) => event.id));
    });

    it('gives one order of the whole log, in pages, without holes under parallel writers', async () => {
      const start = await log().head();
      const streams = Array.from({ length: 10 }, () => newStream());
      const seenWhileWriting: RecordedEvent[] = [];
      const writers = new AbortController();
      const reader = (async () => {
        while (!writers.signal.aborted) {
          const events = await log().readAll(seenWhileWriting.at(-1)?.position ?? start, 7);
          seenWhileWriting.push(...events);
          if (events.length === 0) await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      const written = await Promise.all(
        streams.map(async (stream) => {
          const ids: string[] = [];
          for (let round = 0; round < 10; round += 1) {
            const events = samples(1 + (round % 3));
            await log().append(stream, ids.length === 0 ? 'no-stream' : ids.length - 1, events);
            ids.push(...events.map((event) => event.id));
          }
          return ids;
        }),
      );
      writers.abort();
      await reader;
      const all = await readToEnd(log(), start, 13);
      // What a reader saw while the writers ran is a prefix of the final order: nothing came in before a place it had passed.
      expect(seenWhileWriting.map((event) => event.id)).toEqual(all.slice(0, seenWhileWriting.length).map((event) => event.id));
      expect(isRising(all.map((event) => event.position))).toBe(true);
      for (const [index, stream] of streams.entries()) expect(all.filter((event) => event.stream === stream).map((event) => event.id)).toEqual(written[index]);
      expect(own(all)).toHaveLength(written.flat().length);
      await expectHead(all.at(-1)?.position);
      expect(own(await readToEnd(log(), start, 500)).map((event) => event.id)).toEqual(own(all).map((event) => event.id));
      expect(own(await log().readAll(await log().head(), 10))).toEqual([]);
    });

    it('reads a stream from a revision, in pages', async () => {
      const stream = newStream();
      await log().append(stream, 'no-stream', samples(7));
      const revisions = async (from?: number, limit?: number) => (await log().readStream(stream, from, limit))?.map((event) => event.revision);
      expect(await revisions()).toEqual([0, 1, 2, 3, 4, 5, 6]);
      expect(await revisions(5)).toEqual([5, 6]);
      expect(await revisions(2, 3)).toEqual([2, 3, 4]);
      expect(await revisions(7)).toEqual([]);
      expect(await revisions(0, 0)).toEqual([]);
      expect(await log().readStream(newStream(), 0, 0)).toBeUndefined();
    });

    it('shows an acknowledged event to every later read', async () => {
      const stream = newStream();
      for (let revision = 0; revision < 20; revision += 1) {
        const { position } = await log().append(stream, revision === 0 ? 'no-stream' : revision - 1, [suiteEvent()]);
        expect((await log().readStream(stream))?.at(-1)?.position).toBe(position);
        await expectHead(position);
      }
    });

    it('takes 1,048,576 bytes of data in one append and no more', async () => {
      const quotes = 2;
      const fits = suiteEvent('x'.repeat(1_048_576 - quotes));
      const stream = newStream();
      await log().append(stream, 'no-stream', [fits]);
      expect((await log().readStream(stream))?.[0]?.data).toBe(fits.data);
      await expect(log().append(newStream(), 'no-stream', [suiteEvent('x'.repeat(1_048_576 - quotes + 1))])).rejects.toBeInstanceOf(UnacceptableEvents);
      // Bytes count, not characters.
      await expect(log().append(newStream(), 'no-stream', [suiteEvent('ब'.repeat(400_000))])).rejects.toBeInstanceOf(UnacceptableEvents);
      await expect(log().append(newStream(), 'no-stream', [half(), half()])).rejects.toBeInstanceOf(UnacceptableEvents);
    });

    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const twice = suiteEvent();
    it.each<[string, readonly NewEvent[]]>([
      ['an empty list', []],
      ['an empty type', [suiteEvent({}, '')]],
      ['a type of the store itself', [suiteEvent({}, '$metadata')]],
      ['an id that is no UUID', [{ ...suiteEvent(), id: 'event-1' }]],
      ['undefined data', [{ ...suiteEvent(), data: undefined }]],
      ['null as data', [suiteEvent(null)]],
      ['a bigint in the data', [suiteEvent({ position: 1n })]],
      ['data that contains itself', [suiteEvent(cyclic)]],
      ['the same id twice', [twice, twice]],
      ['no time', [withMetadata({ time: '' })]],
      ['a time of more than one line', [withMetadata({ time: '2026-11-01\n' })]],
      ['a schema version that is no whole number', [withMetadata({ schemaVersion: 1.5 })]],
      ['a schema version below 0', [withMetadata({ schemaVersion: -1 })]],
    ])('refuses %s and stores nothing', async (_, events) => {
      const stream = newStream();
      await expect(log().append(stream, 'no-stream', events)).rejects.toBeInstanceOf(UnacceptableEvents);
      expect(await log().readStream(stream)).toBeUndefined();
    });

    it.each(['', '$all', 'match-\n1', 'match-\u0000', `match-${'x'.repeat(200)}`, 'match-\ud800'])('refuses the stream name %j', async (stream) => {
      await expect(log().append(stream, 'no-stream', [suiteEvent()])).rejects.toBeInstanceOf(UnacceptableEvents);
    });

    it('deletes the stream of a person, which may begin again', async () => {
      const stream = newStream('person');
      const start = await log().head();
      const kept = newStream();
      await log().append(stream, 'no-stream', [
        suiteEvent({ name: 'A marker' }, 'ContractDetailsRecorded'),
        suiteEvent({ name: 'B marker' }, 'ContractDetailsRecorded'),
      ]);
      await log().append(kept, 'no-stream', [suiteEvent()]);
      await log().deleteStream(stream);
      expect(await log().readStream(stream)).toBeUndefined();
      expect(await log().readStream(kept)).toHaveLength(1);
      await log().deleteStream(stream);
      await log().deleteStream(newStream('person'));
      const again = suiteEvent({ name: 'C marker' }, 'ContractDetailsRecorded');
      const { revision } = await log().append(stream, 'no-stream', [again]);
      expect((await log().readStream(stream))?.map((event) => [event.revision, event.data])).toEqual([[revision, { name: 'C marker' }]]);
      await expect(log().append(stream, 'no-stream', [suiteEvent()])).rejects.toBeInstanceOf(WrongRevision);
      expect((await log().append(stream, revision, [suiteEvent()])).revision).toBe(revision + 1);
      // Readers of the whole log meet the deletion without an event of the store's own, in an unbroken order.
      const all = await readToEnd(log(), start, 3);
      expect(own(all).every((event) => event.type === 'ContractDetailsRecorded' || event.type === 'ContractSampled')).toBe(true);
      expect(isRising(all.map((event) => event.position))).toBe(true);
    });

    it('deletes no stream but those of persons', async () => {
      const stream = newStream();
      await log().append(stream, 'no-stream', [suiteEvent()]);
      await expect(log().deleteStream(stream)).rejects.toBeInstanceOf(UnacceptableEvents);
      expect(await log().readStream(stream)).toHaveLength(1);
    });

    it('wakes a subscription that waits, and ends it on close', async () => {
      const subscription = log().subscribe(await log().head());
      const waiting = take(subscription, 1, 10);
      const event = suiteEvent();
      await log().append(newStream(), 'no-stream', [event]);
      expect((await waiting).map((received) => received.id)).toEqual([event.id]);
      const last = take(subscription, 1, 10);
      await subscription.close();
      expect(await last).toEqual([]);
      expect(await subscription.next(10)).toBeUndefined();
    });

    it(`delivers each of ${subscriptionEvents} events once and in order to consumers that drop and resume`, { timeout: timeout * 10 }, async () => {
      const start = await log().head();
      const writers = 8;
      const stream = newStream();
      const written = (async () => {
        let count = 0;
        const writer = async (index: number): Promise<void> => {
          let revision: number | 'no-stream' = 'no-stream';
          while (count < subscriptionEvents) {
            const size = Math.min(1 + (count % 3), subscriptionEvents - count);
            count += size;
            const result: AppendResult = await log().append(`${stream}-${index}`, revision, samples(size));
            revision = result.revision;
          }
        };
        await Promise.all(Array.from({ length: writers }, (_, index) => writer(index)));
      })();
      const received: RecordedEvent[] = [];
      let dropped = 0;
      while (received.length < subscriptionEvents) {
        const subscription = log().subscribe(received.at(-1)?.position ?? start);
        const share = Math.min(subscriptionEvents - received.length, 1 + ((dropped * 37) % Math.ceil(subscriptionEvents / 8)));
        const first = await take(subscription, Math.ceil(share / 2), 64);
        await under.interrupt?.();
        const second = await take(subscription, share - first.length, 17);
        received.push(...first, ...second);
        await subscription.close();
        dropped += 1;
      }
      await written;
      const all = own(await readToEnd(log(), start, 1000));
      expect(received.map((event) => event.position)).toEqual(all.map((event) => event.position));
      expect(new Set(received.map((event) => event.id)).size).toBe(subscriptionEvents);
      expect(dropped).toBeGreaterThan(8);
    });

    it('has left nothing that the product would take for its own', async () => {
      await log().append(newStream('person'), 'no-stream', [suiteEvent()]);
      expect(own(await readToEnd(log(), beginning, 1000)).filter((event) => !isOfAnotherProgram(event))).toEqual([]);
    });

    if (options.lasts === false) return;
    it('gives the same after it was closed and opened', async () => {
      if (under.reopen === undefined) throw new Error('A store that lasts must offer reopen');
      const stream = newStream();
      const events = samples(2);
      const original = await log().append(stream, 'no-stream', events);
      const before = own(await readToEnd(log(), beginning, 1000)).map(shape);
      under = await under.reopen();
      expect(own(await readToEnd(log(), beginning, 1000)).map(shape)).toEqual(before);
      const repeated = await log().append(stream, 'no-stream', events);
      expect([repeated.revision, repeated.position]).toEqual([original.revision, original.position]);
      expect((await log().append(stream, 1, [suiteEvent()])).revision).toBe(2);
    });
  });
};
