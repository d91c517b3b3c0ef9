import {
  getTournament as getTournamentEndpoint,
  getLeaders as getLeadersEndpoint,
  listAdminTournaments as listAdminTournamentsEndpoint,
  listTournamentMatches as listTournamentMatchesEndpoint,
  listTournaments as listTournamentsEndpoint,
} from '@courtledger/contracts/tournament/tournament.api';
import { expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { getLeaders, getTournament, listAdminTournaments, listTournamentMatches, listTournaments } from './tournament.queries.ts';

const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1', { startDate: '2026-11-10', endDate: '2026-11-20' });
  log.tournament('t2', { startDate: '2026-12-01', endDate: '2026-12-05', eventName: '' });
  log.tournament('t0', { startDate: '2026-01-01', endDate: '2026-01-05' });
  log.team('a', 'Annapurna', 4, ['t1']);
  log.team('b', 'Bagmati', 4, ['t1']);
  log.match('m1', 't1', 'a', 'b', '2026-11-12', '15:30');
  log.match('m2', 't1', 'b', 'a', '2026-11-11', '');
  log.stat('m1', 'a-p1', 3, 1, 2);
  log.stat('m1', 'b-p1', 2);
  return log;
};

test('lists tournaments: newest start first, upcoming nearest first, matches and teams as ids', () => {
  using model = projected(season());
  const lists = listTournamentsEndpoint.response.parse(JSON.parse(listTournaments(model.reader, '2026-11-20')));
  expect(lists.allTournaments.map(({ _id }) => _id)).toEqual(['t2', 't1', 't0']);
  expect(lists.upcomingTournaments.map(({ _id }) => _id)).toEqual(['t1', 't2']);
  expect(lists.allTournaments[1]).toMatchObject({
    teams: ['a', 'b'],
    matches: ['m1', 'm2'],
    startDate: '2026-11-10T00:00:00.000Z',
    organizer: { name: 'Sunil', image: '/media/o.jpg' },
  });
  expect(lists.allTournaments[0]).toMatchObject({ eventName: 'Cup t2', teams: [], matches: [] });
  const later = listTournamentsEndpoint.response.parse(JSON.parse(listTournaments(model.reader, '2026-11-21')));
  expect(later.upcomingTournaments.map(({ _id }) => _id)).toEqual(['t2']);
});

test("the organizer's phone stands in the admin list only", () => {
  using model = projected(season());
  const admin = listAdminTournamentsEndpoint.response.parse(JSON.parse(listAdminTournaments(model.reader)));
  expect(admin.map(({ organizer }) => organizer.phoneNumber)).toEqual(Array(3).fill('+977 1 5550101'));
  expect(listTournaments(model.reader, '2026-11-01')).not.toContain('5550101');
  expect(getTournament(model.reader, 't1')).not.toContain('5550101');
});

test('one tournament is populated with teams and matches', () => {
  using model = projected(season());
  const tournament = getTournamentEndpoint.response.parse(JSON.parse(getTournament(model.reader, 't1') ?? ''));
  expect(tournament.teams.map(({ team_details, players }) => [team_details.name, players.length])).toEqual([
    ['Annapurna', 4],
    ['Bagmati', 4],
  ]);
  expect(tournament.matches.map(({ _id, player_stats }) => [_id, player_stats.length])).toEqual([
    ['m1', 2],
    ['m2', 0],
  ]);
  expect(getTournament(model.reader, 'nothing')).toBeUndefined();
});

test('matches of a tournament come by day and time, with scores', () => {
  using model = projected(season());
  const all = listTournamentMatchesEndpoint.response.parse(JSON.parse(listTournamentMatches(model.reader, 't1') ?? ''));
  expect(all.dates).toEqual(['2026-11-11T00:00:00.000Z', '2026-11-12T00:00:00.000Z']);
  expect(all.matches.map(({ _id, score_1, score_2, hasStats }) => [_id, score_1, score_2, hasStats])).toEqual([
    ['m2', 0, 0, false],
    ['m1', 3, 2, true],
  ]);
  const one = listTournamentMatchesEndpoint.response.parse(JSON.parse(listTournamentMatches(model.reader, 't1', '2026-11-12') ?? ''));
  expect(one.matches.map(({ _id }) => _id)).toEqual(['m1']);
  expect(one.dates).toHaveLength(2);
  expect(listTournamentMatches(model.reader, 'nothing')).toBeUndefined();
});

test('leaders: totals above zero, averages per match played', () => {
  const log = season();
  log.stat('m2', 'a-p1', 4);
  log.participation('m2', 'b-p1', 'played');
  using model = projected(log);
  const leaders = getLeadersEndpoint.response.parse(JSON.parse(getLeaders(model.reader, 't1') ?? ''));
  expect(leaders.points.map(({ player_id, total, matches, average, teamName }) => [player_id, total, matches, average, teamName])).toEqual([
    ['a-p1', 7, 2, 3.5, 'Annapurna'],
    ['b-p1', 2, 2, 1, 'Bagmati'],
  ]);
  expect(leaders.assists.map(({ player_id, average }) => [player_id, average])).toEqual([['a-p1', 0.5]]);
  expect(getLeaders(model.reader, 'nothing')).toBeUndefined();
});
