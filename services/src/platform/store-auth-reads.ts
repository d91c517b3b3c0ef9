import { adminByEmail, adminById, isRevoked } from '@courtledger/projections/admin/admin.queries';
import type { Reader } from '@courtledger/projections/kernel/read-model';
import { teamCapability } from '@courtledger/projections/team/team.queries';
import type { AuthReads } from './auth-reads.ts';

/** What authentication reads, from the live read model. */
export const authReadsOf = (reader: () => Reader): AuthReads => ({
  adminById: (id) => adminById(reader(), id),
  adminByEmail: (email) => adminByEmail(reader(), email),
  isRevoked: (jti) => isRevoked(reader(), jti),
  teamCapability: (teamId) => teamCapability(reader(), teamId),
});
