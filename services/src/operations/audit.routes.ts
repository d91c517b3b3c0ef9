import type { AsOf } from '@courtledger/contracts/kernel/fields';
import { personIdOf } from '@courtledger/contracts/player/person.events';
import { erasePerson, findPersons, getAdminAuditCsv, getAuditCsv, getSuperAdminTrace, getTrace, listAdminAudit, listAudit, type AuditQuery, type TraceQuery } from '@courtledger/contracts/operations/audit.api';
import type { AuditAnswer, AuditLine, ErasureAnswer } from '@courtledger/contracts/operations/audit.answers';
import { adminById } from '@courtledger/projections/admin/admin.queries';
import { ofMatch } from '@courtledger/projections/kernel/ledger';
import type { Reader } from '@courtledger/projections/kernel/read-model';
import * as audit from '@courtledger/projections/operations/audit.queries';
import * as person from '@courtledger/projections/operations/person.queries';
import { remembered } from '@courtledger/projections/operations/told-names';
import * as trace from '@courtledger/projections/operations/trace.queries';
import type { Bound, ReadReply } from '../platform/call.ts';
import { bindCommand, bindRead } from '../platform/endpoint.ts';
import type { Erasures } from '../platform/erasure.ts';
import type { FeatureDeps } from '../platform/feature-deps.ts';
import { found } from '../platform/found.ts';
import { changedFields } from '../platform/person-record.ts';
import type { RefusalSubject, SubjectKind } from '../platform/refusal-subject.ts';
import type { Refusal, RefusalQuery, Refusals } from '../platform/refusals.ts';

export type AuditRoutesDeps = Pick<FeatureDeps, 'reader' | 'log' | 'vault'> & { readonly refusals: Pick<Refusals, 'find'>; readonly erasures: Erasures; /** Where the log stands when nothing is appended. */ readonly position: () => bigint };

const defaultLimit = 100;
const csvLimit = 5000;

type Query = Omit<AuditQuery, 'admin'> & { readonly admin?: string | undefined };

const actorOfRefusal = (actor: string, nameOf: (adminId: string) => string | undefined): AuditLine['actor'] => {
  const [role = '', id = ''] = actor.split(':', 2);
  return { role, id, name: id === '' ? '' : (nameOf(id) ?? '') };
};

const subjectNames = { match: 'match_id', team: 'team_id', player: 'player_id', tournament: 'tournament_id' } as const;

const refusalLine = ({ time, endpoint, code, actor, requestId, subjects, message }: Refusal, nameOf: (adminId: string) => string | undefined): AuditLine => ({
  position: null,
  at: time,
  actor: actorOfRefusal(actor, nameOf),
  type: 'Refused',
  what: `Refused ${endpoint}: ${code}`,
  before: null,
  after: null,
  ...(message !== '' && { reason: message }),
  commandId: requestId,
  cause: requestId,
  stream: '',
  // A match has two teams: the first is named.
  ...Object.fromEntries(subjects.toReversed().flatMap(({ kind, id }) => (kind === 'admin' || kind === 'entry' ? [] : [[subjectNames[kind], id]]))),
});

/** Time of the last fact up to a position. */
const timeAt = (reader: Reader, position: bigint): string | undefined => reader.text('SELECT time FROM ledger WHERE position <= ? ORDER BY position DESC LIMIT 1', position);

/** ISO bounds of a query; a position is a time too: that of its fact. */
const timeBound = (reader: Reader, at: AsOf | undefined): string | undefined => (at?.kind === 'position' ? timeAt(reader, at.position) : at?.time);

