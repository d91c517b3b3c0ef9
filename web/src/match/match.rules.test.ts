import { describe, expect, it } from 'vitest';
import { matchAnswer, statRow } from '../testing/match-builder.ts';
import { badgesOf, hasNumbers, inBoxScoreOrder, latestMatches, mvpOf, newestMatches, sharesOf, toResult, topOf, totalsOf, winnerOf } from './match.rules.ts';

const suyog = statRow({ player_id: '1', team_id: 'k', points: 34, assists: 9, rebounds: 6, name: 'Suyog' });
const pranil = statRow({ player_id: '2', team_id: 'k', points: 22, assists: 3, rebounds: 14, name: 'Pranil' });
const kiran = statRow({ player_id: '3', team_id: 'k', notplayed: 'Not Played', name: 'Kiran' });
const nischal = statRow({ player_id: '4', team_id: 'p', points: 29, assists: 9, rebounds: 2, name: 'Nischal' });

it('a match is its rows: scores are sums of points, and rows make it played', () => {
  expect(toResult(matchAnswer([suyog, pranil, kiran, nischal]))).toMatchObject({ score_1: 56, score_2: 29, hasStats: true });
  expect(toResult(matchAnswer([]))).toMatchObject({ score_1: 0, score_2: 0, hasStats: false });
  expect(totalsOf([suyog, pranil])).toEqual({ points: 56, assists: 12, rebounds: 20 });
  expect([winnerOf(2, 1), winnerOf(1, 2), winnerOf(2, 2)]).toEqual([1, 2, undefined]);
});

describe('the MVP', () => {
  it('is the recorded one', () => {
    expect(mvpOf(matchAnswer([suyog, nischal], { mvp: '4', bestPlayer: { player_id: '1', recorded: false } }))).toEqual({ row: nischal, recorded: true });
  });
  it('is the best average of the winning team when none is recorded', () => {
    expect(mvpOf(matchAnswer([suyog, nischal], { bestPlayer: { player_id: '1', recorded: false } }))).toEqual({ row: suyog, recorded: false });
  });
  it('falls back when the recorded one has no row', () => {
    expect(mvpOf(matchAnswer([suyog], { mvp: 'gone', bestPlayer: { player_id: '1', recorded: false } }))?.row).toBe(suyog);
  });
  it('is nobody in a level match', () => {
    expect(mvpOf(matchAnswer([suyog, nischal]))).toBeUndefined();
  });
});

describe('top performers', () => {
  it('takes the best of a team, ties by points, then by name', () => {
    const rows = [
      statRow({ player_id: 'a', team_id: 'k', assists: 5, points: 2, name: 'B' }),
      statRow({ player_id: 'b', team_id: 'k', assists: 5, points: 3, name: 'C' }),
      statRow({ player_id: 'c', team_id: 'k', assists: 5, points: 3, name: 'A' }),
    ];
    expect(topOf(rows, 'assists')?.player_id).toBe('c');
  });
  it('never takes who did not play, or who has nothing', () => {
    expect(
      topOf([statRow({ player_id: 'a', team_id: 'k', points: 9, notplayed: 'DNP' }), statRow({ player_id: 'b', team_id: 'k' })], 'points'),
    ).toBeUndefined();
  });
  it('gives badges per team', () => {
    expect(Object.fromEntries(badgesOf(matchAnswer([suyog, pranil, kiran, nischal])))).toEqual({
      '1': ['Top Scorer', 'Top Assister'],
      '2': ['Top Rebounder'],
      '4': ['Top Scorer', 'Top Assister', 'Top Rebounder'],
    });
  });
});

it('orders the box score by points and puts who did not play last', () => {
  expect(inBoxScoreOrder([kiran, pranil, suyog]).map((row) => row.player_id)).toEqual(['1', '2', '3']);
});

const lineOf = (player_id: string, rebounds: number, assists: number, name: string) =>
  statRow({ player_id, team_id: 'k', points: 10, rebounds, assists, name });
it('orders equal points by rebounds, then by assists, then by name', () => {
  const rows = [lineOf('d', 4, 2, 'Bina'), lineOf('b', 4, 3, 'Chandra'), lineOf('a', 5, 0, 'Dawa'), lineOf('c', 4, 2, 'Asha')];
  expect(inBoxScoreOrder(rows).map((line) => line.player_id)).toEqual(['a', 'b', 'c', 'd']);
  expect(inBoxScoreOrder(rows.toReversed()).map((line) => line.player_id)).toEqual(['a', 'b', 'c', 'd']);
});

