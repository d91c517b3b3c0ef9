import { DomainError } from '@courtledger/contracts/kernel/errors';
import { uuidForm } from '@courtledger/contracts/kernel/ids';
import { personIdOf, type PersonKind } from '@courtledger/contracts/player/person.events';
import {
  erasePerson,
  findPersons,
  getAdminAuditCsv,
  getAuditCsv,
  getSuperAdminTrace,
  getTrace,
  listAdminAudit,
  listAudit,
  type AuditQuery,
  type TraceQuery,
} from '@courtledger/contracts/operations/audit.api';
import { auditSubjects } from '@courtledger/contracts/operations/audit-subjects';
import type { AuditAnswer, AuditLine, ErasureAnswer, PersonsAnswer } from '@courtledger/contracts/operations/audit.answers';
import * as person from '@courtledger/projections/operations/person.queries';
import { remembered } from '@courtledger/projections/operations/told-names';
import * as trace from '@courtledger/projections/operations/trace.queries';
import { LogUnavailable } from '../event-log/event-log.ts';
import type { KnownBreak } from '../event-log/verify-chain.ts';
import type { Bound, ReadReply } from '../platform/call.ts';
import { csvFile } from '../platform/csv-file.ts';
import { bindCommand, bindRead } from '../platform/endpoint.ts';
import type { Erasures } from '../platform/erasure.ts';
import type { FeatureDeps } from '../platform/feature-deps.ts';
import { found } from '../platform/found.ts';
import { changedDetails, type ChangedDetails } from '../platform/person-record.ts';
import type { Refusals } from '../platform/refusals.ts';
import { auditCsv } from './audit-csv.ts';
import { auditPage, linesFrom, type Page } from './audit-page.ts';
import { subjectNamesIn } from './audit-refusals.ts';
import { damagePlace, damageText, stillShownText } from './log-verification.ts';

export type AuditRoutesDeps = Pick<FeatureDeps, 'reader' | 'log' | 'vault'> & {
  /** False where other gateways take commands for the same log. */
  readonly soleWriter: boolean;
  readonly refusals: Pick<Refusals, 'find'>;
  readonly erasures: Erasures;
  /** Where the log stands when nothing is appended. */
  readonly position: () => bigint;
  /** The break of the log's chain that is known. */
  readonly damage: () => KnownBreak | undefined;
};

const defaultLimit = 100;

type Query = Omit<AuditQuery, 'admin'> & { readonly admin?: string | undefined };

const fieldTitles: Readonly<Record<string, string>> = { phone2: 'second phone', document: 'ID document' };

/** What the site shows to everybody, of whom it shows. What else is recorded of a person is told by name alone: an audit is printed and kept. */
const shownDetails: Readonly<Record<PersonKind, ReadonlySet<string>>> = {
  player: new Set(['name', 'age', 'height', 'weight']),
  coach: new Set(['name']),
  'team-contact': new Set(),
  requester: new Set(),
};
const detailsText = (fields: readonly string[], details: ChangedDetails['after']): string =>
  fields.map((field) => `${field}: ${String(details[field as 'name' | 'age'] ?? '(empty)')}`).join('; ');

/** `name: Aman` → `name: Anil; changed: phone`; of the first fact `recorded: phone`. */
const detailTexts = ({ kind, fields, before, after }: ChangedDetails): Pick<AuditLine, 'before' | 'after'> => {
  const isShown = (field: string): boolean => shownDetails[kind].has(field);
  const shown = fields.filter(isShown);
  const named = fields.filter((field) => !isShown(field)).map((field) => fieldTitles[field] ?? field);
  const now = [
    ...(shown.length === 0 ? [] : [detailsText(shown, after)]),
    ...(named.length === 0 ? [] : [`${before === undefined ? 'recorded' : 'changed'}: ${named.join(', ')}`]),
  ];
  return { before: before === undefined || shown.length === 0 ? null : detailsText(shown, before), after: now.length === 0 ? null : now.join('; ') };
};

/**
 * The ledger knows no personal details. What a fact recorded or changed of them is read in the sealed facts themselves, as long as the person's key is there.
 */
const withChangedDetails = async (deps: AuditRoutesDeps, lines: readonly AuditLine[]): Promise<AuditLine[]> => {
  const changedOf = remembered(async (personId) => changedDetails(deps, personId));
  return Promise.all(
    lines.map(async (line): Promise<AuditLine> => {
      if (line.type !== 'PersonDetailsRecorded' || line.position === null) return line;
      const change = (await changedOf(personIdOf(line.stream) ?? '')).get(BigInt(line.position));
      return change === undefined ? line : { ...line, ...detailTexts(change) };
    }),
  );
};

