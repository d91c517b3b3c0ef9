import { expect, it } from 'vitest';
import { isLeague, isRegisterable, longestWord, titleSize, untilTomorrow } from './tournament.rules.ts';

it("opens registration only for the text 'true'", () => {
  expect(['true', 'True', 'false', '', 'Registration closed'].map(isRegisterable)).toEqual([true, false, false, false, false]);
  expect(['true', 'false', ''].map(isLeague)).toEqual([true, false, false]);
});

it('measures a name by its longest word', () => {
  expect(['Valley Winter Classic 2083', 'Kathmandu-Lalitpur Derby', 'अन्तर विश्वविद्यालयस्तरीय', '', ' '].map(longestWord)).toEqual([7, 9, 19, 0, 0]);
});

it('sets long names smaller', () => {
  expect(['Valley Winter Classic 2083', 'x'.repeat(28), 'x'.repeat(29), 'x'.repeat(48), 'x'.repeat(49)].map(titleSize)).toEqual([
    '',
    '',
    'is-long',
    'is-long',
    'is-longer',
  ]);
});

it('waits for the end of the day in Kathmandu, and a minute', () => {
  expect(['2026-12-31T23:59:00+05:45', '2027-01-01T00:00:00+05:45', '2027-01-01T18:14:59Z'].map((now) => untilTomorrow(Date.parse(now)))).toEqual([
    120_000, 86_460_000, 61_000,
  ]);
});
