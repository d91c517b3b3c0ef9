import { describe, expect, test } from 'vitest';
import { standings, type CountedMatch } from './standings.rules.ts';

/** 'A–B 100:55' as a match. */
const games = (text: string): CountedMatch[] =>
  text.split(', ').map((game) => {
    const [pair = '', score = ''] = game.split(' ');
    const [team1 = '', team2 = ''] = pair.split('–');
    const [score1, score2] = score.split(':').map(Number);
    return { team1, team2, score1: score1 ?? 0, score2: score2 ?? 0 };
  });
const teamsOf = (matches: readonly CountedMatch[]) => [...new Set(matches.flatMap(({ team1, team2 }) => [team1, team2]))].map((id) => ({ id, name: id }));
const table = (text: string) => standings(teamsOf(games(text)), games(text)).map(({ rank, teamId, points, difference }) => [rank, teamId, points, difference]);

describe('vectors computed independently (experience 3.4)', () => {
  test('case 1: level on points and difference, their own game decides', () => {
    expect(table('A–B 100:55, A–C 90:85, A–D 75:80, B–C 100:95, B–D 80:75, C–D 60:55')).toEqual([
      [1, 'A', 5, 45],
      [2, 'B', 5, -35],
      [3, 'C', 4, -5],
      [4, 'D', 4, -5],
    ]);
  });
  test('case 2: difference overall comes before the mini-league', () => {
    expect(table('A–B 100:55, A–C 90:85, A–D 120:75, B–C 100:85, B–D 75:80, C–D 65:55')).toEqual([
      [1, 'A', 6, 95],
      [2, 'C', 4, -10],
      [3, 'B', 4, -35],
      [4, 'D', 4, -50],
    ]);
  });
  test('case 3: so does it for two teams', () => {
    expect(table('A–B 61:60, A–C 50:60, A–D 62:60, B–C 70:60, B–D 120:40, D–C 70:60').map(([, team]) => team)).toEqual(['B', 'A', 'C', 'D']);
  });
  test('case 4: a circle shares the rank', () => {
    expect(table('A–B 60:50, B–C 60:50, C–A 60:50')).toEqual([
      [1, 'A', 3, 0],
      [1, 'B', 3, 0],
      [1, 'C', 3, 0],
    ]);
  });
  test('case 6: in mid-event order is by points, however few the games', () => {
    expect(
      table('X–Q 70:60, Y–R 60:70, Y–S 60:70, Y–R 60:61')
        .map(([, team]) => team)
        .indexOf('Y'),
    ).toBeLessThan(
      table('X–Q 70:60, Y–R 60:70, Y–S 60:70, Y–R 60:61')
        .map(([, team]) => team)
        .indexOf('X'),
    );
  });
});

test('a tie is a loss for both', () => {
  expect(standings(teamsOf(games('A–B 70:70')), games('A–B 70:70'))).toEqual(
    ['A', 'B'].map((teamId) => ({
      rank: 1,
      teamId,
      played: 1,
      wins: 0,
      losses: 1,
      points: 1,
      pointsFor: 70,
      pointsAgainst: 70,
      difference: 0,
      tieBreak: `Level on points (1) and point difference (0) with ${teamId === 'A' ? 'B' : 'A'}; shares the rank`,
    })),
  );
});

test('scores below zero have the minus sign of everything else', () => {
  const matches = games('A–B 1:-1, B–C 1:-1, C–A 0:-2');
  const level = 'Level on points (3) and point difference (0) with';
  expect(standings(teamsOf(matches), matches).map(({ tieBreak }) => tieBreak)).toEqual([
    `${level} A, C; placed by points scored in the games among them (0)`,
    `${level} A, B; placed apart from B by points scored in the games among them (−1); beat A 0–−2`,
    `${level} B, C; placed apart from B by points scored in the games among them (−1); lost to C −2–0`,
  ]);
  const apart = games('A–X 0:1, B–X -1:0');
  expect(standings(teamsOf(apart), apart).at(-1)?.tieBreak).toBe('Level on points (1) and point difference (−1) with A; placed by points scored overall (−1)');
});

test('of more than four level teams the explanation names three and counts the others', () => {
  const level = (count: number): (string | undefined)[] => {
    const matches = games('Y–Z 2:1');
    const teams = ['A', 'B', 'C', 'D', 'E', 'F'].slice(0, count).map((id) => ({ id, name: id }));
    return standings([...teams, ...teamsOf(matches)], matches)
      .slice(2)
      .map(({ tieBreak }) => tieBreak);
  };
  expect(level(5)[4]).toBe('Level on points (0) and point difference (0) with A, B, C, D; shares the rank');
  expect(level(6)[1]).toBe('Level on points (0) and point difference (0) with A, C, D and 2 others; shares the rank');
  // A and B beat nobody by as much: they are placed apart from six at once, who share the rank.
  const matches = games('A–H 50:60, B–H 50:60, C–H 40:50, D–H 40:50, E–H 40:50, F–H 40:50, G–H 40:50');
  expect(standings(teamsOf(matches), matches).find(({ teamId }) => teamId === 'G')?.tieBreak).toBe(
    'Level on points (1) and point difference (−10) with A, B, C and 3 others; placed apart from A, B by points scored overall (40); shares the rank with C, D, E, F',
  );
});

