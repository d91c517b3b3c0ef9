import { z } from 'zod';
import { idOut } from '../kernel/answers.ts';

/** An admin account; never a password or hash. */
export const adminAnswer = z.strictObject({ _id: idOut, username: z.string(), email: z.string(), phoneNumber: z.string() });
export type AdminAnswer = z.output<typeof adminAnswer>;

/** Who the token belongs to. */
export const adminSession = z.strictObject({ _id: idOut, username: z.string(), email: z.string() });
export type AdminSession = z.output<typeof adminSession>;

export const tokenAnswer = z.strictObject({ token: z.string().min(1) });
export type TokenAnswer = z.output<typeof tokenAnswer>;
