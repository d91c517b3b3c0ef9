/** An error whose message is ours, and fit for operators as it is. */
export class OwnWords extends Error {}

/** Our own time-out ran out: the peer is silent, or very slow. Says how long was waited; what for, its caller says in words. */
export class NoAnswer extends OwnWords {
  override readonly name = 'NoAnswer';
}

/** The subscription ended without an error. */
export class SubscriptionEnded extends OwnWords {
  override readonly name = 'SubscriptionEnded';
}

/** The connection was lost before an answer counted: whoever gave it may be another server. */
export class AnswerLost extends OwnWords {
  override readonly name = 'AnswerLost';
}

/** The connection was lost, and whether it leads to the same log again is not known yet. Nothing was sent. */
export class NotChecked extends OwnWords {
  override readonly name = 'NotChecked';
}

/** The log that answers is not the one that was followed. Nothing was sent. */
export class OtherLog extends OwnWords {
  override readonly name = 'OtherLog';
}

/**
 * What an error of the client says about a call:
 * - `wrong-version`, `stream-deleted`, `not-found`, `unacceptable`, `denied`, `no-such-position`: the server's answer; nothing was stored
 * - `not-sent`: no server took the call; nothing was stored
 * - `not-checked`, `other-log`: it was not given to a server, which may be another one than before
 * - `unknown`: anything may have happened
 */
export type Verdict =
  | 'wrong-version'
  | 'stream-deleted'
  | 'not-found'
  | 'unacceptable'
  | 'denied'
  | 'no-such-position'
  | 'not-sent'
  | 'not-checked'
  | 'other-log'
  | 'unknown';

const UNAVAILABLE = 14;

const member = (error: unknown, name: string): unknown => (typeof error === 'object' && error !== null ? (Reflect.get(error, name) as unknown) : undefined);

/** Whether a call ran out of time with no word from the server. */
export const isSilence = (error: unknown): boolean => error instanceof NoAnswer || member(error, 'type') === 'deadline-exceeded';

/** Without these words an UNAVAILABLE came over an open connection, and the call may have arrived. */
const neverSent = /No connection established|Name resolution failed|Server Is Not Ready/;
/** The client's own, plain error when it looked for the leader of a cluster and none of the hosts told of one: no call was sent. */
const noLeaderFound = /^Failed to discover after/;
/** How a read of the whole log from a position is answered at which no record begins. */
const noSuchPosition = /Unexpected ReadAllResult/;

/** The client's own words: for the log of the server. */
export const reasonOf = (error: unknown): string => (error instanceof Error && error.message !== '' ? error.message : String(member(error, 'type') ?? error));

/** Maps by `type`, and by `code` where the client gives a plain Error. */
export const verdictOn = (error: unknown): Verdict => {
  if (error instanceof NotChecked) return 'not-checked';
  if (error instanceof OtherLog) return 'other-log';
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
      if (noSuchPosition.test(reasonOf(error))) return 'no-such-position';
      if (noLeaderFound.test(reasonOf(error))) return 'not-sent';
      return (member(error, 'code') === UNAVAILABLE || member(error, 'type') === 'unknown') && neverSent.test(reasonOf(error)) ? 'not-sent' : 'unknown';
  }
};

/** Why a call failed, in words for operators, who are told nothing of the machine: addresses and the client's own texts stay in the log of the server. */
export const wordsFor = (error: unknown): string => {
  if (error instanceof OwnWords) return error.message;
  const text = reasonOf(error);
  const verdict = verdictOn(error);
  if (verdict === 'denied') return 'EventStoreDB denies access';
  if (verdict === 'no-such-position') return 'it has no fact at a position that was reached before';
  if (/Server Is Not Ready/.test(text)) return 'it is starting';
  if (/Name resolution failed/.test(text)) return 'its name cannot be resolved';
  if (noLeaderFound.test(text)) return 'no node of its cluster can be reached, or knows a leader';
  if (/wrong version number/.test(text)) return 'no connection can be made: one side speaks TLS and the other does not';
  if (/certificate has expired/.test(text)) return 'no connection can be made: its certificate has expired';
  if (/certificate's altnames/.test(text)) return 'no connection can be made: its certificate is for another host name';
  if (/certificate/.test(text))
    return 'no connection can be made: its certificate is of an authority that is not known here (tlsCAFile in EVENTSTORE_URL names the file of one)';
  if (/No connection established/.test(text)) {
    const code = /\bE[A-Z]{3,}\b/.exec(text)?.[0];
    return `no connection can be made${code === undefined ? '' : ` (${code})`}`;
  }
  if (isSilence(error)) return 'no answer in time';
  if (member(error, 'code') === UNAVAILABLE || /RST_STREAM|ECONNRESET/.test(text)) return 'the connection was lost';
  if (member(error, 'type') === 'timeout') return 'it did not end the call in its own time';
  return 'it answers with an error: the log of the server has its text';
};

/** The last revision that a wrong-expected-version error names: appends give 'no_stream', deletes -1. */
export const actualRevision = (error: unknown): number | 'no-stream' => {
  const actual = member(error, 'actualVersion');
  return typeof actual === 'bigint' && actual >= 0n ? Number(actual) : 'no-stream';
};
