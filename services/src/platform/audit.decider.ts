import type { PersonId } from '@courtledger/contracts/kernel/ids';
import type { AuditEvent } from '@courtledger/contracts/player/person.events';
import type { Decider } from './stream-state.ts';

/**
 * What is recorded once in a month's stream: a second logout with one token, and an erasure that is tried again because something after the fact failed, record
 * nothing.
 */
export type AuditState = { readonly revoked: Set<string>; readonly erased: Set<PersonId> };

export type AuditCommand = { readonly type: 'recordAudit'; readonly fact: AuditEvent };

const initial = (): AuditState => ({ revoked: new Set(), erased: new Set() });

const evolve = (state: AuditState, event: AuditEvent): AuditState => {
  switch (event.type) {
    case 'SessionRevoked':
      state.revoked.add(event.data.jti);
      return state;
    case 'PersonErased':
      state.erased.add(event.data.personId);
      return state;
    case 'DocumentViewed':
      return state;
    default:
      return event satisfies never;
  }
};

const isRecorded = (state: AuditState, fact: AuditEvent): boolean =>
  (fact.type === 'SessionRevoked' && state.revoked.has(fact.data.jti)) || (fact.type === 'PersonErased' && state.erased.has(fact.data.personId));

const decide = (state: AuditState, { fact }: AuditCommand): readonly AuditEvent[] => (isRecorded(state, fact) ? [] : [fact]);

/** What was seen, erased and revoked: one stream a month, only ever added to. */
export const auditDecider: Decider<AuditState, AuditCommand, AuditEvent> = { initial, evolve, decide };
