import { describe, expect, test } from 'vitest';
import { addDays, fixtures, random, seedTeams, sheet } from './season.ts';

describe('the demo season', () => {
  test('is a full single round robin: every pair of the eight teams meets once, each team once a round', () => {
    const season = fixtures(seedTeams.length);
    const pairs = season.map(({ a, b }) => [a, b].toSorted((x, y) => x - y).join('-'));
    expect(season).toHaveLength(28);
    expect(new Set(pairs).size).toBe(28);
    for (const day of new Set(season.map((fixture) => fixture.day))) {
      const busy = season.filter((fixture) => fixture.day === day).flatMap(({ a, b }) => [a, b]);
      expect(new Set(busy).size).toBe(8);
    }
  });

  test('has matches today, two of them played', () => {
    const today = fixtures(8).filter((fixture) => fixture.day === 0);
    expect(today.map((fixture) => fixture.played)).toEqual([true, true, false, false]);
  });

  test('gives the same sheet for the same seed', () => {
    expect(sheet(7, random(1))).toEqual(sheet(7, random(1)));
    expect(sheet(7, random(1))).not.toEqual(sheet(7, random(2)));
    expect(sheet(7, random(1)).filter((line) => line.played)).toHaveLength(8);
  });

  test('crosses months by the calendar', () => {
    expect(addDays('2026-11-30', 1)).toBe('2026-12-01');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  });

  test('has eight teams of ten players with names of their own', () => {
    expect(seedTeams.map((team) => team.players.length)).toEqual([10, 10, 10, 10, 10, 10, 10, 10]);
    expect(new Set(seedTeams.flatMap((team) => team.players)).size).toBe(80);
  });
});
