import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

import { isSilence, reasonOf, verdictOn, wordsFor, type Verdict } from './eventstoredb-event-log-errors.ts';
import { LogUnavailable } from './event-log.ts';

export type AttemptOptions = {
  /** How long a call that no server took is tried again, in ms. */
  readonly unavailableFor: number;
  /** Aborted when the log is closed. */
  readonly closing: AbortSignal;
  readonly now: () => number;
  readonly random: () => number;
  readonly onSilence: () => void;
  readonly onRetry: (reason: string) => void;
};

export type Call<T> = {
  readonly what: string;
  readonly make: () => Promise<T>;
  /** Turns the server's answer into a result, or throws; undefined: try again. */
  readonly settle?: (verdict: Verdict, error: unknown) => T | undefined;
  /** How long a call that may have had an effect is tried again, in ms. */
  readonly repeatFor: number;
  readonly giveUp: (reason: string, cause: unknown) => Error;
};

/**
 * Makes calls until they are answered, with back-off. A call is given up with LogUnavailable when no attempt can have had an effect,
 * else with what its `giveUp` says.
 */
export const callUntilAnswered =
  (options: AttemptOptions) =>
  async <T>({ what, make, settle, repeatFor, giveUp }: Call<T>): Promise<T> => {
    const { closing, now, random } = options;
    const began = now();
    let mayHaveHappened = false;
    const surrender = (reason: string, cause?: unknown): Error =>
      mayHaveHappened ? giveUp(`${what}: ${reason}`, cause) : new LogUnavailable(`${what}: ${reason}`, { cause });
    for (let attempt = 0; ; attempt += 1) {
      // A precaution: calls begin at the beginning of a turn. In mid-turn one could meet the channel that an error has just closed, and the client's append
      // would make an unhandled rejection of that.
      await setImmediate();
      if (closing.aborted) throw surrender('the log is closed');
      try {
        return await make();
      } catch (error) {
        if (isSilence(error)) options.onSilence();
        const verdict = verdictOn(error);
        if (verdict === 'denied') throw new LogUnavailable(`${what}: ${wordsFor(error)}`, { cause: error });
        // Once more would reach the same wrong log.
        if (verdict === 'other-log') throw surrender(wordsFor(error), error);
        const settled = settle?.(verdict, error);
        if (settled !== undefined) return settled;
        mayHaveHappened ||= verdict !== 'not-sent' && verdict !== 'not-checked';
        if (now() - began >= (mayHaveHappened ? repeatFor : options.unavailableFor)) throw surrender(wordsFor(error), error);
        if (verdict !== 'not-checked') options.onRetry(`${what}: ${reasonOf(error)}`);
      }
      try {
        await sleep(Math.min(1000, 20 * 2 ** attempt) * (0.5 + random() / 2), undefined, { signal: closing });
      } catch {
        throw surrender('the log is closed');
      }
    }
  };
