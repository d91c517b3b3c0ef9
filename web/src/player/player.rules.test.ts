import type { PlayerMatch } from '@courtledger/contracts/player/player.answers';
import type { TeamResult } from '@courtledger/contracts/team/team.answers';
import { expect, it } from 'vitest';
import { matchResult } from '../testing/match-builder.ts';
import { average, byTournament, countMatches, gameLog, hasNumbers, measure, recentBars } from './player.rules.ts';

const played = (id: string, day: string, points: number, more: Partial<PlayerMatch> = {}): PlayerMatch => ({
  match_id: {
    _id: id,
    date: `${day}T00:00:00.000Z`,
    team_1: { _id: 'k', team_details: { name: 'Kings' } },
    team_2: { _id: 'p', team_details: { name: 'Panthers' } },
    tournament_id: { _id: 't', name: 'League' },
  },
  team_id: 'k',
  notplayed: 'played',
  points,
  assists: 1,
  rebounds: 2,
  ...more,
});

it("says 'NA' for 0", () => {
  expect([measure(188, 'cm'), measure(0, 'kg'), measure(24, ''), measure(0, '')]).toEqual(['188 cm', 'NA', '24', 'NA']);
});

it('averages over matches played, to one decimal', () => {
  expect([average(154, 6), average(77, 3), average(5, 0)]).toEqual([25.7, 25.7, 0]);
});

const history = [
  played('m1', '2026-11-07', 19),
  played('m2', '2026-11-21', 34),
  played('m3', '2026-11-08', 0, { notplayed: 'Not Played', assists: 0, rebounds: 0 }),
];

it('logs games newest first, with the score from the own side', () => {
  const result: TeamResult = { ...matchResult({ _id: 'm2', score_1: 112, score_2: 98 }), tournament_id: { _id: 't', name: 'League' } };
  const log = gameLog({ match_history: history }, [result]);
  expect(log.map((game) => [game.matchId, game.opponent.name, game.played, game.score])).toEqual([
    ['m2', 'Panthers', true, [112, 98]],
    ['m3', 'Panthers', false, undefined],
    ['m1', 'Panthers', true, undefined],
  ]);
  const other = gameLog({ match_history: [played('m2', '2026-11-21', 3, { team_id: 'p' })] }, [result]);
  expect(other[0]).toMatchObject({ opponent: { name: 'Kings' }, score: [98, 112] });
});

it('counts who did not play apart', () => {
  expect(countMatches(history)).toEqual({ played: 2, notPlayed: 1 });
});

it.each([
  [0, 0, 0, false],
  [2, 0, 0, true],
  [0, 1, 0, true],
  [0, 0, 1, true],
  [-1, 0, 0, true],
])('knows whether a match has numbers of the player: %i points, %i assists, %i rebounds', (points, assists, rebounds, expected) => {
  expect(hasNumbers({ points, assists, rebounds })).toBe(expected);
});

/** A match of that tournament, whose id is its name. */
const matchOf = (tournament: string, day: string): PlayerMatch => {
  const entry = played(tournament + day, day, 10);
  return { ...entry, match_id: { ...entry.match_id, tournament_id: { _id: tournament, name: tournament } } };
};

it('lists tournaments in the order of their newest match, however the matches come', () => {
  const entries = [
    matchOf('Cup', '2026-10-02'),
    matchOf('League', '2026-11-21'),
    matchOf('Cup', '2026-11-20'),
    matchOf('League', '2026-09-01'),
    matchOf('Open', '2026-11-22'),
  ];
  for (const listed of [entries, entries.toReversed()]) expect(byTournament(listed).map(({ id }) => id)).toEqual(['Open', 'League', 'Cup']);
});

it('averages by tournament over its played matches', () => {
  expect(byTournament(history)).toEqual([{ id: 't', name: 'League', played: 2, points: 26.5, assists: 1, rebounds: 2 }]);
});

it('divides every number by the matches played, as the averages over all tournaments do', () => {
  const notAlways = [played('m1', '2026-11-21', 10), played('m2', '2026-11-20', 4, { notplayed: 'DNP', assists: 0, rebounds: 0 })];
  expect(byTournament(notAlways)).toEqual([{ id: 't', name: 'League', played: 1, points: 14, assists: 1, rebounds: 2 }]);
});

it('draws the last six played matches, oldest first, the highest 52 pixels tall', () => {
  const many = Array.from({ length: 8 }, (_, index) => played(`m${String(index)}`, `2026-11-0${String(index + 1)}`, index * 10));
  expect(recentBars(gameLog({ match_history: many }, []))).toEqual([
    { matchId: 'm2', points: 20, height: 15 },
    { matchId: 'm3', points: 30, height: 22 },
    { matchId: 'm4', points: 40, height: 30 },
    { matchId: 'm5', points: 50, height: 37 },
    { matchId: 'm6', points: 60, height: 45 },
    { matchId: 'm7', points: 70, height: 52 },
  ]);
  // Who did not play has no bar; the lowest one, also of points below zero, can still be seen.
  const some = [played('a', '2026-11-01', 0), played('b', '2026-11-02', 9, { notplayed: 'DNP' }), played('c', '2026-11-03', -4), played('d', '2026-11-04', 1)];
  expect(recentBars(gameLog({ match_history: some }, []))).toEqual([
    { matchId: 'a', points: 0, height: 2 },
    { matchId: 'c', points: -4, height: 2 },
    { matchId: 'd', points: 1, height: 52 },
  ]);
  expect(recentBars(gameLog({ match_history: [played('a', '2026-11-01', 0)] }, []))).toEqual([{ matchId: 'a', points: 0, height: 2 }]);
  expect(recentBars([])).toEqual([]);
});
