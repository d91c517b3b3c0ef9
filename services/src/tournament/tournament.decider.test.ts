import type { TournamentDetails, TournamentEvent } from '@courtledger/contracts/tournament/tournament.events';
import { describe, expect, it } from 'vitest';
import { given, refused } from '../platform/testing/specification.ts';
import { tournamentDecider, type EnteringTeam, type TournamentCommand } from './tournament.decider.ts';

const details: TournamentDetails = {
  name: 'Dashain Cup',
  eventName: '',
  organizer: { name: 'NBA Kathmandu', phoneNumber: '+977 1 4411', image: '/media/o.png' },
  location: 'Kathmandu',
  startDate: '2026-11-10',
  endDate: '2026-11-20',
  registeringStartDate: '2026-10-01',
  posterImage: '/media/p.png',
  prizePool: { firstPrize: '100000', secondPrize: '50000', thirdPrize: '25000', mvp: '10000', entryFee: 'TBD' },
  registerable: 'true',
  league: 'true',
  featured: false,
};
const created: TournamentEvent = { type: 'TournamentCreated', data: { tournamentId: 't', ...details } };
const entered = (teamId: string): TournamentEvent => ({ type: 'TeamEnteredTournament', data: { tournamentId: 't', teamId } });
const withdrawn = (teamId: string): TournamentEvent => ({ type: 'TeamWithdrawnFromTournament', data: { tournamentId: 't', teamId } });
const changed = (changes: Extract<TournamentEvent, { type: 'TournamentDetailsChanged' }>['data']['changes']): TournamentEvent => ({
  type: 'TournamentDetailsChanged',
  data: { tournamentId: 't', changes },
});
const change = (changes: Extract<TournamentCommand, { type: 'changeTournament' }>['changes']): TournamentCommand => ({ type: 'changeTournament', changes });
const enter = (team: Partial<EnteringTeam> = {}, byAdmin = false): TournamentCommand => ({
  type: 'enterTeam',
  team: { teamId: 'T', players: 4, registrationComplete: false, ...team },
  byAdmin,
});
const closed = changed({ registerable: 'Coming soon' });

const cases: readonly [string, readonly TournamentEvent[], TournamentCommand, readonly TournamentEvent[]][] = [
  ['creates a tournament', [], { type: 'createTournament', tournamentId: 't', details }, [created]],
  [
    'may last one day and register until then',
    [],
    { type: 'createTournament', tournamentId: 't', details: { ...details, endDate: '2026-11-10', registeringStartDate: '2026-11-10' } },
    [{ type: 'TournamentCreated', data: { tournamentId: 't', ...details, endDate: '2026-11-10', registeringStartDate: '2026-11-10' } }],
  ],
  ['changes one field', [created], change({ location: 'Pokhara' }), [changed({ location: 'Pokhara' })]],
  [
    'records only what differs',
    [created],
    change({ name: 'Dashain Cup', featured: true, organizer: { name: 'NBA Kathmandu', phoneNumber: '9' }, prizePool: { mvp: '10000' } }),
    [changed({ featured: true, organizer: { phoneNumber: '9' } })],
  ],
  ['changes nested prizes', [created], change({ prizePool: { entryFee: '5000' } }), [changed({ prizePool: { entryFee: '5000' } })]],
  ['changes nothing for nothing', [created], change({}), []],
  [
    'changes nothing for what is there and undefined',
    [created],
    change({ name: undefined, organizer: { name: undefined }, prizePool: { mvp: undefined } }),
    [],
  ],
  ['changes nothing for the same', [created], change(details), []],
  ['compares with what was changed before', [created, changed({ location: 'Pokhara' })], change({ location: 'Pokhara' }), []],
  [
    'moves both dates at once',
    [created],
    change({ startDate: '2027-01-01', endDate: '2027-01-02' }),
    [changed({ startDate: '2027-01-01', endDate: '2027-01-02' })],
  ],
  ['enters a team of four', [created], enter(), [entered('T')]],
  ['enters a team once', [created, entered('T')], enter(), []],
  ["repeats the registrant's own entry", [created, entered('T')], enter({ registrationComplete: true }), []],
  ['lets an admin enter a team whose registration is complete', [created], enter({ registrationComplete: true }, true), [entered('T')]],
  ['lets an admin enter a team while registration is closed', [created, closed], enter({}, true), [entered('T')]],
  ['enters again after a withdrawal', [created, entered('T'), withdrawn('T')], enter({ registrationComplete: true }, true), [entered('T')]],
  ['withdraws a team', [created, entered('T')], { type: 'withdrawTeam', teamId: 'T', hasMatches: false }, [withdrawn('T')]],
];

describe('a tournament', () => {
  it.each(cases)('%s', (_, before, command, expected) => {
    expect(given(tournamentDecider, before).when(command)).toStrictEqual(expected);
  });

  it.each([
    ['an end before the start', { endDate: '2026-11-09' }, 'End date must not be before start date', 'endDate'],
    ['registration after the start', { registeringStartDate: '2026-11-11' }, 'Registration must not start after the tournament', 'registeringStartDate'],
  ])('refuses %s, when created and when changed', (_, wrong, message, path) => {
    expect(given(tournamentDecider, []).when({ type: 'createTournament', tournamentId: 't', details: { ...details, ...wrong } })).toStrictEqual(
      refused('invalid', message, path),
    );
    expect(given(tournamentDecider, [created]).when(change(wrong))).toStrictEqual(refused('invalid', message, path));
  });

  const conflicts: readonly [string, readonly TournamentEvent[], TournamentCommand, string][] = [
    ['a second creation', [created], { type: 'createTournament', tournamentId: 't', details }, 'This tournament exists already'],
    ['a team of three', [created], enter({ players: 3 }), 'A team needs at least 4 players; this one has 3'],
    ['a team of three by an admin', [created], enter({ players: 3 }, true), 'A team needs at least 4 players; this one has 3'],
    ['an entry while registration is closed', [created, closed], enter(), 'Registration for this tournament is not open'],
    ['a second tournament by the registrant', [created], enter({ registrationComplete: true }), 'The registration of this team is complete'],
    [
      'the withdrawal of a team with matches',
      [created, entered('T')],
      { type: 'withdrawTeam', teamId: 'T', hasMatches: true },
      'This team has matches in the tournament',
    ],
  ];
  it.each(conflicts)('refuses %s', (_, before, command, message) => {
    expect(given(tournamentDecider, before).when(command)).toStrictEqual(refused('conflict', message));
  });

  it('does not know what is not there', () => {
    for (const command of [change({}), enter(), { type: 'withdrawTeam', teamId: 'T', hasMatches: false }] as const)
      expect(given(tournamentDecider, []).when(command)).toStrictEqual(refused('not-found', 'There is no such tournament'));
    expect(given(tournamentDecider, [created]).when({ type: 'withdrawTeam', teamId: 'T', hasMatches: false })).toStrictEqual(
      refused('not-found', 'This team has not entered the tournament'),
    );
  });
});
