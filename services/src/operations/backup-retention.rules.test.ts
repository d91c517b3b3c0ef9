import { describe, expect, it } from 'vitest';
import { backupsToRemove, type Kept } from './backup-retention.rules.ts';

const minute = 60_000;
const start = Date.parse('2026-11-01T00:00:00Z');
const made = (madeAt: number, other?: string): Kept => ({ name: `${new Date(madeAt).toISOString()}${other ?? ''}`, madeAt, other });

/** Backups every `every` minutes for `length` minutes, and after each what may go goes. */
const live = (every: number, length: number): { readonly left: readonly string[]; readonly most: number; readonly now: number } => {
  let backups: readonly Kept[] = [];
  let most = 0;
  let now = start;
  for (let at = 0; at <= length; at += every) {
    now = start + at * minute;
    const all = backups.concat(made(now));
    const gone = new Set(backupsToRemove(all, now));
    backups = all.filter(({ name }) => !gone.has(name));
    most = Math.max(most, backups.length);
  }
  return { left: backups.map(({ name }) => name), most, now };
};

describe('which backups are kept', () => {
  it('are all of a young installation', () => {
    expect(backupsToRemove([made(start), made(start + 10 * minute), made(start + 20 * minute)], start + 30 * minute)).toEqual([]);
    expect(backupsToRemove([], start)).toEqual([]);
  });

  it('are few after a month of one every ten minutes: the last half hour closely, then hours, then days of Kathmandu', () => {
    const { left, most, now } = live(10, 30 * 24 * 60);
    expect(most).toBeLessThanOrEqual(18);
    expect(new Date(now).toISOString()).toBe('2026-12-01T00:00:00.000Z');
    expect(left).toEqual([
      // The last of each day, which ends at 18:15 UTC.
      '2026-11-24T18:10:00.000Z',
      '2026-11-25T18:10:00.000Z',
      '2026-11-26T18:10:00.000Z',
      '2026-11-27T18:10:00.000Z',
      '2026-11-28T18:10:00.000Z',
      '2026-11-29T18:10:00.000Z',
      '2026-11-30T18:10:00.000Z',
      '2026-11-30T18:50:00.000Z',
      '2026-11-30T19:50:00.000Z',
      '2026-11-30T20:50:00.000Z',
      '2026-11-30T21:50:00.000Z',
      '2026-11-30T22:50:00.000Z',
      '2026-11-30T23:30:00.000Z',
      '2026-11-30T23:40:00.000Z',
      '2026-11-30T23:50:00.000Z',
      '2026-12-01T00:00:00.000Z',
    ]);
  });

  it('never go altogether: the newest stays however old it is, three more for a month (S32)', () => {
    const old = [1, 2, 3, 4, 5, 6].map((number) => made(start + number * minute));
    const nameOf = (number: number): string => made(start + number * minute).name;
    const month = 30 * 24 * 60 * minute;
    expect(backupsToRemove(old, start + month)).toEqual([nameOf(2), nameOf(1)]);
    expect(backupsToRemove(old, start + month + 4 * minute)).toEqual([nameOf(3), nameOf(2), nameOf(1)]);
    expect(backupsToRemove(old, start + 365 * 24 * 60 * minute)).toEqual([nameOf(5), nameOf(4), nameOf(3), nameOf(2), nameOf(1)]);
  });

  it('do not grow without bound when the clock is set back', () => {
    const future = Array.from({ length: 50 }, (_, number) => made(start + 400 * 24 * 60 * minute + number * 10 * minute));
    const now = [made(start), made(start + 10 * minute)];
    const gone = backupsToRemove([...future, ...now], start + 10 * minute);
    expect([gone.length, gone.includes(made(start + 10 * minute).name)]).toEqual([47, false]);
  });

  it('of another log are counted by themselves, and go after 30 days', () => {
    const [day, length] = [24 * 60 * minute, 25];
    const right = Array.from({ length: 8 }, (_, number) => made(start + number * minute));
    // A wrong log from then on, with a backup a day; and back.
    const wrong = Array.from({ length }, (_, number) => made(start + (number + 1) * day, 'wrong'));
    const asOthers = right.map(({ madeAt }) => made(madeAt, 'right'));
    const now = start + length * day;
    expect([
      backupsToRemove([...asOthers, ...wrong.map(({ madeAt }) => made(madeAt))], now).filter((name) => name.endsWith('right')),
      backupsToRemove([...right, ...wrong], now).filter((name) => !name.endsWith('wrong')),
    ]).toEqual([
      asOthers
        .slice(0, 4)
        .toReversed()
        .map(({ name }) => name),
      right
        .slice(0, 4)
        .toReversed()
        .map(({ name }) => name),
    ]);
    expect(backupsToRemove(asOthers, start + 31 * day)).toEqual(asOthers.toReversed().map(({ name }) => name));
  });
});
