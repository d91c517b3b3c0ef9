import { END, excludeSystemEvents, type AllStreamSubscription, type EventStoreDBClient } from '@eventstore/db-client';

import { NoAnswer, SubscriptionEnded } from './eventstoredb-event-log-errors.ts';
import { release } from './eventstoredb-event-log-read.ts';
import { retryDelay } from './pull-subscription.ts';

/** Least time between two attempts that somebody asks for, in ms. */
const HURRIED_INTERVAL = 100;

export type WatchOptions = {
  readonly client: () => EventStoreDBClient;
  /** The subscription is open, for the first time or again. */
  readonly onOpen: () => void;
  /** Something may have been appended: an event came, or the subscription is open again. */
  readonly onChange: () => void;
  /** The subscription ended and is tried again after `delay` ms. `wasOpen`: it had been confirmed; otherwise the server could not be reached. */
  readonly onLost: (reason: unknown, delay: number, wasOpen: boolean) => void;
  /** No confirmation came within the time-out. */
  readonly onSilence: () => void;
  readonly confirmWithin: number;
  readonly random: () => number;
};

export type Watch = {
  /** Gives up the open subscription and opens another at once. */
  restart(): void;
  /** Opens it at once when the next attempt still waits for its time; for those who wait for it. */
  hurry(): void;
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
  let attemptedAt = 0;
  let retry: NodeJS.Timeout | undefined;
  let confirmation: NodeJS.Timeout | undefined;

  const leave = (): void => {
    clearTimeout(confirmation);
    clearTimeout(retry);
    const left = current;
    current = undefined;
    if (left) release(left);
  };

  const lost = (subscription: AllStreamSubscription, reason: unknown): void => {
    // Only the first of error, end and close counts, and none of a subscription that was given up.
    if (subscription !== current || closed) return;
    leave();
    const delay = retryDelay(failures, options.random);
    failures += 1;
    options.onLost(reason, delay, isOpen);
    retry = setTimeout(open, delay);
  };

  const open = (): void => {
    attemptedAt = performance.now();
    const subscription = options.client().subscribeToAll({ fromPosition: END, filter: excludeSystemEvents() });
    current = subscription;
    isOpen = false;
    confirmation = setTimeout(() => {
      if (subscription !== current) return;
      options.onSilence();
      lost(subscription, new NoAnswer(`no confirmation within ${options.confirmWithin} ms`));
    }, options.confirmWithin);
    subscription.on('confirmation', () => {
      clearTimeout(confirmation);
      isOpen = true;
      options.onOpen();
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
      lost(subscription, error);
    });
    subscription.on('end', () => {
      lost(subscription, new SubscriptionEnded('the server ended it'));
    });
    subscription.on('close', () => {
      lost(subscription, new SubscriptionEnded('it was closed'));
    });
  };
  open();

  return {
    restart() {
      if (closed) return;
      leave();
      open();
    },
    hurry() {
      // Not more often than it would try a server that has just gone.
      if (closed || current !== undefined || performance.now() - attemptedAt < HURRIED_INTERVAL) return;
      clearTimeout(retry);
      open();
    },
    close() {
      closed = true;
      leave();
    },
  };
};
