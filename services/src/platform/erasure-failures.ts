import { DomainError, messageOf } from '@courtledger/contracts/kernel/errors';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import { LogUnavailable, UnknownOutcome } from '../event-log/event-log.ts';
import { UnreadableFact } from '../event-log/upcast.ts';
import { diskFailure } from './durable-failure.ts';

/** What an operator reads of a failure: of a refusal of ours, what the system said. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof DomainError && error.cause instanceof Error ? error.cause : error;
  return messageOf(cause);
};

/** A fact in the way that this release cannot read. */
export const isUnreadable = (error: unknown): boolean => error instanceof DomainError && error.cause instanceof UnreadableFact;

/** The log or the disk takes nothing: it says nothing about the person, and may be over in a moment. */
export const isAway = (failure: unknown): boolean => {
  const error = diskFailure(failure);
  if (error instanceof LogUnavailable || error instanceof UnknownOutcome) return true;
  return error instanceof DomainError && !isUnreadable(error) && (error.code === 'unavailable' || error.code === 'outcome-unknown');
};

/** Why erasures did not end when they were last tried: they are tried every minute, and the same reason is told once. */
export class ErasureFailures {
  readonly #reasons = new Map<string, string>();
  readonly #failed: (error: unknown) => void;

  /** @param failed hears of each reason that is new */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** @param of persons, or a step that is nobody's alone */
  note(error: unknown, ...of: readonly string[]): void {
    const reason = reasonOf(error);
    if (of.some((one) => this.#reasons.get(one) !== reason)) this.#failed(error);
    for (const one of of) this.#reasons.set(one, reason);
  }

  /** Of a person who waits for what will come by itself: nobody need hear of it. */
  wait(personId: PersonId, reason: string): void {
    this.#reasons.set(personId, reason);
  }

  forget(...of: readonly string[]): void {
    for (const one of of) this.#reasons.delete(one);
  }

  reasonFor(personId: PersonId): string | undefined {
    return this.#reasons.get(personId);
  }

  /** For whoever asked for an erasure that is begun and could not be ended. @throws DomainError `unavailable`, always */
  refuse(personId: PersonId, error: unknown): never {
    this.#reasons.set(personId, reasonOf(error));
    const why = isAway(error)
      ? ': the log or the disk takes no writes. It is ended by itself when they do.'
      : ' yet. It is tried again by itself every minute.';
    throw new DomainError('unavailable', `The erasure was begun and could not be ended${why}`, { retryAfter: 60, cause: error });
  }
}
