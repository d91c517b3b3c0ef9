import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { After, Subscription } from './event-log.ts';

/** Tells the subscriptions of one log that something was appended. */
export class AppendSignal {
  readonly #listeners = new Set<() => void>();
  #count = 0;

  /** How often it was given: a reader that finds it unchanged since before its read has missed nothing. */
  get count(): number {
    return this.#count;
  }

  notify(): void {
    this.#count += 1;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` at each append until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Delay before something that failed is tried again, in ms: doubles from 100, at most 5,000, with jitter so that many do not come back in step. */
export const retryDelay = (failures: number, random: () => number = Math.random): number =>
  Math.min(5000, 100 * 2 ** Math.min(failures, 10)) * (0.5 + random() / 2);

/**
 * A subscription over a log that can be read in pages and says when something was appended. It reads only what is asked for, so a slow consumer holds nothing;
 * a read that fails is tried again for ever. `next()` is called one at a time.
 */
export const pullSubscription = (
  after: After,
  readAll: (after: After, limit: number) => Promise<readonly RecordedEvent[]>,
  signal: AppendSignal,
): Subscription => {
  let position = after;
  let wake: (() => void) | undefined;
  let abandon: (() => void) | undefined;
  const closing = new AbortController();
  const isClosed = (): boolean => closing.signal.aborted;
  const leave = signal.subscribe(() => wake?.());
  const pause = async (milliseconds?: number): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (milliseconds !== undefined) timer = setTimeout(resolve, milliseconds);
    });
    clearTimeout(timer);
    wake = undefined;
  };
  /** A page, or nothing as soon as the subscription is closed: a log that is silent does not hold up whoever leaves it. */
  const read = async (limit: number): Promise<readonly RecordedEvent[]> => {
    const left = Promise.withResolvers<readonly RecordedEvent[]>();
    abandon = () => left.resolve([]);
    try {
      return await Promise.race([readAll(position, limit), left.promise]);
    } finally {
      abandon = undefined;
    }
  };
  return {
    async next(limit) {
      let failures = 0;
      while (!isClosed()) {
        const seen = signal.count;
        try {
          const events = await read(limit);
          const last = events.at(-1);
          if (last !== undefined) {
            position = last.position;
            return events;
          }
          failures = 0;
        } catch {
          failures += 1;
        }
        if (isClosed()) break;
        if (failures > 0) await pause(retryDelay(failures - 1));
        else if (signal.count === seen) await pause();
      }
      return undefined;
    },
    async close() {
      closing.abort();
      leave();
      wake?.();
      abandon?.();
    },
  };
};
