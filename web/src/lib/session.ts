import { TOKEN_LIFETIME_MS } from '@courtledger/contracts/kernel/limits';
import { forget, keep, recall } from './storage.ts';

export type Role = 'admin' | 'superadmin';

/** Storage keys of the two logins (specification section 6). */
export const tokenKeys: Record<Role, string> = { admin: 'atoken', superadmin: 'stoken' };

/** The key that the one-hour timer removes (specification section 6: in fact neither of the two above; the server's expiry decides). */
export const expiringKey = 'token';

/** Keeps the token of a login and starts the one-hour timer. */
export const startSession = (role: Role, token: string): void => {
  keep(tokenKeys[role], token);
  setTimeout(() => {
    forget(expiringKey);
  }, TOKEN_LIFETIME_MS);
};

/** The stored token of a role, if any. */
export const bearerFor = (role: Role): string | undefined => recall(tokenKeys[role]);

/** Forgets a login on this machine. */
export const endSession = (role: Role): void => {
  forget(tokenKeys[role]);
};
