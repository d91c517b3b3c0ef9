import { LAST_POSITION, type RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { AdminId, EntryId, MatchId, PersonId, TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import { matches } from '../match/match.documents.ts';
import type { Documents } from './projection.ts';
import { table, type Row } from './table.ts';

/**
 * One row for every event that was applied: match histories, corrections, audit, and the past of a tournament (`asOf`).
 * `match_number`: the position of the MatchAssigned of a match's fact. `metadata` is the stored text, unread. Sealed personal details and hashes of credentials
 * are never copied here.
 */
export const ledgerTable = table(
  'ledger',
  { position: 'INTEGER NOT NULL' },
  {
    stream: 'TEXT NOT NULL',
    revision: 'INTEGER NOT NULL',
    type: 'TEXT NOT NULL',
    version: 'INTEGER NOT NULL',
    time: 'TEXT NOT NULL',
    tournament_id: 'TEXT',
    match_id: 'TEXT',
    match_number: 'INTEGER',
    team_id: 'TEXT',
    player_id: 'TEXT',
    admin_id: 'TEXT',
    entry_id: 'TEXT',
    target_entry_id: 'TEXT',
    data: 'TEXT',
    metadata: 'TEXT NOT NULL',
  },
  {
    // A match's facts are found by its number (four bytes: with its id, of 36, the index would change in twice as many pages), and what they say of tournament,
    // teams and players by its matches (MatchAssigned, `stat_lines`): an index more on every entry of a busy match would be a quarter of the work of projecting
    // it.
    indexes: [
      'match_number WHERE match_number IS NOT NULL',
      "match_id WHERE type = 'MatchAssigned'",
      "tournament_id WHERE tournament_id IS NOT NULL AND (match_id IS NULL OR type = 'MatchAssigned')",
      'team_id WHERE match_id IS NULL AND team_id IS NOT NULL',
      'player_id WHERE match_id IS NULL AND player_id IS NOT NULL',
      'admin_id WHERE admin_id IS NOT NULL',
      "position WHERE type = 'PersonErased'",
    ],
  },
);

/** A position that can be given to SQLite: one beyond the last means the last. */
export const boundPosition = (position: bigint): bigint => (position < LAST_POSITION ? position : LAST_POSITION);

/** Takes the facts of a person's details out, as they were never read: by the person's id. */
export const detailsOfErased = "DELETE FROM ledger WHERE match_id IS NULL AND player_id = ? AND type = 'PersonDetailsRecorded'";

type Subjects = {
  readonly tournamentId?: TournamentId;
  readonly matchId?: MatchId;
  readonly teamId?: TeamId;
  readonly playerId?: PersonId;
  readonly personId?: PersonId;
  readonly adminId?: AdminId;
  readonly subjectId?: string;
  readonly entryId?: EntryId;
  readonly targetEntryId?: EntryId;
};

const dataText = (type: string, data: object): string | null => {
  switch (type) {
    case 'PersonDetailsRecorded':
      return null;
    case 'AdminCreated':
    case 'AdminPasswordChanged':
      return JSON.stringify({ ...data, passwordHash: undefined });
    case 'TeamRegistered':
      return JSON.stringify({ ...data, capabilityHash: undefined });
    default:
      return JSON.stringify(data);
  }
};

/** SQL: the condition for all rows of a match (parameter: its id), or of those that `ids` lists. */
export const ofMatch = (ids = '= ?'): string => `match_number IN (SELECT position FROM ledger WHERE type = 'MatchAssigned' AND match_id ${ids})`;

/** SQL: rows of a tournament (parameter: its id, twice): its own facts, and all of its matches'. In no order. */
export const factsOfTournament = (columns: string): string =>
  `SELECT ${columns} FROM ledger WHERE tournament_id = ? AND match_id IS NULL
   UNION ALL SELECT ${columns} FROM ledger WHERE match_number IN (SELECT position FROM ledger WHERE tournament_id = ? AND type = 'MatchAssigned')`;

/** The ledger's row of an event that was just applied to `documents`. */
export const ledgerRow = (event: RecordedEvent, documents: Pick<Documents, 'read'>): Row => {
  const data = event.data as Subjects & object;
  const matchId = data.matchId ?? null;
  const match = matchId === null ? undefined : documents.read(matches, matchId);
  const tournamentId = data.tournamentId ?? match?.tournamentId;
  return [
    event.position,
    event.stream,
    event.revision,
    event.type,
    event.version,
    event.time,
    tournamentId ?? null,
    matchId,
    match === undefined ? null : BigInt(match.born ?? 0),
    data.teamId ?? null,
    data.playerId ?? data.personId ?? null,
    data.adminId ?? data.subjectId ?? null,
    data.entryId ?? null,
    data.targetEntryId ?? null,
    dataText(event.type, data),
    event.metadataText,
  ];
};
