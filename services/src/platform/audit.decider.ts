import type { AuditEvent } from '@courtledger/contracts/player/person.events';
import type { Decider } from './stream-state.ts';

/** Tokens that were revoked in this month's stream: a second logout with one records nothing. */
export type AuditState = { readonly revoked: Set<string> };

export type AuditCommand = { readonly type: 'recordAudit'; readonly fact: AuditEvent };

const initial = (): AuditState => ({ revoked: new Set() });

const evolve = (state: AuditState, event: AuditEvent): AuditState => {
  switch (event.type) {
    case 'SessionRevoked':
      state.revoked.add(event.data.jti);
      return state;
    case 'DocumentViewed':
    case 'PersonErased':
      return state;
    default:
      return event satisfies never;
  }
};

const decide = (state: AuditState, { fact }: AuditCommand): readonly AuditEvent[] => (fact.type === 'SessionRevoked' && state.revoked.has(fact.data.jti) ? [] : [fact]);

/** What was seen, erased and revoked: one stream a month, only ever added to. */
export const auditDecider: Decider<AuditState, AuditCommand, AuditEvent> = { initial, evolve, decide };
