import { arrayOf } from '../kernel/json-pieces.ts';
import type { Reader } from '../kernel/read-model.ts';

/** All requests for tournaments with contact details, newest first. For admins. */
export const listTournamentRequests = (reader: Reader): string => arrayOf(reader.texts('SELECT answer FROM requests ORDER BY ordinal DESC'));

/** One request in the shape of listTournamentRequests. For admins. */
export const adminTournamentRequest = (reader: Reader, requestId: string): string | undefined => reader.text('SELECT answer FROM requests WHERE id = ?', requestId);
