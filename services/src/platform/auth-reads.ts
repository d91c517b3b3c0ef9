import type { TeamId } from '@courtledger/contracts/kernel/ids';
import type { AdminAccount } from '@courtledger/projections/admin/admin.queries';
import type { TeamCapability } from '@courtledger/projections/team/team.queries';

/** What authentication reads, straight from the read model: keyed look-ups of some microseconds, so that every check sees the last revocation. */
export type AuthReads = {
  adminById(id: string): AdminAccount | undefined;
  /** @param email in lower case */
  adminByEmail(email: string): AdminAccount | undefined;
  /** True when a SessionRevoked names this token. */
  isRevoked(jti: string): boolean;
  teamCapability(teamId: TeamId): TeamCapability | undefined;
};
