import { projected } from '@courtledger/projections/kernel/testing/projected';
import { RecordedLog } from '@courtledger/projections/kernel/testing/recorded-log';
import { expect, test } from 'vitest';
import type { RefusalSubject } from '../platform/refusal-subject.ts';
import type { Refusal } from '../platform/refusals.ts';
import { refusalsFor } from './audit-refusals.ts';

const refusalOf = (endpoint: string, ...subjects: readonly RefusalSubject[]): Refusal => ({
  id: 1,
  time: '2026-11-21T10:00:00.000Z',
  endpoint,
  code: 'conflict',
  actor: 'admin:a1',
  actorName: '',
  requestId: 'r1',
  address: '',
  subjects,
  message: 'No',
  count: 1,
});

test('a refused move between two erased players says which is which, also when one of them had nothing in the match', () => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 2, ['t1']);
  log.team('b', 'Bagmati', 2, ['t1']);
  log.match('m1', 't1', 'a', 'b');
  const entry = log.stat('m1', 'a-p1', 2);
  log.stat('m1', 'b-p2', 2);
  for (const player of ['a-p1', 'a-p2']) log.erase(player, 'player');
  using model = projected(log);
  const told = (refusal: Refusal): readonly string[] =>
    [...refusalsFor({ find: () => [refusal] }, model.reader, { accounts: false })].map(({ line }) => line.what);
  const [match, of] = [
    { kind: 'match', id: 'm1' },
    { kind: 'entry', id: entry },
  ] as const;
  expect(told(refusalOf('moveStatEntry', match, of, { kind: 'player', id: 'a-p2' }))).toEqual([
    'Refused: move an entry to another player (from Former player (number 1) to Former player (number 2), Annapurna v Bagmati)',
  ]);
  expect(told(refusalOf('moveStatEntry', match, of, { kind: 'player', id: 'b-p2' }))).toEqual([
    'Refused: move an entry to another player (from Former player to Player b-p2, Annapurna v Bagmati)',
  ]);
  expect(told(refusalOf('nameMatchMvp', match, { kind: 'player', id: 'a-p1' }))).toEqual([
    'Refused: name or withdraw the MVP of a match (Former player, Annapurna v Bagmati)',
  ]);
});

test('a refused sheet is told at the teams of all of its players, and names none of them', () => {
  const log = new RecordedLog();
  log.tournament('t1');
  for (const team of ['a', 'b', 'c', 'd']) log.team(team, `Team ${team}`, 1, ['t1']);
  log.match('m1', 't1', 'a', 'b');
  using model = projected(log);
  const sheet = refusalOf('recordMatchStats', { kind: 'match', id: 'm1' }, { kind: 'line', id: 'a-p1' }, { kind: 'line', id: 'c-p1' });
  const told = (team: string) =>
    [...refusalsFor({ find: () => [sheet] }, model.reader, { team, accounts: false })].map(({ line }) => [line.team_id, line.player_id]);
  expect(['a', 'b', 'c', 'd'].map(told)).toEqual([[[undefined, undefined]], [[undefined, undefined]], [[undefined, undefined]], []]);
});

test.each(['createAdmin', 'changeAdmin'])('%s, refused where there is no account to name, is told with what concerns accounts alone', (endpoint) => {
  using model = projected(new RecordedLog());
  const told = (accounts: boolean): number => [...refusalsFor({ find: () => [refusalOf(endpoint)] }, model.reader, { accounts })].length;
  expect([told(true), told(false)]).toEqual([1, 0]);
});
