/** Our own time-out ran out: the peer is silent, or very slow. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * What an error of the client says about a call:
 * - `wrong-version`, `stream-deleted`, `not-found`, `unacceptable`, `denied`: the server's answer; nothing was stored
 * - `not-sent`: no server took the call; nothing was stored
 * - `unknown`: anything may have happened
 */
export type Verdict = 'wrong-version' | 'stream-deleted' | 'not-found' | 'unacceptable' | 'denied' | 'not-sent' | 'unknown';

const UNAVAILABLE = 14;

const member = (error: unknown, name: string): unknown => (typeof error === 'object' && error !== null ? (Reflect.get(error, name) as unknown) : undefined);

/** Whether a call ran out of time with no word from the server. */
export const isSilence = (error: unknown): boolean => error instanceof NoAnswer || member(error, 'type') === 'deadline-exceeded';

/** Without these words an UNAVAILABLE came over an open connection, and the call may have arrived. */
const neverSent = /No connection established|Name resolution failed|Server Is Not Ready/;

export const reasonOf = (error: unknown): string => (error instanceof Error && error.message !== '' ? error.message : String(member(error, 'type') ?? error));

/** Maps by `type`, and by `code` where the client gives a plain Error. */
export const verdictOn = (error: unknown): Verdict => {
  switch (member(error, 'type')) {
    case 'wrong-expected-version':
      return 'wrong-version';
    case 'stream-deleted':
      return 'stream-deleted';
    case 'stream-not-found':
    case 'no-stream':
      return 'not-found';
    case 'maximum-append-size-exceeded':
    case 'invalid-argument':
      return 'unacceptable';
    case 'access-denied':
      return 'denied';
    default:
      return (member(error, 'code') === UNAVAILABLE || member(error, 'type') === 'unknown') && neverSent.test(reasonOf(error)) ? 'not-sent' : 'unknown';
  }
};

/** The last revision that a wrong-expected-version error names: appends give 'no_stream', deletes -1. */
export const actualRevision = (error: unknown): number | 'no-stream' => {
  const actual = member(error, 'actualVersion');
  return typeof actual === 'bigint' && actual >= 0n ? Number(actual) : 'no-stream';
};
