import type { TournamentDetails } from '@courtledger/contracts/tournament/tournament.events';
import type { Placed } from '../kernel/placed.ts';
import type { Collection } from '../kernel/projection.ts';

export type TournamentDocument = {
  /** Of the tournament's own stream; -1 before its first fact. */
  revision: number;
  born: string | null;
  details: TournamentDetails | null;
  /** In the order of entry. */
  teams: Placed[];
  /** Not cancelled, in the order of assignment. Told by match streams. */
  matches: Placed[];
};

export const tournaments: Collection<TournamentDocument> = {
  name: 'tournament',
  initial: () => ({ revision: -1, born: null, details: null, teams: [], matches: [] }),
};
