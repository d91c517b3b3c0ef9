import type { PersonId } from '@courtledger/contracts/kernel/ids';
import type { PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import { arrayOf, openObject } from '../kernel/json-pieces.ts';
import type { Reader } from '../kernel/read-model.ts';
import type { SqlValue } from '../kernel/table.ts';
import { LINE_NUMBERS, LINE_STATUS } from '../match/match.views.ts';
import { average } from './averages.rules.ts';

/** Sums over a player's tournaments: a few rows. */
const SUMS = `ifnull(sum(s.points), 0), ifnull(sum(s.assists), 0), ifnull(sum(s.rebounds), 0), ifnull(sum(s.matches), 0)
   FROM players p LEFT JOIN tournament_players s ON s.player_id = p.id`;

/** A profile with its numbers, JSON text without the end. */
const numbered = (profile: SqlValue | undefined, sums: readonly (SqlValue | undefined)[]): string => {
  const [points = 0, assists = 0, rebounds = 0, matches = 0] = sums.map(Number);
  const numbers: Pick<PlayerAnswer, 'total_points' | 'total_assists' | 'total_rebounds' | 'matches_played' | 'averages'> = {
    total_points: points,
    total_assists: assists,
    total_rebounds: rebounds,
    matches_played: matches,
    averages: { points: average(points, matches), assists: average(assists, matches), rebounds: average(rebounds, matches) },
  };
  return `${String(profile)},${openObject(numbers).slice(1)}`;
};

/** A player's profile, averages and matches, newest first. Never phone or document. */
export const getPlayer = (reader: Reader, playerId: PersonId): string | undefined =>
  reader.snapshot(() => {
    const [profile, ...sums] = reader.row(`SELECT p.profile, ${SUMS} WHERE p.id = ? GROUP BY p.id`, playerId) ?? [];
    if (profile === undefined) return undefined;
    const history = reader.texts(
      `SELECT '{"match_id":' || m.head || ',"team_id":' || json_quote(l.team_id) || ',"notplayed":"' || ${LINE_STATUS} || '",' || ${LINE_NUMBERS} || '}'
       FROM stat_lines l JOIN matches m ON m.id = l.match_id WHERE l.player_id = ? AND l.shown IS NOT NULL ORDER BY m.date DESC, m.time DESC, m.ordinal DESC`,
      playerId,
    );
    return `${numbered(profile, sums)},"match_history":${arrayOf(history)}}`;
  });

const adminPlayerOf = ([profile, contact, ...sums]: readonly SqlValue[]): string => numbered(profile, sums) + String(contact);

/** All players with their contact numbers, in the order in which they were added. For admins. */
export const listPlayers = (reader: Reader): string =>
  arrayOf(reader.rows(`SELECT p.profile, p.contact, ${SUMS} GROUP BY p.id ORDER BY p.ordinal`).map(adminPlayerOf));

/** One player in the shape of listPlayers. For admins. */
export const adminPlayer = (reader: Reader, playerId: PersonId): string | undefined => {
  const row = reader.row(`SELECT p.profile, p.contact, ${SUMS} WHERE p.id = ? GROUP BY p.id`, playerId);
  return row === undefined ? undefined : adminPlayerOf(row);
};
