import { dayToWire } from '@courtledger/contracts/kernel/days';
import type { PersonId, TeamId } from '@courtledger/contracts/kernel/ids';
import type { MatchListItem, MatchResult, MatchTeam, RosterPlayer, StatRow } from '@courtledger/contracts/match/match.answers';
import { arrayOf, openObject } from '../kernel/json-pieces.ts';
import { view, type Documents } from '../kernel/projection.ts';
import { table } from '../kernel/table.ts';
import { shownPlayer } from '../player/shown-person.ts';
import { teams } from '../team/team.documents.ts';
import { tournaments } from '../tournament/tournament.documents.ts';
import { matches, statLineTable, type MatchDocument } from './match.documents.ts';
import { isShown, statusOf } from './match-rows.rules.ts';
import { bestPlayer, type Performance } from './mvp.rules.ts';

/**
 * Answers about a match are kept in pieces (JSON text without its end) that queries join, so that a point rewrites numbers only, not names and rosters:
 * getMatch = `frame` + the rows of `stat_lines` + `tail`, one match of listMatches = `list_frame` + those rows, one of listTournamentMatches = `result_frame` +
 * `score`. `head` is the whole `match_id` of a player's match history.
 */
export const matchTable = table(
  'matches',
  { id: 'TEXT NOT NULL' },
  {
    tournament_id: 'TEXT NOT NULL',
    ordinal: 'INTEGER NOT NULL',
    date: 'TEXT NOT NULL',
    time: 'TEXT NOT NULL',
    frame: 'TEXT NOT NULL',
    list_frame: 'TEXT NOT NULL',
    result_frame: 'TEXT NOT NULL',
    tournament: 'TEXT NOT NULL',
    head: 'TEXT NOT NULL',
  },
  { indexes: ['tournament_id'] },
);
/**
 * `revision`: of the match's stream. `tail`: MVP and end of getMatch. `score`: scores and `hasStats`, without the end. The rows between frame and tail are
 * those of `stat_lines`.
 */
export const matchStatsTable = table(
  'match_stats',
  { match_id: 'TEXT NOT NULL' },
  { revision: 'INTEGER NOT NULL', tail: 'TEXT NOT NULL', score: 'TEXT NOT NULL' },
);

/** SQL: the numbers of a line `l` that is shown, as fields of its JSON. */
export const LINE_NUMBERS = `'"points":' || l.points || ',"assists":' || l.assists || ',"rebounds":' || l.rebounds`;
/** SQL: the status of a line `l` that is shown (`statusOf`), which no text needs to quote. */
export const LINE_STATUS = "ifnull(l.participation, 'played')";
/** SQL: the rows of the match `m` in getMatch, a JSON array. The same text as `statRows`. */
export const STAT_ROWS = `(SELECT '[' || ifnull(group_concat('{"player_id":' || json_quote(l.player_id) || ',"team_id":' || json_quote(l.team_id) || ',' || ${LINE_NUMBERS} || ',"notplayed":"' || ${LINE_STATUS} || '"' || l.shown, ',' ORDER BY l.ordinal), '') || ']' FROM stat_lines l WHERE l.match_id = m.id)`;
/** SQL: the match `m` with its statistics `s` as getMatch tells it. */
export const MATCH_ANSWER = `m.frame || ${STAT_ROWS} || s.tail`;

type Reads = Pick<Documents, 'read'>;

const teamOf = (teamId: TeamId, documents: Reads): MatchTeam => {
  const team = documents.read(teams, teamId);
  return { _id: teamId, team_details: { name: team?.name ?? '', logo: team?.logo ?? '' } };
};

/** The current roster and everybody with an entry (api-contract, getMatch). */
const playersOf = (match: MatchDocument, teamId: TeamId, documents: Reads): RosterPlayer[] => {
  const roster = (documents.read(teams, teamId)?.players ?? []).map(({ id }) => id);
  const known = new Set(roster);
  for (const [playerId, line] of match.lines) if (line.teamId === teamId && isShown(line) && !known.has(playerId)) roster.push(playerId);
  return roster.map((id) => shownPlayer(id, documents));
};

/** A team in a player's match history. */
const named = ({ _id, team_details }: MatchTeam) => ({ _id, team_details: { name: team_details.name } });

const isGone = (match: MatchDocument): boolean => match.born === null || match.cancelled;

