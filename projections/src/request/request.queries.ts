import { arrayOf } from '../kernel/json-pieces.ts';
import type { Reader } from '../kernel/read-model.ts';

/** All requests for tournaments with contact details, newest first. For admins. */
export const listTournamentRequests = (reader: Reader): string => arrayOf(reader.texts('SELECT answer FROM requests ORDER BY ordinal DESC'));
