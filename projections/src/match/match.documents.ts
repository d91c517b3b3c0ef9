import type { Participation } from '@courtledger/contracts/match/match.events';
import type { Collection } from '../kernel/projection.ts';

/** What a player has in one match: sums of all entries and reversals. `entries` counts the entries that stand. */
export type StatLine = { teamId: string; points: number; assists: number; rebounds: number; entries: number; participation: Participation | null };

export type MatchDocument = {
  /** Of the match's own stream; -1 before its first fact. */
  revision: number;
  /** Position of MatchAssigned as text; null before it. */
  born: string | null;
  tournamentId: string;
  teamAId: string;
  teamBId: string;
  date: string;
  time: string;
  cancelled: boolean;
  mvp: string | null;
  /** Sums of the points of the rows that are shown, by side, and how many rows there are: kept with the lines, so that a table need not add them up. */
  score1: number;
  score2: number;
  rows: number;
  /** By player, in the order of their first entry. A line stays when all of its entries are reversed: only the rows shown leave it out. */
  lines: Map<string, StatLine>;
  /** By the reversal's own entry id: whether it takes an entry away (true) or gives one back (a reversal of a reversal). */
  reversals: Map<string, boolean>;
};

type Packed = Omit<MatchDocument, 'lines' | 'reversals'> & { lines: [string, StatLine][]; reversals: [string, boolean][] };

export const matches: Collection<MatchDocument> = {
  name: 'match',
  initial: () => ({ revision: -1, born: null, tournamentId: '', teamAId: '', teamBId: '', date: '', time: '', cancelled: false, mvp: null, score1: 0, score2: 0, rows: 0, lines: new Map(), reversals: new Map() }),
  pack: (document): Packed => ({ ...document, lines: [...document.lines], reversals: [...document.reversals] }),
  unpack: (json) => {
    const packed = json as Packed;
    return { ...packed, lines: new Map(packed.lines), reversals: new Map(packed.reversals) };
  },
};
