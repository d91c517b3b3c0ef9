import type { ReadReply } from './call.ts';

/** The answer of a query: its JSON text, or 404 with what is missing. */
export const found = (json: string | undefined, missing: string): ReadReply => (json === undefined ? { missing } : { json });
