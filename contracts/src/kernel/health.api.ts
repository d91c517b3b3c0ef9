import { z } from 'zod';

/** Answers of `/healthz` and `/readyz`, which stand at the root, not under `/api`. */

/** The process answers. */
export const healthAnswer = z.strictObject({ status: z.literal('ok') });
export type HealthAnswer = z.output<typeof healthAnswer>;

/** 200 when the log and the read model are there and level enough to answer, else 503. One word a part; nothing about the machine. */
export const readyAnswer = z.strictObject({ status: z.enum(['ready', 'not-ready']), checks: z.record(z.string(), z.enum(['ok', 'failing'])) });
export type ReadyAnswer = z.output<typeof readyAnswer>;
