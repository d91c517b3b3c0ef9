import { parsePosition } from '@courtledger/contracts/kernel/event';
import { personIdOf } from '@courtledger/contracts/player/person.events';
import type { LogEvent, LogEventsAnswer } from '@courtledger/contracts/operations/operations.answers';
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

/** What stands in the log and is no erased event: the facts of the ledger, and those that are parked, of which the read model knows all but what they say, and why. */
const known = (reader: Reader): string =>
  reader.row('SELECT 1 FROM parked LIMIT 1') === undefined
    ? '(SELECT *, NULL AS error FROM ledger)'
    : `(SELECT position, stream, revision, type, version, time, data, metadata, match_id, NULL AS error FROM ledger
        UNION ALL SELECT position, stream, revision, type, version, time, NULL, metadata, CASE WHEN stream LIKE 'match-%' THEN substr(stream, 7) END, error FROM parked)`;
const columns = 'position, stream, revision, type, version, time, data, metadata, error';
/** Rows of the ledger that one page looks at, so that a search for what is rare holds nobody up. */
const looked = 5000;
const last = '9223372036854775807';

type LedgerRow = [position: unknown, stream: string, revision: number, type: string, version: number, time: string, data: string | null, metadata: string, error: string | null];

type TellFact = ReturnType<typeof sentencesOf>;

const eventOf = ([at, stream, revision, type, version, time, text, metadata, error]: LedgerRow, tell: TellFact): LogEvent => {
  const data = text === null ? null : (JSON.parse(text) as Parameters<TellFact>[0]['data']);
  const what = error === null ? tell({ position: BigInt(String(at)), stream, at: time, type, data: data ?? {} }) : `Parked: it cannot be applied, ${error}`;
  return { position: String(at), stream, revision, type, version, time, what, ...(error === null && { data }), metadata: JSON.parse(metadata) as unknown };
};

const conditions = ({ stream, type, actor, match, since, until }: EventSearch): { readonly sql: string; readonly values: readonly SqlValue[] } => {
  const parts: (readonly [string, ...SqlValue[]])[] = [];
  if (stream !== undefined) parts.push(['stream = ?', stream]);
  if (type !== undefined) parts.push(['type = ?', type]);
  if (match !== undefined) parts.push(['match_id = ?', match]);
  if (since !== undefined) parts.push(['time >= ?', new Date(since).toISOString()]);
  if (until !== undefined) parts.push(['time <= ?', new Date(until).toISOString()]);
  if (actor !== undefined) {
    const by = recordedBy(actor);
    parts.push([by.sql, ...by.values]);
  }
  return { sql: parts.map(([sql]) => ` AND ${sql}`).join(''), values: parts.flatMap(([, ...values]) => values) };
};

/**
 * A page of events out of the ledger: what every store's log holds, in its order, without sealed details and hashes of credentials. Erased events do not stand there; of those that are parked it is told why.
 */
export const searchEvents = (reader: Reader, search: EventSearch): LogEventsAnswer =>
  reader.snapshot(() => {
    const limit = Number(search.limit ?? '50');
    const forward = search.after !== undefined;
    const from = forward ? (search.after ?? '0') : (search.before ?? last);
    const { sql, values } = conditions(search);
    const [compare, order] = forward ? ['>', 'ASC'] : ['<', 'DESC'];
    const facts = known(reader);
    const edge = reader.text(`SELECT position FROM (SELECT position FROM ${facts} WHERE position ${compare} ? ORDER BY position ${order} LIMIT ${String(looked)}) ORDER BY position ${forward ? 'DESC' : 'ASC'} LIMIT 1`, BigInt(from));
    const position = reader.position().toString();
    if (edge === undefined) return { events: [], next: null, position };
    const inner = `position ${compare} ? AND position ${forward ? '<=' : '>='} ?`;
    const rows = reader.rows(`SELECT ${columns} FROM ${facts} WHERE ${inner}${sql} ORDER BY position ${order} LIMIT ?`, BigInt(from), BigInt(edge), ...values, limit) as LedgerRow[];
    const tell = sentencesOf(reader);
    const events = rows.map((row) => eventOf(row, tell));
    const full = events.length === limit;
    const reached = full ? (events.at(-1)?.position ?? edge) : edge;
    const more = reader.row(`SELECT 1 FROM ${facts} WHERE position ${compare} ? LIMIT 1`, BigInt(reached)) !== undefined;
    return { events: forward ? events : events.toReversed(), next: more ? reached : null, position };
  });

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
  return personId === undefined ? undefined : reader.text("SELECT CAST(position AS TEXT) FROM ledger WHERE type = 'PersonErased' AND data ->> '$.personId' = ? ORDER BY position LIMIT 1", personId);
};

/** Whether there ever was such a match. */
export const isMatch = (reader: Reader, matchId: string): boolean => reader.row("SELECT 1 FROM ledger WHERE type = 'MatchAssigned' AND match_id = ?", matchId) !== undefined;

/** One event, or undefined when neither the ledger nor what is parked has one at that position. */
export const eventAt = (reader: Reader, position: string): LogEvent | undefined => {
  const at = parsePosition(position);
  const row = at === undefined ? undefined : (reader.row(`SELECT ${columns} FROM ${known(reader)} WHERE position = ?`, at) as LedgerRow | undefined);
  return row === undefined ? undefined : eventOf(row, sentencesOf(reader));
};

/** Whether a log in a file has an event at a position of which nothing is left but its place: the person of whom it told was erased. */
export const isErasedAt = async (log: Pick<EventLog, 'readAll'>, position: string): Promise<boolean> => {
  const at = parsePosition(position);
  if (at === undefined || at === 0n) return false;
  const [event] = await log.readAll(at === 1n ? 'start' : at - 1n, 1);
  return event?.position === at && personIdOf(event.stream) !== undefined && event.data === undefined;
};
