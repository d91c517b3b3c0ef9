import { expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { listAudit } from './audit.queries.ts';

const erased = (kind: string): unknown => [`Erased the personal details of a ${kind}`, 'recorded', 'erased'];

test('a team is told of its coaches and contacts, also of what became of those who were replaced', () => {
  const log = new RecordedLog();
  log.team('a', 'Annapurna', 1);
  log.team('b', 'Bagmati', 1);
  const begun = log.head;
  log.person('second', 'coach', { name: 'Sita Sharma', phone: '9800000004', phone2: '9800000005', photo: '/media/second.jpg' }, 'a');
  log.record('team-a', 'CoachAppointed', { teamId: 'a', personId: 'second' });
  log.person('other', 'team-contact', { phone: '9800000006' }, 'a');
  log.record('team-a', 'TeamDetailsCorrected', { teamId: 'a', changes: { contactId: 'other' } });
  log.erase('b-coach', 'coach');
  const told = (): unknown => {
    using model = projected(log);
    return listAudit(model.reader, { team: 'a' }, { limit: 9, accounts: false, from: { kind: 'position', position: begun + 1n } }).lines.flatMap(({ type, what, before, after }) => (type === 'CoachAppointed' || type === 'PersonErased' ? [[what, before, after]] : []));
  };
  expect(told()).toEqual([['Appointed a coach of Annapurna', 'Coach of Annapurna', 'Sita Sharma']]);
  log.erase('a-coach', 'coach');
  log.erase('a-contact', 'team-contact');
  expect(told()).toEqual([erased('team contact'), erased('coach'), ['Appointed a coach of Annapurna', 'Former coach', 'Sita Sharma']]);
});
