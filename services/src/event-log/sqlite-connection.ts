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

export type ConnectionOptions = { readonly readonly?: boolean; /** How long to wait for another connection's lock, in ms. */ readonly timeout?: number };

/** What SQLite says of a log file that is none of its files, or was cut off, in words that name the file; any other error as it is. */
export const namingFile = (path: string, error: unknown): unknown =>
  error instanceof Database.SqliteError && (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT')) ? new LogUnavailable(`The event log ${path} is damaged: ${error.message}. Restore a backup.`, { cause: error }) : error;

/**
 * Opens one connection to a log file and asserts what durability and erasure rest on: WAL, synchronous=FULL (better-sqlite3 opens every later connection
 * of a WAL file at NORMAL), secure_delete. Throws UnsafeSqlite, and LogUnavailable naming the file when it is no database any more.
 */
export const openLogConnection = (path: string, options: ConnectionOptions = {}): Database.Database => {
  const readonly = options.readonly ?? false;
  const connection = new Database(path, { readonly, timeout: options.timeout ?? 5000 });
  try {
    assertSqliteVersion(String(connection.prepare('SELECT sqlite_version()').pluck().get()));
    if (!readonly) connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    connection.pragma('secure_delete = ON');
    // A write-ahead log that a long reader let grow is cut back to this when it is next reset.
    connection.pragma('journal_size_limit = 33554432');
    assertPragma(connection, 'journal_mode', 'wal');
    assertPragma(connection, 'synchronous', 2);
    assertPragma(connection, 'secure_delete', 1);
    // One that was cut off shows it at the first look.
    connection.prepare('SELECT 1 FROM sqlite_schema').get();
    return connection;
  } catch (error) {
    connection.close();
    throw namingFile(path, error);
  }
};
