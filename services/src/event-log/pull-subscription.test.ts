import { expect, it, vi } from 'vitest';
import type { After } from './event-log.ts';
import { AppendSignal, pullSubscription } from './pull-subscription.ts';

const turns = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

it('ends when it is closed, although the log does not answer the read that is under way', async () => {
  const asked = Promise.withResolvers<readonly [After, number]>();
  const silent = Promise.withResolvers<never>();
  const subscription = pullSubscription(
    7n,
    async (...range) => {
      asked.resolve(range);
      return silent.promise;
    },
    new AppendSignal(),
  );
  const next = subscription.next(10);
  expect(await asked.promise).toEqual([7n, 10]);
  await subscription.close();
  expect(await next).toBeUndefined();
  // What it says in the end is nobody's business any more.
  silent.reject(new Error('The log is closed'));
});

it('ends when it is closed while it waits, and is told of nothing any more', async () => {
  const signal = new AppendSignal();
  const leave = vi.fn<() => void>();
  const listening = vi.spyOn(signal, 'subscribe').mockReturnValue(leave);
  const asked: After[] = [];
  const subscription = pullSubscription(
    7n,
    async (after) => {
      asked.push(after);
      return [];
    },
    signal,
  );
  const next = subscription.next(10);
  await turns();
  listening.mock.lastCall?.[0]();
  await turns();
  expect([asked, leave.mock.calls.length]).toEqual([[7n, 7n], 0]);
  await subscription.close();
  expect([await next, asked.length, leave.mock.calls.length]).toEqual([undefined, 2, 1]);
});
