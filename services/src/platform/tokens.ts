import { randomUUID } from 'node:crypto';
import { TOKEN_LIFETIME_MS } from '@courtledger/contracts/kernel/limits';
import jsonwebtoken from 'jsonwebtoken';
import type { Clock } from './ports.ts';

/** Login tokens live exactly one hour (specification, section 9). In seconds: jsonwebtoken takes a number for seconds. */
export const tokenSeconds = TOKEN_LIFETIME_MS / 1000;
const issuer = 'courtledger';
/** How far the clock of another gateway may run ahead of ours. */
const skewSeconds = 5;
const longestToken = 2048;
const cacheSize = 1000;
const shortestSecret = 32;

export type TokenRole = 'admin' | 'superadmin';

/** What a token says, once its signature, issuer, audience and times are checked. `version` is the account's token version: another one revokes. */
export type Claims = {
  readonly role: TokenRole;
  readonly subject: string;
  readonly version: string;
  readonly jti: string;
  readonly issuedAt: number;
  readonly expires: number;
};

export type Tokens = {
  /** A new token for an account. */
  issue(role: TokenRole, subject: string, version: string): string;
  /** The claims of a good token of either audience that is valid now; undefined for anything else. */
  read(token: string): Claims | undefined;
  /** Drops a token from the cache (logout, password change). */
  forget(jti: string): void;
};

/**
 * Signs and reads login tokens: JWT, HS256 and nothing else, issuer and audience pinned, `exp - iat` exactly 3,600.
 * @param secret `JWT_SECRET`, or 32 random bytes (`serverKey(dataDir, 'jwt')`)
 */
export const createTokens = (secret: string | Buffer, clock: Clock): Tokens => {
  if (secret.length < shortestSecret) throw new Error(`A token secret needs at least ${shortestSecret} characters`);
  // Verification costs some 20 microseconds, a look-up none. Insertion order makes the map a queue: the oldest goes first.
  const cache = new Map<string, Claims>();
  const seconds = (): number => Math.floor(clock.now() / 1000);
  // A token from the future means that the clock was set back: it would outlive its hour.
  const inTime = (claims: Claims): boolean => claims.expires > seconds() && claims.issuedAt <= seconds() + skewSeconds;

  const verify = (token: string, role: TokenRole): Claims | undefined => {
    try {
      const { header, payload } = jsonwebtoken.verify(token, secret, {
        algorithms: ['HS256'],
        issuer,
        audience: role,
        clockTimestamp: seconds(),
        clockTolerance: 0,
        complete: true,
      });
      // What a token says has to be understood (RFC 7515, section 4.1.11) is understood neither here nor by the library, which passes over it.
      return typeof payload === 'string' || header.crit !== undefined ? undefined : claimsOf(role, payload);
    } catch {
      return undefined;
    }
  };

  return {
    issue(role, subject, version) {
      const issuedAt = seconds();
      return jsonwebtoken.sign({ ver: version, iat: issuedAt, exp: issuedAt + tokenSeconds }, secret, {
        algorithm: 'HS256',
        issuer,
        audience: role,
        subject,
        jwtid: randomUUID(),
      });
    },
    read(token) {
      if (token.length > longestToken) return undefined;
      const known = cache.get(token);
      if (known !== undefined) {
        if (inTime(known)) return known;
        cache.delete(token);
        return undefined;
      }
      const claims = verify(token, 'admin') ?? verify(token, 'superadmin');
      if (claims === undefined || !inTime(claims)) return undefined;
      if (cache.size >= cacheSize)
        for (const oldest of cache.keys()) {
          cache.delete(oldest);
          break;
        }
      cache.set(token, claims);
      return claims;
    },
    forget(jti) {
      for (const [token, claims] of cache) if (claims.jti === jti) cache.delete(token);
    },
  };
};

// jsonwebtoken accepts tokens without `exp`, and any span between `iat` and `exp`: both are required and exact here.
const claimsOf = (role: TokenRole, payload: jsonwebtoken.JwtPayload): Claims | undefined => {
  const { sub, jti, iat, exp, aud } = payload;
  const version: unknown = payload['ver'];
  if (aud !== role || typeof sub !== 'string' || typeof jti !== 'string' || typeof version !== 'string') return undefined;
  if (!Number.isInteger(iat) || !Number.isInteger(exp) || iat === undefined || exp === undefined || exp - iat !== tokenSeconds) return undefined;
  return { role, subject: sub, version, jti, issuedAt: iat, expires: exp };
};