test('key 3: equal points and difference, more wins first', () => {
  // A: one win by 10 and two losses by 5: 4 points, 0. B: two wins by 5, a loss of 10 … 5 points. C: four losses, 4 points, difference made 0 by a tie.
  const matches = games('A–X 70:60, A–Y 60:65, A–Z 60:65, C–X 50:50, C–Y 50:50, C–Z 50:50, C–X 40:40');
  const rows = standings(teamsOf(matches), matches).filter(({ teamId }) => teamId === 'A' || teamId === 'C');
  expect(rows.map(({ teamId, points, difference, wins, tieBreak }) => [teamId, points, difference, wins, tieBreak])).toEqual([
    ['A', 4, 0, 1, 'Level on points (4) and point difference (0) with C; placed by wins (1)'],
    ['C', 4, 0, 0, 'Level on points (4) and point difference (0) with A; placed by wins (0)'],
  ]);
});

test('a win is one win and no loss, a loss the other way round', () => {
  const matches = games('A–B 61:60, C–D 61:60');
  const winner = { rank: 1, played: 1, wins: 1, losses: 0, points: 2, pointsFor: 61, pointsAgainst: 60, difference: 1 };
  const loser = { rank: 3, played: 1, wins: 0, losses: 1, points: 1, pointsFor: 60, pointsAgainst: 61, difference: -1 };
  expect(standings(teamsOf(matches), matches)).toEqual([
    { ...winner, teamId: 'A', tieBreak: 'Level on points (2) and point difference (+1) with C; shares the rank' },
    { ...winner, teamId: 'C', tieBreak: 'Level on points (2) and point difference (+1) with A; shares the rank' },
    { ...loser, teamId: 'B', tieBreak: 'Level on points (1) and point difference (−1) with D; shares the rank' },
    { ...loser, teamId: 'D', tieBreak: 'Level on points (1) and point difference (−1) with B; shares the rank' },
  ]);
});

test('two teams that met once: the explanation tells their game', () => {
  const matches = games('A–B 100:55, A–C 90:85, A–D 75:80, B–C 100:95, B–D 80:75, C–D 60:55');
  expect(
    standings(teamsOf(matches), matches)
      .slice(2)
      .map(({ tieBreak }) => tieBreak),
  ).toEqual([
    'Level on points (4) and point difference (−5) with D; won their game 60–55',
    'Level on points (4) and point difference (−5) with C; lost their game 55–60',
  ]);
});

test('keys 4 to 6 with restart: once a mini-league key places somebody, the rest starts again among themselves', () => {
  // A, B and C are level overall (6 points, 0). Among them a circle with differences +10, −5, −5; then B and C start again, and B beat C.
  const matches = games('A–B 80:65, B–C 80:70, C–A 75:70, A–X 65:60, A–Y 60:75, B–X 60:50, B–Y 60:65, C–X 60:50, C–Y 60:65');
  expect(
    standings(teamsOf(matches), matches).map(({ rank, teamId, points, difference, tieBreak }) => [
      rank,
      teamId,
      points,
      difference,
      tieBreak?.split('; ').slice(1),
    ]),
  ).toEqual([
    [1, 'Y', 6, 25, undefined],
    [2, 'A', 6, 0, ['placed by point difference in the games among them (+10)']],
    [3, 'B', 6, 0, ['placed apart from A by point difference in the games among them (−5)', 'beat C 80–70']],
    [4, 'C', 6, 0, ['placed apart from A by point difference in the games among them (−5)', 'lost to B 70–80']],
    [5, 'X', 3, -25, undefined],
  ]);
});

test('key 4: mini-league points of more than two teams are told as such', () => {
  // A, B and C are level overall (6 points, 0): A beat both, B beat C.
  const matches = games('A–B 55:50, A–C 55:50, B–C 55:50, A–X 50:55, A–Y 50:55, B–X 55:50, B–Y 50:55, C–X 55:50, C–Y 55:50');
  expect(standings(teamsOf(matches), matches).map(({ rank, teamId, points, tieBreak }) => [rank, teamId, points, tieBreak?.split('; ').slice(1)])).toEqual([
    [1, 'A', 6, ['placed by points in the games among them (4)']],
    [2, 'B', 6, ['placed by points in the games among them (3)']],
    [3, 'C', 6, ['placed by points in the games among them (2)']],
    [4, 'Y', 5, undefined],
    [5, 'X', 4, undefined],
  ]);
});

