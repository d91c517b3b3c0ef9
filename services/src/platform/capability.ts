import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { TeamId } from '@courtledger/contracts/kernel/ids';
import { REGISTRATION_LIFETIME_MS } from '@courtledger/contracts/kernel/limits';

/** `token` goes into the cookie `cl_reg_<teamId>` (256 bits, base64url), `hash` (SHA-256, hex) into the log. */
export type Capability = { readonly token: string; readonly hash: string };

/** What a token is good for. One whose registration is complete is `valid` still: the decider answers 409. */
export type CapabilityState = 'valid' | 'expired' | 'forged';

export type Capabilities = {
  /** The same team always has the same capability: a repeated step 1 can set its cookie again, and nothing secret is stored. */
  capabilityFor(teamId: TeamId): Capability;
  /** @param storedHash `capabilityHash` of the team; null when an admin registered it: then nobody holds one. @param registeredAt milliseconds */
  verify(teamId: TeamId, token: string, storedHash: string | null, registeredAt: number, now: number): CapabilityState;
  /** Whether this server gave the token to whoever registered the team, as far as can be told before its facts are read. */
  isOurs(teamId: TeamId, token: string): boolean;
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
// Digests have one length, whatever the text: timingSafeEqual throws on two lengths.
const same = (left: string, right: string): boolean => timingSafeEqual(Buffer.from(sha256(left)), Buffer.from(sha256(right)));

/** The cookie of a team's registration; with an empty id, how all of them begin. */
export const registrationCookie = (teamId: TeamId): string => `cl_reg_${teamId}`;

/** Registration capabilities: HMAC-SHA-256 of the team's id under a key of this server. */
export const createCapabilities = (key: Buffer): Capabilities => {
  const capabilityFor = (teamId: TeamId): Capability => {
    const token = createHmac('sha256', key).update(`registration:${teamId}`).digest('base64url');
    return { token, hash: sha256(token) };
  };
  const isOurs: Capabilities['isOurs'] = (teamId, token) => same(token, capabilityFor(teamId).token);
  return {
    capabilityFor,
    isOurs,
    verify(teamId, token, storedHash, registeredAt, now) {
      if (storedHash === null || !isOurs(teamId, token) || !same(sha256(token), storedHash)) return 'forged';
      return now - registeredAt < REGISTRATION_LIFETIME_MS ? 'valid' : 'expired';
    },
  };
};
