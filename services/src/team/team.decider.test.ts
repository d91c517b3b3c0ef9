import type { TeamEvent } from '@courtledger/contracts/team/team.events';
import { describe, expect, it } from 'vitest';
import { given, refused } from '../platform/testing/specification.ts';
import { teamDecider, type TeamCommand } from './team.decider.ts';

const registered: TeamEvent = {
  type: 'TeamRegistered',
  data: { teamId: 'T', name: 'Rhinos', origin: 'Chitwan', logo: '/media/l.png', contactId: 'c', capabilityHash: 'hash' },
};
const coach = (personId = 'coach'): TeamEvent => ({ type: 'CoachAppointed', data: { teamId: 'T', personId } });
const player = (playerId: string, jerseyNumber: string): TeamEvent => ({ type: 'PlayerAddedToTeam', data: { teamId: 'T', playerId, jerseyNumber } });
const completed: TeamEvent = { type: 'TeamRegistrationCompleted', data: { teamId: 'T', tournamentId: 't' } };
const expired: TeamEvent = { type: 'TeamRegistrationExpired', data: { teamId: 'T' } };
const roster = (count: number): TeamEvent[] => Array.from({ length: count }, (_, index) => player(`p${String(index)}`, String(index)));

const appoint = (byAdmin = false): TeamCommand => ({ type: 'appointCoach', personId: 'new', byAdmin });
const add = (jerseyNumber = '99', byAdmin = false): TeamCommand => ({ type: 'addPlayerToTeam', playerId: 'new', jerseyNumber, byAdmin });

const cases: readonly [string, readonly TeamEvent[], TeamCommand, readonly TeamEvent[]][] = [
  [
    'registers a team',
    [],
    { type: 'registerTeam', teamId: 'T', name: 'Rhinos', origin: 'Chitwan', logo: '/media/l.png', contactId: 'c', capabilityHash: 'hash' },
    [registered],
  ],
  ['appoints a coach', [registered], appoint(), [coach('new')]],
  ['lets an admin replace the coach', [registered, coach()], appoint(true), [coach('new')]],
  ['lets an admin replace the coach after completion', [registered, coach(), completed], appoint(true), [coach('new')]],
  ['adds a player', [registered, coach()], add(), [player('new', '99')]],
  ["keeps '0' apart from '00'", [registered, coach(), player('p', '0')], add('00'), [player('new', '00')]],
  ['adds the 30th player', [registered, coach(), ...roster(29)], add(), [player('new', '99')]],
  ['lets an admin add the 31st player', [registered, coach(), ...roster(30)], add('99', true), [player('new', '99')]],
  ['lets an admin add a player after completion', [registered, coach(), completed], add('99', true), [player('new', '99')]],
  ['completes the registration', [registered], { type: 'completeTeamRegistration', tournamentId: 't' }, [completed]],
  ['completes it once', [registered, completed], { type: 'completeTeamRegistration', tournamentId: 'other' }, []],
  [
    'records only what changed',
    [registered],
    { type: 'correctTeam', name: 'Rhinos', origin: 'Pokhara', logo: undefined },
    [{ type: 'TeamDetailsCorrected', data: { teamId: 'T', changes: { origin: 'Pokhara' } } }],
  ],
  [
    'records nothing of what was not sent',
    [registered],
    { type: 'correctTeam', name: 'N' },
    [{ type: 'TeamDetailsCorrected', data: { teamId: 'T', changes: { name: 'N' } } }],
  ],
  [
    'records every field',
    [registered],
    { type: 'correctTeam', name: 'N', origin: 'O', logo: '/media/n.png', contactId: 'd' },
    [{ type: 'TeamDetailsCorrected', data: { teamId: 'T', changes: { name: 'N', origin: 'O', logo: '/media/n.png', contactId: 'd' } } }],
  ],
  ['records no change', [registered], { type: 'correctTeam', name: 'Rhinos', origin: 'Chitwan', logo: '/media/l.png', contactId: 'c' }, []],
  [
    'corrects what was corrected',
    [registered, { type: 'TeamDetailsCorrected', data: { teamId: 'T', changes: { origin: 'Pokhara' } } }],
    { type: 'correctTeam', origin: 'Pokhara' },
    [],
  ],
  [
    'changes a jersey number',
    [registered, coach(), player('p', '7')],
    { type: 'changeJerseyNumber', playerId: 'p', jerseyNumber: '8' },
    [{ type: 'PlayerJerseyNumberChanged', data: { teamId: 'T', playerId: 'p', jerseyNumber: '8' } }],
  ],
  ['changes no jersey number', [registered, coach(), player('p', '7')], { type: 'changeJerseyNumber', playerId: 'p', jerseyNumber: '7' }, []],
  [
    'keeps a jersey number that was not sent',
    [registered, coach(), player('p', '7')],
    { type: 'changeJerseyNumber', playerId: 'p', jerseyNumber: undefined },
    [],
  ],
  [
    'frees a number that was changed',
    [registered, coach(), player('p', '7'), { type: 'PlayerJerseyNumberChanged', data: { teamId: 'T', playerId: 'p', jerseyNumber: '8' } }],
    add('7'),
    [player('new', '7')],
  ],
  ['closes an abandoned registration', [registered], { type: 'expireRegistration' }, [expired]],
  ['leaves a completed one open', [registered, completed], { type: 'expireRegistration' }, []],
  ['closes it once', [registered, expired], { type: 'expireRegistration' }, []],
];

