import { expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { isRecordedBy, listAudit, recordedBy } from './audit.queries.ts';

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
    return listAudit(model.reader, { team: 'a' }, { limit: 9, accounts: false, from: { kind: 'position', position: begun + 1n } }).lines.flatMap(
      ({ type, what, before, after }) => (type === 'PersonDetailsRecorded' ? [] : [[what, before, after]]),
    );
  };
  expect(told()).toEqual([
    ['Corrected the team Annapurna', 'contact: the contact of Annapurna', 'contact: the contact of Annapurna'],
    ['Appointed a coach of Annapurna', 'Coach of Annapurna', 'Sita Sharma'],
  ]);
  log.erase('a-coach', 'coach');
  log.erase('a-contact', 'team-contact');
  expect(told()).toEqual([
    erased('team contact'),
    erased('coach'),
    ['Corrected the team Annapurna', 'contact: Former contact', 'contact: the contact of Annapurna'],
    ['Appointed a coach of Annapurna', 'Former coach', 'Sita Sharma'],
  ]);
});

test('a page before a position that no log can have is the first page', () => {
  const log = new RecordedLog();
  log.tournament('t1');
  using model = projected(log);
  const page = (before?: bigint) => listAudit(model.reader, {}, { limit: 9, accounts: false, before });
  expect(page(9_999_999_999_999_999_999n)).toEqual(page());
  expect(page().lines).toHaveLength(1);
});

test('who is meant by a text is the same for facts and for refusals, whatever the script', () => {
  using model = projected(new RecordedLog());
  const actor = { id: 'Ñ-1', name: 'Émile Śreṣṭha', role: 'admin' } as const;
  const found = (text: string): readonly boolean[] => {
    const { sql, values } = recordedBy(text);
    const [row] = model.reader.rows(`SELECT ${sql} FROM (SELECT ? AS metadata)`, ...values, JSON.stringify({ actor }));
    return [row?.[0] === 1, isRecordedBy(actor, text)];
  };
  for (const text of ['émile', 'ÉMILE ŚREṢṬHA', 'ŚREṢ', 'ñ-1', 'Admin', 'E\u0301mile']) expect([text, found(text)]).toEqual([text, [true, true]]);
  const plain = { id: 'x-1', name: 'Asha Rai', role: 'admin' } as const;
  const { sql, values } = recordedBy('ASHA');
  expect(model.reader.row(`SELECT ${sql} FROM (SELECT ? AS metadata)`, ...values, JSON.stringify({ actor: plain }))).toEqual([1]);
  for (const text of ['emile', 'ñ', 'operator', 'adm']) expect([text, found(text)]).toEqual([text, [false, false]]);
});
