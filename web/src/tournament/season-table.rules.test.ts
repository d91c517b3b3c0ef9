import { expect, it } from 'vitest';
import { tableOf } from './season-table.rules.ts';

/** 'A–B 100:55' as a game. */
const gamesOf = (told: string) =>
  told.split(', ').map((game) => {
    const [team_1 = '', team_2 = '', score_1, score_2] = game.split(/[–: ]/);
    return { team_1, team_2, score_1: Number(score_1), score_2: Number(score_2) };
  });

/** The first three are vectors of the server's own rules, which are not shared. */
it.each([
  ['level on points and difference: their own game', 'A–B 100:55, A–C 90:85, A–D 75:80, B–C 100:95, B–D 80:75, C–D 60:55', '1A 2B 3C 4D'],
  ['difference before the games among them', 'A–B 100:55, A–C 90:85, A–D 120:75, B–C 100:85, B–D 75:80, C–D 65:55', '1A 2C 3B 4D'],
  ['a circle shares the rank', 'A–B 60:50, B–C 60:50, C–A 60:50', '1A 1B 1C'],
  ['points scored overall where they never met; no rank follows a shared one at once', 'A–B 3:1, C–D 4:2, E–F 4:2', '1C 1E 3A 4D 4F 6B'],
  ['a level game is lost by both', 'A–B 3:3', '1A 1B'],
])('%s', (_, told, ranks) => {
  const games = gamesOf(told);
  const teams = new Set(games.flatMap(({ team_1, team_2 }) => [team_1, team_2]));
  expect(
    tableOf([...teams].toSorted(), games)
      .map(({ rank, teamId }) => `${String(rank)}${teamId}`)
      .join(' '),
  ).toBe(ranks);
});

it('looks at each game a few times, however many teams a file has', () => {
  let looks = 0;
  const teams = Array.from({ length: 1000 }, (_, index) => `t${String(index)}`);
  // No two teams are level: as many groups as teams.
  const games = Array.from({ length: 500 }, (_, index) => {
    const [team_1, team_2] = [`t${String(2 * index)}`, `t${String(2 * index + 1)}`];
    return {
      get team_1() {
        looks += 1;
        return team_1;
      },
      team_2,
      score_1: index + 2,
      score_2: 1,
    };
  });
  expect(tableOf(teams, games).map(({ rank }) => rank)).toEqual(teams.map((_, index) => index + 1));
  expect(looks).toBe(2 * games.length);
});
