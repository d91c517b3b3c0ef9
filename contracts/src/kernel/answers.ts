import { z } from 'zod';
import { participations } from './limits.ts';

/** Pieces of answers. Objects are strict: a field that the contract does not name fails the tests that parse by it. */

export const idOut = z.string().min(1);
/** UTC midnight of a calendar day: `2026-11-01T00:00:00.000Z`. */
export const dayOut = z.string().regex(/^\d{4}-\d{2}-\d{2}T00:00:00\.000Z$/);
/** `HH:mm` or empty. */
export const timeOut = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/);
/** An instant in UTC with milliseconds. */
export const instantOut = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
/** A position in the log, as decimal text. */
export const positionOut = z.string().regex(/^\d{1,19}$/);
/** A root-relative address, usable as `src`; empty when there is no image (any more). */
export const imageOut = z.string().regex(/^(?:\/[^\\]*)?$/);
export const countOut = z.int().min(0);
/** A statistic: increments may be negative, so a sum may be too. */
export const statOut = z.int();
/** One decimal. */
export const averageOut = z.number();
export const participationOut = z.enum(participations);
/** Jersey numbers are exact texts. */
export const jerseyOut = z.string();

export const messageAnswer = z.strictObject({ message: z.string() });

/** Nothing comes in here (no parameters, query or body): whatever is sent is ignored. */
export const nothing = z.object({});
/** Parameters of a path with one id. Any text is an id; one that nothing has is 404. */
export const idParams = z.object({ id: z.string() });
/** Answer of a 204. */
export const noAnswer = z.undefined();
/** Answer that is no JSON but bytes of another media type (`produces`). */
export const bytesAnswer = z.unknown();
