import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import { parsePosition } from '@courtledger/contracts/kernel/event';
import type { TeamId } from '@courtledger/contracts/kernel/ids';
import { mayCall } from './access.ts';
import { loginCookie, readCookies } from './auth-cookies.ts';
import type { AuthReads } from './auth-reads.ts';
import type { Caller } from './call.ts';
import { registrationCookie, type Capabilities } from './capability.ts';
import type { Clock } from './ports.ts';
import type { Claims, TokenRole, Tokens } from './tokens.ts';

/** Anything with the headers of a request. */
export type Headed = { readonly headers: Pick<IncomingHttpHeaders, 'authorization' | 'cookie'> };

/** What authentication needs of an endpoint. */
export type Guarded = Pick<Endpoint, 'access' | 'name' | 'checksLogin'>;

export type Auth = {
  /**
   * Who is calling (api-contract, 'Who is calling'). Precedence: bearer, that team's registration cookie, login cookie.
   * @param teamId for `registrant` endpoints: what stands at `teamOf` in the body. When it is no text, a registrant is given no team at all, so that the body's
   * own check can answer.
   * @throws DomainError `unauthenticated` (no, invalid, expired or revoked credential) or `forbidden` (known but not allowed)
   */
  authenticate(request: Headed, endpoint: Guarded, teamId?: unknown): Caller;
  /**
   * Before the body of a registrant's call is read: refuses who is refused whatever team the body names, as `authenticate` does. Saves decoding files of
   * strangers.
   */
  expectCredential(request: Headed, endpoint: Guarded): void;
  /**
   * Where the account came to be as a good login token tells it, where the read model may not show that yet: another gateway has given the token, which is refused
   * until this one has read so far. Undefined where there is nothing to wait for.
   */
  restsOn(request: Headed): bigint | undefined;
  /** Makes a logout count on this process at once; for good it counts by its SessionRevoked. @param expires seconds since 1970 */
  revoke(jti: string, expires: number): void;
  /** Forgets what was read of accounts: another read model has become the live one, which may say something else at the same position. */
  forget(): void;
};

export type AuthDeps = {
  readonly tokens: Tokens;
  readonly capabilities: Capabilities;
  readonly reads: AuthReads;
  /** The super admin's account; another token version revokes. */
  readonly superAdmin: { readonly id: string; readonly tokenVersion: string };
  readonly clock: Clock;
  /**
   * Another number once an account or a session has changed in the read model. Until then what was read of an account is not read again (two look-ups cost more
   * than the rest of a hot command's check). Without it every call reads.
   */
  readonly accountChanges?: () => bigint;
  /** Whether facts may be recorded that the read model does not show yet: always, where others write too. Without it, it shows all. */
  readonly isBehind?: () => boolean;
};

const visitor: Caller = { role: 'visitor' };
const noCredential = (): DomainError => new DomainError('unauthenticated', 'Please log in');
const badCredential = (): DomainError => new DomainError('unauthenticated', 'Your login has expired, please log in again');
/** One body for a team of somebody else, a team that does not exist, and a role that may not. */
const notAllowed = (): DomainError => new DomainError('forbidden', 'You are not allowed to do this');

/** Who was known, and not allowed: for the trail. */
const refusedCallers = new WeakMap<DomainError, Caller>();
/** Whose call was refused with this error, where the caller was known. */
export const refusedCaller = (error: unknown): Caller | undefined => (error instanceof DomainError ? refusedCallers.get(error) : undefined);

const cookiePrefix = registrationCookie('');

/** The token of an `Authorization: Bearer` header. Clients without a token send `Bearer null` or `Bearer undefined`: that is none. */
export const bearerOf = (headers: Headed['headers']): string | undefined => {
  const token = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  return token === 'null' || token === 'undefined' ? undefined : token;
};

