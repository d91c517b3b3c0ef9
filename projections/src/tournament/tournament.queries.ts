import { dayToWire } from '@courtledger/contracts/kernel/days';
import type { TournamentId } from '@courtledger/contracts/kernel/ids';
import { LEADERS } from '@courtledger/contracts/kernel/limits';
import type { LeaderRow } from '@courtledger/contracts/match/match.answers';
import type { LeadersAnswer } from '@courtledger/contracts/tournament/tournament.answers';
import { arrayOf } from '../kernel/json-pieces.ts';
import type { Reader } from '../kernel/read-model.ts';
import { MATCH_ANSWER } from '../match/match.views.ts';
import { average } from '../player/averages.rules.ts';
import { leaders, type Statistic } from './leaders.rules.ts';

const LIST_ITEM = `frame || ',"teams":' || team_ids || ',"matches":' || match_ids || '}'`;
const ADMIN_ITEM = `admin_${LIST_ITEM}`;

/** Both lists of the landing page. `today`: YYYY-MM-DD in Asia/Kathmandu. */
export const listTournaments = (reader: Reader, today: string): string =>
  reader.snapshot(() => {
    const all = reader.texts(`SELECT ${LIST_ITEM} FROM tournaments ORDER BY start_date DESC, ordinal DESC`);
    const upcoming = reader.texts(`SELECT ${LIST_ITEM} FROM tournaments WHERE end_date >= ? ORDER BY start_date, ordinal`, today);
    return `{"allTournaments":${arrayOf(all)},"upcomingTournaments":${arrayOf(upcoming)}}`;
  });

/** All tournaments with the organizers' phones. For admins. */
export const listAdminTournaments = (reader: Reader): string =>
  arrayOf(reader.texts(`SELECT ${ADMIN_ITEM} FROM tournaments ORDER BY start_date DESC, ordinal DESC`));

/** One tournament in the shapes of listAdminTournaments and of the public lists, with the revision of its stream that they show. */
export const tournamentAtRevision = (
  reader: Reader,
  tournamentId: TournamentId,
): { readonly revision: number; readonly admin: string; readonly listed: string } | undefined => {
  const row = reader.row(`SELECT revision, ${ADMIN_ITEM}, ${LIST_ITEM} FROM tournaments WHERE id = ?`, tournamentId);
  return row === undefined ? undefined : { revision: Number(row[0]), admin: String(row[1]), listed: String(row[2]) };
};

/** One tournament in the shape of the public lists. */
export const listedTournament = (reader: Reader, tournamentId: TournamentId): string | undefined =>
  reader.text(`SELECT ${LIST_ITEM} FROM tournaments WHERE id = ?`, tournamentId);

/** The tournament that the landing page shows: the first of listTournaments. */
export const newestTournament = (reader: Reader): string | undefined =>
  reader.text(`SELECT ${LIST_ITEM} FROM tournaments ORDER BY start_date DESC, ordinal DESC LIMIT 1`);

/** One tournament with its teams and matches. */
export const getTournament = (reader: Reader, tournamentId: TournamentId): string | undefined =>
  reader.snapshot(() => {
    const found = reader.row('SELECT frame, team_ids, match_ids FROM tournaments WHERE id = ?', tournamentId);
    if (found === undefined) return undefined;
    const [frame, teamIds, matchIds] = found.map(String);
    const teams = reader.texts('SELECT t.fragment FROM json_each(?) entered JOIN teams t ON t.id = entered.value ORDER BY entered.key', teamIds ?? '[]');
    const matches = reader.texts(
      `SELECT ${MATCH_ANSWER} FROM json_each(?) assigned JOIN matches m ON m.id = assigned.value JOIN match_stats s ON s.match_id = m.id ORDER BY assigned.key`,
      matchIds ?? '[]',
    );
    return `${frame ?? ''},"teams":${arrayOf(teams)},"matches":${arrayOf(matches)}}`;
  });

const exists = (reader: Reader, tournamentId: TournamentId): boolean => reader.row('SELECT 1 FROM tournaments WHERE id = ?', tournamentId) !== undefined;

/** Matches of a tournament by day and time, of one day (`YYYY-MM-DD`) or all; `dates` are all days that have matches. */
export const listTournamentMatches = (reader: Reader, tournamentId: TournamentId, day?: string): string | undefined =>
  reader.snapshot(() => {
    if (!exists(reader, tournamentId)) return undefined;
    const dates = reader.texts('SELECT DISTINCT date FROM matches WHERE tournament_id = ? ORDER BY date', tournamentId).map(dayToWire);
    const select = "SELECT m.result_frame || s.score || '}' FROM matches m JOIN match_stats s ON s.match_id = m.id WHERE m.tournament_id = ?";
    const order = 'ORDER BY m.date, m.time, m.ordinal';
    const matches = day === undefined ? reader.texts(`${select} ${order}`, tournamentId) : reader.texts(`${select} AND m.date = ? ${order}`, tournamentId, day);
    return `{"dates":${JSON.stringify(dates)},"matches":${arrayOf(matches)}}`;
  });

/** Players with the most points, assists and rebounds: the best of the tournament's rows of sums. */
export const getLeaders = (reader: Reader, tournamentId: TournamentId): string | undefined =>
  reader.snapshot(() => {
    if (!exists(reader, tournamentId)) return undefined;
    const candidates = reader
      .rows(
        `SELECT s.player_id, p.name, p.image, p.jersey, s.team_id, t.name, s.points, s.assists, s.rebounds, s.matches
         FROM tournament_players s JOIN players p ON p.id = s.player_id JOIN teams t ON t.id = s.team_id WHERE s.tournament_id = ?`,
        tournamentId,
      )
      .map(([id, name, image, jersey, teamId, teamName, points, assists, rebounds, matches]) => ({
        id: String(id),
        name: String(name),
        image: String(image),
        jersey: String(jersey),
        teamId: String(teamId),
        teamName: String(teamName),
        totals: { points: Number(points), assists: Number(assists), rebounds: Number(rebounds), matches: Number(matches) },
      }));
    const rows = (statistic: Statistic): LeaderRow[] =>
      leaders(candidates, statistic, LEADERS).map(({ id, name, image, jersey, teamId, teamName, totals }) => ({
        player_id: id,
        name,
        image,
        jerseyNumber: jersey,
        team_id: teamId,
        teamName,
        total: totals[statistic],
        matches: totals.matches,
        average: average(totals[statistic], totals.matches),
      }));
    const answer: LeadersAnswer = { points: rows('points'), assists: rows('assists'), rebounds: rows('rebounds') };
    return JSON.stringify(answer);
  });
