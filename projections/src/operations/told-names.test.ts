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

it('tells two matches apart that were both cancelled, and one that was cancelled from one that takes place', () => {
  const log = new RecordedLog();
  log.tournament('t1');
  for (const team of ['a', 'b', 'c', 'd']) log.team(team, team.toUpperCase(), 4, ['t1']);
  log.match('m1', 't1', 'a', 'b', '2026-11-12');
  log.match('m2', 't1', 'b', 'a', '2026-11-15');
  log.match('m3', 't1', 'a', 'c', '2026-11-16');
  log.match('m4', 't1', 'a', 'c', '2026-11-17');
  log.match('m5', 't1', 'a', 'd', '2026-11-18');
  for (const matchId of ['m1', 'm2', 'm3', 'm5']) log.record(`match-${matchId}`, 'MatchCancelled', { matchId });
  using model = projected(log);
  const names = namesOf(model.reader);
  expect(['m1', 'm2', 'm3', 'm4', 'm5'].map((id) => names.match(id))).toEqual([
    'A v B (2026-11-12 15:30)',
    'B v A (2026-11-15 15:30)',
    'A v C (2026-11-16 15:30)',
    'A v C (2026-11-17 15:30)',
    'A v D',
  ]);
});
