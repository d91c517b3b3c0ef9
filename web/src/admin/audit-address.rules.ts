import { parseMoment } from '@courtledger/contracts/kernel/days';
import { ASKED_MAX } from '@courtledger/contracts/kernel/limits';
import { auditSubjects, type AuditSubjectKind } from '@courtledger/contracts/operations/audit-subjects';
import type { Role } from '../lib/session.ts';
import { auditTypes } from './audit-types.rules.ts';

/** How the address keeps what the audit is narrowed to (`?tab=audit&match=…&type=…`), so that a page that is loaded again, or handed on, shows the same. */

/** One that an audit can be of. */
export type AuditSubject = { readonly kind: AuditSubjectKind; readonly id: string };

/** What the button of a row that opens this audit is found by. */
export const auditPlace = ({ kind, id }: AuditSubject): string => `audit of ${kind} ${id}`;

/** What the audit is narrowed by beside that, as the fields hold it; empty: by nothing. */
export type AuditNarrowing = Readonly<Record<'type' | 'actor' | 'from' | 'to' | 'asOf', string>>;

/** Whose audit an address asks for, of what the role may ask for. */
export const subjectInAddress = (params: URLSearchParams, role: Role): AuditSubject | undefined => {
  const [found] = auditSubjects.flatMap((kind) => {
    const id = params.get(kind) ?? '';
    return id === '' || (kind === 'admin' && role !== 'superadmin') ? [] : [{ kind, id }];
  });
  return found;
};

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseMoment(text, 'start') !== undefined;
const isMinute = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) && parseMoment(text, 'start') !== undefined;

/** What an address narrows the audit by; what its fields could not hold narrows nothing. */
export const narrowingInAddress = (params: URLSearchParams, role: Role): AuditNarrowing => {
  const of = (name: keyof AuditNarrowing, fits: (text: string) => boolean): string => {
    const text = params.get('tab') === 'audit' ? (params.get(name) ?? '') : '';
    return fits(text) ? text : '';
  };
  return {
    type: of('type', (text) => auditTypes(role).includes(text)),
    actor: of('actor', (text) => text.length <= ASKED_MAX),
    from: of('from', isDay),
    to: of('to', isDay),
    asOf: of('asOf', isMinute),
  };
};

/** The query of the address of an audit. */
export const addressOfAudit = (subject: AuditSubject | undefined, narrowing: Partial<AuditNarrowing> = {}): Readonly<Record<string, string>> => ({
  tab: 'audit',
  ...(subject && { [subject.kind]: subject.id }),
  ...Object.fromEntries(Object.entries(narrowing).filter(([, text]) => text !== '')),
});
