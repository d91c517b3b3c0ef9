import {
  getTeam as getTeamEndpoint,
  getTeamNames as getTeamNamesEndpoint,
  listSuperAdminTeams as listSuperAdminTeamsEndpoint,
  listTeams as listTeamsEndpoint,
} from '@courtledger/contracts/team/team.api';
import { expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { listPlayers } from '../player/player.queries.ts';
import { getTournament } from '../tournament/tournament.queries.ts';
import { getTeam, getTeamNames, listRegisteredTeams, listTeams, teamCapability } from './team.queries.ts';

const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.tournament('t2', { startDate: '2026-12-01', endDate: '2026-12-02' });
  log.team('a', 'Annapurna', 4, ['t1', 't2']);
  log.team('b', 'Bagmati', 4, ['t1']);
  log.record('team-d', 'TeamRegistered', { teamId: 'd', name: 'Draft', origin: 'Ilam', logo: '/media/d.png', contactId: 'd-contact', capabilityHash: null });
  log.match('m1', 't1', 'a', 'b', '2026-11-12');
  log.match('m2', 't1', 'b', 'a', '2026-11-14');
  log.stat('m1', 'a-p1', 3);
  return log;
};

test('admins see contacts; coach is always an object', () => {
  using model = projected(season());
  const teams = listTeamsEndpoint.response.parse(JSON.parse(listTeams(model.reader)));
  expect(teams).toEqual([
    {
      _id: 'a',
      team_details: { name: 'Annapurna', origin: 'Kathmandu', logo: '/media/a.png', teamPrimaryNumber: '9800000001' },
      coach: { name: 'Coach of Annapurna', phone_number: '9800000002', contact_number_2: '9800000003', image: '/media/a-coach.jpg' },
      players: ['a-p1', 'a-p2', 'a-p3', 'a-p4'],
      matches: ['m1', 'm2'],
    },
    expect.objectContaining({ _id: 'b', matches: ['m1', 'm2'] }),
    { _id: 'd', team_details: { name: 'Draft', origin: 'Ilam', logo: '/media/d.png', teamPrimaryNumber: '' }, coach: {}, players: [], matches: [] },
  ]);
});

test('the super admin sees the same, with the time of the registration, the latest first', () => {
  using model = projected(season());
  const teams = listSuperAdminTeamsEndpoint.response.parse(JSON.parse(listRegisteredTeams(model.reader)));
  const listed = JSON.parse(listTeams(model.reader)) as { _id: string }[];
  expect(teams).toMatchObject(listed.toReversed());
  expect(teams.map(({ registeredAt }) => registeredAt)).toEqual(listed.toReversed().map(({ _id }) => teamCapability(model.reader, _id)?.registeredAt));
  expect(teams.map(({ _id }) => _id)).toEqual(['d', 'b', 'a']);
});

test('the public page: roster, results newest first, standings; no phone anywhere', () => {
  using model = projected(season());
  const page = getTeam(model.reader, 'a') ?? '';
  const team = getTeamEndpoint.response.parse(JSON.parse(page));
  expect(team).toMatchObject({
    team_details: { name: 'Annapurna', origin: 'Kathmandu', logo: '/media/a.png' },
    coach: { name: 'Coach of Annapurna', image: '/media/a-coach.jpg' },
  });
  expect(team.players.map(({ name }) => name)).toEqual(['Player a-p1', 'Player a-p2', 'Player a-p3', 'Player a-p4']);
  expect(team.results.map(({ _id, score_1, hasStats, tournament_id }) => [_id, score_1, hasStats, tournament_id.name])).toEqual([
    ['m2', 0, false, 'Cup t1'],
    ['m1', 3, true, 'Cup t1'],
  ]);
  expect(team.standings).toEqual([{ tournamentId: 't1', name: 'Cup t1', rank: 1, played: 1, wins: 1, losses: 0, points: 2 }]);
  expect(getTeamEndpoint.response.parse(JSON.parse(getTeam(model.reader, 'd') ?? ''))).toMatchObject({ coach: {}, players: [], results: [], standings: [] });
  expect(page).not.toMatch(/98[01]\d{7}/);
  expect(getTeam(model.reader, 'nothing')).toBeUndefined();
});

test('names come in the order asked; unknown ids are dropped, repeated ones stay', () => {
  using model = projected(season());
  expect(getTeamNamesEndpoint.response.parse(JSON.parse(getTeamNames(model.reader, ['b', 'nothing', 'd', 'a', 'b'])))).toEqual([
    { teamId: 'b', teamName: 'Bagmati', coachName: 'Coach of Bagmati' },
    { teamId: 'd', teamName: 'Draft', coachName: '' },
    { teamId: 'a', teamName: 'Annapurna', coachName: 'Coach of Annapurna' },
    { teamId: 'b', teamName: 'Bagmati', coachName: 'Coach of Bagmati' },
  ]);
  expect(getTeamNames(model.reader, [])).toBe('[]');
});

test('an erased coach is a former coach; a second one replaces the first', () => {
  const log = season();
  log.erase('a-coach', 'coach');
  using model = projected(log);
  const first = () => listTeamsEndpoint.response.parse(JSON.parse(listTeams(model.reader)))[0];
  expect(first()).toMatchObject({ coach: { name: 'Former coach', phone_number: '', contact_number_2: '', image: '' } });
  log.person('new', 'coach', { name: 'Sita Rai', phone: '9844444444', phone2: '9855555555', photo: '/media/s.jpg' }, 'a');
  log.record('team-a', 'CoachAppointed', { teamId: 'a', personId: 'new' });
  model.projector.apply(log.events);
  expect(first()).toMatchObject({ coach: { name: 'Sita Rai', phone_number: '9844444444' } });
  expect(getTournament(model.reader, 't1')).toContain('Sita Rai');
});

test('a withdrawn team leaves its tournament; an expired registration leaves every list', () => {
  const log = season();
  log.team('c', 'Chitwan', 1, []);
  log.record('tournament-t2', 'TeamWithdrawnFromTournament', { tournamentId: 't2', teamId: 'a' });
  log.record('team-c', 'TeamRegistrationExpired', { teamId: 'c' });
  using model = projected(log);
  expect(JSON.parse(getTournament(model.reader, 't2') ?? '')).toMatchObject({ teams: [] });
  expect(listTeams(model.reader)).not.toContain('Chitwan');
  expect(getTeam(model.reader, 'c')).toBeUndefined();
  expect(listPlayers(model.reader)).not.toContain('c-p1');
  expect(getTeamNames(model.reader, ['c'])).toBe('[]');
});

test('the capability of a registration: its hash, and when it began', () => {
  const log = season();
  log.team('c', 'Chitwan', 1, []);
  using model = projected(log);
  const registeredAt = expect.stringMatching(/^2026-11-01T/) as string;
  expect(teamCapability(model.reader, 'c')).toEqual({ capabilityHash: 'hash-c', registeredAt });
  expect(teamCapability(model.reader, 'a')).toEqual({ capabilityHash: 'hash-a', registeredAt });
  expect(teamCapability(model.reader, 'd')).toEqual({ capabilityHash: null, registeredAt });
  expect(teamCapability(model.reader, 'nothing')).toBeUndefined();
});
