import { dayToWire } from '@courtledger/contracts/kernel/days';
import type { TournamentId } from '@courtledger/contracts/kernel/ids';
import type { SeasonPayload, StandingsHistory } from '@courtledger/contracts/tournament/season.answers';
import { storedDocument } from '../kernel/stored-document.ts';
import { FoldDocuments } from '../kernel/documents.ts';
import { tournamentEvents } from '../kernel/ledger-events.ts';
import type { Reader } from '../kernel/read-model.ts';
import { matches } from '../match/match.documents.ts';
import { teams } from '../team/team.documents.ts';
import { standingsAnswerOf } from './standings.views.ts';
import { tournaments } from './tournament.documents.ts';

/** The standings after each match day: the matches up to that day, with what is recorded of them now. Undefined when there is no such tournament. */
export const getStandingsHistory = (reader: Reader, tournamentId: TournamentId): StandingsHistory | undefined =>
  reader.snapshot(() => {
    const tournament = storedDocument(reader, tournaments, tournamentId);
    if (tournament === undefined || tournament.details === null) return undefined;
    const documents = new FoldDocuments((collection, key) => storedDocument(reader, collection, key));
    const dated = tournament.matches.map((placed) => ({ placed, match: documents.read(matches, placed[0]) }));
    const days = [...new Set(dated.flatMap(({ match }) => (match === undefined || match.rows === 0 ? [] : [match.date])))].toSorted();
    return {
      tournamentId,
      days: days.map((date) => {
        const played = dated.filter(({ match }) => match !== undefined && match.date <= date).map(({ placed }) => placed);
        return {
          date: dayToWire(date),
          matches: dated.filter(({ match }) => match?.date === date && match.rows > 0).length,
          rows: standingsAnswerOf(tournamentId, { ...tournament, matches: played }, documents).rows,
        };
      }),
    };
  });

type Data = Readonly<Record<string, unknown>>;
/** What a season file tells of a fact. Contacts, pictures and prizes are nobody's business there. */
const seasonFacts: Readonly<Record<string, (data: Data) => Data>> = {
  TournamentCreated: ({ tournamentId, name, startDate, endDate }) => ({ tournamentId, name, startDate, endDate }),
  TeamEnteredTournament: (data) => data,
  TeamWithdrawnFromTournament: (data) => data,
  MatchAssigned: (data) => data,
  MatchRescheduled: (data) => data,
  StatIncrementRecorded: (data) => data,
  PlayerParticipationRecorded: (data) => data,
  // A reason is free text of an admin: it may name somebody.
  StatEntryReversed: ({ matchId, entryId, targetEntryId, playerId, teamId, points, assists, rebounds }) => ({
    matchId,
    entryId,
    targetEntryId,
    playerId,
    teamId,
    points,
    assists,
    rebounds,
  }),
  MatchMvpNamed: (data) => data,
  MatchCancelled: (data) => data,
};

/**
 * A stream that the results of a tournament rest on and that cannot be read to its end: its own, a match's, or a match's of which even the assignment cannot be
 * read. Undefined when all can be read.
 */
export const parkedOfSeason = (reader: Reader, tournamentId: TournamentId): string | undefined =>
  reader.text(
    `SELECT stream FROM parked
     WHERE stream = 'tournament-' || ?
       OR (stream LIKE 'match-%' AND substr(stream, 7) NOT IN (SELECT match_id FROM ledger WHERE type = 'MatchAssigned' AND tournament_id <> ?))
     ORDER BY position LIMIT 1`,
    tournamentId,
    tournamentId,
  );

/** What a season file says: the facts of a tournament that its results rest on, and the results. Undefined when there is no such tournament. */
export const seasonPayloadOf = (reader: Reader, tournamentId: TournamentId): SeasonPayload | undefined =>
  reader.snapshot(() => {
    const tournament = storedDocument(reader, tournaments, tournamentId);
    if (tournament === undefined || tournament.details === null) return undefined;
    const documents = new FoldDocuments((collection, key) => storedDocument(reader, collection, key));
    const facts = tournamentEvents(reader, tournamentId).flatMap(({ position, stream, revision, type, time, data }) => {
      const shown = seasonFacts[type];
      return shown === undefined ? [] : [{ position: position.toString(), stream, revision, type, time, data: shown(data as Data) }];
    });
    const results = tournament.matches.flatMap(([id]) => {
      const match = documents.read(matches, id);
      return match === undefined
        ? []
        : [{ _id: id, team_1: match.teamAId, team_2: match.teamBId, score_1: match.score1, score_2: match.score2, hasStats: match.rows > 0 }];
    });
    const teamIds = new Set([...tournament.teams.map(([id]) => id), ...results.flatMap(({ team_1, team_2 }) => [team_1, team_2])]);
    const { name, startDate, endDate } = tournament.details;
    return {
      format: 'courtledger-season/1',
      tournament: { _id: tournamentId, name, startDate, endDate },
      teams: [...teamIds].map((id) => ({ _id: id, name: documents.read(teams, id)?.name ?? '' })),
      position: reader.position().toString(),
      facts,
      results,
      standings: standingsAnswerOf(tournamentId, tournament, documents).rows.map(
        ({ rank, teamId, teamName, played, wins, losses, points, pointsFor, pointsAgainst, difference }) => ({
          rank,
          teamId,
          teamName,
          played,
          wins,
          losses,
          points,
          pointsFor,
          pointsAgainst,
          difference,
        }),
      ),
    };
  });
