import type { AsOf } from '@courtledger/contracts/kernel/fields';
import { erasePerson, getAdminAuditCsv, getAuditCsv, getTrace, listAdminAudit, listAudit, type AuditQuery } from '@courtledger/contracts/operations/audit.api';
import type { AuditAnswer, AuditLine, ErasureAnswer } from '@courtledger/contracts/operations/audit.answers';
import * as audit from '@courtledger/projections/operations/audit.queries';
import * as trace from '@courtledger/projections/operations/trace.queries';
import type { Bound } from '../platform/call.ts';
import { bindCommand, bindRead } from '../platform/endpoint.ts';
import type { Erasures } from '../platform/erasure.ts';
import type { FeatureDeps } from '../platform/feature-deps.ts';
import { found } from '../platform/found.ts';
import type { Refusal, Refusals } from '../platform/refusals.ts';

export type AuditRoutesDeps = Pick<FeatureDeps, 'reader'> & { readonly refusals: Pick<Refusals, 'latest'>; readonly erasures: Erasures; /** Where the log stands when nothing is appended. */ readonly position: () => bigint };

const defaultLimit = 100;
const csvLimit = 5000;
/** Refusals that are looked through for one page: the table's own cap. */
const mostRefusals = 20_000;

type Query = Omit<AuditQuery, 'admin'> & { readonly admin?: string | undefined };

const actorOfRefusal = (actor: string): AuditLine['actor'] => {
  const [role = '', id = ''] = actor.split(':', 2);
  return { role, id, name: '' };
};

const refusalLine = ({ time, endpoint, code, actor, requestId }: Refusal): AuditLine => ({
  position: null,
  at: time,
  actor: actorOfRefusal(actor),
  type: 'Refused',
  what: `Refused ${endpoint}: ${code}`,
  before: null,
  after: null,
  commandId: requestId,
  cause: requestId,
  stream: '',
});

const isUntil = (at: AsOf | undefined, time: string): boolean => at?.kind !== 'time' || time <= at.time;

/** Refusals stand outside the log and name no subject: they are told in the audit of everything, and in that of the admin who was refused. */
const refusalsFor = (refusals: Pick<Refusals, 'latest'>, { match, team, player, tournament, admin, type, actor, from, to, asOf }: Query): AuditLine[] => {
  const isAboutFacts = [match, team, player, tournament].some((id) => id !== undefined) || [from, to, asOf].some((at) => at?.kind === 'position');
  if (isAboutFacts || (type !== undefined && type !== 'Refused')) return [];
  return refusals.latest(mostRefusals).flatMap((refusal) => {
    const line = refusalLine(refusal);
    if (admin !== undefined && line.actor.id !== admin) return [];
    if (actor !== undefined && actor !== line.actor.id && actor !== line.actor.role) return [];
    if ((from?.kind === 'time' && line.at < from.time) || !isUntil(to, line.at) || !isUntil(asOf, line.at)) return [];
    return [line];
  });
};

/** One page of facts with the refusals of the same time, newest first. */
const pageOf = (deps: AuditRoutesDeps, query: Query, accounts: boolean, most?: number): AuditAnswer => {
  const { match, team, player, tournament, admin, type, actor, from, to, asOf } = query;
  const limit = most ?? Number(query.limit ?? defaultLimit);
  const before = query.before === undefined ? undefined : BigInt(query.before);
  const reader = deps.reader();
  const facts = type === 'Refused' ? { lines: [], next: null } : audit.listAudit(reader, { match, team, player, tournament, admin }, { type, actor, from, to, asOf, before, limit, accounts });
  const upper = before === undefined ? undefined : reader.text('SELECT time FROM ledger WHERE position < ? ORDER BY position DESC LIMIT 1', before);
  const lower = facts.next === null ? undefined : reader.text('SELECT time FROM ledger WHERE position < ? ORDER BY position DESC LIMIT 1', BigInt(facts.next));
  const refused = refusalsFor(deps.refusals, query).filter(({ at }) => (upper === undefined || at <= upper) && (lower === undefined || at > lower));
  if (refused.length === 0) return facts;
  return { lines: [...facts.lines, ...refused].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)), next: facts.next };
};

/** A cell of a spreadsheet: quoted where it must be, and never a formula. */
const cell = (value: string): string => {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const titles = ['Time', 'Role', 'Actor', 'Actor id', 'Type', 'What', 'Before', 'After', 'Reason', 'Command', 'Cause', 'Position'];
const csvOf = (deps: AuditRoutesDeps, query: Query, accounts: boolean): Buffer => {
  const lines: AuditLine[] = [];
  let before = query.before;
  do {
    const page = pageOf(deps, { ...query, before }, accounts, 500);
    lines.push(...page.lines);
    before = page.next ?? undefined;
  } while (before !== undefined && lines.length < csvLimit);
  const rows = lines.slice(0, csvLimit).map(({ at, actor, type, what, before: stood, after, reason, commandId, cause, position }) => [at, actor.role, actor.name, actor.id, type, what, stood ?? '', after ?? '', reason ?? '', commandId, cause, position ?? '']);
  return Buffer.from([titles, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join(''));
};

const csv = (bytes: Buffer) => ({ bytes, contentType: 'text/csv; charset=utf-8', headers: { 'Content-Disposition': 'attachment; filename="audit.csv"' } });

/** The questions of auditors, and erasure. */
export const auditRoutes = (deps: AuditRoutesDeps): readonly Bound[] => [
  bindRead(listAudit, ({ query }) => ({ json: JSON.stringify(pageOf(deps, query, false)) })),
  bindRead(getAuditCsv, ({ query }) => csv(csvOf(deps, query, false))),
  bindRead(listAdminAudit, ({ query }) => ({ json: JSON.stringify(pageOf(deps, query, true)) })),
  bindRead(getAdminAuditCsv, ({ query }) => csv(csvOf(deps, query, true))),
  bindRead(getTrace, ({ query }) => {
    const answer = trace.getTrace(deps.reader(), query);
    return found(answer === undefined ? undefined : JSON.stringify(answer), 'There is no such number');
  }),
  bindCommand(erasePerson, async ({ body: { personId, reason }, context }) => {
    const { kind, already, outcome } = await deps.erasures.erase(personId, reason, context);
    const answer: ErasureAnswer = { personId, kind, already };
    return { body: answer, position: outcome?.position ?? deps.position(), pending: outcome?.pending ?? false };
  }),
];
