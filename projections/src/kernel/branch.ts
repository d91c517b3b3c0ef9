import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { AsOf } from '@courtledger/contracts/kernel/fields';
import type { MatchId, TournamentId } from '@courtledger/contracts/kernel/ids';
import type { StandingsAnswer } from '@courtledger/contracts/tournament/tournament.answers';
import { matches } from '../match/match.documents.ts';
import { matchStatsTable, matchStatsView, matchTable, matchView, statRows } from '../match/match.views.ts';
import { standingsAnswerOf } from '../tournament/standings.views.ts';
import { tournaments } from '../tournament/tournament.documents.ts';
import { projectionOf } from './all-projections.ts';
import { FoldDocuments } from './documents.ts';
import { tournamentEvents, untilMoment } from './ledger-events.ts';
import { loadPast } from './past-documents.ts';
import type { Documents, RowWriter, View } from './projection.ts';
import type { Reader } from './read-model.ts';
import type { Row, Table } from './table.ts';

/** The row that a view renders for a key into one of its tables; undefined when it has none (cancelled, not begun). */
export const renderedRow = (view: View, table: Table, key: string, documents: Pick<Documents, 'read'>): Row | undefined => {
  let row: Row | undefined;
  const write: RowWriter = {
    put(into: Table, values: Row) {
      if (into === table) row = values;
    },
    remove() {
      // Nothing is stored here.
    },
  };
  view.rows(key, documents, write, undefined);
  return row;
};

/** A column of a rendered row, by name. */
export const column = (table: Table, row: Row, name: string): string => String(row[table.columns.indexOf(name)]);

/** getMatch of a match in `documents`, JSON text. */
export const renderMatch = (matchId: MatchId, documents: Pick<Documents, 'read'>): string | undefined => {
  const match = renderedRow(matchView, matchTable, matchId, documents);
  const stats = renderedRow(matchStatsView, matchStatsTable, matchId, documents);
  if (match === undefined || stats === undefined) return undefined;
  const document = documents.read(matches, matchId);
  return document === undefined ? undefined : column(matchTable, match, 'frame') + statRows(document, documents) + column(matchStatsTable, stats, 'tail');
};

export type Branch = {
  readonly standings: StandingsAnswer;
  /** The tournament, its matches, and what they refer to: `renderMatch` shows one of them. */
  readonly documents: FoldDocuments;
};

/** A tournament and its matches folded anew from their facts up to `until`, among teams of then. */
const foldUntil = (reader: Reader, tournamentId: TournamentId, until: AsOf): FoldDocuments => {
  const own = new Set<object>([tournaments, matches]);
  const load = loadPast(reader, until);
  const documents = new FoldDocuments((collection, key) => (own.has(collection) ? undefined : load(collection, key)));
  for (const event of untilMoment(tournamentEvents(reader, tournamentId), until)) {
    // TeamRegistrationCompleted names the tournament, but is a fact of the team, whose document is loaded.
    if (!event.stream.startsWith('team-')) projectionOf(event.type)(event, documents);
  }
  return documents;
};

/**
 * A tournament as its recorded facts up to `until` tell it (default: all, which is what the stored documents were folded from), then `plus` (facts that might
 * be recorded, in order: a preview). Personal details and pictures are those of now. Undefined when there is no such tournament. Nothing is written.
 */
export const foldBranch = (
  reader: Reader,
  {
    tournamentId,
    until,
    plus = [],
  }: {
    readonly tournamentId: TournamentId;
    readonly until?: AsOf;
    readonly plus?: readonly Pick<RecordedEvent, 'type' | 'data' | 'position' | 'revision' | 'time'>[];
  },
): Branch | undefined =>
  reader.snapshot(() => {
    if (reader.row('SELECT 1 FROM tournaments WHERE id = ?', tournamentId) === undefined) return undefined;
    const documents = until === undefined ? new FoldDocuments(loadPast(reader, undefined)) : foldUntil(reader, tournamentId, until);
    for (const event of plus) projectionOf(event.type)(event, documents);
    return { standings: standingsAnswerOf(tournamentId, documents.change(tournaments, tournamentId), documents), documents };
  });