/** A page, told in full. */
const pageOf = async (deps: AuditRoutesDeps, query: Query, accounts: boolean, limit: number): Promise<Page> => {
  const { lines, next } = auditPage(deps.reader(), deps.refusals, { ...query, limit, accounts });
  return { lines: await withChangedDetails(deps, lines), next };
};

const linesOf = async (deps: AuditRoutesDeps, query: Query, accounts: boolean, limit: number | undefined): Promise<Page> =>
  linesFrom(async (before, length) => pageOf(deps, { ...query, before }, accounts, length), query.before, limit);

const answerOf = async (deps: AuditRoutesDeps, query: Query, accounts: boolean): Promise<AuditAnswer> => {
  const page = await linesOf(deps, query, accounts, Number(query.limit ?? defaultLimit));
  const nameOf = subjectNamesIn(deps.reader());
  const about = auditSubjects.flatMap((kind) => {
    const id = query[kind];
    const name = id === undefined ? undefined : nameOf(kind, id);
    return id === undefined || name === undefined ? [] : [{ kind, id, name }];
  });
  return { ...page, about, refusalsOf: deps.soleWriter ? 'all' : 'this-gateway' };
};

const csvOf = async (deps: AuditRoutesDeps, query: Query, accounts: boolean): Promise<ReadReply> => {
  const { lines, next } = await linesOf(deps, query, accounts, query.limit === undefined ? undefined : Number(query.limit));
  return csvFile('audit.csv', auditCsv(lines, next));
};

/** A number that was made of a damaged log says so. Admins are told the place alone: the reason may be words of the library. */
const traced = (deps: AuditRoutesDeps, query: TraceQuery, placeOf: (damage: KnownBreak) => string): ReadReply => {
  const answer = trace.getTrace(deps.reader(), query);
  const damage = deps.damage();
  const told = damage === undefined || damage.position > deps.position() ? undefined : `${placeOf(damage)}. ${stillShownText}`;
  return found(answer === undefined ? undefined : JSON.stringify({ ...answer, damage: told }), 'There is no such number');
};

/** Of somebody whose details this release cannot read no read model knows: the log itself is asked for an id that nobody else has. */
const personsFound = async (deps: AuditRoutesDeps, text: string): Promise<PersonsAnswer> => {
  const known = person.findPersons(deps.reader(), text);
  const personId = text.trim().toLowerCase();
  if (known.persons.length > 0 || !uuidForm.test(personId)) return known;
  try {
    const kind = await deps.erasures.kindInLog(personId);
    return kind === undefined ? known : { persons: [person.unreadablePerson(deps.reader(), personId, kind)], more: false };
  } catch (error) {
    if (!(error instanceof LogUnavailable)) throw error;
    throw new DomainError('unavailable', 'The event log does not answer: whether there is such a person is not known now', { retryAfter: 2, cause: error });
  }
};

/** The questions of auditors, and erasure. */
export const auditRoutes = (deps: AuditRoutesDeps): readonly Bound[] => [
  bindRead(listAudit, async ({ query }) => ({ json: JSON.stringify(await answerOf(deps, query, false)) })),
  bindRead(getAuditCsv, async ({ query }) => csvOf(deps, query, false)),
  bindRead(listAdminAudit, async ({ query }) => ({ json: JSON.stringify(await answerOf(deps, query, true)) })),
  bindRead(getAdminAuditCsv, async ({ query }) => csvOf(deps, query, true)),
  bindRead(getTrace, ({ query, context }) => traced(deps, query, context.actor.role === 'operator' ? damageText : damagePlace)),
  bindRead(getSuperAdminTrace, ({ query }) => traced(deps, query, damageText)),
  bindRead(findPersons, async ({ query: { text } }) => ({ json: JSON.stringify(await personsFound(deps, text)) })),
  bindCommand(erasePerson, async ({ body: { personId, reason }, context }) => {
    const { kind, already, filesUnknown, outcome } = await deps.erasures.erase(personId, reason, context);
    const answer: ErasureAnswer = { personId, kind, already, ...(filesUnknown && { filesUnknown }) };
    return { body: answer, position: outcome?.position ?? deps.position(), pending: outcome?.pending ?? false };
  }),
];
