import { createHash, type Hash } from 'node:crypto';
import Database from 'better-sqlite3';
import { uuidForm } from '@courtledger/contracts/kernel/ids';
import { parkedTable, projectedTables } from './schema.ts';
import type { SqlValue, Table } from './table.ts';

/**
 * One state of a read model, whatever is written meanwhile: a read transaction on a connection of its own. Close it soon, since its write-ahead log cannot be
 * cut before.
 */
export type Snapshot = { readonly position: bigint; readonly rows: (table: Table) => Iterator<SqlValue[], undefined>; readonly close: () => void };

/** Opens a read model that is there at the position it is at now. */
export const openSnapshot = (path: string): Snapshot => {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    database.exec('BEGIN');
    // The first read is what fixes the state.
    const position = BigInt(String(database.prepare('SELECT position FROM checkpoint WHERE id = 1').pluck().get()));
    return {
      position,
      rows: ({ name, key, columns }) =>
        database
          .prepare<[], SqlValue[]>(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${key.join(', ')}`)
          .raw()
          .safeIntegers()
          .iterate() as Iterator<SqlValue[], undefined>,
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * Where two rows differ: `at` names the column and the path in its JSON. Values are null where one model has no such row, and left out where they may be
 * personal or secret.
 */
export type DifferenceSample = { readonly key: string; readonly at: string; readonly live: string | null; readonly next: string | null };
export type TableDifference = {
  readonly name: string;
  readonly rows: { readonly live: number; readonly next: number };
  readonly checksum: { readonly live: string; readonly next: string };
  readonly differing: number;
  readonly samples: readonly DifferenceSample[];
};
export type ReadModelDifference = { readonly equal: boolean; readonly tables: readonly TableDifference[] };

/** Tables whose values are never shown: people, accounts, secrets. */
const closed = /person|admin|credential|session|request/;
/** Numbers that say something of a person's body or age, wherever they stand. */
const ofPersons = /(?:age|height|weight|phone\w*|\w+number)$/i;
/**
 * Days, moments and times of day, which are shown as ids are. Any other text may be a name, an address of a photo, a phone, or hold one, in whatever column of
 * whatever table.
 */
const whenForm = /^(?:\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|\d\d:\d\d)$/;

const isShown = (table: string, at: string, value: unknown): boolean => {
  if (closed.test(table)) return false;
  if (typeof value === 'string') return uuidForm.test(value) || whenForm.test(value);
  if (typeof value === 'number' || typeof value === 'bigint') return !ofPersons.test(at);
  return typeof value !== 'object' || value === null;
};

const shown = (table: string, at: string, value: unknown): string => {
  if (value === undefined) return '(nothing)';
  if (!isShown(table, at, value)) return '(differs)';
  return typeof value === 'string' ? value : typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
};

const parsed = (value: SqlValue): unknown => {
  if (typeof value !== 'string' || !/^[[{,]/.test(value)) return value;
  // A part of an answer that is put together from several may begin with a comma, and may not end the object.
  const begun = value.startsWith(',') ? `{${value.slice(1)}` : value;
  for (const text of [begun, `${begun}}`]) {
    try {
      return JSON.parse(text);
    } catch {
      // The next one, or a text as it is.
    }
  }
  return value;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** The first place at which two JSON values differ. */
const firstDifference = (at: string, live: unknown, next: unknown): { readonly at: string; readonly live: unknown; readonly next: unknown } => {
  if (isObject(live) && isObject(next) && Array.isArray(live) === Array.isArray(next)) {
    for (const name of new Set([...Object.keys(live), ...Object.keys(next)])) {
      if (JSON.stringify(live[name]) !== JSON.stringify(next[name]))
        return firstDifference(Array.isArray(live) ? `${at}[${name}]` : `${at}.${name}`, live[name], next[name]);
    }
  }
  return { at, live, next };
};

const sampleOf = (table: Table, live: SqlValue[] | undefined, next: SqlValue[] | undefined): DifferenceSample => {
  const key = (live ?? next ?? [])
    .slice(0, table.key.length)
    .map((value) => (closed.test(table.name) ? String(value).slice(0, 8) : String(value)))
    .join(' ');
  if (live === undefined || next === undefined)
    return { key, at: '(row)', live: live === undefined ? null : '(row)', next: next === undefined ? null : '(row)' };
  const column = table.columns.findIndex((_, index) => live[index] !== next[index]);
  const found = firstDifference(table.columns[column] ?? '', parsed(live[column] ?? null), parsed(next[column] ?? null));
  return { key, at: found.at, live: shown(table.name, found.at, found.live), next: shown(table.name, found.at, found.next) };
};

/** The order of SQLite: numbers before texts, texts by their bytes. */
const compareValues = (a: SqlValue, b: SqlValue): number => {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'string') return 1;
  if (typeof b === 'string') return -1;
  return Number(a ?? 0) - Number(b ?? 0);
};
const compareKeys = (table: Table, a: SqlValue[], b: SqlValue[]): number => {
  for (let index = 0; index < table.key.length; index += 1) {
    const [left, right] = [a[index] ?? null, b[index] ?? null];
    if (left !== right) return compareValues(left, right);
  }
  return 0;
};

const sameRow = (a: SqlValue[], b: SqlValue[]): boolean => a.every((value, index) => value === b[index]);
/** A row as one text, for checksums. */
const rowText = (row: SqlValue[]): string => {
  let text = '';
  for (const value of row) text += value === null ? '\u0000\u001f' : `${String(value)}\u001f`;
  return `${text}\n`;
};
const add = (row: SqlValue[], ...hashes: readonly Hash[]): void => {
  const text = rowText(row);
  for (const hash of hashes) hash.update(text);
};

/** Differences that are described for each table. */
const mostSamples = 5;

const compareTable = (table: Table, live: Snapshot, next: Snapshot): TableDifference => {
  const [liveRows, nextRows] = [live.rows(table), next.rows(table)];
  const [liveHash, nextHash] = [createHash('sha256'), createHash('sha256')];
  const samples: DifferenceSample[] = [];
  let [liveCount, nextCount, differing] = [0, 0, 0];
  const differ = (a: SqlValue[] | undefined, b: SqlValue[] | undefined): void => {
    differing += 1;
    if (samples.length < mostSamples) samples.push(sampleOf(table, a, b));
  };
  const takeLive = (): SqlValue[] | undefined => {
    const row = liveRows.next();
    if (row.done === true) return undefined;
    liveCount += 1;
    return row.value;
  };
  const takeNext = (): SqlValue[] | undefined => {
    const row = nextRows.next();
    if (row.done === true) return undefined;
    nextCount += 1;
    return row.value;
  };
  let a = takeLive();
  let b = takeNext();
  while (a !== undefined || b !== undefined) {
    const order = a === undefined ? 1 : b === undefined ? -1 : compareKeys(table, a, b);
    if (order === 0 && a !== undefined && b !== undefined && sameRow(a, b)) {
      add(a, liveHash, nextHash);
    } else {
      const [only, other] = [order <= 0 ? a : undefined, order >= 0 ? b : undefined];
      if (only !== undefined) add(only, liveHash);
      if (other !== undefined) add(other, nextHash);
      differ(only, other);
    }
    if (order <= 0) a = takeLive();
    if (order >= 0) b = takeNext();
  }
  return {
    name: table.name,
    rows: { live: liveCount, next: nextCount },
    checksum: { live: liveHash.digest('hex'), next: nextHash.digest('hex') },
    differing,
    samples,
  };
};

/**
 * Compares two read models that stand at the same position, table by table in the order of the keys. Throws when they do not.
 * @param onTable hears of each table that is done; throws to stop
 */
export const compareReadModels = (
  live: Snapshot,
  next: Snapshot,
  { onTable }: { readonly onTable?: (done: number, of: number) => void } = {},
): ReadModelDifference => {
  if (live.position !== next.position)
    throw new Error(`The read models stand at ${live.position.toString()} and ${next.position.toString()}: they cannot be compared`);
  const all = [parkedTable, ...projectedTables];
  const tables = all.map((table, index) => {
    const found = compareTable(table, live, next);
    onTable?.(index + 1, all.length);
    return found;
  });
  return { equal: tables.every(({ differing }) => differing === 0), tables };
};