test('a mini-league has every meeting of a pair, whoever is named first in it', () => {
  // All three are level (6 points, 0) and met twice each: X scored least. A beat B twice.
  const matches = games('A–B 60:55, B–A 55:60, A–X 50:55, X–A 55:50, B–X 55:50, X–B 50:55');
  expect(standings(teamsOf(matches), matches).map(({ rank, teamId, tieBreak }) => [rank, teamId, tieBreak?.split('; ').slice(1)])).toEqual([
    [1, 'A', ['placed apart from X by points scored in the games among them (220)', 'placed apart from B by points in the games among them (4)']],
    [2, 'B', ['placed apart from X by points scored in the games among them (220)', 'placed apart from A by points in the games among them (2)']],
    [3, 'X', ['placed by points scored in the games among them (210)']],
  ]);
});

test('mini-league points scored decide when points and difference in it are level', () => {
  // A circle by 10 with different scores, and nobody else.
  const matches = games('A–B 90:80, B–C 60:50, C–A 70:60');
  expect(standings(teamsOf(matches), matches).map(({ rank, teamId, tieBreak }) => [rank, teamId, tieBreak?.split('; ')[1]])).toEqual([
    [1, 'A', 'placed by points scored in the games among them (150)'],
    [2, 'B', 'placed by points scored in the games among them (140)'],
    [3, 'C', 'placed by points scored in the games among them (120)'],
  ]);
});

test('the mini-league is left out unless every pair met equally often: points scored overall decide', () => {
  // A beat B, but neither has met C: 3 points and 0 each. C scored most overall.
  const matches = games('A–B 60:50, A–X 50:60, B–W 60:50, C–Y 90:80, C–Z 80:90');
  const level = standings(teamsOf(matches), matches).filter(({ teamId }) => ['A', 'B', 'C'].includes(teamId));
  expect(level.map(({ teamId, tieBreak }) => [teamId, tieBreak?.split('; ').slice(1)])).toEqual([
    ['C', ['placed by points scored overall (170)']],
    ['A', ['placed apart from C by points scored overall (110)', 'beat B 60–50']],
    ['B', ['placed apart from C by points scored overall (110)', 'lost to A 50–60']],
  ]);
});

test('the mini-league is left out where one pair met more often than another', () => {
  // All four are level (6 points, 0). A and B met twice, so that A, who beat C, has the most points among the three: they count for nothing.
  const matches = games('A–B 60:50, B–A 60:50, A–C 60:55, C–B 60:55, A–X 50:55, B–X 55:50, C–X 55:50, X–C 55:50');
  expect(standings(teamsOf(matches), matches).map(({ rank, teamId, tieBreak }) => [rank, teamId, tieBreak?.split('; ').slice(1)])).toEqual([
    [1, 'A', ['placed apart from X by points scored overall (220)', 'shares the rank with B, C']],
    [1, 'B', ['placed apart from X by points scored overall (220)', 'shares the rank with A, C']],
    [1, 'C', ['placed apart from X by points scored overall (220)', 'shares the rank with A, B']],
    [4, 'X', ['placed by points scored overall (210)']],
  ]);
});

test('the explanation names who shares the rank, and what separated the others', () => {
  const matches = games('A–B 50:50, C–D 40:40');
  expect(standings(teamsOf(matches), matches).map(({ rank, tieBreak }) => [rank, tieBreak])).toEqual([
    [1, 'Level on points (1) and point difference (0) with B, C, D; placed apart from C, D by points scored overall (50); shares the rank with B'],
    [1, 'Level on points (1) and point difference (0) with A, C, D; placed apart from C, D by points scored overall (50); shares the rank with A'],
    [3, 'Level on points (1) and point difference (0) with A, B, D; placed apart from A, B by points scored overall (40); shares the rank with D'],
    [3, 'Level on points (1) and point difference (0) with A, B, C; placed apart from A, B by points scored overall (40); shares the rank with C'],
  ]);
});

test('shared ranks count on as 1, 2, 2, 4', () => {
  const matches = games('A–B 70:60, A–C 70:60, A–D 90:50, B–C 60:60, D–B 50:60, D–C 50:60');
  expect(standings(teamsOf(matches), matches).map(({ rank }) => rank)).toEqual([1, 2, 2, 4]);
});

test('inside a shared rank names decide the order shown: NFC, without case, by code point; then the id', () => {
  const teams = [
    { id: '4', name: 'zebra' },
    { id: '3', name: 'Émile' },
    { id: '2', name: 'e\u0301mile' },
    { id: '5', name: '\u{1F3C0} Hoops' },
    { id: '6', name: '\uFF21 Wide' },
    { id: '1', name: 'Alpha' },
  ];
  expect(standings(teams, []).map(({ teamId }) => teamId)).toEqual(['1', '4', '2', '3', '6', '5']);
  expect(standings(teams.toReversed(), []).map(({ teamId }) => teamId)).toEqual(['1', '4', '2', '3', '6', '5']);
});

test('a match against a team that is not in the table does not count', () => {
  expect(standings([{ id: 'A', name: 'A' }], games('A–B 60:50')).map(({ played }) => played)).toEqual([0]);
});
