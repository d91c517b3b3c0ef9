import type { AsOf } from '@courtledger/contracts/kernel/fields';
import type { TeamId } from '@courtledger/contracts/kernel/ids';
import { teamStream } from '@courtledger/contracts/team/team.events';
import { tournamentStream } from '@courtledger/contracts/tournament/tournament.events';
import { players } from '../player/person.documents.ts';
import { teams } from '../team/team.documents.ts';
import { tournaments } from '../tournament/tournament.documents.ts';
import { projectionOf } from './all-projections.ts';
import { ledgerColumns, ledgerEvent, untilMoment } from './ledger-events.ts';
import { storedDocument } from './stored-document.ts';
import { FoldDocuments, type LoadDocument } from './documents.ts';
import type { Reader } from './read-model.ts';

/** A stream that an index of the ledger leads to, folded up to `until` by itself. */
const foldStream = (reader: Reader, column: 'team_id' | 'tournament_id', id: string, stream: string, until: AsOf): FoldDocuments => {
  const documents = new FoldDocuments();
  const rows = reader.rows(`SELECT ${ledgerColumns} FROM ledger WHERE ${column} = ? AND match_id IS NULL AND stream = ? ORDER BY position`, id, stream);
  for (const event of untilMoment(rows.map(ledgerEvent), until)) projectionOf(event.type)(event, documents);
  return documents;
};

/**
 * Gives documents as the facts of the log told them at `until`: names of teams and tournaments, rosters, jersey numbers, places and days. Personal details and
 * pictures are those of now: they are no facts of the log, so that an erasure reaches the past as well. What was not there yet is that of now, too. All of now
 * without `until`.
 */
export const loadPast = (reader: Reader, until: AsOf | undefined): LoadDocument => {
  const now: LoadDocument = (collection, key) => storedDocument(reader, collection, key);
  if (until === undefined) return now;
  const folds = new Map<string, FoldDocuments>();
  const teamFold = (teamId: TeamId): FoldDocuments => {
    const fold = folds.get(teamId) ?? foldStream(reader, 'team_id', teamId, teamStream(teamId), until);
    folds.set(teamId, fold);
    return fold;
  };
  /** What of a document was another then. */
  const changed = (collection: object, key: string, stored: object): object => {
    if (collection === teams) {
      const then = teamFold(key).read(teams, key);
      return then === undefined ? {} : { name: then.name, origin: then.origin, players: then.players };
    }
    if (collection === players) {
      const { teamId } = stored as { readonly teamId: TeamId | null };
      const then = teamId === null ? undefined : teamFold(teamId).read(players, key);
      return then === undefined ? {} : { jersey: then.jersey };
    }
    if (collection === tournaments) {
      const details = foldStream(reader, 'tournament_id', key, tournamentStream(key), until).read(tournaments, key)?.details ?? undefined;
      return details === undefined ? {} : { details };
    }
    return {};
  };
  return (collection, key) => {
    const stored = now(collection, key);
    return stored === undefined ? undefined : Object.assign(stored, changed(collection, key, stored));
  };
};
