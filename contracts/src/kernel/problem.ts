import { z } from 'zod';

/** Body of every error: `application/problem+json` (RFC 9457). */
export const problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int().min(400).max(599),
  /** The one text a person reads; the same as `message`. */
  detail: z.string(),
  /** The id of the request. */
  instance: z.string(),
  message: z.string(),
  /** By wire name: of invalid input all that is wrong, `message` is the first; of a conflict the field that says it, where it is one. */
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.output<typeof problem>;
export const PROBLEM_TYPE = 'application/problem+json';
