import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { personIdOf } from '@courtledger/contracts/player/person.events';
import { LogUnavailable, UnacceptableEvents, UnknownOutcome, type EventLog } from '../event-log/event-log.ts';
import { DataDamaged } from '../event-log/stored-event.ts';
import { toFact, UnreadableFact } from '../event-log/upcast.ts';
import { unavailable } from './stream-state-appender.ts';
import { isIdle, lastUnderWay, type StreamCache, type StreamEntry, type Submitted } from './stream-state-cache.ts';
import type { Decider, DomainEvent } from './stream-state.ts';

/** While so many events are read another gateway may have written more. */
const longRead = 100;

/** Folds what was stored into an entry. @throws DomainError `unavailable` for a fact that nobody can read, and where the stream's first ones are missing */
const applyAll = <State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  entry: StreamEntry,
  events: readonly RecordedEvent[],
): void => {
  const { stream } = entry;
  // Only a person's stream begins anew, after an erasure. Any other was cut by means of the store (EventStoreDB's $maxCount and $tb), and what is left tells
  // something else than the whole.
  if (entry.committed < 0 && (events[0]?.revision ?? 0) > 0 && personIdOf(stream) === undefined)
    throw new DomainError('unavailable', `The first facts in ${stream} are missing: nothing can be recorded there until they are back.`, { retryAfter: 60 });
  for (const event of events) {
    try {
      entry.state = decider.evolve(entry.state as State, toFact(event) as unknown as Event);
    } catch (error) {
      // That is no fact of another release: an erasure, which need not read those, waits as well.
      if (error instanceof DataDamaged)
        throw new DomainError('unavailable', `A fact in ${stream} is damaged: nothing can be recorded there until it is put right.`, {
          retryAfter: 60,
          cause: error,
        });
      // The projections park it, and go on; nothing can be decided on what nobody can read.
      throw new DomainError('unavailable', `A fact in ${stream} cannot be read: nothing can be recorded there until it can.`, {
        retryAfter: 60,
        cause: error instanceof UnreadableFact ? error : new UnreadableFact(String(error), { cause: error }),
      });
    }
    entry.committed = event.revision;
    entry.position = event.position;
    // Only keyed commands carry a fingerprint; the metadata of the others need not be parsed.
    if (!event.metadataText.includes('"fingerprint"')) continue;
    const { commandId, fingerprint } = event.metadata;
    if (fingerprint !== undefined) entry.applied.set(commandId, { revision: event.revision, position: event.position, fingerprint });
  }
};

/** Reads streams into entries. `soleWriter`: no other process appends to the log. */
export type StreamReader = {
  /** A stream as the log has it now, whatever is at hand. @throws DomainError `unavailable` */
  readonly readEntry: <State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, stream: string) => Promise<StreamEntry>;
  /** The entry at hand, or one read from the log; a stream that does not exist is not kept. */
  readonly load: <State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, stream: string) => Promise<StreamEntry>;
  /**
   * Whether a decision that appends nothing stands: what was under way when it was made is stored, and nobody else has written since.
   * Gives the last event it stood on.
   */
  readonly confirm: (entry: StreamEntry) => Promise<{ readonly revision: number; readonly position: bigint | undefined } | undefined>;
};

export const createStreamReader = (log: EventLog, cache: StreamCache, soleWriter: boolean): StreamReader => {
  const loading = new Map<string, Promise<StreamEntry>>();

  const readFrom = async (stream: string, from: number): Promise<readonly RecordedEvent[]> => {
    try {
      return (await log.readStream(stream, from)) ?? [];
    } catch (error) {
      // A name that no stream can have (an id made up by a caller): nothing was ever written there.
      if (error instanceof UnacceptableEvents) return [];
      throw error instanceof LogUnavailable || error instanceof UnknownOutcome ? unavailable(error) : error;
    }
  };

  const readEntry: StreamReader['readEntry'] = async (decider, stream) => {
    const entry: StreamEntry = {
      stream,
      state: decider.initial(),
      committed: -1,
      position: undefined,
      applied: new Map(),
      appending: [],
      waiting: [],
      live: true,
      weight: 0,
    };
    for (;;) {
      // What came while a long stream was read is read as well, or whoever is slower would always decide on the past.
      const events = await readFrom(stream, entry.committed + 1);
      applyAll(decider, entry, events);
      if (soleWriter || events.length < longRead) return entry;
    }
  };

  const load: StreamReader['load'] = async (decider, stream) => {
    const under = loading.get(stream);
    if (under !== undefined) return under;
    const read = readEntry(decider, stream);
    loading.set(stream, read);
    try {
      const entry = await read;
      // A stream that was created meanwhile is at hand, with what is on its way.
      const atHand = cache.get(stream);
      if (atHand !== undefined) return atHand;
      if (entry.committed >= 0) cache.set(entry);
      return entry;
    } finally {
      loading.delete(stream);
    }
  };

  const confirm: StreamReader['confirm'] = async (entry) => {
    const tail = lastUnderWay(entry);
    let revision = entry.committed;
    let { position } = entry;
    if (tail !== undefined) {
      // A failure of the tail is told to whoever sent it; here it only means: decide again.
      const result = await tail.result.catch((): Submitted => ({ kind: 'conflict' }));
      if (result.kind !== 'stored') return undefined;
      ({ revision, position } = result);
    }
    if (soleWriter || revision < 0) return { revision, position };
    const later = await log.readStream(entry.stream, revision + 1, 1);
    if (later === undefined || later.length === 0 || (entry.live && entry.committed > revision)) return { revision, position };
    if (isIdle(entry)) cache.forget(entry);
    return undefined;
  };

  return { readEntry, load, confirm };
};
