import { setImmediate } from 'node:timers/promises';
import { LAST_POSITION, parsePosition } from '@courtledger/contracts/kernel/event';
import type { AsOf } from '@courtledger/contracts/kernel/fields';
import type { AuditQuery } from '@courtledger/contracts/operations/audit.api';
import type { AuditAnswer, AuditLine } from '@courtledger/contracts/operations/audit.answers';
import type { Reader } from '@courtledger/projections/kernel/read-model';
import * as audit from '@courtledger/projections/operations/audit.queries';
import type { RefusalPlace, Refusals } from '../platform/refusals.ts';
import { refusalsFor, type ToldRefusal } from './audit-refusals.ts';

/** The question of a page: `limit` lines, facts and refusals together. */
export type PageQuery = Omit<AuditQuery, 'admin' | 'limit'> & {
  readonly admin?: string | undefined;
  readonly limit: number;
  /** Whether what concerns accounts of admins is told. */
  readonly accounts: boolean;
};
export type Page = Pick<AuditAnswer, 'lines' | 'next'>;

/**
 * Where a page ends, and the next begins: facts before a position, and refusals before a place in their own order. Facts have positions, refusals times and
 * ids; neither tells where the other goes on.
 */
export type Cursor = { readonly position: bigint; readonly refusals: RefusalPlace | undefined };
const lastMillisecond = Date.parse('9999-12-31T23:59:59.999Z');

/** Time of the last fact up to a position. */
const timeAt = (reader: Reader, position: bigint): string | undefined =>
  reader.text('SELECT time FROM ledger WHERE position <= ? ORDER BY position DESC LIMIT 1', position);
/** Before any time: nothing was refused before the first fact that a position could name. */
const beforeAll = '';
/** ISO bounds of a query; a position is a time too: that of the last fact up to it. */
const timeBound = (reader: Reader, at: AsOf | undefined): string | undefined =>
  at?.kind === 'position' ? (timeAt(reader, at.position) ?? beforeAll) : at?.time;

/** `<position>.<milliseconds>.<id>`, or a position alone: refusals then go on from the time of the fact before it. */
export const cursorOf = (timeUpTo: Sources['timeAt'], text: string | undefined): Cursor => {
  if (text === undefined) return { position: LAST_POSITION, refusals: undefined };
  const [position = '', milliseconds, id] = text.split('.');
  // One beyond every log is the end.
  const before = parsePosition(position) ?? LAST_POSITION;
  if (milliseconds !== undefined) return { position: before, refusals: { time: new Date(Number(milliseconds)).toISOString(), id: Number(id) } };
  return { position: before, refusals: before >= LAST_POSITION ? undefined : { time: timeUpTo(before - 1n) ?? '', id: Number.MAX_SAFE_INTEGER } };
};
const cursorText = ({ position, refusals }: Cursor): string =>
  `${position.toString()}.${String(refusals === undefined ? lastMillisecond : Date.parse(refusals.time))}.${String(refusals?.id ?? 0)}`;

const earlier = (one: RefusalPlace | undefined, other: RefusalPlace): RefusalPlace =>
  one !== undefined && (one.time < other.time || (one.time === other.time && one.id < other.id)) ? one : other;

/** Where the lines of a page come from; each in its own order, newest first. */
export type Sources = {
  readonly facts: (before: bigint) => audit.FactPage;
  /** Time of the last fact up to a position. */
  readonly timeAt: (position: bigint) => string | undefined;
  /** `from`: an ISO time, inclusive. */
  readonly refusals: (bounds: { readonly from: string | undefined; readonly before: RefusalPlace | undefined }) => Generator<ToldRefusal, void>;
};
/**
 * A page of at most `limit` lines: always the newer one of both. Each keeps its own order, so that a clock that was set back can neither hide a line nor show
 * it twice.
 */
