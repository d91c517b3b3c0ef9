import { END, excludeSystemEvents, type AllStreamSubscription, type EventStoreDBClient } from '@eventstore/db-client';

import { reasonOf } from './eventstoredb-event-log-errors.ts';
import { release } from './eventstoredb-event-log-read.ts';
import { retryDelay } from './pull-subscription.ts';

export type WatchOptions = {
  readonly client: () => EventStoreDBClient;
  /** Something may have been appended: an event came, or the subscription is open again. */
  readonly onChange: () => void;
  /** The subscription ended and is tried again after `delay` ms. `wasOpen`: it had been confirmed; otherwise the server could not be reached. */
  readonly onLost: (reason: string, delay: number, wasOpen: boolean) => void;
  /** No confirmation came within the time-out. */
  readonly onSilence: () => void;
  readonly confirmWithin: number;
  readonly random: () => number;
};

export type Watch = {
  /** Gives up the open subscription and opens another at once. */
  restart(): void;
  close(): void;
};

/**
 * One live subscription that only wakes the readers, who read in pages: it holds no event, so a slow reader cannot get it dropped,
 * and whatever it misses is found by the next page. It is opened again for ever, after every error and every end.
 */
export const openWatch = (options: WatchOptions): Watch => {
  let closed = false;
  let failures = 0;
  let current: AllStreamSubscription | undefined;
  let isOpen = false;
  let retry: NodeJS.Timeout | undefined;
  let confirmation: NodeJS.Timeout | undefined;

  const leave = (): void => {
    clearTimeout(confirmation);
    clearTimeout(retry);
    const left = current;
    current = undefined;
    if (left) release(left);
  };

  const lost = (subscription: AllStreamSubscription, reason: string): void => {
    // Only the first of error, end and close counts, and none of a subscription that was given up.
    if (subscription !== current || closed) return;
    leave();
    const delay = retryDelay(failures, options.random);
    failures += 1;
    options.onLost(reason, delay, isOpen);
    retry = setTimeout(open, delay);
  };

  const open = (): void => {
    const subscription = options.client().subscribeToAll({ fromPosition: END, filter: excludeSystemEvents() });
    current = subscription;
    isOpen = false;
    confirmation = setTimeout(() => {
      if (subscription !== current) return;
      options.onSilence();
      lost(subscription, `no confirmation within ${options.confirmWithin} ms`);
    }, options.confirmWithin);
    subscription.on('confirmation', () => {
      clearTimeout(confirmation);
      isOpen = true;
      // What came while nobody watched.
      options.onChange();
    });
    subscription.on('caughtUp', () => {
      failures = 0;
    });
    subscription.on('data', () => {
      options.onChange();
    });
    // These listeners stay: an error that nobody hears ends the process.
    subscription.on('error', (error) => {
      lost(subscription, reasonOf(error));
    });
    subscription.on('end', () => {
      lost(subscription, 'the server ended it');
    });
    subscription.on('close', () => {
      lost(subscription, 'it was closed');
    });
  };
  open();

  return {
    restart() {
      if (closed) return;
      leave();
      open();
    },
    close() {
      closed = true;
      leave();
    },
  };
};
