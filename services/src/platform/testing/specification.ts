import { DomainError, type ErrorCode } from '@courtledger/contracts/kernel/errors';
import { expect } from 'vitest';
import { fold, type Decider, type DomainEvent } from '../stream-state.ts';

/** What a refusal looks like in `given(…).when(…)`: code, message and the first field that is wrong. */
export type Refused = { readonly refused: ErrorCode; readonly message: string; readonly path: string | undefined };

/** @example expect(given(decider, []).when(command)).toStrictEqual(refused('conflict', 'This match was cancelled')) */
export const refused = (code: ErrorCode, message: string, path?: string): Refused => ({ refused: code, message, path });

/**
 * Given these events, when this command comes: the events that it causes, or its refusal, to be compared exactly. Proves on the way that deciding changes
 * nothing. Errors that are no DomainError are thrown.
 */
export const given = <State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, events: readonly Event[]) => ({
  when(command: Command): readonly Event[] | Refused {
    const state = fold(decider, events);
    try {
      return decider.decide(state, command);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return refused(error.code, error.message, error.errors[0]?.path);
    } finally {
      expect(state).toStrictEqual(fold(decider, events));
    }
  },
});
