import type { TeamId } from '@courtledger/contracts/kernel/ids';
import { REGISTRATION_LIFETIME_MS } from '@courtledger/contracts/kernel/limits';
import type { CookieChange } from './call.ts';
import { registrationCookie } from './capability.ts';
import { tokenSeconds, type TokenRole } from './tokens.ts';

/** More than the headers of a request have room for (16 kB): who enters many teams in one browser has a cookie of each. */
const mostCookies = 200;
const safeValue = /^[A-Za-z0-9._~+/=-]*$/;
/** Cookies go to the API only. */
const cookiePath = '/api';

/** The cookies of a request by name. The first of a name counts, as browsers send the most specific first; what is no plain value is left out. */
export const readCookies = (header: string | undefined): ReadonlyMap<string, string> => {
  const cookies = new Map<string, string>();
  if (header === undefined) return cookies;
  for (const part of header.split(';', mostCookies)) {
    const split = part.indexOf('=');
    if (split < 1) continue;
    const name = part.slice(0, split).trim();
    const value = part
      .slice(split + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1');
    if (name !== '' && safeValue.test(value) && !cookies.has(name)) cookies.set(name, value);
  }
  return cookies;
};

/** The text of a `Set-Cookie` header. @param secure true when the site is behind https */
export const cookieHeader = (change: CookieChange, secure: boolean): string =>
  `${change.name}=${change.value}; Max-Age=${change.maxAgeSeconds}; Path=${change.path}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

export const loginCookie = (role: TokenRole): string => (role === 'admin' ? 'cl_admin' : 'cl_superadmin');

export const setLoginCookie = (role: TokenRole, token: string): CookieChange => ({
  name: loginCookie(role),
  value: token,
  path: cookiePath,
  maxAgeSeconds: tokenSeconds,
});
export const clearLoginCookie = (role: TokenRole): CookieChange => ({ name: loginCookie(role), value: '', path: cookiePath, maxAgeSeconds: 0 });
export const setRegistrationCookie = (teamId: TeamId, token: string): CookieChange => ({
  name: registrationCookie(teamId),
  value: token,
  path: cookiePath,
  maxAgeSeconds: REGISTRATION_LIFETIME_MS / 1000,
});
