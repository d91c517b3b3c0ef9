import { z } from 'zod';

/** Answers of `/healthz` and `/readyz`, which stand at the root, not under `/api`. */

/** The process answers. */
const healthAnswer = z.strictObject({ status: z.literal('ok') });
export type HealthAnswer = z.output<typeof healthAnswer>;

/**
 * 200 when the log takes writes and the read model is level enough to answer, else 503: whoever spreads commands sends them elsewhere then, although this node
 * still answers reads. `writes` and `reason` tell a log that takes none (a break in its hash chain, a full disk) from a start, and from a read model that may
 * be of a log that was damaged. One word a part; nothing about the machine.
 */
export const readyAnswer = z.strictObject({
  status: z.enum(['ready', 'not-ready']),
  checks: z.record(z.string(), z.enum(['ok', 'failing'])),
  writes: z.boolean(),
  reason: z.union([z.string(), z.null()]),
});
export type ReadyAnswer = z.output<typeof readyAnswer>;
