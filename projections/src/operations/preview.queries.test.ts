import { expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { previewFacts } from './preview.queries.ts';

test('tells a score below 0 with the sign of all texts', () => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 4, ['t1']);
  log.team('b', 'Bagmati', 4, ['t1']);
  log.match('m1', 't1', 'a', 'b');
  log.stat('m1', 'b-p1', 2);
  using model = projected(log);
  const fact = { type: 'StatIncrementRecorded', data: { matchId: 'm1', entryId: 'e', playerId: 'a-p1', teamId: 'a', points: -8, assists: 0, rebounds: 0 } };
  expect(previewFacts(model.reader, 'm1', [fact])?.told.consequences).toEqual(['The score changes from 0–2 to −8–2.']);
});

const reversal = (entryId: string, targetEntryId: string, points: number) => ({
  type: 'StatEntryReversed',
  data: { matchId: 'm1', entryId, targetEntryId, playerId: 'a-p1', teamId: 'a', points, assists: 0, rebounds: 0, reason: 'Wrong match' },
});
test('tells that a match loses its last statistics, and that it has some again, and no score of 0–0 that was never played', () => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 4, ['t1']);
  log.team('b', 'Bagmati', 4, ['t1']);
  log.match('m1', 't1', 'a', 'b');
  const only = log.stat('m1', 'a-p1', 10);
  {
    using model = projected(log);
    const told = previewFacts(model.reader, 'm1', [reversal('r', only, -10)])?.told;
    expect(told?.consequences).toEqual([
      'No statistics are left: the match is upcoming again.',
      'No match of the tournament has statistics any more: the standings are empty.',
    ]);
    expect([told?.before.hasStats, told?.after.hasStats]).toEqual([true, false]);
  }
  const taken = log.reverse('m1', only);
  using model = projected(log);
  const told = previewFacts(model.reader, 'm1', [reversal('r2', taken, 10)])?.told;
  expect(told?.consequences.slice(0, 3)).toEqual(['The match has statistics again.', 'The score is 10–0.', 'The winner changes from nobody to Annapurna.']);
  expect([told?.before.hasStats, told?.after.hasStats]).toEqual([false, true]);
});

test('tells the status of whose numbers change, before and after, and tells two of one name apart', () => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 2, ['t1']);
  log.team('b', 'Bagmati', 1, ['t1']);
  log.person(
    'a-p1',
    'player',
    { name: 'Player a-p2', phone: '9811111111', age: 21, height: 180, weight: 75, photo: '/media/p.jpg', document: { documentId: 'd', kind: 'pdf' } },
    'a',
  );
  log.match('m1', 't1', 'a', 'b');
  log.stat('m1', 'b-p1', 2);
  const only = log.stat('m1', 'a-p1', 10);
  const move = (...more: readonly { readonly type: string; readonly data: object }[]) => {
    using model = projected(log);
    const to = { type: 'StatIncrementRecorded', data: { matchId: 'm1', entryId: 'e', playerId: 'a-p2', teamId: 'a', points: 10, assists: 0, rebounds: 0 } };
    const told = previewFacts(model.reader, 'm1', [reversal('r', only, -10), ...more, to])?.told;
    expect(told?.players.map(({ name }) => name)).toEqual(['Player a-p2 (number 1)', 'Player a-p2 (number 2)']);
    return [told?.players.map(({ player_id, before, after }) => [player_id, before, after]), told?.consequences];
  };
  const zeros = { points: 0, assists: 0, rebounds: 0 };
  const played = { ...zeros, points: 10, notplayed: 'played' };
  const apart = ['The MVP changes from Player a-p2 (number 1) to Player a-p2 (number 2).'];
  expect(move()).toEqual([
    [
      ['a-p1', played, { ...zeros, notplayed: null }],
      ['a-p2', { ...zeros, notplayed: null }, played],
    ],
    apart,
  ]);
  log.participation('m1', 'a-p2', 'DNP');
  const implied = { type: 'PlayerParticipationRecorded', data: { matchId: 'm1', playerId: 'a-p2', teamId: 'a', notplayed: 'played', impliedBy: 'e' } };
  expect(move(implied)).toEqual([
    [
      ['a-p1', played, { ...zeros, notplayed: null }],
      ['a-p2', { ...zeros, notplayed: 'DNP' }, played],
    ],
    apart,
  ]);
});
