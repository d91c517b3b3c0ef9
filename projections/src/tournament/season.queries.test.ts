import { expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { season } from '../kernel/testing/small-season.ts';
import { getStandingsHistory, seasonPayloadOf } from './season.queries.ts';

test('the table of each match day counts the matches up to that day that have statistics, and so do the results of the file', () => {
  const log = season();
  log.match('m2', 't1', 'b', 'a', '2026-11-14');
  log.match('m3', 't1', 'a', 'b', '2026-11-14', '17:30');
  log.match('m4', 't1', 'a', 'b', '2026-11-13');
  log.stat('m2', 'b-p1', 30);
  log.stat('m1', 'a-p1', 20);
  using model = projected(log);
  // Nothing has been recorded of m3 and m4: the 13th is no match day, and the 14th has one match.
  expect(
    getStandingsHistory(model.reader, 't1')?.days.map(({ date, matches, rows }) => [
      date,
      matches,
      rows.map(({ rank, teamId, played, wins, points, difference }) => [rank, teamId, played, wins, points, difference]),
    ]),
  ).toEqual([
    [
      '2026-11-12T00:00:00.000Z',
      1,
      [
        [1, 'a', 1, 1, 2, 20],
        [2, 'b', 1, 0, 1, -20],
      ],
    ],
    [
      '2026-11-14T00:00:00.000Z',
      1,
      [
        [1, 'b', 2, 1, 3, 10],
        [2, 'a', 2, 1, 3, -10],
      ],
    ],
  ]);
  expect(seasonPayloadOf(model.reader, 't1')?.results).toEqual([
    { _id: 'm1', team_1: 'a', team_2: 'b', score_1: 20, score_2: 0, hasStats: true },
    { _id: 'm2', team_1: 'b', team_2: 'a', score_1: 30, score_2: 0, hasStats: true },
    { _id: 'm3', team_1: 'a', team_2: 'b', score_1: 0, score_2: 0, hasStats: false },
    { _id: 'm4', team_1: 'a', team_2: 'b', score_1: 0, score_2: 0, hasStats: false },
  ]);
});
