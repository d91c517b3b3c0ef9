import { expect, it } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { countText, namesOf, numbersText, totalsText } from './told-names.ts';

it('tells one of a thing in the singular, whatever the sign, and any other count in the plural', () => {
  expect([0, 1, -1, 2, -12].map((count) => countText(count, 'match', 'matches'))).toStrictEqual([
    '0 matches',
    '1 match',
    '−1 match',
    '2 matches',
    '−12 matches',
  ]);
  expect(totalsText({ points: 1, assists: 1, rebounds: 1 })).toBe('1 point, 1 assist, 1 rebound');
  expect(totalsText({ points: 0, assists: -1, rebounds: 2 })).toBe('0 points, −1 assist, 2 rebounds');
  expect(numbersText({ points: 1, assists: 0, rebounds: -2 })).toBe('1 point, −2 rebounds');
  expect(numbersText({ points: 0, assists: 0, rebounds: 0 })).toBe('nothing');
});

it('tells two matches of the same teams apart by their day, in whichever tournament and as it was told then, and names any other by its teams alone', () => {
  const log = new RecordedLog();
  for (const tournament of ['t1', 't2']) log.tournament(tournament);
  for (const [team, name] of [
    ['a', 'Annapurna'],
    ['b', 'Bagmati'],
    ['c', 'Chitwan'],
  ] as const)
    log.team(team, name, 4, ['t1', 't2']);
  log.match('m1', 't1', 'a', 'b', '2026-11-12', '');
  log.match('m2', 't2', 'b', 'a', '2026-11-15', '14:00');
  log.match('m3', 't1', 'a', 'c');
  const { position } = log.record('match-m2', 'MatchRescheduled', { matchId: 'm2', date: '2026-11-16', time: '09:00' });
  using model = projected(log);
  const told = (names = namesOf(model.reader)): readonly string[] => ['m1', 'm2', 'm3', 'nope'].map((id) => names.match(id));
  expect(told()).toEqual(['Annapurna v Bagmati (2026-11-12)', 'Bagmati v Annapurna (2026-11-16 09:00)', 'Annapurna v Chitwan', 'a match']);
  expect(told(namesOf(model.reader, { kind: 'position', position: position - 1n }))[1]).toBe('Bagmati v Annapurna (2026-11-15 14:00)');
  expect(namesOf(model.reader).pair('m2')).toBe('Bagmati v Annapurna');
});
