import { expect, it } from 'vitest';
import type { After } from './event-log.ts';
import { AppendSignal, pullSubscription } from './pull-subscription.ts';

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
