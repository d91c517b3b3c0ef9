import { expect, test } from 'vitest';
import { leaders, type Candidate } from './leaders.rules.ts';

const candidate = (id: string, name: string, points: number, matches: number): Candidate => ({
  id,
  name,
  totals: { points, assists: -points, rebounds: 1, matches },
});
const all = [
  candidate('7', 'Most', 30, 4),
  candidate('6', 'Zara', 20, 2),
  candidate('5', 'anil', 20, 3),
  candidate('3', 'Bina', 20, 3),
  candidate('4', 'bina', 20, 3),
  candidate('2', 'Nobody', 0, 1),
  candidate('1', 'Below', -1, 1),
];
const idsOf = (candidates: readonly Candidate[]): readonly string[] => candidates.map(({ id }) => id);

test('the highest totals above 0; of equal ones fewer matches first, then the name without case, then the id, whatever order they come in', () => {
  for (const given of [all, all.toReversed()]) expect(idsOf(leaders(given, 'points', 10))).toEqual(['7', '6', '5', '3', '4']);
});

test('each statistic has its own, at most as many as are wanted', () => {
  expect(idsOf(leaders(all, 'assists', 10))).toEqual(['1']);
  expect(idsOf(leaders(all, 'rebounds', 3))).toEqual(['1', '2', '6']);
  expect(leaders(all, 'points', 0)).toEqual([]);
});
