import { arrayOf } from '../kernel/json-pieces.ts';
import type { Reader } from '../kernel/read-model.ts';

/** One match (getMatch), JSON text; undefined when there is none, or it was cancelled. */
export const getMatch = (reader: Reader, matchId: string): string | undefined =>
  reader.text('SELECT m.frame || s.stats || s.tail FROM matches m JOIN match_stats s ON s.match_id = m.id WHERE m.id = ?', matchId);

/** All matches by day and time (listMatches): stored fragments, joined. */
export const listMatches = (reader: Reader): string =>
  arrayOf(reader.texts("SELECT m.list_frame || s.stats || '}' FROM matches m JOIN match_stats s ON s.match_id = m.id ORDER BY m.date, m.time, m.ordinal"));
