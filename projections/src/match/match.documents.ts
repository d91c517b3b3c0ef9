import type { TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import type { Participation } from '@courtledger/contracts/match/match.events';
import type { Collection } from '../kernel/projection.ts';
import { table } from '../kernel/table.ts';

/** What a player has in one match: sums of all entries and reversals. `entries` counts the entries that stand; `ordinal`: the how manyth line of its match. */
export type StatLine = {
  readonly ordinal: number;
  teamId: TeamId;
  points: number;
  assists: number;
  rebounds: number;
  entries: number;
  participation: Participation | null;
};

/**
 * A player's line of one match: what the match's document holds of it, and `shown`, the end of its row in getMatch from the player's name on (null while there
 * is no row). Of a busy match only the lines that changed are written, in rows that stand together.
 */
export const statLineTable = table(
  'stat_lines',
  { match_id: 'TEXT NOT NULL', player_id: 'TEXT NOT NULL' },
  {
    ordinal: 'INTEGER NOT NULL',
    team_id: 'TEXT NOT NULL',
    points: 'INTEGER NOT NULL',
    assists: 'INTEGER NOT NULL',
    rebounds: 'INTEGER NOT NULL',
    entries: 'INTEGER NOT NULL',
    participation: 'TEXT',
    shown: 'TEXT',
  },
  { indexes: ['player_id'], clustered: true },
);

export type MatchDocument = {
  /** Of the match's own stream; -1 before its first fact. */
  revision: number;
  /** Position of MatchAssigned as text; null before it. */
  born: string | null;
  tournamentId: TournamentId;
  teamAId: TeamId;
  teamBId: TeamId;
  date: string;
  time: string;
  cancelled: boolean;
  mvp: string | null;
  /** Sums of the points of the rows that are shown, by side, and how many rows there are: kept with the lines, so that a table need not add them up. */
  score1: number;
  score2: number;
  rows: number;
  /** By player, in the order of their first entry or status. A line stays when all of its entries are reversed: only the rows shown leave it out. */
  lines: Map<string, StatLine>;
  /** By the reversal's own entry id: whether it takes an entry away (true) or gives one back (a reversal of a reversal). */
  reversals: Map<string, boolean>;
};

type Packed = Omit<MatchDocument, 'lines' | 'reversals'> & { lines?: undefined; reversals: [string, boolean][] };

export const matches: Collection<MatchDocument> = {
  name: 'match',
  initial: () => ({
    revision: -1,
    born: null,
    tournamentId: '',
    teamAId: '',
    teamBId: '',
    date: '',
    time: '',
    cancelled: false,
    mvp: null,
    score1: 0,
    score2: 0,
    rows: 0,
    lines: new Map(),
    reversals: new Map(),
  }),
  // `undefined` is left out of JSON.
  pack: (document): Packed => ({ ...document, lines: undefined, reversals: [...document.reversals] }),
  unpack: (json) => {
    const packed = json as Packed;
    return { ...packed, lines: new Map(), reversals: new Map(packed.reversals) };
  },
  parts: {
    select: 'SELECT player_id, ordinal, team_id, points, assists, rebounds, entries, participation FROM stat_lines WHERE match_id = ? ORDER BY ordinal',
    restore(document, rows) {
      for (const [playerId, ordinal, teamId, points, assists, rebounds, entries, participation] of rows)
        document.lines.set(String(playerId), {
          ordinal: Number(ordinal),
          teamId: String(teamId),
          points: Number(points),
          assists: Number(assists),
          rebounds: Number(rebounds),
          entries: Number(entries),
          participation: participation as Participation | null,
        });
    },
  },
};
