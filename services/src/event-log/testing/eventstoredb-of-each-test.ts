import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { afterEach, beforeEach } from 'vitest';
import type { EventLog, Subscription } from '../event-log.ts';
import { openEventStoreDbLog, type EventStoreDbLog, type EventStoreDbOptions, type LogNotice } from '../eventstoredb-event-log.ts';
import { EventStoreStandIn } from './eventstoredb-stand-in.ts';

/** Short, so that a test of a time-out takes a second; the figures of the product are ten times as long. */
export const short = { callTimeout: 800, repeatFor: 2000, unavailableFor: 800 };

/** What may come to its times where other tests have the processor: it only tells an end in time from none. */
export const allowance = process.env['FAULTS'] === 'full' ? 1000 : 20_000;

/** Milliseconds that something took. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

export const idsOf = (events: readonly { id: string }[] | undefined): readonly string[] | undefined => events?.map((event) => event.id);
export const newStream = (): string => `match-${randomUUID()}`;

/** The next events of a subscription, as many as are asked for. */
export const take = async (subscription: Subscription, count: number): Promise<readonly RecordedEvent[]> => {
  const taken: RecordedEvent[] = [];
  while (taken.length < count) taken.push(...((await subscription.next(count - taken.length)) ?? []));
  return taken;
};

/** A stand-in for EventStoreDB for each test of the file that calls this. Logs that `open` has opened are closed after the test. */
export const eventStoreOfEachTest = () => {
  let standIn: EventStoreStandIn | undefined;
  const opened: EventLog[] = [];
  const notices: LogNotice[] = [];
  const awaited: { kind: LogNotice['kind']; resolve: () => void }[] = [];
  beforeEach(async () => {
    standIn = await EventStoreStandIn.start();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((log) => log.close()));
    await standIn?.close();
    notices.length = 0;
    awaited.length = 0;
  });

  const ofThisTest = (): EventStoreStandIn => {
    if (standIn === undefined) throw new Error('There is a stand-in only within a test');
    return standIn;
  };
  return {
    standIn: ofThisTest,
    /** What the logs have told of since the test began. */
    notices: notices as readonly LogNotice[],
    open: (options: Partial<EventStoreDbOptions> = {}): EventStoreDbLog => {
      const log = openEventStoreDbLog({
        url: ofThisTest().url,
        onNotice: (notice) => {
          notices.push(notice);
          for (const waiting of awaited) if (waiting.kind === notice.kind) waiting.resolve();
        },
        ...options,
      });
      opened.push(log);
      return log;
    },
    /** Resolves with the next notice of a kind. */
    noticed: (kind: LogNotice['kind']): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      awaited.push({ kind, resolve });
      return promise;
    },
  };
};
