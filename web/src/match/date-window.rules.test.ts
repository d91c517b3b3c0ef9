import { describe, expect, it } from 'vitest';
import { dateToOpen, dateWindow, followDates, moveWindow, nearestDate, windowStartFor, windowStep } from './date-window.rules.ts';

const dates = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`);

it.each([
  [0, 1],
  [1, 1],
  [3, 1],
  [4, 1],
  [5, 2],
  [6, 3],
  [40, 3],
])('with %i dates an arrow moves %i', (count, step) => {
  expect(windowStep(count)).toBe(step);
});

describe('the window', () => {
  it('shows the last three dates after loading', () => {
    const all = dates(8);
    const opened = dateToOpen(all, undefined);
    expect(opened).toBe('2026-11-08');
    expect(dateWindow(all, windowStartFor(all.indexOf(opened ?? ''), all.length))).toEqual({
      start: 5,
      dates: all.slice(5),
      hasPrevious: true,
      hasNext: false,
    });
  });
  it('shows what there is when there are fewer than three', () => {
    expect(dateWindow(dates(2), 0)).toEqual({ start: 0, dates: dates(2), hasPrevious: false, hasNext: false });
    expect(dateWindow([], 0)).toEqual({ start: 0, dates: [], hasPrevious: false, hasNext: false });
  });
  it.each([
    [4, [1, 0]],
    [5, [2, 0]],
    [6, [3, 0]],
    [7, [4, 1, 0]],
    [8, [5, 2, 0]],
  ])('with %i dates the previous arrow goes through %j and is then disabled', (count, starts) => {
    let start = windowStartFor(count - 1, count);
    const seen = [start];
    while (dateWindow(dates(count), start).hasPrevious) {
      start = moveWindow(start, count, -1);
      seen.push(start);
    }
    expect(seen).toEqual(starts);
    while (dateWindow(dates(count), start).hasNext) start = moveWindow(start, count, 1);
    expect(start).toBe(count - 3);
  });
  it('holds any date that is asked for', () => {
    for (let count = 1; count <= 9; count += 1) {
      for (let index = 0; index < count; index += 1) {
        const date = dates(count)[index];
        expect(dateWindow(dates(count), windowStartFor(index, count)).dates).toContain(date);
      }
    }
  });
});

describe('a window that stood already', () => {
  const all = dates(8);
  const [d1 = '', d2 = '', , , , d6 = '', d7 = '', d8 = ''] = all;
  const first = all.slice(0, 3);
  it.each([
    ['stays while it holds the selected date', { selected: d1, shown: first }, all, d2, 0],
    ['stays where an arrow has led it', { selected: d8, shown: first }, all, d8, 0],
    ['goes to a date that is selected outside of it', { selected: d2, shown: first }, all, d7, 4],
    ['stays beside the same dates when an earlier one is added', { selected: d8, shown: first }, ['2026-10-30', ...all], d8, 1],
    ['keeps hold of its date when another comes between', { selected: d8, shown: [d6, d7, d8] }, [...all.slice(0, 7), '2026-11-07T', d8], d8, 6],
    ['goes to the selected date when its first one is gone', { selected: d8, shown: first }, all.slice(1), d8, 4],
    ['begins with the selected date', undefined, all, d8, 5],
    ['begins where there is none', { selected: d8, shown: first }, [], undefined, 0],
  ] as const)('%s', (_title, before, now, selected, start) => {
    expect(followDates(before, now, selected)).toBe(start);
  });
});

it('opens the date asked for when it has matches, else the latest', () => {
  expect(dateToOpen(dates(3), '2026-11-02')).toBe('2026-11-02');
  expect(dateToOpen(dates(3), '2026-12-24')).toBe('2026-11-03');
  expect(dateToOpen([], '2026-12-24')).toBeUndefined();
});

it('finds the match date nearest to a day; of two that are as near, the earlier', () => {
  const played = ['2026-11-06', '2026-11-08', '2026-11-20'];
  expect(['2026-11-08', '2026-11-07', '2026-11-14', '2026-11-15', '2027-01-01', '2020-01-01'].map((day) => nearestDate(played, day))).toEqual([
    '2026-11-08',
    '2026-11-06',
    '2026-11-08',
    '2026-11-20',
    '2026-11-20',
    '2026-11-06',
  ]);
  expect(nearestDate([], '2026-11-08')).toBeUndefined();
});