describe('a team', () => {
  it.each(cases)('%s', (_, before, command, expected) => {
    expect(given(teamDecider, before).when(command)).toStrictEqual(expected);
  });

  const closed = 'The registration of this team is complete: saved steps cannot be edited';
  const refusals: readonly [string, readonly TeamEvent[], TeamCommand, string, string?][] = [
    [
      'a second registration',
      [registered],
      { type: 'registerTeam', teamId: 'T', name: 'x', origin: 'x', logo: 'x', contactId: 'x', capabilityHash: null },
      'This team is registered already',
    ],
    ['a second coach by the registrant', [registered, coach()], appoint(), 'The coach is saved already: saved steps cannot be edited'],
    ['a coach after completion', [registered, completed], appoint(), closed],
    ['a player before the coach', [registered], add(), 'Add the coach before the players'],
    ['a player before the coach, by an admin too', [registered], add('99', true), 'Add the coach before the players'],
    ['a player after completion', [registered, coach(), completed], add(), closed],
    ['a jersey number twice', [registered, coach(), player('p', '7')], add('7'), 'Jersey number 7 is already used in this team', 'jerseyNumber'],
    [
      'a jersey number twice, by an admin too',
      [registered, coach(), player('p', '7')],
      add('7', true),
      'Jersey number 7 is already used in this team',
      'jerseyNumber',
    ],
    ['the 31st player', [registered, coach(), ...roster(30)], add(), 'A registration has at most 30 players'],
    ['a player twice', [registered, coach(), player('new', '7')], add('8'), 'This player is in the team already'],
    [
      'a jersey number of another player',
      [registered, coach(), player('p', '7'), player('q', '8')],
      { type: 'changeJerseyNumber', playerId: 'q', jerseyNumber: '7' },
      'Jersey number 7 is already used in this team',
      'jerseyNumber',
    ],
    ['a coach after expiry', [registered, expired], appoint(true), 'This registration was abandoned and is closed'],
    [
      'completion after expiry',
      [registered, expired],
      { type: 'completeTeamRegistration', tournamentId: 't' },
      'This registration was abandoned and is closed',
    ],
  ];
  it.each(refusals)('refuses %s', (_, before, command, message, path) => {
    expect(given(teamDecider, before).when(command)).toStrictEqual(refused('conflict', message, path));
  });

  it('refuses what it does not know', () => {
    for (const command of [
      appoint(),
      add(),
      { type: 'correctTeam' },
      { type: 'completeTeamRegistration', tournamentId: 't' },
      { type: 'expireRegistration' },
    ] as const)
      expect(given(teamDecider, []).when(command)).toStrictEqual(refused('not-found', 'There is no such team'));
    expect(given(teamDecider, [registered]).when({ type: 'changeJerseyNumber', playerId: 'zz', jerseyNumber: '1' })).toStrictEqual(
      refused('not-found', 'There is no such player'),
    );
  });
});
