import type { Collection } from '../kernel/projection.ts';

export type AdminDocument = {
  /** Of the admin's own stream; -1 before its first fact. */
  revision: number;
  born: string | null;
  username: string;
  email: string;
  phoneNumber: string;
};
export const admins: Collection<AdminDocument> = {
  name: 'admin',
  ofAccounts: true,
  initial: () => ({ revision: -1, born: null, username: '', email: '', phoneNumber: '' }),
};

/**
 * Apart from the account, so that a hash stands in one table only. `changedPosition`: of the last change that is no rehash; tokens that were issued before it
 * are revoked.
 */
export type CredentialDocument = { passwordHash: string; changedPosition: string };
export const credentials: Collection<CredentialDocument> = {
  name: 'credential',
  ofAccounts: true,
  initial: () => ({ passwordHash: '', changedPosition: '0' }),
};

/** A revoked token, by its `jti`. */
export type RevokedSessionDocument = { role: 'admin' | 'superadmin'; subjectId: string; expires: number };
export const revokedSessions: Collection<RevokedSessionDocument> = {
  name: 'revoked_session',
  ofAccounts: true,
  initial: () => ({ role: 'admin', subjectId: '', expires: 0 }),
};
