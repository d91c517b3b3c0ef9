import type { TeamId } from '@courtledger/contracts/kernel/ids';
/** An admin's account as the read model has it. `tokenVersion` changes with each change of the password that is no rehash. */
export type AdminAccount = { readonly id: string; readonly username: string; readonly email: string; readonly passwordHash: string; readonly tokenVersion: string };

/** What a registration cookie is checked against. `registeredAt`: ISO time of TeamRegistered. */
export type TeamCapability = { readonly capabilityHash: string | null; readonly registeredAt: string };

/** What authentication reads, straight from the read model: keyed look-ups of some microseconds, so that every check sees the last revocation. */
export type AuthReads = {
  adminById(id: string): AdminAccount | undefined;
  /** @param email in lower case */
  adminByEmail(email: string): AdminAccount | undefined;
  /** True when a SessionRevoked names this token. */
  isRevoked(jti: string): boolean;
  teamCapability(teamId: TeamId): TeamCapability | undefined;
};
