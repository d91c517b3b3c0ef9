import type { AuditEvent, PersonEvent } from '@courtledger/contracts/player/person.events';
import { describe, expect, it } from 'vitest';
import { auditDecider } from './audit.decider.ts';
import { personDecider, type PersonCommand } from './person.decider.ts';
import { given, refused } from './testing/specification.ts';

const data = { personId: 'p', kind: 'player', teamId: 't', sealed: 'x' } as const;
const recorded: PersonEvent = { type: 'PersonDetailsRecorded', data };
const record = (more: Partial<PersonCommand> = {}): PersonCommand => ({ type: 'recordPersonDetails', ...data, basedOn: undefined, ...more });

describe('a person', () => {
  it('is recorded whole, each time anew', () => {
    expect(given(personDecider, []).when(record())).toStrictEqual([recorded]);
    expect(given(personDecider, [recorded]).when(record({ sealed: 'y', basedOn: 'x' }))).toStrictEqual([
      { type: 'PersonDetailsRecorded', data: { ...data, sealed: 'y' } },
    ]);
    expect(given(personDecider, [recorded]).when(record({ basedOn: 'x' }))).toStrictEqual([]);
  });
  it('does not overwrite another correction', () => {
    const refusal = refused('conflict', 'These details were changed at the same time. Please try again.');
    expect(given(personDecider, [recorded]).when(record({ sealed: 'y' }))).toStrictEqual(refusal);
    expect(given(personDecider, [recorded]).when(record({ sealed: 'y', basedOn: 'z' }))).toStrictEqual(refusal);
    expect(given(personDecider, []).when(record({ sealed: 'y', basedOn: 'x' }))).toStrictEqual(refusal);
  });
  it('keeps its role and team', () => {
    expect(given(personDecider, [recorded]).when(record({ kind: 'coach', sealed: 'y' }))).toStrictEqual(
      refused('conflict', 'This person is recorded in another role'),
    );
    expect(given(personDecider, [recorded]).when(record({ teamId: 'other', sealed: 'y' }))).toStrictEqual(
      refused('conflict', 'This person is recorded in another role'),
    );
  });
});

const erased = (personId: string): AuditEvent => ({ type: 'PersonErased', data: { personId, kind: 'player', reason: 'Asked for it' } });

describe('the audit', () => {
  const revoked: AuditEvent = { type: 'SessionRevoked', data: { role: 'admin', subjectId: 'a', jti: 'j', expires: 1 } };
  const viewed: AuditEvent = { type: 'DocumentViewed', data: { playerId: 'p', documentId: 'd' } };
  it('records each view, and a revocation once', () => {
    expect(given(auditDecider, [viewed]).when({ type: 'recordAudit', fact: viewed })).toStrictEqual([viewed]);
    expect(given(auditDecider, [viewed]).when({ type: 'recordAudit', fact: revoked })).toStrictEqual([revoked]);
    expect(given(auditDecider, [revoked]).when({ type: 'recordAudit', fact: revoked })).toStrictEqual([]);
  });
  it('records that a person was erased once, however often it is tried', () => {
    expect(given(auditDecider, [viewed, erased('p')]).when({ type: 'recordAudit', fact: erased('p') })).toStrictEqual([]);
    expect(given(auditDecider, [viewed, erased('p')]).when({ type: 'recordAudit', fact: erased('q') })).toStrictEqual([erased('q')]);
  });
});
