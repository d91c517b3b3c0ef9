import { changeAdmin } from '@courtledger/contracts/admin/admin.api';
import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { assignMatch, moveStatEntry, recordMatchStats, recordStatIncrement, reverseStatEntry } from '@courtledger/contracts/match/match.api';
import { closeTournamentRequest } from '@courtledger/contracts/request/request.api';
import { addPlayerToTeam, correctTeamAsSuperAdmin } from '@courtledger/contracts/team/team.api';
import { changeTournamentAsSuperAdmin, withdrawTeam } from '@courtledger/contracts/tournament/tournament.api';
import { expect, it } from 'vitest';
import { subjectsOf as subjectsIn, subjectsOfText, subjectsText } from './refusal-subject.ts';

const id = (digit: string): string => `0193abcd-0000-7000-8000-00000000000${digit}`;
const known = 'tap-7';
const subjectsOf = (endpoint: Endpoint, params: Readonly<Record<string, string>>, body: unknown) =>
  subjectsIn(endpoint, params, body, (matchId, entryId) => matchId === id('1') && entryId === known);

it('a refused call is about what its path and its body name', () => {
  expect(subjectsOf(recordStatIncrement, { id: id('1') }, { playerId: id('2'), points: 'x' })).toEqual([
    { kind: 'match', id: id('1') },
    { kind: 'player', id: id('2') },
  ]);
  expect(subjectsOf(assignMatch, {}, { teamAId: id('1'), teamBId: id('2'), tournamentId: id('3') })).toEqual([
    { kind: 'team', id: id('1') },
    { kind: 'team', id: id('2') },
    { kind: 'tournament', id: id('3') },
  ]);
  expect(subjectsOf(withdrawTeam, { id: id('1'), teamId: id('2') }, {})).toEqual([
    { kind: 'tournament', id: id('1') },
    { kind: 'team', id: id('2') },
  ]);
  expect(subjectsOf(reverseStatEntry, { id: id('1'), entryId: known }, { reason: 'x' })).toEqual([
    { kind: 'match', id: id('1') },
    { kind: 'entry', id: known },
  ]);
  expect(subjectsOf(moveStatEntry, { id: id('1'), entryId: known }, { playerId: id('2'), reason: 'x' })).toEqual([
    { kind: 'match', id: id('1') },
    { kind: 'entry', id: known },
    { kind: 'player', id: id('2') },
  ]);
  expect(subjectsOf(reverseStatEntry, { id: id('1'), entryId: 'typed' }, {})).toEqual([{ kind: 'match', id: id('1') }]);
  expect(subjectsOf(addPlayerToTeam, {}, { currentTeam: id('1'), name: 'x' })).toEqual([{ kind: 'team', id: id('1') }]);
  expect(subjectsOf(changeAdmin, { id: id('1') }, undefined)).toEqual([{ kind: 'admin', id: id('1') }]);
  expect(subjectsOf(changeTournamentAsSuperAdmin, { id: id('1') }, {})).toEqual([{ kind: 'tournament', id: id('1') }]);
  expect(subjectsOf(correctTeamAsSuperAdmin, { id: id('1') }, {})).toEqual([{ kind: 'team', id: id('1') }]);
  expect(subjectsOf(closeTournamentRequest, { id: id('1') }, null)).toEqual([]);
});

it('a sheet is about the players of its lines, as many as a roster can have', () => {
  const line = (digit: string): object => ({ playerId: id(digit), points: 5000 });
  expect(
    subjectsOf(recordMatchStats, {}, { matchId: id('1'), team1Players: [line('2'), line('3'), null, 7, { playerId: 'Asha' }], team2Players: 'none' }),
  ).toEqual([
    { kind: 'match', id: id('1') },
    { kind: 'line', id: id('2') },
    { kind: 'line', id: id('3') },
  ]);
  const many = Array.from({ length: 150 }, (_, index) => ({ playerId: `0193abcd-0000-7000-8000-${String(index).padStart(12, '0')}` }));
  expect(subjectsOf(recordMatchStats, {}, { team1Players: many }).length).toBe(100);
  expect(subjectsOf(recordMatchStats, {}, { team1Players: many.slice(0, 33) })).toContainEqual({ kind: 'line', id: many[32]?.playerId });
});

it('what stands in the place of an id and is none is not kept', () => {
  for (const typed of ['9801234567', 'Asha Secret', `${id('1')} `, id('1').toUpperCase()])
    expect(subjectsOf(recordStatIncrement, { id: typed }, { playerId: typed })).toEqual([]);
  for (const typed of [7, null, { a: 1 }, [id('1')]]) expect(subjectsOf(recordStatIncrement, {}, { playerId: typed })).toEqual([]);
  expect(subjectsOf(recordStatIncrement, {}, 'text')).toEqual([]);
  expect(subjectsOf(recordStatIncrement, {}, Object.create({ playerId: id('1') }))).toEqual([]);
});

it('every command that names something by its path is about something', () => {
  const endpoints: readonly Endpoint[] = Object.values(allEndpoints);
  const named = endpoints.filter(({ kind, path }) => kind === 'command' && path.includes('/:id'));
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((endpoint) => subjectsOf(endpoint, { id: id('1') }, {}).length === 0).map(({ name }) => name)).toEqual([closeTournamentRequest.name]);
});

it('subjects are kept as one text', () => {
  const subjects = subjectsOf(withdrawTeam, { id: id('1'), teamId: id('2') }, {});
  expect(subjectsText(subjects)).toBe(`tournament:${id('1')} team:${id('2')}`);
  expect(subjectsOfText(subjectsText(subjects))).toEqual(subjects);
  expect([subjectsText([]), subjectsOfText('')]).toEqual(['', []]);
});
