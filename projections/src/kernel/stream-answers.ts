import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import type { PersonDetails } from '@courtledger/contracts/player/person.events';
import { matches } from '../match/match.documents.ts';
import { people } from '../player/person.documents.ts';
import { teams } from '../team/team.documents.ts';
import { teamTable, teamView } from '../team/team.views.ts';
import { tournaments } from '../tournament/tournament.documents.ts';
import { tournamentTable, tournamentView } from '../tournament/tournament.views.ts';
import { projectionOf } from './all-projections.ts';
import { column, renderedRow, renderMatch } from './branch.ts';
import { storedDocument } from './stored-document.ts';
import { FoldDocuments, type LoadDocument } from './documents.ts';
import { comparePositions, idsOf, place, type Placed } from './placed.ts';
import type { Collection } from './projection.ts';
import type { Reader } from './read-model.ts';

/**
 * Answers made from the events of one stream, as it was at its last event given: for a command that is repeated, and for one that is not projected yet.
 * What other streams tell (names, rosters, matches assigned by then) comes from the reader.
 */
export type StreamEvents = readonly Pick<RecordedEvent, 'type' | 'data' | 'position' | 'revision' | 'time'>[];

/** Up to where other streams have their say in an answer: a position, or all that they have told. */
export type Until = bigint | 'now';

type Fold = { readonly documents: FoldDocuments; readonly id: string };

/** Folds events over a document of which only what other streams told is kept. */
const fold = <D extends object>(reader: Reader, collection: Collection<D>, id: string, events: StreamEvents, keep: (stored: D) => Partial<D>): Fold => {
  const load: LoadDocument = (wanted, key) => {
    const stored = storedDocument(reader, wanted, key);
    if (stored === undefined || (wanted as object) !== collection || key !== id) return stored;
    return Object.assign(wanted.initial(key), keep(stored as unknown as D));
  };
  const documents = new FoldDocuments(load);
  for (const event of events) projectionOf(event.type)(event, documents);
  return { documents, id };
};

const by = (placed: readonly Placed[], until: Until): Placed[] =>
  until === 'now' ? [...placed] : placed.filter(([, at]) => comparePositions(at, until.toString()) <= 0);

/** SQL: whose matches, as a condition on their assignment in the ledger, and its parameters. */
type Whose = readonly [condition: string, ...ids: string[]];
const ofTournament = (tournamentId: TournamentId): Whose => ['tournament_id = ?', tournamentId];
/** In the tournaments that the team ever entered, which an index leads to. */
const ofTeam = (teamId: TeamId): Whose => [
  `tournament_id IN (SELECT tournament_id FROM ledger WHERE team_id = ? AND match_id IS NULL AND type = 'TeamEnteredTournament')
     AND ? IN (data ->> '$.teamAId', data ->> '$.teamBId')`,
  teamId,
  teamId,
];

/** The matches that were listed by then: those that were cancelled since as well, of which the ledger alone still tells. */
const matchesBy = (reader: Reader, stored: readonly Placed[], until: Until, [condition, ...ids]: Whose): Placed[] => {
  const listed = by(stored, until);
  if (until === 'now') return listed;
  const known = new Set(idsOf(stored));
  for (const [matchId = null, position = null] of reader.rows(
    `SELECT match_id, position FROM ledger WHERE type = 'MatchAssigned' AND ${condition} AND position <= ?`,
    ...ids,
    until,
  )) {
    const id = String(matchId);
    const isCancelledSince =
      !known.has(id) && reader.row("SELECT 1 FROM ledger WHERE match_number = ? AND type = 'MatchCancelled' AND position > ?", position, until) !== undefined;
    if (isCancelledSince) place(listed, id, BigInt(position ?? 0));
  }
  return listed;
};

const lastOf = (events: StreamEvents): bigint => events.at(-1)?.position ?? 0n;

const idIn = (events: StreamEvents, name: 'matchId' | 'tournamentId' | 'teamId'): string =>
  (events[0]?.data as Partial<Record<typeof name, string>> | undefined)?.[name] ?? '';

/** getMatch after the events of a match stream, from its first; undefined when they cancelled it. */
export const matchAnswerFrom = (reader: Reader, events: StreamEvents): string | undefined =>
  reader.snapshot(() => {
    const { documents, id } = fold(reader, matches, idIn(events, 'matchId'), events, () => ({}));
    return renderMatch(id, documents);
  });

/** A tournament after the events of its stream: in the shape of listAdminTournaments and in that of the public lists. */
export const tournamentAnswerFrom = (
  reader: Reader,
  events: StreamEvents,
  until: Until = lastOf(events),
): { readonly admin: string; readonly listed: string } | undefined =>
  reader.snapshot(() => {
    const tournamentId = idIn(events, 'tournamentId');
    const { documents, id } = fold(reader, tournaments, tournamentId, events, (stored) => ({
      matches: matchesBy(reader, stored.matches, until, ofTournament(tournamentId)),
    }));
    const row = renderedRow(tournamentView, tournamentTable, id, documents);
    if (row === undefined) return undefined;
    const rest = `,"teams":${column(tournamentTable, row, 'team_ids')},"matches":${column(tournamentTable, row, 'match_ids')}}`;
    return { admin: column(tournamentTable, row, 'admin_frame') + rest, listed: column(tournamentTable, row, 'frame') + rest };
  });

/**
 * A team after the events of its stream, in the shape of listTeams; undefined when its registration expired.
 * `details`: of people whose streams may not be projected yet (coach, contact), by person.
 */
export const teamAnswerFrom = (
  reader: Reader,
  events: StreamEvents,
  details: ReadonlyMap<string, PersonDetails> = new Map(),
  until: Until = lastOf(events),
): string | undefined =>
  reader.snapshot(() => {
    const teamId = idIn(events, 'teamId');
    const { documents, id } = fold(reader, teams, teamId, events, (stored) => ({
      matches: matchesBy(reader, stored.matches, until, ofTeam(teamId)),
      tournaments: by(stored.tournaments, until),
    }));
    for (const [personId, known] of details) documents.change(people, personId).details = known;
    const row = renderedRow(teamView, teamTable, id, documents);
    return row === undefined ? undefined : column(teamTable, row, 'admin');
  });
