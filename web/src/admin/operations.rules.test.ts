import { describe, expect, it } from 'vitest';
import { actorInWords, backupInWords, durationInWords, goesInWords, lagDetail, lagInWords, staysInWords } from './operations.rules.ts';

describe('figures in words', () => {
  it('are times that never say that nothing is left', () => {
    expect([0.2, 89, 90, 5399, 5400].map(durationInWords)).toEqual(['1 second', '89 seconds', '2 minutes', '90 minutes', '2 hours']);
  });

  it('say how far behind the read model is, and that nobody knows while the log does not tell', () => {
    const now = Date.parse('2026-11-21T10:15:00.000Z');
    const lag = { lagEvents: 0, lagMore: false, lagSeconds: 0, lagUnknown: null };
    expect([
      lagInWords(lag),
      lagInWords({ lagEvents: 12, lagMore: false }),
      lagInWords({ lagEvents: 1000, lagMore: true }),
      lagDetail({ ...lag, lagEvents: 12, lagSeconds: 3 }, now),
    ]).toEqual(['Up to date', '12 behind', '1,000+ behind', '3 seconds behind']);
    const lagUnknown = { reason: 'The event log does not answer: it is starting', asOf: '2026-11-21T10:12:00.000Z' };
    expect(lagDetail({ ...lag, lagUnknown }, now)).toBe('how far behind is unknown (as last measured, 21 Nov, 15:57: up to date)');
    expect(lagDetail({ ...lag, lagUnknown: { ...lagUnknown, asOf: null } }, now)).toBe('how far behind is unknown');
  });

  it('say of the backups what they hold, and what is in none', () => {
    const newest = { folder: '/data/backups/auto-x', madeAt: '2026-11-21T06:25:30.000Z', head: '80' };
    const health = { kept: 3, newest, windowMinutes: 15, unsavedSeconds: null, overdue: false };
    expect(backupInWords(health, null)).toBe('3 kept, within 15 minutes of a change. Everything is in it.');
    expect(backupInWords({ ...health, unsavedSeconds: 300 }, null)).toBe('3 kept, within 15 minutes of a change. A change of 5 minutes ago is in none.');
    expect(backupInWords({ ...health, unsavedSeconds: 1200, overdue: true }, null)).toBe(
      '3 kept, within 15 minutes of a change. Overdue: a change of 20 minutes ago is in none.',
    );
    expect(backupInWords({ ...health, kept: 0, newest: null }, null)).toBe('The server makes one within 15 minutes of a change.');
    expect(backupInWords(health, 'The log is damaged at position 81')).toBe('3 kept, within 15 minutes of a change. None is made now.');
    expect(backupInWords({ ...health, unsavedSeconds: 300 }, 'Keys of persons are missing')).toBe(
      '3 kept, within 15 minutes of a change. A change of 5 minutes ago is in none. None is made now.',
    );
    expect(backupInWords({ ...health, windowMinutes: 0 }, null)).toBe('3 kept. None is made by itself (BACKUP_MINUTES=0).');
  });
});

describe('an erasure in words', () => {
  it('says what goes and what stays', () => {
    const player = {
      kind: 'player',
      goes: { details: ['name', 'phone', 'age'], photo: true, document: true },
      stays: { matches: 1, as: 'Former player' },
    } as const;
    const key =
      'the key that opens them: backups made before hold it until they are removed, and a restore of one erases again, where the record of erasures (erasures.jsonl) or a newer backup is at hand';
    const copies = 'the same in what restores set aside on this server';
    expect(goesInWords({ goes: { ...player.goes, details: [...player.goes.details] } })).toEqual([
      'the name, the phone number, the age',
      'every photo',
      'the ID document',
      key,
      copies,
    ]);
    expect(staysInWords(player)).toEqual([
      'the jersey number and the entries in 1 match: scores and standings do not change',
      'the place, under the name “Former player”',
      'that it was erased, when, by whom and why: the audit shows it',
    ]);
    expect(goesInWords({ goes: { details: [], photo: false, document: false } })).toEqual([key, copies]);
    expect(staysInWords({ kind: 'requester', stays: { matches: 0, as: 'Former requester' } })).toHaveLength(2);
  });
});

it('whoever recorded an event is told by name, else by role, and nobody where the metadata are not ours', () => {
  const actors: readonly unknown[] = [
    { role: 'admin', id: 'a', name: 'Asha' },
    { role: 'system', id: 's', name: '' },
    { kind: 'admin', id: 'mallory' },
    { role: { a: 1 }, name: 7 },
    'Asha',
    undefined,
  ];
  expect(actors.map((actor) => actorInWords({ metadata: { actor } }))).toEqual(['Asha', 'system', '-', '-', '-', '-']);
});
