import { setImmediate } from 'node:timers/promises';
import { LAST_POSITION, parsePosition } from '@courtledger/contracts/kernel/event';
import { streamOf } from '@courtledger/contracts/kernel/streams';
import type { LogEvent, LogEventsAnswer } from '@courtledger/contracts/operations/operations.answers';
import { personIdOf } from '@courtledger/contracts/player/person.events';
import { ofMatch } from '@courtledger/projections/kernel/ledger';
import type { Reader } from '@courtledger/projections/kernel/read-model';
import type { SqlValue } from '@courtledger/projections/kernel/table';
import { UnacceptableEvents, type EventLog } from '../event-log/event-log.ts';
import { recordedBy, sentencesOf } from '@courtledger/projections/operations/audit.queries';

/** What is looked for. Times are ISO instants; positions decimal texts. */
export type EventSearch = {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly stream?: string | undefined;
  readonly type?: string | undefined;
  readonly actor?: string | undefined;
  readonly match?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly limit?: string | undefined;
};

/**
 * What stands in the log and is no erased event: the facts of the ledger, and those that are parked, of which the read model knows all but what they say, and
 * why. Each is asked by itself: of both together SQLite would read everything and sort it.
 */
const places = [
  { columns: 'CAST(position AS TEXT), stream, revision, type, version, time, data, metadata, NULL', table: 'ledger', ofMatch: ofMatch() },
  {
    columns: 'CAST(position AS TEXT), stream, revision, type, version, time, NULL, metadata, error',
    table: 'parked',
    ofMatch: `stream = '${streamOf('match', '')}' || ?`,
  },
] as const;

type Row = [
  position: string,
  stream: string,
  revision: number,
  type: string,
  version: number,
  time: string,
  data: string | null,
  metadata: string,
  error: string | null,
];

type TellFact = ReturnType<typeof sentencesOf>;

const eventOf = ([position, stream, revision, type, version, time, text, metadata, error]: Row, tell: TellFact): LogEvent => {
  const data = text === null ? null : (JSON.parse(text) as Parameters<TellFact>[0]['data']);
  const what = error === null ? tell({ position: BigInt(position), stream, at: time, type, data: data ?? {} }) : `Parked: it cannot be applied, ${error}`;
  return { position, stream, revision, type, version, time, what, ...(error === null && { data }), metadata: JSON.parse(metadata) as unknown };
};

/** What no index tells: the cheap ones first, since whoever recorded it stands within the metadata. */
const conditions = ({ stream, type, actor, since, until }: EventSearch): { readonly sql: string; readonly values: readonly SqlValue[] } => {
  const parts: (readonly [string, ...SqlValue[]])[] = [];
  if (stream !== undefined) parts.push(['stream = ?', stream]);
  if (type !== undefined) parts.push(['type = ?', type]);
  if (since !== undefined) parts.push(['time >= ?', new Date(since).toISOString()]);
  if (until !== undefined) parts.push(['time <= ?', new Date(until).toISOString()]);
  if (actor !== undefined) {
    const by = recordedBy(actor);
    parts.push([by.sql, ...by.values]);
  }
  return { sql: parts.map(([sql]) => ` AND ${sql}`).join(''), values: parts.flatMap(([, ...values]) => values) };
};

/**
 * What a search may cost. Only the facts of one match are found by an index: one more on every entry would cost each command more than a search that somebody
 * makes now and then.
 */
export type SearchBounds = {
  /** Rows that are looked at before others have their turn: some milliseconds. */
  readonly rows: number;
  /** Of this process, in ms, all steps together: a log of a million events is searched to its end in 0.3 s, and in 1.5 by who recorded it. */
  readonly ms: number;
  readonly now: () => number;
};
const usualBounds: SearchBounds = { rows: 5000, ms: 2000, now: () => performance.now() };

type Range = { readonly from: bigint; readonly limit: number; readonly rows: number };