it.each([
  [{ points: 0, assists: 0, rebounds: 0 }, false],
  [{ points: 2, assists: 0, rebounds: 0 }, true],
  [{ points: 0, assists: 1, rebounds: 0 }, true],
  [{ points: 0, assists: 0, rebounds: -1 }, true],
])('a line of %j has numbers: %s', (line, expected) => {
  expect(hasNumbers(line)).toBe(expected);
});

const on = (day: number, hasStats: boolean): { date: string; time: string; hasStats: boolean } => ({
  date: `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`,
  time: '',
  hasStats,
});
const at = (time: string, name: string) => ({ ...on(20, true), time, name });
const days = (matches: readonly { date: string }[]): readonly number[] => matches.map((match) => Number(match.date.slice(8, 10)));

describe('the latest matches', () => {
  it('are the newest played, then the nearest to come', () => {
    expect(days(latestMatches([on(1, true), on(8, true), on(15, true), on(28, false), on(22, false), on(29, false)], 4))).toEqual([15, 8, 22, 28]);
  });
  it('fill up with what there is', () => {
    expect(days(latestMatches([on(1, true), on(8, true), on(15, true), on(22, false)], 4))).toEqual([15, 8, 1, 22]);
    expect(days(latestMatches([on(22, false), on(15, false)], 4))).toEqual([15, 22]);
    expect(days(latestMatches([on(1, true), on(8, true), on(15, true), on(22, false), on(29, false)], 3))).toEqual([15, 8, 22]);
    expect(latestMatches([], 4)).toEqual([]);
  });
  it.each([true, false])('of one time stay in the order in which they came (played: %s)', (hasStats) => {
    const matches = ['a', 'b', 'c', 'd'].map((name) => Object.assign(at('', name), { hasStats }));
    expect(latestMatches(matches, 4).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('the newest matches', () => {
  const now = Date.parse('2026-11-21T12:00:00+05:45');
  it('are those that were played or should have been, newest first; what is to come only fills up', () => {
    const matches = [on(1, true), on(24, false), on(15, true), on(21, false), on(22, false), on(8, false)];
    expect(days(newestMatches(matches, now, 4))).toEqual([21, 15, 8, 1]);
    expect(days(newestMatches(matches, now, 5))).toEqual([21, 15, 8, 1, 22]);
    expect(days(newestMatches(matches, now, 12))).toEqual([21, 15, 8, 1, 22, 24]);
  });
  it('count a match with statistics as played, whatever its date', () => {
    expect(days(newestMatches([on(20, true), on(28, true), on(27, false)], now, 2))).toEqual([28, 20]);
  });
  it('count a match of today from its time on', () => {
    const today = (time: string) => ({ ...on(21, false), time });
    expect(newestMatches([today('12:01'), today(''), today('12:00'), on(1, true)], now, 4).map(({ time }) => time)).toEqual(['12:00', '', '', '12:01']);
  });
  it('of one day are ordered by their time, and stay where they are without one', () => {
    expect(newestMatches([at('09:00', 'a'), at('', 'b'), at('18:30', 'c'), at('', 'd')], now, 4).map(({ name }) => name)).toEqual(['c', 'a', 'b', 'd']);
  });
});

describe('the comparison', () => {
  it.each([
    [112, 98, 53.3, '53.3%', 46.7, '46.7%'],
    [85, 15, 85, '85.0%', 15, undefined],
    [849, 151, 84.9, '84.9%', 15.1, '15.1%'],
    [96, 17, 85, '85.0%', 15, '15.0%'],
    [10, 0, 100, '100.0%', 0, undefined],
    [5, -3, 100, '100.0%', 0, undefined],
    [0, 0, 0, undefined, 0, undefined],
    [0, -2, 0, undefined, 0, undefined],
  ])('%i against %i', (first, second, percent1, label1, percent2, label2) => {
    expect(sharesOf(first, second)).toEqual([
      { percent: percent1, label: label1 },
      { percent: percent2, label: label2 },
    ]);
  });
});
