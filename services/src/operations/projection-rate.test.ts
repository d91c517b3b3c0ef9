import { expect, it, onTestFinished, vi } from 'vitest';
import { ProjectionRate } from './projection-rate.ts';

/** A read model whose ledger holds every position up to the one it is at. */
const measured = () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const now = { at: 0, position: 100n };
  const rate = new ProjectionRate(
    {
      reads: { position: () => now.position },
      reader: () => ({ text: (_sql: string, after: bigint) => String(now.position - after) }),
    } as unknown as ConstructorParameters<typeof ProjectionRate>[0],
    { monotonic: () => now.at },
  );
  onTestFinished(() => {
    rate.stop();
    vi.useRealTimers();
  });
  rate.start();
  return {
    rate,
    /** That many seconds later, after that many events. */
    later: (seconds: number, events: bigint): void => {
      for (let second = 0; second < seconds; second++) {
        now.at += 1000;
        if (second === 0) now.position += events;
        vi.advanceTimersByTime(1000);
      }
    },
  };
};

it('is counted over as long as the node runs, to a tenth, and is none before a second has passed or when nothing came', () => {
  const { rate, later } = measured();
  expect(rate.perSecond()).toBe(0);
  later(1, 0n);
  expect(rate.perSecond()).toBe(0);
  later(2, 20n);
  expect(rate.perSecond()).toBe(6.7);
});

it('is that of the last minute, and ends with it', () => {
  const { rate, later } = measured();
  later(1, 600n);
  expect(rate.perSecond()).toBe(600);
  later(59, 0n);
  expect(rate.perSecond()).toBe(10);
  // The note of 65 seconds ago is forgotten, the one after it knows of the events.
  later(5, 0n);
  expect(rate.perSecond()).toBe(0);
  later(10, 3n);
  expect(rate.perSecond()).toBe(0.1);
});