/** As much of a search as is made in one go. `next`: null when nothing is left to look at, whether it fits or not. */
const searchStep = (reader: Reader, search: EventSearch, { from, limit, rows: mostRows }: Range): LogEventsAnswer =>
  reader.snapshot(() => {
    const forward = search.after !== undefined;
    const [beyond, order, upTo] = forward ? ['>', 'ASC', '<='] : ['<', 'DESC', '>='];
    const nearer = (a: bigint, b: bigint): number => (a < b === forward ? -1 : 1);
    const subject = search.match === undefined ? [] : [search.match];
    const within = ({ table, ofMatch: match }: (typeof places)[number]): string =>
      `FROM ${table} WHERE ${search.match === undefined ? '' : `${match} AND `}position ${beyond} ?`;
    const edges = places
      .flatMap(
        (place) =>
          reader.text(`SELECT CAST(position AS TEXT) ${within(place)} ORDER BY position ${order} LIMIT 1 OFFSET ?`, ...subject, from, mostRows - 1) ?? [],
      )
      .map(BigInt);
    const edge = edges.toSorted(nearer)[0] ?? (forward ? LAST_POSITION : 0n);
    const { sql, values } = conditions(search);
    const rows = places.flatMap(
      (place) =>
        reader.rows(
          `SELECT ${place.columns} ${within(place)} AND position ${upTo} ?${sql} ORDER BY position ${order} LIMIT ?`,
          ...subject,
          from,
          edge,
          ...values,
          limit,
        ) as Row[],
    );
    const found = rows.toSorted(([a], [b]) => nearer(BigInt(a), BigInt(b))).slice(0, limit);
    const tell = sentencesOf(reader);
    const reached = found.length === limit ? BigInt(found.at(-1)?.[0] ?? edge) : edge;
    const isMore = places.some((place) => reader.row(`SELECT 1 ${within(place)} LIMIT 1`, ...subject, reached) !== undefined);
    return { events: found.map((row) => eventOf(row, tell)), next: isMore ? reached.toString() : null, position: reader.position().toString() };
  });

/**
 * A page of events out of the ledger: what every store's log holds, in its order, without sealed details and hashes of credentials. Erased events do not stand
 * there; of those that are parked it is told why. It is looked for until the page is full or nothing is left, others having their turn in between; a search
 * that takes too long ends with what it has, and `next`.
 * @param reader the live one: it may be another after each turn
 */
export const searchEvents = async (reader: () => Reader, search: EventSearch, { rows, ms, now }: SearchBounds = usualBounds): Promise<LogEventsAnswer> => {
  const forward = search.after !== undefined;
  const limit = Number(search.limit ?? '50');
  const events: LogEvent[] = [];
  let from = parsePosition(search.after ?? search.before ?? '') ?? LAST_POSITION;
  let position: string | undefined;
  let spent = 0;
  for (;;) {
    const began = now();
    const step = searchStep(reader(), search, { from, limit: limit - events.length, rows });
    for (const event of step.events) events.push(event);
    // Up to where everything was looked at: a search forward meets what is recorded meanwhile, one backward leaves it to whoever follows from here.
    position = forward ? step.position : (position ?? step.position);
    spent += now() - began;
    if (step.next === null || events.length === limit || spent >= ms) return { events: forward ? events : events.toReversed(), next: step.next, position };
    from = BigInt(step.next);
    await setImmediate();
  }
};

/** Whether the log has such a stream, also one whose events the ledger does not show. */
export const isStream = async (log: Pick<EventLog, 'readStream'>, name: string): Promise<boolean> => {
  try {
    return ((await log.readStream(name, 0, 1)) ?? []).length > 0;
  } catch (error) {
    // A name that no stream can have.
    if (error instanceof UnacceptableEvents) return false;
    throw error;
  }
};

/** Where the log tells that the person of a stream was erased; undefined when it is no stream of a person, or nobody erased it. */
export const erasureOf = (reader: Reader, stream: string): string | undefined => {
  const personId = personIdOf(stream);
  return personId === undefined
    ? undefined
    : reader.text("SELECT CAST(position AS TEXT) FROM ledger WHERE type = 'PersonErased' AND data ->> '$.personId' = ? ORDER BY position LIMIT 1", personId);
};

/** Whether there ever was such a match. */
export const isMatch = (reader: Reader, matchId: string): boolean =>
  reader.row("SELECT 1 FROM ledger WHERE type = 'MatchAssigned' AND match_id = ?", matchId) !== undefined;

/** One event, or undefined when neither the ledger nor what is parked has one at that position. */
export const eventAt = (reader: Reader, position: string): LogEvent | undefined => {
  const at = parsePosition(position);
  const [row] = at === undefined ? [] : places.flatMap(({ columns, table }) => reader.rows(`SELECT ${columns} FROM ${table} WHERE position = ?`, at) as Row[]);
  return row === undefined ? undefined : eventOf(row, sentencesOf(reader));
};

/** Whether a log in a file has an event at a position of which nothing is left but its place: the person of whom it told was erased. */
export const isErasedAt = async (log: Pick<EventLog, 'readAll'>, position: string): Promise<boolean> => {
  const at = parsePosition(position);
  if (at === undefined || at === 0n) return false;
  const [event] = await log.readAll(at === 1n ? 'start' : at - 1n, 1);
  return event?.position === at && personIdOf(event.stream) !== undefined && event.data === undefined;
};
