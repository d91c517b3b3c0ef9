import { z } from 'zod';
import { fact, factIdOf, type FactsOf } from '../kernel/facts.ts';
import type { AdminId } from '../kernel/ids.ts';
import { streamOf } from '../kernel/streams.ts';

export const adminFacts = {
  /** E-mail in lower case. The password is an argon2id hash. */
  AdminCreated: fact(1, z.object({ adminId: factIdOf<AdminId>(), username: z.string(), email: z.string(), phoneNumber: z.string(), passwordHash: z.string() })),
  AdminDetailsChanged: fact(
    1,
    z.object({ adminId: factIdOf<AdminId>(), changes: z.object({ username: z.string(), email: z.string(), phoneNumber: z.string() }).partial() }),
  ),
  /** Revokes every token issued before it. `rehash`: same password under stronger parameters, which revokes nothing. */
  AdminPasswordChanged: fact(1, z.object({ adminId: factIdOf<AdminId>(), passwordHash: z.string(), rehash: z.boolean() })),
};
export type AdminEvent = FactsOf<typeof adminFacts>;
export const adminStream = (adminId: AdminId): string => streamOf('admin', adminId);

/** An address belongs to at most one account: the stream's name is a keyed hash of it. */
export const adminEmailFacts = {
  AdminEmailClaimed: fact(1, z.object({ adminId: factIdOf<AdminId>() })),
  AdminEmailReleased: fact(1, z.object({ adminId: factIdOf<AdminId>() })),
};
export type AdminEmailEvent = FactsOf<typeof adminEmailFacts>;
/** `emailHmac`: HMAC-SHA-256 of the lower-case address under the server's key, hex. */
export const adminEmailStream = (emailHmac: string): string => streamOf('admin-email', emailHmac);