export const mergedPage = (sources: Sources, limit: number, from: Cursor): Page => {
  const facts = from.position > 0n ? sources.facts(from.position) : { lines: [], places: [], next: null };
  const lower = facts.next === null ? undefined : sources.timeAt(BigInt(facts.next) - 1n);
  // Nothing that is older than all facts of this page is looked at, unless these are the last ones.
  const oldest = lower === undefined ? undefined : facts.lines.reduce((least, { at }) => (at < least ? at : least), lower);
  const refusals = sources.refusals({ from: oldest, before: from.refusals });
  try {
    const lines: AuditLine[] = [];
    let [taken, place] = [0, from.refusals];
    let head = refusals.next();
    while (lines.length < limit) {
      const fact = facts.lines[taken];
      const refusal = head.done === true ? undefined : head.value;
      if (fact !== undefined && (refusal === undefined || fact.at >= refusal.line.at)) {
        lines.push(fact);
        taken += 1;
        place = earlier(place, { time: fact.at, id: Number.MAX_SAFE_INTEGER });
      } else if (refusal !== undefined && (fact !== undefined || lower === undefined || refusal.line.at > lower)) {
        lines.push(refusal.line);
        place = refusal.place;
        head = refusals.next();
      } else break;
    }
    const areAll = taken === facts.lines.length;
    if (areAll && facts.next === null && head.done === true) return { lines, next: null };
    const position = areAll ? BigInt(facts.next ?? '0') : taken === 0 ? from.position : (facts.places[taken - 1] ?? 0n);
    return { lines, next: cursorText({ position, refusals: place }) };
  } finally {
    // A walk over the table that is not ended would keep it from being written.
    refusals.return();
  }
};

/** One page of facts with the refusals of the same time, newest first: at most `limit` lines. It may be short: `next` tells whether there is more. */
export const auditPage = (reader: Reader, trail: Pick<Refusals, 'find'>, query: PageQuery): Page => {
  const { match, team, player, tournament, admin, type, actor, asOf, limit, accounts } = query;
  const subject = { match, team, player, tournament, admin };
  const [earliest, latest] = [
    timeBound(reader, query.from),
    [timeBound(reader, query.to), timeBound(reader, asOf)].flatMap((time) => time ?? []).toSorted()[0],
  ];
  const refusals = type === undefined || type === 'Refused' ? trail : { find: () => [] };
  return mergedPage(
    {
      facts: (before) =>
        type === 'Refused'
          ? { lines: [], places: [], next: null }
          : audit.listAudit(reader, subject, { type, actor, from: query.from, to: query.to, asOf, before, limit, accounts }),
      timeAt: (position) => timeAt(reader, position),
      refusals: ({ from, before }) =>
        refusalsFor(refusals, reader, {
          ...subject,
          actor,
          accounts,
          from: [from, earliest]
            .flatMap((time) => time ?? [])
            .toSorted()
            .at(-1),
          to: latest,
          before,
        }),
    },
    limit,
    cursorOf((position) => timeAt(reader, position), query.before),
  );
};

/**
 * Facts after which a file is cut when no limit was asked for. Refusals are not counted, since strangers can make many of them; their table has an end of its
 * own.
 */
const mostFacts = 5000;
const pageSize = 500;

/**
 * The lines of one answer, from as many pages as it takes, since a page may be short or empty although there are older lines: as many as `limit` says, else
 * until there are `mostFacts` facts (and the rest of that page). `next`: where what is missing begins.
 */
export const linesFrom = async (
  pageFrom: (before: string | undefined, limit: number) => Promise<Page>,
  from: string | undefined,
  limit: number | undefined,
): Promise<Page> => {
  const lines: AuditLine[] = [];
  let facts = 0;
  let next: string | null | undefined = from;
  const isFull = (): boolean => (limit === undefined ? facts >= mostFacts : lines.length >= limit);
  do {
    // Once the answer is full, only whether there is another line at all.
    const length = isFull() ? 1 : limit === undefined ? pageSize : Math.min(pageSize, limit - lines.length);
    const page = await pageFrom(next ?? undefined, length);
    if (isFull() && page.lines.length > 0) break;
    for (const line of page.lines) lines.push(line);
    facts += page.lines.filter(({ position }) => position !== null).length;
    ({ next } = page);
    // Others are answered between two pages.
    await setImmediate();
  } while (next !== null);
  return { lines, next: next ?? null };
};
