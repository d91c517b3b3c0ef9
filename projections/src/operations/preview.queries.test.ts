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
