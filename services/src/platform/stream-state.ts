import type { FactType } from '@courtledger/contracts/kernel/all-facts';

export type DomainEvent = { readonly type: FactType; readonly data: unknown };

/**
 * A decider is data and three pure functions. `evolve` may change the state it is given and return it: whoever folds owns the state.
 * `decide` never changes it; it answers the events that the command causes (none: nothing to do) or throws a DomainError.
 */
export type Decider<State, Command, Event extends DomainEvent> = {
  readonly initial: () => State;
  readonly evolve: (state: State, event: Event) => State;
  readonly decide: (state: State, command: Command) => readonly Event[];
};

/** What a stream remembers of a keyed command that it has applied. */
export type AppliedCommand = { readonly revision: number; readonly position: bigint; readonly fingerprint: string };

/** Folds events from the beginning. */
export const fold = <State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, events: Iterable<Event>): State => {
  let state = decider.initial();
  for (const event of events) state = decider.evolve(state, event);
  return state;
};
