import { expect, test } from 'vitest';
import { average, totalsOf } from './averages.rules.ts';

test.each([
  [0, 0, 0],
  [10, 0, 0],
  [1, 3, 0.3],
  [2, 3, 0.7],
  [5, 4, 1.3],
  [21, 20, 1.1],
  [41, 20, 2.1],
  [-1, 100, 0],
  [-7, 2, -3.5],
])('%i in %i matches is %f', (total, matches, expected) => {
  expect(average(total, matches)).toBe(expected);
});

test('what toFixed misrounds comes out as statisticians publish it', () => {
  expect((41 / 40).toFixed(1)).toBe('1.0');
  expect(average(43, 40)).toBe(1.1);
  expect(average(25, 20)).toBe(1.3);
});

test('totals count rows that are shown, and matches by status', () => {
  const line = { ordinal: 0, teamId: 'a', points: 4, assists: 1, rebounds: 2, entries: 1, participation: null };
  expect(
    totalsOf([
      line,
      { ...line, entries: 0 },
      { ...line, participation: 'Not Played' },
      { ...line, entries: 0, points: 0, assists: 0, rebounds: 0, participation: 'Not Played' },
      { ...line, entries: 0, points: 0, assists: 0, rebounds: 0, participation: 'played' },
    ]),
  ).toEqual({ rows: 3, points: 8, assists: 2, rebounds: 4, matches: 2 });
});
