import { createHash } from 'node:crypto';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { Clock } from './ports.ts';
import { createWindows } from './throttle-window.ts';

const minute = 60_000;
const hour = 60 * minute;
const mostKeys = 20_000;

const refuse = (message: string, milliseconds: number): never => {
  throw new DomainError('throttled', message, { retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) });
};

/** What was counted for a call. Say how it ended: `refund` when it came to nothing (a form with mistakes is no registration). */
export type Ticket = { succeeded(): void; refund(): void };
const freeTicket: Ticket = { succeeded() {}, refund() {} };

export type Throttle = {
  /**
   * Counts a call of an endpoint with that throttle. Logins are counted by `attemptLogin` instead.
   * @param address of `clientAddress` @param key its path and Idempotency-Key: whoever lost the answer to a success may ask for it again, which is no other one
   * @throws DomainError `throttled`
   */
  enter(kind: NonNullable<Endpoint['throttle']>, address: string, key?: string): Ticket;
  /** Before a password is looked at. @param account as typed; only its digest is kept @throws DomainError `throttled` */
  attemptLogin(account: string, address: string): LoginAttempt;
};

/** Say how it ended, once. What is never ended counts as failed; `withdrawn`: the password was not looked at. */
export type LoginAttempt = { succeeded(): void; withdrawn(): void };
const freeAttempt: LoginAttempt = { succeeded() {}, withdrawn() {} };

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Per hour and address. Mobile carriers put many people behind one address, hence so many. */
const limits = { registration: 20, request: 20 } as const;
const texts = {
  registration: 'Too many registrations from your network, please try again later',
  request: 'Too many requests from your network, please try again later',
} as const;
/** Tries that came to nothing are many more than successes, but not without end: each may have cost the decoding of a file. */
const triesPerSuccess = 10;

const loginWindow = 15 * minute;
const perAccountAndAddress = 10;
const perAccount = 100;
const loginText = 'Too many attempts, please wait before you try again';

/** Growing pauses after failures: 1, 2, 4 … seconds, at most `most`, from the failure after `free` on. */
const pause = (failures: number, free: number, most: number): number => (failures <= free ? 0 : Math.min(most, 1000 * 2 ** Math.min(20, failures - free - 1)));

/**
 * Throttles in memory, by sliding windows on the monotonic clock (a clock that is set leaves nobody stuck). Bounded: with more than 20,000 keys the oldest are
 * forgotten.
 * Logins (S11): at most 10 evaluated wrong passwords by account and address in 15 minutes and 100 by account, with pauses that grow by account-and-address and
 * by address; the right password from another address still works, since nothing that one address does pauses another. Successes are not counted.
 * @param off `RATE_LIMIT=off`: neither throttles nor pauses
 */
export const createThrottle = (clock: Clock, off = false): Throttle => {
  if (off) return { enter: () => freeTicket, attemptLogin: () => freeAttempt };
  const monotonic = (): number => clock.monotonic();
  const calls = createWindows(hour, mostKeys, monotonic);
  const tries = createWindows(hour, mostKeys, monotonic);
  /** Successes, by their key. */
  const successes = createWindows(hour, mostKeys, monotonic);
  const failures = createWindows(loginWindow, mostKeys, monotonic);

  const enter: Throttle['enter'] = (kind, address, key) => {
    if (kind === 'login') return freeTicket;
    const place = `${kind}:${address}`;
    const success = key === undefined ? undefined : `${kind}:${digestOf(key)}`;
    const isRepeated = success !== undefined && successes.count(success).hits > 0;
    const done = calls.count(place);
    if (!isRepeated && done.hits >= limits[kind]) refuse(texts[kind], done.nextMs);
    const tried = tries.count(place);
    if (tried.hits >= limits[kind] * triesPerSuccess) refuse(texts[kind], tried.nextMs);
    tries.add(place);
    if (isRepeated) return freeTicket;
    calls.add(place);
    let open = true;
    return {
      succeeded() {
        if (open && success !== undefined) successes.add(success);
        open = false;
      },
      refund() {
        if (open) calls.remove(place);
        open = false;
      },
    };
  };

  const checkPause = (key: string, free: number, most: number): void => {
    const { hits, lastMs } = failures.count(key);
    const until = lastMs + pause(hits, free, most);
    if (until > clock.monotonic()) refuse(loginText, until - clock.monotonic());
  };

  return {
    enter,
    attemptLogin(account, address) {
      const digest = digestOf(account.normalize('NFKC').toLowerCase());
      const [pair, whole, place] = [`${digest}@${address}`, `account:${digest}`, `address:${address}`];
      const byPair = failures.count(pair);
      if (byPair.hits >= perAccountAndAddress) refuse(loginText, byPair.nextMs);
      const byAccount = failures.count(whole);
      if (byAccount.hits >= perAccount) refuse(loginText, byAccount.nextMs);
      checkPause(pair, 3, 60_000);
      // Many accounts from one address: a network of honest people makes mistakes too, so it begins later.
      checkPause(place, 30, 30_000);
      // Counted before it is evaluated: forty at once are forty.
      const keys = [pair, whole, place];
      for (const key of keys) failures.add(key);
      let open = true;
      const end = (): boolean => {
        if (!open) return false;
        open = false;
        for (const key of keys) failures.remove(key);
        return true;
      };
      return {
        succeeded() {
          // Whoever knows the password starts afresh here; what other addresses tried still counts for the account.
          if (end()) failures.clear(pair);
        },
        withdrawn() {
          end();
        },
      };
    },
  };
};
