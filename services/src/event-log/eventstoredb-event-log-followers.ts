import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { After, EventLog, Subscription } from './event-log.ts';
import { pullSubscription, type AppendSignal } from './pull-subscription.ts';

/** How far a subscription has read; `waiting`: it has read to the end, and is to be woken when something comes. */
type Follower = { position: After; waiting: boolean };

/** The subscriptions that are open. */
export class Followers {
  readonly #readAll: EventLog['readAll'];
  readonly #signal: AppendSignal;
  readonly #open = new Map<Subscription, Follower>();

  constructor(readAll: EventLog['readAll'], signal: AppendSignal) {
    this.#readAll = readAll;
    this.#signal = signal;
  }

  subscribe(after: After): Subscription {
    const follower: Follower = { position: after, waiting: false };
    const read = async (position: After, limit: number): Promise<readonly RecordedEvent[]> => {
      follower.waiting = false;
      follower.position = position;
      const events = await this.#readAll(position, limit);
      follower.waiting = events.length === 0;
      return events;
    };
    const pulled = pullSubscription(after, read, this.#signal);
    const subscription: Subscription = {
      next: (limit) => pulled.next(limit),
      close: async () => {
        this.#open.delete(subscription);
        await pulled.close();
      },
    };
    this.#open.set(subscription, follower);
    return subscription;
  }

  /** Those that wait now; `behindOf`: how many of them still wait where they did, though the log goes on to `end`. */
  waiting(): { readonly count: number; readonly behindOf: (end: After) => number } {
    const waiting = [...this.#open.values()].filter((follower) => follower.waiting).map((follower) => ({ follower, position: follower.position }));
    return {
      count: waiting.length,
      behindOf: (end) =>
        waiting.filter(
          ({ follower, position }) => follower.waiting && follower.position === position && end !== 'start' && (position === 'start' || position < end),
        ).length,
    };
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((subscription) => subscription.close()));
  }
}
