import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { NewEvent } from '@courtledger/contracts/kernel/event';
import { LogUnavailable, StreamRemoved, UnacceptableEvents, UnknownOutcome, WrongRevision, type AppendResult, type EventLog } from '../event-log/event-log.ts';
import { createAnswerTurns } from './answer-turns.ts';
import type { CommandContext } from './call.ts';
import type { StreamCache, StreamEntry, Submission, Submitted } from './stream-state-cache.ts';

/** Bounds one append, whose commands share one fate: far below what a store takes at once. */
const mostEventsTogether = 1000;

export const unavailable = (cause: unknown): DomainError =>
  new DomainError('unavailable', 'Nothing can be recorded at the moment. Please try again shortly.', { retryAfter: 5, cause });
const removed = (stream: string): DomainError =>
  new DomainError('unavailable', `The facts in ${stream} were removed from the log: nothing can be recorded there until they are back.`, { retryAfter: 60 });
const outcomeUnknown = (cause: unknown): DomainError =>
  new DomainError('outcome-unknown', 'It is not known whether this was recorded. It may be sent again with the same Idempotency-Key.', {
    retryAfter: 1,
    cause,
  });

/**
 * Sends what was decided on an entry (its `state` holds it already) to the log. Rejects with `unavailable`, `outcome-unknown` or what the log threw.
 * @param alone not together with other commands: in company the append was refused
 */
export type Submit = (entry: StreamEntry, events: readonly NewEvent[], context: CommandContext, alone: boolean) => Promise<Submitted>;

/**
 * One append a stream is under way at a time; what waits goes out together in the next one. Sending ahead instead would be unsafe with several gateways: when
 * the first of two appends finds another writer's event in its place, the second one's expected revision fits, although it was decided on what was never
 * stored.
 */
export const createAppender = (log: Pick<EventLog, 'append'>, cache: StreamCache): Submit => {
  const answers = createAnswerTurns();

  const stored = (entry: StreamEntry, group: readonly Submission[], result: AppendResult): void => {
    let revision = result.revision;
    for (const submission of group) revision -= submission.events.length;
    entry.committed = result.revision;
    entry.position = result.position;
    entry.appending = [];
    cache.weigh(entry);
    for (const { events, context, resolve } of group) {
      revision += events.length;
      const outcome: Submitted = { kind: 'stored', revision, position: result.position };
      if (context.keyed) entry.applied.set(context.commandId, { revision, position: result.position, fingerprint: context.fingerprint });
      answers.soon(() => resolve(outcome));
    }
    // Before the answers: the log writes the next batch while this one is being answered.
    if (entry.waiting.length > 0) flush(entry);
  };

  const failed = (entry: StreamEntry, group: readonly Submission[], error: unknown): void => {
    const { waiting } = entry;
    entry.appending = [];
    entry.waiting = [];
    cache.forget(entry);
    for (const submission of group) {
      if (error instanceof WrongRevision) submission.resolve({ kind: 'conflict' });
      else if (error instanceof UnacceptableEvents && group.length > 1) submission.resolve({ kind: 'again', alone: true });
      else if (error instanceof UnknownOutcome) submission.reject(outcomeUnknown(error));
      else if (error instanceof LogUnavailable) submission.reject(unavailable(error));
      else if (error instanceof StreamRemoved) submission.reject(removed(entry.stream));
      else submission.reject(error);
    }
    for (const submission of waiting) submission.resolve({ kind: 'again', alone: submission.alone });
  };

  const flush = (entry: StreamEntry): void => {
    const { waiting } = entry;
    let count = 0;
    let size = 0;
    for (const { events, alone } of waiting) {
      if (count > 0 && (alone || waiting[0]?.alone === true || size + events.length > mostEventsTogether)) break;
      count += 1;
      size += events.length;
    }
    const group = waiting.splice(0, count);
    entry.appending = group;
    const [first] = group;
    void append(entry, group, group.length === 1 && first !== undefined ? first.events : group.flatMap((submission) => submission.events));
  };

  const append = async (entry: StreamEntry, group: readonly Submission[], events: readonly NewEvent[]): Promise<void> => {
    let result: AppendResult;
    try {
      result = await log.append(entry.stream, entry.committed < 0 ? 'no-stream' : entry.committed, events);
    } catch (error) {
      failed(entry, group, error);
      return;
    }
    stored(entry, group, result);
  };

  return (entry, events, context, alone) => {
    const { promise, resolve, reject } = Promise.withResolvers<Submitted>();
    entry.waiting.push({ events, context, alone, result: promise, resolve, reject });
    // A stream that is being created is kept from its first submission on; the others were kept when they were read.
    if (entry.committed < 0 && entry.appending.length === 0 && entry.waiting.length === 1) cache.set(entry);
    if (entry.appending.length === 0) flush(entry);
    return promise;
  };
};
