import { z } from 'zod';

/** Answers of `/healthz` and `/readyz`, which stand at the root, not under `/api`. */

/** The process answers. */
export const healthAnswer = z.strictObject({ status: z.literal('ok') });
export type HealthAnswer = z.output<typeof healthAnswer>;

/**
 * 200 while pages are answered, else 503. A log that takes no writes (a break in its hash chain, a full disk) does not take the site away: `writes` is false then, and `reason` says why.
 * One word a part; nothing about the machine.
 */
export const readyAnswer = z.strictObject({ status: z.enum(['ready', 'not-ready']), checks: z.record(z.string(), z.enum(['ok', 'failing'])), writes: z.boolean(), reason: z.union([z.string(), z.null()]) });
export type ReadyAnswer = z.output<typeof readyAnswer>;