export const matchView = view('match', matches, [matchTable], (id, match, documents, write) => {
  if (isGone(match)) {
    write.remove(matchTable, [id]);
    return;
  }
  const details = documents.read(tournaments, match.tournamentId)?.details;
  const tournament = { _id: match.tournamentId, name: details?.name ?? '' };
  const team1 = teamOf(match.teamAId, documents);
  const team2 = teamOf(match.teamBId, documents);
  const team1Players = playersOf(match, match.teamAId, documents);
  const team2Players = playersOf(match, match.teamBId, documents);
  const day = dayToWire(match.date);
  const result: Pick<MatchResult, '_id' | 'date' | 'time' | 'team_1' | 'team_2'> = { _id: id, date: day, time: match.time, team_1: team1, team_2: team2 };
  const frame = {
    _id: id,
    date: day,
    time: match.time,
    // A match shows a day even while its tournament is parked.
    tournament_id: {
      ...tournament,
      location: details?.location ?? '',
      startDate: details === undefined || details === null ? day : dayToWire(details.startDate),
      league: details?.league ?? '',
    },
    team_1: { ...team1, players: team1Players },
    team_2: { ...team2, players: team2Players },
  };
  const item: Omit<MatchListItem, 'playerStats'> = {
    matchId: id,
    tournamentId: match.tournamentId,
    tournamentName: tournament.name,
    team1Name: team1.team_details.name,
    team2Name: team2.team_details.name,
    team1Id: match.teamAId,
    team2Id: match.teamBId,
    date: day,
    time: match.time,
    team1Players,
    team2Players,
  };
  write.put(matchTable, [
    id,
    match.tournamentId,
    BigInt(match.born ?? 0),
    match.date,
    match.time,
    `${openObject(frame)},"player_stats":`,
    `${openObject(item)},"playerStats":`,
    openObject(result),
    JSON.stringify(tournament),
    JSON.stringify({ _id: id, date: day, team_1: named(team1), team_2: named(team2), tournament_id: tournament }),
  ]);
});

type ShownEnd = Pick<StatRow, 'name' | 'jerseyNumber' | 'image'>;
const shownEnd = (playerId: PersonId, documents: Reads): string => {
  const { name, jerseyNumber, image } = shownPlayer(playerId, documents);
  return `,${JSON.stringify({ name, jerseyNumber, image } satisfies ShownEnd).slice(1)}`;
};

/** The rows of a match in getMatch, a JSON array, rendered from its document. */
export const statRows = (match: MatchDocument, documents: Reads): string =>
  arrayOf(
    [...match.lines].flatMap(([playerId, line]) => {
      if (!isShown(line)) return [];
      const row: Omit<StatRow, keyof ShownEnd> = {
        player_id: playerId,
        team_id: line.teamId,
        points: line.points,
        assists: line.assists,
        rebounds: line.rebounds,
        notplayed: statusOf(line),
      };
      return [openObject(row) + shownEnd(playerId, documents)];
    }),
  );

export const matchStatsView = view('match-stats', matches, [matchStatsTable], (id, match, documents, write) => {
  if (isGone(match)) {
    write.remove(matchStatsTable, [id]);
    return;
  }
  const shown: Performance[] = [];
  for (const [playerId, line] of match.lines)
    if (isShown(line)) shown.push({ playerId, teamId: line.teamId, points: line.points, assists: line.assists, rebounds: line.rebounds });
  const { score1, score2 } = match;
  const winner = score1 === score2 ? undefined : score1 > score2 ? match.teamAId : match.teamBId;
  const best = bestPlayer(match.mvp, shown, winner, (playerId) => shownPlayer(playerId, documents).name);
  const mvp = best?.recorded === true ? `,"mvp":${JSON.stringify(best.player_id)}` : '';
  write.put(matchStatsTable, [
    id,
    match.revision,
    `${mvp}${best === undefined ? '' : `,"bestPlayer":${JSON.stringify(best)}`}}`,
    `,"score_1":${String(score1)},"score_2":${String(score2)},"hasStats":${String(match.rows > 0)}`,
  ]);
});

/** Parts are players. */
export const statLineView = view('stat-line', matches, [statLineTable], (id, match, documents, write, parts) => {
  for (const playerId of parts ?? match.lines.keys()) {
    const line = match.lines.get(playerId);
    if (line === undefined) continue;
    const { ordinal, teamId, points, assists, rebounds, entries, participation } = line;
    write.put(statLineTable, [
      id,
      playerId,
      ordinal,
      teamId,
      points,
      assists,
      rebounds,
      entries,
      participation,
      isShown(line) ? shownEnd(playerId, documents) : null,
    ]);
  }
});
