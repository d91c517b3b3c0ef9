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
  /** Only of invalid input: all that is wrong, by wire name; `message` is the first. */
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.output<typeof problem>;
export const PROBLEM_TYPE = 'application/problem+json';
