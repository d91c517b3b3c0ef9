import {
  BACKWARDS,
  END,
  FORWARDS,
  START,
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '@eventstore/db-client';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';

import type { Call } from './eventstoredb-event-log-attempts.ts';
import { collect, isSystemEvent, recordedEvents } from './eventstoredb-event-log-read.ts';
import { LogUnavailable, NoSuchPosition, type After, type EventLog } from './event-log.ts';
import { checkStreamName } from './prepare-append.ts';

/** Most events of one call: a page is held in memory. */
const LARGEST_PAGE = 2048;

/** What a read of the whole log is called. */
export const readingTheLog = 'Reading the log';

export type LogReads = Pick<EventLog, 'head' | 'readAll' | 'readStream'> & {
  /** The event at a position of the whole log, its stream deleted or not; undefined when none is there. */
  readonly eventAt: (position: bigint) => Promise<RecordedEvent | undefined>;
};

export type ReadingOptions = {
  readonly client: () => EventStoreDBClient;
  readonly callTimeout: number;
  /** How long a read that is not answered is tried again, in ms. */
  readonly repeatFor: number;
  readonly call: <T>(asked: Call<T>) => Promise<T>;
  /** Stands around each attempt. */
  readonly pass: <T>(make: () => Promise<T>) => Promise<T>;
};

const unavailable = (reason: string, cause: unknown): Error => new LogUnavailable(reason, { cause });

/** The verbs that read. */
export const readingVerbs = ({ client, callTimeout, repeatFor, call, pass }: ReadingOptions): LogReads => {
  const readPage = async (range: ReadAllOptions): Promise<readonly AllStreamResolvedEvent[]> =>
    call({
      what: readingTheLog,
      make: async () => pass(async () => collect(client().readAll({ ...range, requiresLeader: true }), callTimeout)),
      settle(verdict, error) {
        if (verdict === 'no-such-position')
          throw new NoSuchPosition('The event log has no fact at a position that was reached before: it is another log than that position is of', {
            cause: error,
          });
        return undefined;
      },
      repeatFor,
      giveUp: unavailable,
    });

  return {
    async head() {
      let from: Position | typeof END = END;
      for (let size = 8; ; size = Math.min(size * 8, LARGEST_PAGE)) {
        const events: readonly AllStreamResolvedEvent[] = await readPage({ direction: BACKWARDS, fromPosition: from, maxCount: size });
        const ours = events.find(({ event }) => event !== undefined && !isSystemEvent(event.type));
        if (ours?.event) return ours.event.position.commit;
        const last = events.at(-1)?.event;
        if (events.length < size || !last) return 'start';
        from = last.position;
      }
    },
    async readAll(after: After, limit: number) {
      const found: RecordedEvent[] = [];
      let from = after;
      // The server may have written any number of events of its own between two of others: larger pages, or a small limit would cost a call for each.
      for (let least = 1; found.length < limit; least = Math.min(least * 8, LARGEST_PAGE)) {
        const at = from;
        // Inclusive: the event at the position comes again and is left out.
        const count = Math.min(Math.max(limit - found.length, least), LARGEST_PAGE) + (at === 'start' ? 0 : 1);
        const page = await readPage({ direction: FORWARDS, fromPosition: at === 'start' ? START : { commit: at, prepare: at }, maxCount: count });
        found.push(...recordedEvents(page).filter((event) => at === 'start' || event.position > at));
        const last = page.at(-1)?.event;
        if (page.length < count || !last || last.position.commit === at) break;
        from = last.position.commit;
      }
      return found.slice(0, limit);
    },
    async eventAt(position) {
      try {
        return recordedEvents(await readPage({ direction: FORWARDS, fromPosition: { commit: position, prepare: position }, maxCount: 1 })).find(
          (event) => event.position === position,
        );
      } catch (error) {
        if (error instanceof NoSuchPosition) return undefined;
        throw error;
      }
    },
    async readStream(stream, from = 0, limit = Number.POSITIVE_INFINITY) {
      checkStreamName(stream);
      // A count of 0 is answered with an error: one event says whether the stream is there.
      const range: ReadStreamOptions = {
        fromRevision: BigInt(from),
        requiresLeader: true,
        ...(limit === Number.POSITIVE_INFINITY ? {} : { maxCount: Math.max(limit, 1) }),
      };
      const read = async (): Promise<readonly RecordedEvent[] | 'none'> => recordedEvents(await collect(client().readStream(stream, range), callTimeout));
      const events = await call({
        what: `Reading ${stream}`,
        make: async () => pass(read),
        settle: (verdict) => (verdict === 'not-found' || verdict === 'stream-deleted' ? 'none' : undefined),
        repeatFor,
        giveUp: unavailable,
      });
      return events === 'none' ? undefined : events.slice(0, limit);
    },
  };
};
