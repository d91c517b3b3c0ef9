import { describe, expect, test } from 'vitest';
import { addDays, fixtures, isOver, random, seedTeams, sheet, type Line } from './season.ts';

const total = (lines: readonly Line[], name: 'points' | 'assists' | 'rebounds'): number => lines.reduce((sum, line) => sum + line[name], 0);

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

  test.each([
    ['00:01', 16],
    ['12:59', 16],
    ['13:00', 17],
    ['18:59', 19],
    ['23:59', 20],
  ])('planted at %s in Kathmandu it has %i matches played: those that have ended by then', (time, played) => {
    const season = fixtures(8);
    expect(season.filter((fixture) => isOver(fixture, Date.parse(`2028-02-29T${time}+05:45`)))).toEqual(season.slice(0, played));
  });

  test('gives the same sheet for the same seed', () => {
    expect(sheet(7, random(1))).toEqual(sheet(7, random(1)));
    expect(sheet(7, random(1))).not.toEqual(sheet(7, random(2)));
    expect(sheet(7, random(1)).filter((line) => line.played)).toHaveLength(8);
  });

  test('gives no team as many assists as baskets, or the rebounds of half a game', () => {
    const sheets = Array.from({ length: 1000 }, (_, seed) => sheet(4 + (seed % 6), random(seed)));
    expect(sheets.filter((lines) => total(lines, 'assists') >= total(lines, 'points') / 2 || total(lines, 'rebounds') < 18)).toEqual([]);
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
