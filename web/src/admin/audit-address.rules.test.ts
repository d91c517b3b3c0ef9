import { describe, expect, it } from 'vitest';
import { addressOfAudit, narrowingInAddress, subjectInAddress } from './audit-address.rules.ts';

const read = (query: string, role: 'admin' | 'superadmin' = 'admin') => {
  const params = new URLSearchParams(query);
  return [subjectInAddress(params, role), narrowingInAddress(params, role)];
};
const nothing = { type: '', actor: '', from: '', to: '', asOf: '' };

describe('the address of an audit', () => {
  it('says what is asked for, and gives it back', () => {
    const [subject, narrowing] = [
      { kind: 'match', id: 'm/1' } as const,
      { type: 'Refused', actor: 'Asha Rai', from: '2026-11-01', to: '2026-11-21', asOf: '2026-11-20T18:00' },
    ];
    const query = new URLSearchParams(addressOfAudit(subject, narrowing)).toString();
    expect(query).toBe('tab=audit&match=m%2F1&type=Refused&actor=Asha+Rai&from=2026-11-01&to=2026-11-21&asOf=2026-11-20T18%3A00');
    expect(read(query)).toEqual([subject, narrowing]);
    expect(addressOfAudit(undefined, nothing)).toEqual({ tab: 'audit' });
  });

  it.each([
    'tab=audit&type=Nothing',
    'tab=audit&from=yesterday&to=2026',
    'tab=audit&asOf=2026-11-20',
    'tab=audit&from=2026-02-31&to=2026-13-01&asOf=2026-11-20T99:99',
    'tab=audit&match=',
    'tab=audit&admin=a1',
    'tab=matches&type=Refused',
  ])('narrows to nothing that the fields could not hold, or the role may not see: %s', (query) => {
    expect(read(query)).toEqual([undefined, nothing]);
  });

  it('narrows to an account for the super admin', () => {
    expect(read('tab=audit&admin=a1', 'superadmin')).toEqual([{ kind: 'admin', id: 'a1' }, nothing]);
  });
});
