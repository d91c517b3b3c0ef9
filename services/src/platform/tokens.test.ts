import { createHmac } from 'node:crypto';
import jsonwebtoken from 'jsonwebtoken';
import { describe, expect, test } from 'vitest';
import { movableClock } from './testing/gate-fixtures.ts';
import { createTokens, tokenSeconds } from './tokens.ts';

const secret = 'a-secret-of-at-least-thirty-two-characters';
const issuedAt = Date.UTC(2026, 10, 1, 6) / 1000;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Written by hand: the library refuses to sign most of what must be refused. */
const signed = (claims: object, key = secret, algorithm: 'HS256' | 'HS384' | 'HS512' = 'HS256', header: object = {}): string => {
  const text = `${part({ alg: algorithm, typ: 'JWT', ...header })}.${part(claims)}`;
  return `${text}.${createHmac(algorithm.replace('HS', 'sha'), key).update(text).digest('base64url')}`;
};
const good = { iss: 'courtledger', aud: 'admin', sub: 'a1', jti: 'j1', ver: '7', iat: issuedAt, exp: issuedAt + 3600 };
const without = (name: keyof typeof good): Readonly<Record<string, unknown>> => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
/** Whose a token is that another gateway has just made, by a clock that many seconds ahead of ours. */
const ahead = (seconds: number): string | undefined =>
  createTokens(secret, movableClock()).read(signed({ ...good, iat: issuedAt + seconds, exp: issuedAt + seconds + 3600 }))?.subject;
const unsigned = (header: object): string => `${part(header)}.${part(good)}.`;

describe('createTokens', () => {
  test('a token says whose it is and lives exactly an hour', () => {
    const clock = movableClock();
    const tokens = createTokens(secret, clock);
    const token = tokens.issue('admin', 'a1', '7');
    expect(tokens.read(token)).toEqual({
      role: 'admin',
      subject: 'a1',
      version: '7',
      jti: expect.any(String) as string,
      issuedAt,
      expires: issuedAt + tokenSeconds,
    });
    expect(tokenSeconds).toBe(3600);
    const payload = jsonwebtoken.decode(token) as jsonwebtoken.JwtPayload;
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
    clock.advance(3_599_000);
    expect(tokens.read(token)?.subject).toBe('a1');
    clock.advance(1000);
    expect(tokens.read(token)).toBeUndefined();
    expect(createTokens(secret, clock).read(token)).toBeUndefined();
  });

  test('two tokens of one second differ, so that one can be revoked alone', () => {
    const tokens = createTokens(secret, movableClock());
    expect(tokens.read(tokens.issue('admin', 'a1', '7'))?.jti).not.toBe(tokens.read(tokens.issue('admin', 'a1', '7'))?.jti);
  });

  test('the token that the table changes is good as it is', () => {
    expect(createTokens(secret, movableClock()).read(signed(good))?.subject).toBe('a1');
  });

  test.each<[string, string]>([
    ['no algorithm', unsigned({ alg: 'none', typ: 'JWT' })],
    ['no algorithm, oddly written', unsigned({ alg: 'nOnE', typ: 'JWT' })],
    ['HS512', signed(good, secret, 'HS512')],
    ['HS384', signed(good, secret, 'HS384')],
    ['another key', signed(good, 'another-secret-of-more-than-thirty-two-characters')],
    ['another issuer', signed({ ...good, iss: 'somebody' })],
    ['no issuer', signed(without('iss'))],
    ['another audience', signed({ ...good, aud: 'visitor' })],
    ['both audiences at once', signed({ ...good, aud: ['admin', 'superadmin'] })],
    ['no audience', signed(without('aud'))],
    ['no exp', signed(without('exp'))],
    ['no iat', signed(without('iat'))],
    ['a thousand hours', signed({ ...good, exp: issuedAt + 3_600_000 })],
    ['one second too long', signed({ ...good, exp: issuedAt + 3601 })],
    ['expired by a second', signed({ ...good, iat: issuedAt - 3601, exp: issuedAt - 1 })],
    ['expiring now', signed({ ...good, iat: issuedAt - 3600, exp: issuedAt })],
    ['not valid yet', signed({ ...good, nbf: issuedAt + 60 })],
    ['from the future', signed({ ...good, iat: issuedAt + 600, exp: issuedAt + 4200 })],
    ['no subject', signed(without('sub'))],
    ['no jti', signed(without('jti'))],
    ['no version', signed(without('ver'))],
    ['a version that is no text', signed({ ...good, ver: 7 })],
    ['a changed payload', signed(good).replace(/\.[^.]+\./, `.${part({ ...good, sub: 'a2' })}.`)],
    ['something that has to be understood', signed(good, secret, 'HS256', { crit: ['exp'] })],
    ['a payload that is to be read in another way', signed(good, secret, 'HS256', { crit: ['b64'], b64: false })],
    ['a key that it brings itself', signed(good, 'x', 'HS256', { jwk: { kty: 'oct', k: 'eA' } })],
    ['no token at all', 'nonsense'],
    ['nothing', ''],
    ['a flood', 'x'.repeat(100_000)],
    ['all that is good and far too much of it', signed({ ...good, sub: 'a'.repeat(2000) })],
  ])('refuses a token with %s', (_name, token) => {
    expect(createTokens(secret, movableClock()).read(token)).toBeUndefined();
  });

  test('a clock that is set back makes no token live longer', () => {
    const clock = movableClock();
    const tokens = createTokens(secret, clock);
    const token = tokens.issue('admin', 'a1', '7');
    expect(tokens.read(token)).toBeDefined();
    for (const jump of [-86_400_000, -3_600_000, 3_600_000, 86_400_000]) {
      clock.set(issuedAt * 1000 + jump);
      expect(tokens.read(token)).toBeUndefined();
    }
  });

  test('a token that a gateway has just made whose clock runs five seconds ahead is good here; one of six seconds is from the future', () => {
    expect([ahead(5), ahead(6)]).toEqual(['a1', undefined]);
  });

  test('a short secret is refused', () => {
    expect(() => createTokens('x'.repeat(31), movableClock())).toThrow('at least 32');
  });
});
