import { z } from 'zod';
import { bytesAnswer, nothing } from '../kernel/answers.ts';
import { factTypes } from '../kernel/all-facts.ts';
import { defineEndpoint } from '../kernel/endpoint.ts';
import { across, asOf, id, oneOf, startingAt, text } from '../kernel/fields.ts';
import { ASKED_MAX, REASON_MAX } from '../kernel/limits.ts';
import { fieldTexts } from '../kernel/texts.ts';
import {
  auditAnswer,
  auditPlace,
  erasureAnswer,
  isTraced,
  personsAnswer,
  traceAnswer,
  tracedNumbers,
  traceKinds,
  type TraceKind,
  type TraceSubject,
} from './audit.answers.ts';

/** The questions of an auditor: who did what, when, why; and why a number is what it is. */

const read = { kind: 'read', method: 'GET', private: true, params: nothing, bodyKind: 'none', body: nothing, files: {}, status: 200 } as const;

const optional = () => z.string().max(ASKED_MAX).optional();
const subjects = { match: optional(), team: optional(), player: optional(), tournament: optional() };
/** What an audit can be narrowed to: every fact, a move (two facts of one command), and what was refused. */
export const auditTypes = [...factTypes, 'StatEntryMoved', 'Refused'] as const;
const filters = {
  type: oneOf(auditTypes).optional(),
  actor: optional(),
  from: startingAt().optional(),
  to: asOf().optional(),
  asOf: asOf().optional(),
  before: auditPlace.optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .optional(),
};
const auditQuery = z.object({ ...subjects, ...filters });
const adminAuditQuery = z.object({ admin: optional(), ...subjects, ...filters });
const order = ['match', 'team', 'player', 'tournament', 'type', 'actor', 'from', 'to', 'asOf', 'before', 'limit'] as const;

/**
 * `actor`: role, id or a part of the name, letters of either case. `limit`: lines, facts and refusals together. `before`: where the page before ended (`next`).
 * `from`, `to`, `asOf`: a time or a position, inclusive; of a day alone, `from` means its beginning in Kathmandu, and the others its end. `to` and `asOf`
 * differ only in meaning: what was done until then, and what was known then.
 */
export type AuditQuery = z.output<typeof adminAuditQuery>;

export const listAudit = defineEndpoint({
  name: 'listAudit',
  ...read,
  access: 'admin',
  path: '/audit',
  summary: 'Who did what, before and after, why: of a match, team, player or tournament, or of everything; newest first.',
  query: auditQuery,
  fieldOrder: order,
  response: auditAnswer,
});
export const getAuditCsv = defineEndpoint({
  name: 'getAuditCsv',
  ...read,
  access: 'admin',
  path: '/audit.csv',
  summary:
    'The same as comma-separated values, at most `limit` lines, without it 5,000 facts with the refusals of their time; where it is cut, the last line says so and where to go on.',
  query: auditQuery,
  fieldOrder: order,
  response: bytesAnswer,
  produces: 'text/csv',
});
export const listAdminAudit = defineEndpoint({
  name: 'listAdminAudit',
  ...read,
  access: 'superadmin',
  path: '/superadmin/audit',
  summary: 'The audit with the accounts of admins: what was done to one and what that one did.',
  query: adminAuditQuery,
  fieldOrder: ['admin', ...order],
  response: auditAnswer,
});
export const getAdminAuditCsv = defineEndpoint({
  name: 'getAdminAuditCsv',
  ...read,
  access: 'superadmin',
  path: '/superadmin/audit.csv',
  summary:
    'The same as comma-separated values, at most `limit` lines, without it 5,000 facts with the refusals of their time; where it is cut, the last line says so and where to go on.',
  query: adminAuditQuery,
  fieldOrder: ['admin', ...order],
  response: bytesAnswer,
  produces: 'text/csv',
});

type Traced = { readonly of: TraceKind; readonly stat: string } & { readonly [S in TraceSubject]?: string | undefined };
const traceChecks = traceKinds.flatMap((kind) => [
  across<Traced>(
    ['of', 'stat'],
    'stat',
    fieldTexts.oneOf(tracedNumbers[kind].stats).replace('{field}', `{field} of ${kind}`),
    ({ of, stat }) => of !== kind || isTraced(kind, stat),
  ),
  ...tracedNumbers[kind].by.map((subject) =>
    across<Traced>(['of', subject], subject, fieldTexts.required, (question) => question.of !== kind || (question[subject] ?? '') !== ''),
  ),
]);
const traceQuery = z
  .object({
    of: oneOf(traceKinds).default('match-player'),
    stat: z.string().max(ASKED_MAX).default('points'),
    match: optional(),
    team: optional(),
    player: optional(),
    tournament: optional(),
    asOf: asOf().optional(),
  })
  .check(...traceChecks);
export type TraceQuery = z.output<typeof traceQuery>;
const traceOrder = ['of', 'stat', 'match', 'team', 'player', 'tournament', 'asOf'] as const;
const traced = { query: traceQuery, fieldOrder: traceOrder, refusals: [404], response: traceAnswer } as const;
export const getTrace = defineEndpoint({
  name: 'getTrace',
  ...read,
  ...traced,
  access: 'admin',
  path: '/audit/trace',
  summary: `Why a number is what it is: ${traceKinds.map((kind) => `${kind}: ${tracedNumbers[kind].stats.join(', ')} (by ${tracedNumbers[kind].by.join(', ')})`).join('; ')}. Players' totals and averages also of one tournament.`,
});
export const getSuperAdminTrace = defineEndpoint({
  name: 'getSuperAdminTrace',
  ...read,
  ...traced,
  access: 'superadmin',
  path: '/superadmin/audit/trace',
  summary: 'The same for the super admin, who is not an admin by that.',
});

export const findPersons = defineEndpoint({
  name: 'findPersons',
  ...read,
  access: 'superadmin',
  path: '/operations/persons',
  summary:
    "Players, coaches, team contacts and requesters by a part of their name or of their team's, a whole phone number, or an id: what an erasure would take, and what would stay.",
  query: z.object({ text: text({ max: ASKED_MAX }) }),
  fieldOrder: ['text'],
  response: personsAnswer,
});

export const erasePerson = defineEndpoint({
  name: 'erasePerson',
  kind: 'command',
  method: 'POST',
  path: '/operations/erase-person',
  summary: "Erases a person's details, photo and documents for good; the facts about matches stay. Cannot be undone.",
  access: 'superadmin',
  params: nothing,
  query: nothing,
  bodyKind: 'json',
  body: z.object({ personId: id(), reason: text({ max: REASON_MAX, lines: true }) }),
  files: {},
  fieldOrder: ['personId', 'reason'],
  status: 200,
  refusals: [404],
  response: erasureAnswer,
});