/** What a refusal was about, with the player and the team of an entry that it named. */
const subjectsIn = (reader: Reader): ((subjects: readonly RefusalSubject[]) => readonly RefusalSubject[]) => {
  const ownersIn = remembered((match) =>
    remembered((entry): readonly RefusalSubject[] => {
      const row = reader.row(`SELECT player_id, team_id FROM ledger WHERE ${ofMatch()} AND entry_id = ?`, match, entry);
      return row === undefined ? [] : [{ kind: 'player', id: String(row[0]) }, { kind: 'team', id: String(row[1]) }];
    }),
  );
  return (subjects) => {
    const entry = subjects.find(({ kind }) => kind === 'entry')?.id;
    const match = subjects.find(({ kind }) => kind === 'match')?.id;
    return entry === undefined || match === undefined ? subjects : [...ownersIn(match)(entry), ...subjects];
  };
};

/** Refusals stand outside the log. They are told in the audit of what they were about, in that of the admin who was refused, and in that of everything. Newest first. */
function* refusalsFor(deps: AuditRoutesDeps, query: Query, accounts: boolean, bounds: RefusalQuery): Generator<{ readonly id: number; readonly line: AuditLine }> {
  const { match, team, player, tournament, admin, type, actor, from, to, asOf } = query;
  if (type !== undefined && type !== 'Refused') return;
  const reader = deps.reader();
  const matchesOf = new Set(tournament === undefined ? [] : reader.texts("SELECT match_id FROM ledger WHERE tournament_id = ? AND type = 'MatchAssigned'", tournament));
  const nameOf = remembered((id) => adminById(reader, id)?.username);
  const earliest = [bounds.from, timeBound(reader, from)].flatMap((time) => time ?? []).toSorted().at(-1);
  const latest = [bounds.to, timeBound(reader, to), timeBound(reader, asOf)].flatMap((time) => time ?? []).toSorted()[0];
  const withOwners = subjectsIn(reader);
  for (const refusal of deps.refusals.find({ from: earliest, to: latest, before: bounds.before })) {
    const subjects = withOwners(refusal.subjects);
    const isAbout = (kind: SubjectKind, wanted: string | undefined): boolean => wanted === undefined || subjects.some((subject) => subject.kind === kind && subject.id === wanted);
    if (!isAbout('match', match) || !isAbout('team', team) || !isAbout('player', player)) continue;
    if (!isAbout('tournament', tournament) && !subjects.some(({ kind, id }) => kind === 'match' && matchesOf.has(id))) continue;
    if (!accounts && subjects.some(({ kind }) => kind === 'admin')) continue;
    const line = refusalLine({ ...refusal, subjects }, nameOf);
    if (admin !== undefined && line.actor.id !== admin && !isAbout('admin', admin)) continue;
    if (actor !== undefined && ![line.actor.id, line.actor.name, line.actor.role].some((one) => one.toLowerCase() === actor.toLowerCase())) continue;
    yield { id: refusal.id, line };
  }
}

/** A page of refusals alone; `before` and `next` are ids of refusals then. */
const refusalPage = (deps: AuditRoutesDeps, query: Query, accounts: boolean, limit: number): AuditAnswer => {
  const lines: AuditLine[] = [];
  let last: number | undefined;
  for (const { id, line } of refusalsFor(deps, query, accounts, { before: query.before === undefined ? undefined : Number(query.before) })) {
    if (lines.length === limit) return { lines, next: String(last) };
    lines.push(line);
    last = id;
  }
  return { lines, next: null };
};

const fieldTitles: Readonly<Record<string, string>> = { phone2: 'second phone', document: 'ID document' };

/** The ledger knows no personal details. Which of them a fact changed is seen in the sealed facts themselves, as long as the person's key is there: told by name, without a value. */
const withChangedFields = async (deps: AuditRoutesDeps, lines: readonly AuditLine[]): Promise<AuditLine[]> => {
  const changedOf = remembered(async (personId) => changedFields(deps, personId));
  return Promise.all(
    lines.map(async (line): Promise<AuditLine> => {
      if (line.type !== 'PersonDetailsRecorded' || line.position === null) return line;
      const names = (await changedOf(personIdOf(line.stream) ?? '')).get(BigInt(line.position)) ?? [];
      return names.length === 0 ? line : { ...line, after: `changed: ${names.map((name) => fieldTitles[name] ?? name).join(', ')}` };
    }),
  );
};

