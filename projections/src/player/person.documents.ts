import type { TeamId } from '@courtledger/contracts/kernel/ids';
import type { PersonDetails, PersonKind } from '@courtledger/contracts/player/person.events';
import type { Placed } from '../kernel/placed.ts';
import type { Collection } from '../kernel/projection.ts';

/** Personal details: the only document that erasure empties. What an erased person leaves is the same whether the details were ever read or not. */
export type PersonDocument = {
  revision: number;
  kind: PersonKind | null;
  details: PersonDetails | null;
  erased: boolean;
  /** Whose coach or contact this is; told by team streams. */
  teamId: TeamId | null;
  /** Whose requester this is; told by request streams. */
  requestId: string | null;
};

export const people: Collection<PersonDocument> = {
  name: 'person',
  initial: () => ({ revision: -1, kind: null, details: null, erased: false, teamId: null, requestId: null }),
};

/** What facts about teams and matches say of a player; the player's id is the person's. */
export type PlayerDocument = {
  born: string | null;
  teamId: TeamId | null;
  jersey: string;
  /** Matches in which the player ever had an entry or a status, in the order of their assignment. */
  matches: Placed[];
};

export const players: Collection<PlayerDocument> = { name: 'player', initial: () => ({ born: null, teamId: null, jersey: '', matches: [] }) };
