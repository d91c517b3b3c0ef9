import { arrayOf } from '../kernel/json-pieces.ts';
import type { Reader } from '../kernel/read-model.ts';

/** A player's profile, averages and matches, newest first. Never phone or document. */
export const getPlayer = (reader: Reader, playerId: string): string | undefined =>
  reader.snapshot(() => {
    const profile = reader.text('SELECT profile FROM players WHERE id = ?', playerId);
    if (profile === undefined) return undefined;
    const history = reader.texts(
      `SELECT '{"match_id":' || m.head || l.line || '}' FROM stat_lines l JOIN matches m ON m.id = l.match_id WHERE l.player_id = ? ORDER BY m.date DESC, m.time DESC, m.ordinal DESC`,
      playerId,
    );
    return `${profile},"match_history":${arrayOf(history)}}`;
  });

/** All players with their contact numbers, in the order in which they were added. For admins. */
export const listPlayers = (reader: Reader): string => arrayOf(reader.texts('SELECT profile || contact FROM players ORDER BY ordinal'));

/** One player in the shape of listPlayers. For admins. */
export const adminPlayer = (reader: Reader, playerId: string): string | undefined => reader.text('SELECT profile || contact FROM players WHERE id = ?', playerId);
