import { conflict } from '@courtledger/contracts/kernel/errors';
import type { PersonId, TeamId } from '@courtledger/contracts/kernel/ids';
import type { PersonEvent, PersonKind } from '@courtledger/contracts/player/person.events';
import type { Decider } from './stream-state.ts';

/** What is known without the person's key. The whole of the details is recorded each time; the last one counts. */
export type PersonState = { recorded: { readonly kind: PersonKind; readonly teamId: TeamId | null; readonly sealed: string } | undefined };

/** `basedOn`: the sealed details that these were made from; undefined for the first. Another correction in between is not overwritten. */
export type PersonCommand = {
  readonly type: 'recordPersonDetails';
  readonly personId: PersonId;
  readonly kind: PersonKind;
  readonly teamId: TeamId | null;
  readonly sealed: string;
  readonly basedOn: string | undefined;
};

const initial = (): PersonState => ({ recorded: undefined });

const evolve = (state: PersonState, { data: { kind, teamId, sealed } }: PersonEvent): PersonState => {
  state.recorded = { kind, teamId, sealed };
  return state;
};

/** Sealing is salted, so that the same details never look the same: whoever calls compares the details themselves. */
const decide = ({ recorded }: PersonState, { personId, kind, teamId, sealed, basedOn }: PersonCommand): readonly PersonEvent[] => {
  if (recorded !== undefined && (recorded.kind !== kind || recorded.teamId !== teamId)) throw conflict('This person is recorded in another role');
  if (recorded?.sealed !== basedOn) throw conflict('These details were changed at the same time. Please try again.');
  return sealed === basedOn ? [] : [{ type: 'PersonDetailsRecorded', data: { personId, kind, teamId, sealed } }];
};

/** A person's stream, the only kind that may be erased. Features refer to the person's id (architecture, 'Streams and facts'). */
export const personDecider: Decider<PersonState, PersonCommand, PersonEvent> = { initial, evolve, decide };
