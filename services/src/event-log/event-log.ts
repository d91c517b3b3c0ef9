import type { NewEvent, RecordedEvent } from '@courtledger/contracts/kernel/event';

/** What a stream must look like for an append to go through. There is no `any` in the product; the contract suite tests it on each store. */
export type ExpectedRevision = 'no-stream' | 'any' | number;

/** The stream was not at the expected revision. `actual` is the last revision, or `no-stream`. Nothing was stored. */
export class WrongRevision extends Error {
  override readonly name = 'WrongRevision';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly actual: number | 'no-stream';
  constructor(stream: string, expected: ExpectedRevision, actual: number | 'no-stream') {
    super(`Stream ${stream} was expected at ${expected} and is at ${actual}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The events cannot be stored as they are (empty type, an id that is no UUID, data that is no JSON, more than 1,048,576 bytes). Nothing was stored. */
export class UnacceptableEvents extends Error {
  override readonly name: string = 'UnacceptableEvents';
}

/** The stream was removed for good, by means of the store, which takes nothing of that name any more. Nothing was stored. */
export class StreamRemoved extends UnacceptableEvents {
  override readonly name = 'StreamRemoved';
}

/**
 * It is not known whether the events were stored (fsync failed, connection lost, time-out). The same event ids at the same expectation may be appended again:
 * they are stored once.
 */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}

/** The address of a log is none that can be used, whoever answers there. The message says why, without a password. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** The log takes no writes (or cannot be reached at all): nothing was stored. Reads may go on. `reason` is for operators. */
export class LogUnavailable extends Error {
  override readonly name: string = 'LogUnavailable';
}

/** No fact begins at the position that was read from: it is a position of another log. */
export class NoSuchPosition extends LogUnavailable {
  override readonly name = 'NoSuchPosition';
}

/**
 * `revision`: of the last event of the append. `position`: of that event. The same ids at the same expectation give the original result, with `repeated: true`
 * where the store can tell.
 */
export type AppendResult = { readonly revision: number; readonly position: bigint; readonly repeated?: boolean };

/** Where a reader of the whole log stands. 'start' is before the first event. */
export type After = bigint | 'start';

/**
 * A pull loop over the whole log. `next()` resolves with the events after the last ones given (at least one, at most `limit`, in order), waiting while there
 * are none; `undefined` after `close()`. Never ends by itself: a lost connection is reconnected for ever with back-off (jitter, at most 5 s).
 */
export type Subscription = { next(limit: number): Promise<readonly RecordedEvent[] | undefined>; close(): Promise<void> };

/**
 * The event log: six verbs. Every store (memory, SQLite, EventStoreDB) passes `event-log.contract.ts`.
 *
 * Guaranteed: an append is all or nothing; `no-stream` and exact revisions are enforced under parallel appends; the same event ids at
 * the same expectation are stored once; an acknowledged event is durable (memory excepted) and is seen by every later read;
 * the order of the whole log has no hole into which an event could still come.
 * Not guaranteed: dense positions; idempotency of `any` over a restart.
 */
export type EventLog = {
  /**
   * Appends all events or none. Throws WrongRevision, UnacceptableEvents, UnknownOutcome or LogUnavailable. An empty list is a programming error:
   * UnacceptableEvents.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>;
  /**
   * The events of a stream from revision `from` (default 0, inclusive) on, at most `limit` (default all), or undefined when there is no such stream (never
   * written, or deleted).
   */
  readStream(stream: string, from?: number, limit?: number): Promise<readonly RecordedEvent[] | undefined>;
  /** Events of the whole log after a position, in order, at most `limit`; empty at the end. No event of the store's own (system events) is ever given. */
  readAll(after: After, limit: number): Promise<readonly RecordedEvent[]>;
  subscribe(after: After): Subscription;
  /**
   * For streams of persons only. The events can no longer be read by `readStream`; a later append with `no-stream` begins again. On SQLite data and salt are
   * blanked in place: `readAll` gives them with `data` undefined (null) and their digest and chain stay whole. Deleting what is not there is not an error.
   */
  deleteStream(stream: string): Promise<void>;
  /** The position of the last event, or 'start' when there is none. */
  head(): Promise<After>;
  close(): Promise<void>;
};
