import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { checkSeal } from './file-seal.ts';
import { expectOpened } from './not-opened.ts';
import { allTables, projectionVersion } from './schema.ts';
import type { SqlValue } from './table.ts';
import { foldName } from './text-order.ts';

/**
 * A read-only connection to one read model file. Statements are prepared once. They may use `folded`, which is `foldName`: SQLite's own `lower` knows ASCII
 * only.
 */
export type Reader = {
  readonly path: string;
  /** The position up to which the log is folded into what is read. */
  position(): bigint;
  /** The first row, as an array of columns (integers as numbers), or undefined. */
  row(sql: string, ...parameters: SqlValue[]): SqlValue[] | undefined;
  rows(sql: string, ...parameters: SqlValue[]): SqlValue[][];
  /** The first column of the first row, as text. */
  text(sql: string, ...parameters: SqlValue[]): string | undefined;
  /** The first column of all rows, as texts. */
  texts(sql: string, ...parameters: SqlValue[]): string[];
  /** Reads that belong together see one state of the file. */
  snapshot<T>(read: () => T): T;
  close(): void;
};

/**
 * Opens a read model that is there. Throws when it is missing, damaged or of another version. `ofAnyVersion`: of any release, for what all of them have in
 * common; a statement may fail then.
 */
export const openReader = (path: string, { ofAnyVersion = false } = {}): Reader => {
  // Read-only it leaves what a write-ahead log needs beside a file that nobody opens again.
  const database = new Database(path, { readonly: !ofAnyVersion, fileMustExist: true });
  database.function('folded', { deterministic: true }, (value: unknown) => (typeof value === 'string' ? foldName(value) : null));
  const statements = new Map<string, Database.Statement<SqlValue[], SqlValue[]>>();
  const prepared = (sql: string): Database.Statement<SqlValue[], SqlValue[]> => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare<SqlValue[], SqlValue[]>(sql).raw();
      statements.set(sql, statement);
    }
    return statement;
  };
  const transaction = database.transaction((read: () => unknown): unknown => read());
  try {
    if (!ofAnyVersion && prepared('SELECT value FROM read_model WHERE key = ?').get('version')?.[0] !== projectionVersion)
      throw new Error(`The read model ${path} is of another version`);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    path,
    position: () => BigInt(String(prepared('SELECT position FROM checkpoint WHERE id = 1').get()?.[0])),
    row: (sql, ...parameters) => prepared(sql).get(...parameters),
    rows: (sql, ...parameters) => prepared(sql).all(...parameters),
    text(sql, ...parameters) {
      const value = prepared(sql).get(...parameters)?.[0];
      return value === undefined || value === null ? undefined : String(value);
    },
    texts: (sql, ...parameters) =>
      prepared(sql)
        .all(...parameters)
        .map(([value]) => String(value)),
    snapshot: <T>(read: () => T): T => (database.inTransaction ? read() : (transaction(read) as T)),
    close() {
      database.close();
    },
  };
};

export type ReadModelState = 'missing' | 'damaged' | 'outdated' | 'good';

/**
 * What a file is. `full` compares the file with its seal, or without one (a crash) checks every page and index; `quick` reads only schema, version and
 * checkpoint. Throws SQLite's error, with the file's path, where it cannot be opened, as on a disk that is full.
 */
export const inspectReadModel = (path: string, depth: 'quick' | 'full'): ReadModelState => {
  if (!existsSync(path)) return 'missing';
  const seal = depth === 'full' ? checkSeal(path) : 'none';
  if (seal === 'broken') return 'damaged';
  let database: Database.Database | undefined;
  try {
    // Not read-only: a write-ahead log that a crash left is recovered first.
    database = new Database(path, { fileMustExist: true });
    const names = new Set(database.prepare<[], string>("SELECT name FROM sqlite_master WHERE type IN ('table', 'index')").pluck().all());
    const version = names.has('read_model') ? database.prepare("SELECT value FROM read_model WHERE key = 'version'").pluck().get() : undefined;
    if (version === undefined) return 'damaged';
    if (version !== projectionVersion) return 'outdated';
    const indexNames = allTables.flatMap(({ name, indexes }) => indexes.map((_, at) => `${name}_${String(at)}`));
    if (![...allTables.map(({ name }) => name), ...indexNames].every((name) => names.has(name))) return 'damaged';
    if (!/^\d+$/.test(String(database.prepare('SELECT position FROM checkpoint WHERE id = 1').pluck().get()))) return 'damaged';
    if (depth === 'full' && seal === 'none' && database.pragma('integrity_check', { simple: true }) !== 'ok') return 'damaged';
    return 'good';
  } catch (error) {
    // A whole one would go out of the way, for another that finds no room either.
    expectOpened(error, path);
    return 'damaged';
  } finally {
    database?.close();
  }
};

/**
 * Moves a file (and its write-ahead log) out of the way, to a name that begins as `named` does; answers where it went. Of the outdated ones the last is kept:
 * each release that changed a projection leaves one, as large as the model itself.
 */
export const setAside = (path: string, why: string, named = path): string => {
  if (why === 'outdated') for (const name of readdirSync(dirname(path))) if (name.startsWith(`${basename(path)}.outdated-`)) rmSync(join(dirname(path), name));
  let number = 1;
  while (existsSync(`${named}.${why}-${String(number)}`)) number += 1;
  const target = `${named}.${why}-${String(number)}`;
  renameSync(path, target);
  for (const suffix of ['-wal', '-shm', '-journal', '.seal']) rmSync(path + suffix, { force: true });
  return target;
};

/**
 * Makes sure that what stands at `path` may be used. A damaged or outdated file is set aside, and the caller rebuilds (`state` is never 'good' then).
 */
export const openOrSetAside = (path: string): { readonly state: ReadModelState; readonly setAside?: string } => {
  // What a kill leaves that came before the first page was written: there is nothing in it to be looked at later. One that was closed once has a seal, and was
  // emptied since.
  if (statSync(path, { throwIfNoEntry: false })?.size === 0 && !['.seal', '-wal'].some((suffix) => existsSync(path + suffix))) rmSync(path);
  const state = inspectReadModel(path, 'full');
  if (state === 'good' || state === 'missing') return { state };
  return { state, setAside: setAside(path, state) };
};
