import { afterEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { createSchedule, nightlyMinute, type ScheduledTask } from './schedule.ts';

/** A clock that tests turn. Nights begin at 02:30 in Kathmandu, which is 20:45 UTC. */
const turned = (start: string, tasks: (done: string[]) => readonly ScheduledTask[]) => {
  const time = { now: Date.parse(start), monotonic: 0 };
  const done: string[] = [];
  const schedule = createSchedule(tasks(done), { clock: { now: () => time.now, monotonic: () => time.monotonic }, logger: silentLogger });
  return {
    done,
    at: async (instant: string): Promise<readonly string[]> => {
      time.monotonic += Math.max(0, Date.parse(instant) - time.now);
      time.now = Date.parse(instant);
      await schedule.turn();
      return done.splice(0);
    },
  };
};

afterEach(() => {
  vi.useRealTimers();
});

describe('scheduled work', () => {
  it('of the night is done once a night, at its minute in Kathmandu, and not at once by a server that starts later', async () => {
    const { at } = turned('2026-11-21T10:00:00Z', (done) => [{ name: 'verify', when: { nightly: nightlyMinute }, run: () => void done.push('verify') }]);
    expect(await at('2026-11-21T10:00:30Z')).toEqual([]);
    expect(await at('2026-11-21T20:44:59Z')).toEqual([]);
    expect(await at('2026-11-21T20:45:00Z')).toEqual(['verify']);
    expect(await at('2026-11-21T20:45:30Z')).toEqual([]);
    expect(await at('2026-11-22T20:44:59Z')).toEqual([]);
    expect(await at('2026-11-22T21:10:00Z')).toEqual(['verify']);
  });

  it('is not doubled by a clock that is set back, and not lost by one that jumps', async () => {
    const { at } = turned('2026-11-21T20:50:00Z', (done) => [{ name: 'verify', when: { nightly: nightlyMinute }, run: () => void done.push('verify') }]);
    expect(await at('2026-11-22T20:46:00Z')).toEqual(['verify']);
    expect(await at('2026-11-21T20:40:00Z')).toEqual([]);
    expect(await at('2026-11-22T20:50:00Z')).toEqual([]);
    expect(await at('2026-11-25T01:00:00Z')).toEqual(['verify']);
    expect(await at('2026-11-25T01:00:30Z')).toEqual([]);
  });

  it('of the night goes on after a clock that was in the future is put right', async () => {
    const { at } = turned('2026-11-21T20:50:00Z', (done) => [{ name: 'verify', when: { nightly: nightlyMinute }, run: () => void done.push('verify') }]);
    expect(await at('2099-01-01T00:00:00Z')).toEqual(['verify']);
    expect(await at('2026-11-21T20:51:00Z')).toEqual([]);
    expect(await at('2026-11-22T20:44:59Z')).toEqual([]);
    expect(await at('2026-11-22T20:45:00Z')).toEqual(['verify']);
    expect(await at('2026-11-22T20:45:30Z')).toEqual([]);
  });

  it('of the start is done once, and of an interval by the monotonic clock', async () => {
    const { at } = turned('2026-11-21T10:00:00Z', (done) => [
      { name: 'start', when: { start: true }, run: () => void done.push('start') },
      { name: 'watch', when: { every: 60_000 }, run: () => void done.push('watch') },
    ]);
    expect(await at('2026-11-21T10:00:01Z')).toEqual(['start']);
    expect(await at('2026-11-21T10:01:00Z')).toEqual(['watch']);
    // The wall clock goes back a day: the interval does not care.
    expect(await at('2026-11-20T10:01:00Z')).toEqual([]);
    expect(await at('2026-11-20T10:02:00Z')).toEqual(['watch']);
  });

  it('is done as often as it asks for once it was started, by timers that are a hair early as well', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-21T10:00:00Z') });
    const done: string[] = [];
    const schedule = createSchedule(
      [
        { name: 'watch', when: { every: 2000 }, run: () => void done.push('watch') },
        { name: 'slow', when: { every: 30_000 }, run: () => void done.push('slow') },
      ],
      { clock: { now: () => Date.now(), monotonic: () => performance.now() * 0.9999 }, logger: silentLogger },
    );
    schedule.start();
    try {
      await vi.advanceTimersByTimeAsync(3000);
      expect(done.splice(0)).toEqual(['watch']);
      await vi.advanceTimersByTimeAsync(28_000);
      expect(done.filter((name) => name === 'slow')).toHaveLength(1);
    } finally {
      schedule.stop();
    }
  });

  it('that fails does not keep the rest from being done', async () => {
    const { at } = turned('2026-11-21T10:00:00Z', (done) => [
      {
        name: 'fails',
        when: { start: true },
        run: () => {
          throw new Error('no');
        },
      },
      { name: 'start', when: { start: true }, run: () => void done.push('start') },
    ]);
    expect(await at('2026-11-21T10:00:01Z')).toEqual(['start']);
  });
});