/** One page of facts with the refusals of the same time, newest first. */
const pageOf = async (deps: AuditRoutesDeps, query: Query, accounts: boolean, most?: number): Promise<AuditAnswer> => {
  const { match, team, player, tournament, admin, type, actor, from, to, asOf } = query;
  const limit = most ?? Number(query.limit ?? defaultLimit);
  if (type === 'Refused') return refusalPage(deps, query, accounts, limit);
  const before = query.before === undefined ? undefined : BigInt(query.before);
  const reader = deps.reader();
  const told = audit.listAudit(reader, { match, team, player, tournament, admin }, { type, actor, from, to, asOf, before, limit, accounts });
  const upper = before === undefined ? undefined : timeAt(reader, before - 1n);
  const lower = told.next === null ? undefined : timeAt(reader, BigInt(told.next) - 1n);
  const refused = Array.from(refusalsFor(deps, query, accounts, { from: lower, to: upper }), ({ line }) => line).filter(({ at }) => lower === undefined || at > lower);
  const lines = await withChangedFields(deps, told.lines);
  return { lines: refused.length === 0 ? lines : [...lines, ...refused].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)), next: told.next };
};

/** A cell of a spreadsheet: quoted where it must be, and never a formula. */
const cell = (value: string): string => {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const titles = ['Time', 'Role', 'Actor', 'Actor id', 'Type', 'What', 'Before', 'After', 'Reason', 'Command', 'Cause', 'Position'];
const csvOf = async (deps: AuditRoutesDeps, query: Query, accounts: boolean): Promise<Buffer> => {
  const lines: AuditLine[] = [];
  const most = Math.min(csvLimit, Number(query.limit ?? csvLimit));
  let before = query.before;
  do {
    // oxlint-disable-next-line no-await-in-loop -- pages in order
    const page = await pageOf(deps, { ...query, before }, accounts, Math.min(500, most));
    lines.push(...page.lines);
    before = page.next ?? undefined;
  } while (before !== undefined && lines.length < most);
  const rows = lines.slice(0, most).map(({ at, actor, type, what, before: stood, after, reason, commandId, cause, position }) => [at, actor.role, actor.name, actor.id, type, what, stood ?? '', after ?? '', reason ?? '', commandId, cause, position ?? '']);
  return Buffer.from([titles, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join(''));
};

const csv = (bytes: Buffer) => ({ bytes, contentType: 'text/csv; charset=utf-8', headers: { 'Content-Disposition': 'attachment; filename="audit.csv"' } });

const traced = (deps: AuditRoutesDeps, query: TraceQuery): ReadReply => {
  const answer = trace.getTrace(deps.reader(), query);
  return found(answer === undefined ? undefined : JSON.stringify(answer), 'There is no such number');
};

/** The questions of auditors, and erasure. */
export const auditRoutes = (deps: AuditRoutesDeps): readonly Bound[] => [
  bindRead(listAudit, async ({ query }) => ({ json: JSON.stringify(await pageOf(deps, query, false)) })),
  bindRead(getAuditCsv, async ({ query }) => csv(await csvOf(deps, query, false))),
  bindRead(listAdminAudit, async ({ query }) => ({ json: JSON.stringify(await pageOf(deps, query, true)) })),
  bindRead(getAdminAuditCsv, async ({ query }) => csv(await csvOf(deps, query, true))),
  bindRead(getTrace, ({ query }) => traced(deps, query)),
  bindRead(getSuperAdminTrace, ({ query }) => traced(deps, query)),
  bindRead(findPersons, ({ query: { text } }) => ({ json: JSON.stringify(person.findPersons(deps.reader(), text)) })),
  bindCommand(erasePerson, async ({ body: { personId, reason }, context }) => {
    const { kind, already, outcome } = await deps.erasures.erase(personId, reason, context);
    const answer: ErasureAnswer = { personId, kind, already };
    return { body: answer, position: outcome?.position ?? deps.position(), pending: outcome?.pending ?? false };
  }),
];
