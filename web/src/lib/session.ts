import { TOKEN_LIFETIME_MS } from '@courtledger/contracts/kernel/limits';
import { forget, keep, recall } from './storage.ts';

export type Role = 'admin' | 'superadmin';

/** Storage keys of the two logins (specification section 6). */
const tokenKeys: Record<Role, string> = { admin: 'atoken', superadmin: 'stoken' };

/** The key that the one-hour timer removes (specification section 6: in fact neither of the two above; the server's expiry decides). */
const expiringKey = 'token';

/** Tokens that the browser would not keep: they last as long as the page, or a right password would lead back to an empty login. */
const unkept = new Map<Role, string>();

/** Keeps the token of a login and starts the one-hour timer. */
export const startSession = (role: Role, token: string): void => {
  if (keep(tokenKeys[role], token)) unkept.delete(role);
  else unkept.set(role, token);
  setTimeout(() => {
    forget(expiringKey);
  }, TOKEN_LIFETIME_MS);
};

/** The stored token of a role, if any. */
export const bearerFor = (role: Role): string | undefined => unkept.get(role) ?? recall(tokenKeys[role]);

/** What a stored token says of itself; nothing of one that cannot be read. What it may do is the server's to say. */
const claimsOf = (role: Role): { readonly sub?: unknown; readonly exp?: unknown } => {
  try {
    const payload = (bearerFor(role)?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0));
    return (JSON.parse(new TextDecoder().decode(bytes)) as { readonly sub?: unknown; readonly exp?: unknown } | null) ?? {};
  } catch {
    return {};
  }
};

const hasExpired = (role: Role): boolean => {
  const { exp } = claimsOf(role);
  return typeof exp === 'number' && exp * 1000 <= Date.now();
};

/**
 * Whose token is stored, an admin's first: a super admin is not an admin by that. One that has expired counts only when there is no other. Undefined for
 * everybody else.
 */
export const staffRole = (): Role | undefined => {
  const roles = (['admin', 'superadmin'] as const).filter((role) => bearerFor(role) !== undefined);
  return roles.find((role) => !hasExpired(role)) ?? roles[0];
};

/** Whom the stored token names; empty when there is none to be read. Only shown. */
export const accountOf = (role: Role): string => {
  const { sub } = claimsOf(role);
  return typeof sub === 'string' ? sub : '';
};

/** Tells apart who is logged in: the same for every token of one account. Undefined when nobody is. */
export const whoIs = (role: Role): string | undefined => accountOf(role) || bearerFor(role);

/** Calls back when another tab has changed the login of a role: out, or in. */
export const onSessionChange = (role: Role, listener: () => void): (() => void) => {
  const follow = ({ key }: StorageEvent): void => {
    // Without a key everything was removed.
    if (key === null || key === tokenKeys[role]) listener();
  };
  window.addEventListener('storage', follow);
  // A page that comes back from the browser's own cache was told of nothing.
  window.addEventListener('pageshow', listener);
  return () => {
    window.removeEventListener('storage', follow);
    window.removeEventListener('pageshow', listener);
  };
};

/** Forgets a login on this machine. */
export const endSession = (role: Role): void => {
  unkept.delete(role);
  forget(tokenKeys[role]);
};
