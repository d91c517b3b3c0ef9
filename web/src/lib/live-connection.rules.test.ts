import { expect, it } from 'vitest';
import { pauseBefore } from './live-connection.rules.ts';

const pauses = (count: number, random: number): readonly number[] => Array.from({ length: count }, (_, index) => pauseBefore(index + 1, random));

it('tries again at once, then within a second while the cut is young, then ever less often', () => {
  expect(pauses(4, 1)).toEqual([250, 500, 1000, 1000]);
  expect([12, 13, 24, 25, 1000].map((failures) => pauseBefore(failures, 1))).toEqual([1000, 2000, 2000, 5000, 5000]);
  // Even with the shortest pauses: at most 16 attempts in the first ten seconds, and 25 in the first minute and a half of a server that stays away.
  const elapsed = (count: number): number => pauses(count, 0).reduce((sum, pause) => sum + pause, 0);
  expect([elapsed(16), elapsed(25)]).toEqual([9375, 19_875]);
});

it('spreads those who lost their lines together over half of each pause', () => {
  expect([0, 0.5, 1].map((random) => pauseBefore(3, random))).toEqual([500, 750, 1000]);
});
