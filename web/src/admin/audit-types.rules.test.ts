import { allFacts } from '@courtledger/contracts/kernel/all-facts';
import { describe, expect, it } from 'vitest';
import { auditTypes, factTypes, typeInWords } from './audit-types.rules.ts';

describe('the types of the audit', () => {
  it('are all facts of the contract, moves and refusals; accounts are for the super admin', () => {
    expect(factTypes.toSorted()).toEqual(Object.keys(allFacts).toSorted());
    expect(auditTypes('superadmin')).toEqual([...factTypes, 'StatEntryMoved', 'Refused']);
    const hidden = new Set(auditTypes('admin'));
    expect(auditTypes('superadmin').filter((type) => !hidden.has(type))).toEqual([
      'AdminCreated',
      'AdminDetailsChanged',
      'AdminPasswordChanged',
      'AdminEmailClaimed',
      'AdminEmailReleased',
      'SessionRevoked',
    ]);
    expect(['PlayerAddedToTeam', 'MatchMvpNamed'].map(typeInWords)).toEqual(['Player added to team', 'Match MVP named']);
  });
});
