import { EventEmitter } from 'node:events';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NoAnswer } from './eventstoredb-event-log-errors.ts';
import { openWatch, type Watch } from './eventstoredb-event-log-watch.ts';

class FakeSubscription extends EventEmitter {
  readonly unsubscribe = vi.fn(async () => undefined);
}

/** Every subscription that was opened, the last one at the end. */
let subscriptions: FakeSubscription[] = [];
let told: unknown[] = [];
let watch: Watch;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  subscriptions = [];
  told = [];
  const client = {
    subscribeToAll() {
      const subscription = new FakeSubscription();
      subscriptions.push(subscription);
      return subscription;
    },
  } as unknown as EventStoreDBClient;
  watch = openWatch({
    client: () => client,
    onOpen: () => void told.push('open'),
    onChange: () => void told.push('change'),
    onLost: (reason, delay, wasOpen) => void told.push([reason instanceof Error ? reason.message : reason, delay, wasOpen]),
    onSilence: () => void told.push('silence'),
    confirmWithin: 5000,
    random: () => 1,
  });
});
afterEach(() => {
  watch.close();
  vi.useRealTimers();
});
const last = (): FakeSubscription => {
  const subscription = subscriptions.at(-1);
  if (subscription === undefined) throw new Error('Nothing was subscribed to');
  return subscription;
};
const releases = (): readonly number[] => subscriptions.map(({ unsubscribe }) => unsubscribe.mock.calls.length);

it('wakes the readers when it is open, for what came meanwhile, and at each event', () => {
  last().emit('confirmation');
  last().emit('data', {});
  last().emit('data', {});
  expect(told).toEqual(['open', 'change', 'change', 'change']);
});

it('is opened again after each error and end, later each time until it has caught up once, and frees the call of each', () => {
  last().emit('confirmation');
  last().emit('error', new Error('dropped'));
  // Of the one that was given up nothing counts any more.
  last().emit('close');
  vi.advanceTimersByTime(99);
  expect(subscriptions.length).toBe(1);
  vi.advanceTimersByTime(1);
  last().emit('end');
  vi.advanceTimersByTime(200);
  last().emit('confirmation');
  last().emit('caughtUp');
  last().emit('close');
  vi.advanceTimersByTime(100);
  expect(told).toEqual(['open', 'change', ['dropped', 100, true], ['the server ended it', 200, false], 'open', 'change', ['it was closed', 100, true]]);
  expect(releases()).toEqual([1, 1, 1, 0]);
});

it('says that the server is silent when no confirmation comes, and tries again', () => {
  vi.advanceTimersByTime(4999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(['silence', [new NoAnswer('no confirmation within 5000 ms').message, 100, false]]);
  vi.advanceTimersByTime(100);
  last().emit('confirmation');
  vi.advanceTimersByTime(60_000);
  expect([told.slice(2), releases()]).toEqual([
    ['open', 'change'],
    [1, 0],
  ]);
});

it('gives up the open one when it is to begin anew, and frees its call', () => {
  last().emit('confirmation');
  watch.restart();
  expect(releases()).toEqual([1, 0]);
  subscriptions[0]?.emit('error', new Error('cancelled'));
  expect([told, subscriptions.length]).toEqual([['open', 'change'], 2]);
});

it('hurries for whoever waits for it, and not more often than every 100 ms', () => {
  watch.hurry();
  expect(subscriptions.length).toBe(1);
  vi.advanceTimersByTime(10);
  last().emit('error', new Error('dropped'));
  watch.hurry();
  expect(subscriptions.length).toBe(1);
  vi.advanceTimersByTime(90);
  watch.hurry();
  expect(subscriptions.length).toBe(2);
  // The attempt that it came before is not made as well.
  vi.advanceTimersByTime(60);
  expect(subscriptions.length).toBe(2);
});

it('is over once it is closed', () => {
  watch.close();
  last().emit('error', new Error('cancelled'));
  watch.restart();
  watch.hurry();
  vi.advanceTimersByTime(60_000);
  expect([told, releases()]).toEqual([[], [1]]);
});
