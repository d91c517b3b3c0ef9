import { describe, expect, test } from 'vitest';
import { createCapabilities } from './capability.ts';

const hour = 3_600_000;
const registered = Date.UTC(2026, 10, 1);

describe('createCapabilities', () => {
  const capabilities = createCapabilities(Buffer.alloc(32, 1));
  const { token, hash } = capabilities.capabilityFor('t1');

  test('a capability is 256 bits, the same again for the same team, and the log gets a hash that does not open anything', () => {
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(capabilities.capabilityFor('t1')).toEqual({ token, hash });
    expect(capabilities.verify('t1', hash, hash, registered, registered)).toBe('forged');
  });

  test('it opens its team for 24 hours and no longer', () => {
    expect(capabilities.verify('t1', token, hash, registered, registered + 24 * hour - 1)).toBe('valid');
    expect(capabilities.verify('t1', token, hash, registered, registered + 24 * hour)).toBe('expired');
  });

  test.each<[string, string, string, string | null]>([
    ['another team', 't2', token, hash],
    ['another team with its own hash', 't2', token, capabilities.capabilityFor('t2').hash],
    ['a changed token', 't1', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, hash],
    ['an empty token', 't1', '', hash],
    ['a token that is no ASCII', 't1', 'é'.repeat(43), hash],
    ['a team that an admin registered', 't1', token, null],
    ['a key of another server', 't1', createCapabilities(Buffer.alloc(32, 2)).capabilityFor('t1').token, hash],
  ])('%s is forged', (_name, team, given, stored) => {
    expect(capabilities.verify(team, given, stored, registered, registered)).toBe('forged');
  });
});
