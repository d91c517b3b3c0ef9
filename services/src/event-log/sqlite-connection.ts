import { accessSync, closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import { LogUnavailable } from './event-log.ts';

/** The library is too old, or a setting that durability rests on did not take. Nothing was opened. */
export class UnsafeSqlite extends Error {
  override readonly name = 'UnsafeSqlite';
}

const floor = [3, 51, 3] as const;

/** Older libraries can corrupt a WAL file when a writer resets it beside a checkpoint. Throws UnsafeSqlite below 3.51.3. */
export const assertSqliteVersion = (version: string): void => {
  const parts = version.split('.').map(Number);
  for (const [index, least] of floor.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (!(part >= least)) throw new UnsafeSqlite(`SQLite ${version} is older than ${floor.join('.')}: its write-ahead log can be corrupted`);
  }
};

/** The same for the library that is there, before any file is opened. Throws UnsafeSqlite. */
export const assertSqliteLibrary = (): void => {
  const connection = new Database(':memory:');
  try {
    assertSqliteVersion(String(connection.prepare('SELECT sqlite_version()').pluck().get()));
  } finally {
    connection.close();
  }
};

const assertPragma = (connection: Database.Database, name: string, expected: unknown): void => {
  const actual = connection.pragma(name, { simple: true });
  if (actual !== expected) throw new UnsafeSqlite(`PRAGMA ${name} is ${String(actual)}, not ${String(expected)}`);
};

export type ConnectionOptions = {
  readonly readonly?: boolean;
  /** How long to wait for another connection's lock, in ms. */
  readonly timeout?: number;
  /** Whether a file that was cut off, or whose schema is damaged, is opened all the same, to read what is left: `openingDamage` tells. */
  readonly evenDamaged?: boolean;
};

/** What to look at where SQLite cannot open a file that nothing is known to be wrong with. */
export const openingAdvice = 'look at who owns it, at its mode, and whether its disk takes new files (it may be full, or read-only)';

const unwritableText = (file: string): string => `Nothing may be written in ${file}: look at who owns it, and what its mode and its disk allow.`;
const refusals: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * For a start, before anything opens the log: SQLite opens a file that may not be written as one to read, refuses every append, and leaves a write-ahead log of
 * the same mode beside it. This process may have no connection to it yet, whose locks would end with this look.
 * @throws LogUnavailable naming the file
 */
export const expectWritableFiles = (path: string): void => {
  for (const file of [path, `${path}-wal`, `${path}-shm`].filter((name) => existsSync(name))) {
    try {
      closeSync(openSync(file, 'r+'));
    } catch (error) {
      throw error instanceof Error && 'code' in error && refusals.has(error.code) ? new LogUnavailable(unwritableText(file), { cause: error }) : error;
    }
  }
};

/**
 * Whether SQLite says that what stands in the file is none of its own, or damaged; anything else (busy, full, a failed read) says nothing about the content.
 */
export const isDamagedFile = (error: unknown): boolean =>
  error instanceof Database.SqliteError && (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT'));

const damagedText = (path: string, reason: string): string => `The event log ${path} is damaged: ${reason}. Restore a backup.`;

/**
 * SQLite takes a file whose header names a format of later times for one that it may only read, and says the same of it as of one that nobody may write.
 * Undefined: the header is in order, or this process may not write. That is asked first: where the file is closed again the locks of other connections of this
 * process end, which matters as long as something can be written.
 */
const headerDamage = (path: string): string | undefined => {
  try {
    for (const file of [`${path}-wal`, `${path}-shm`].filter((name) => existsSync(name))) accessSync(file, constants.W_OK);
    const formats = Buffer.alloc(2);
    const descriptor = openSync(path, 'r+');
    try {
      if (readSync(descriptor, formats, 0, 2, 18) < 2) return undefined;
    } finally {
      closeSync(descriptor);
    }
    if (formats.every((format) => format === 1 || format === 2)) return undefined;
    return `its header names formats that there are not (${formats.join(' to write, ')} to read)`;
  } catch {
    return undefined;
  }
};

/**
 * What SQLite says of a log file that is none of its files, was cut off, found no room for what stands beside it, or may not be opened or written, in words
 * that name the file; any other error as it is.
 */
export const namingFile = (path: string, error: unknown): unknown => {
  if (!(error instanceof Database.SqliteError)) return error;
  const { code, message } = error;
  // So SQLite says it of a number in the header that is too high, with no code of its own.
  if (isDamagedFile(error) || message === 'unsupported file format') return new LogUnavailable(damagedText(path, message), { cause: error });
  if (code.startsWith('SQLITE_CANTOPEN')) return new LogUnavailable(`The event log ${path} cannot be opened: ${openingAdvice}.`, { cause: error });
  // Of the index of its write-ahead log SQLite says "disk I/O error".
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE')
    return new LogUnavailable(`The event log ${path} cannot be opened: no space is left on the disk.`, { cause: error });
  if (code.startsWith('SQLITE_READONLY')) {
    const damage = headerDamage(path);
    return new LogUnavailable(damage === undefined ? unwritableText(`${path}, or in its -wal or -shm`) : damagedText(path, damage), { cause: error });
  }
  return error;
};

/**
 * A connection to a file that may not be written says so only when something is to be stored: what is taken back at once. Another writer's turn shows that it
 * can be.
 */
const expectWritable = (connection: Database.Database): void => {
  try {
    connection.exec('BEGIN IMMEDIATE; PRAGMA user_version = 0; ROLLBACK');
  } catch (error) {
    if (!(error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))) throw error;
  }
};

/** What is wrong with the file of each connection that was opened to it all the same. */
const damages = new WeakMap<Database.Database, string>();

/**
 * SQLite reads no file that has fewer pages than its header says, or whose schema it does not understand, unless whoever opens it is about to repair it.
 * Nothing may be written by such a connection.
 */
const expectReadable = (connection: Database.Database, evenDamaged: boolean): void => {
  const look = (): unknown => connection.prepare('SELECT 1 FROM sqlite_schema').get();
  try {
    // Either shows at the first look.
    look();
  } catch (error) {
    if (!evenDamaged || !(error instanceof Database.SqliteError && error.code === 'SQLITE_CORRUPT')) throw error;
    connection.unsafeMode(true);
    connection.pragma('writable_schema = ON');
    look();
    damages.set(connection, error.message.startsWith('malformed database schema') ? `SQLite cannot use it: ${error.message}` : 'the file was cut off');
  }
};

/** What SQLite would not have opened the file for, of a connection that was opened to a damaged one (`evenDamaged`). Undefined: nothing. */
export const openingDamage = (connection: Database.Database): string | undefined => damages.get(connection);

/**
 * Opens one connection to a log file and asserts what durability and erasure rest on: WAL, synchronous=FULL (better-sqlite3 opens every later connection of a
 * WAL file at NORMAL), secure_delete. Throws UnsafeSqlite, and LogUnavailable naming the file when it is no database any more, or may not be opened or written.
 */
export const openLogConnection = (path: string, options: ConnectionOptions = {}): Database.Database => {
  const readonly = options.readonly ?? false;
  let connection: Database.Database | undefined;
  try {
    connection = new Database(path, { readonly, timeout: options.timeout ?? 5000 });
    // First: it is the first look of all, whatever is asked.
    expectReadable(connection, options.evenDamaged ?? false);
    assertSqliteVersion(String(connection.prepare('SELECT sqlite_version()').pluck().get()));
    if (!readonly) connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    connection.pragma('secure_delete = ON');
    // Whoever's commit crosses the limit waits for the checkpoint, with two fsyncs: many short ones, where one of SQLite's 1,000 pages takes ten milliseconds
    // and more.
    connection.pragma('wal_autocheckpoint = 500');
    // A write-ahead log that a long reader let grow is cut back to this when it is next reset.
    connection.pragma('journal_size_limit = 33554432');
    assertPragma(connection, 'journal_mode', 'wal');
    assertPragma(connection, 'synchronous', 2);
    assertPragma(connection, 'secure_delete', 1);
    if (!readonly && openingDamage(connection) === undefined) expectWritable(connection);
    return connection;
  } catch (error) {
    connection?.close();
    throw namingFile(path, error);
  }
};