export const createAuth = ({ tokens, capabilities, reads, superAdmin, clock, accountChanges, isBehind = () => false }: AuthDeps): Auth => {
  /** Tokens that were logged out here, until they would have expired: the read model may not have them yet. */
  const revoked = new Map<string, number>();

  const readCaller = (claims: Claims): Caller | undefined => {
    if (reads.isRevoked(claims.jti)) return undefined;
    const { role, subject: id, jti, expires } = claims;
    if (role === 'superadmin') return id === superAdmin.id && claims.version === superAdmin.tokenVersion ? { role, id, name: id, jti, expires } : undefined;
    const account = reads.adminById(id);
    return account?.tokenVersion === claims.version ? { role, id, name: account.username, jti, expires } : undefined;
  };
  /** By the claims object, of which `tokens` has one for each token that it remembers. */
  let checked = new WeakMap<Claims, { readonly at: bigint; readonly caller: Caller | undefined }>();
  const callerOf = (claims: Claims): Caller | undefined => {
    if (revoked.has(claims.jti)) return undefined;
    if (accountChanges === undefined) return readCaller(claims);
    // Taken before the read, which shows at least this.
    const at = accountChanges();
    const known = checked.get(claims);
    if (known?.at === at) return known.caller;
    const caller = readCaller(claims);
    checked.set(claims, { at, caller });
    return caller;
  };
  const callerOfToken = (token: string): Caller | undefined => {
    const claims = tokens.read(token);
    return claims === undefined ? undefined : callerOf(claims);
  };

  const holds = (cookies: ReadonlyMap<string, string>, teamId: TeamId): boolean => {
    const token = cookies.get(registrationCookie(teamId));
    if (token === undefined) return false;
    const stored = reads.teamCapability(teamId);
    // Step 1 was answered before it was projected: who goes on at once is no stranger.
    if (stored === undefined) return isBehind() && capabilities.isOurs(teamId, token);
    return capabilities.verify(teamId, token, stored.capabilityHash, Date.parse(stored.registeredAt), clock.now()) === 'valid';
  };
  const holdsAny = (cookies: ReadonlyMap<string, string>): boolean =>
    [...cookies.keys()].some((name) => name.startsWith(cookiePrefix) && holds(cookies, name.slice(cookiePrefix.length)));

  /** By login cookie. The cookie of the role that the endpoint asks for comes first; the other one makes a caller who is known but not allowed. */
  const byLoginCookie = (cookies: ReadonlyMap<string, string>, wanted: TokenRole): Caller | undefined => {
    const token = cookies.get(loginCookie(wanted)) ?? cookies.get(loginCookie(wanted === 'admin' ? 'superadmin' : 'admin'));
    if (token === undefined || token === '') return undefined;
    const caller = callerOfToken(token);
    if (caller === undefined) throw badCredential();
    return caller;
  };

  const identify = (request: Headed, endpoint: Guarded, teamId: unknown): Caller => {
    const bearer = bearerOf(request.headers);
    const byBearer = bearer === undefined ? undefined : callerOfToken(bearer);
    if (byBearer !== undefined) return byBearer;
    const cookies = readCookies(request.headers.cookie);
    if (endpoint.access === 'registrant') {
      if (typeof teamId === 'string' && holds(cookies, teamId)) return { role: 'registrant', teamId };
      if (holdsAny(cookies)) {
        // A registrant, but of another team: a login may still count. A bad bearer is not held against them.
        const login = byLoginCookie(cookies, 'admin');
        if (login !== undefined) return login;
        if (typeof teamId === 'string') throw notAllowed();
        return { role: 'registrant', teamId: '' };
      }
    }
    if (bearer !== undefined) throw badCredential();
    const login = byLoginCookie(cookies, endpoint.access === 'superadmin' ? 'superadmin' : 'admin');
    if (login !== undefined) return login;
    if (endpoint.access === 'registrant' && [...cookies.keys()].some((name) => name.startsWith(cookiePrefix))) throw badRegistration();
    throw noCredential();
  };

  const authenticate: Auth['authenticate'] = (request, endpoint, teamId) => {
    if (endpoint.access === 'public') return visitor;
    const caller = identify(request, endpoint, teamId);
    if (mayCall(endpoint, caller.role)) return caller;
    const refusal = endpoint.checksLogin === true ? noCredential() : notAllowed();
    refusedCallers.set(refusal, caller);
    throw refusal;
  };

  return {
    authenticate,
    expectCredential(request, endpoint) {
      const bearer = bearerOf(request.headers);
      // A registration is judged by the team that the body names, and excuses a bad bearer; a good bearer counts before it.
      if ((bearer !== undefined && callerOfToken(bearer) !== undefined) || !holdsAny(readCookies(request.headers.cookie)))
        authenticate(request, endpoint, undefined);
    },
    restsOn({ headers }) {
      if (!isBehind()) return undefined;
      const token = bearerOf(headers) ?? readCookies(headers.cookie).get(loginCookie('admin'));
      const claims = token === undefined ? undefined : tokens.read(token);
      // That of the super admin is no place in the log.
      return claims?.role === 'admin' ? parsePosition(claims.version) : undefined;
    },
    revoke(jti, expires) {
      const now = clock.now() / 1000;
      for (const [old, end] of revoked) if (end <= now) revoked.delete(old);
      revoked.set(jti, expires);
      tokens.forget(jti);
    },
    forget() {
      checked = new WeakMap();
    },
  };
};

const badRegistration = (): DomainError => new DomainError('unauthenticated', 'Your registration has expired, please start again');
