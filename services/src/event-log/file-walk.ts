import { statSync } from 'node:fs';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import Database from 'better-sqlite3';
import { LogUnavailable } from './event-log.ts';
import { isDamagedFile, openLogConnection, UnsafeSqlite } from './sqlite-connection.ts';
import { ChainWalk, type ChainBreak, type ChainProgress, type ChainReport, type Place } from './verify-chain.ts';

/** Which file a path named: `sed -i` and its like put another one under the same name, while whoever has the first one open goes on with that. */
export type FileIdentity = string;

/** Undefined when there is no such file. */
export const fileIdentity = (path: string): FileIdentity | undefined => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${String(found.dev)}:${String(found.ino)}`;
};

/** Why a path does not name the file any more that was opened; undefined while it does. */
export const otherFileText = (path: string, identity: FileIdentity | undefined): string | undefined => {
  const found = fileIdentity(path);
  if (found === identity) return undefined;
  return found === undefined ? 'the file is gone' : 'another file stands in the place of the one that was opened';
};

/** The file cannot be opened any more as the log that it was. */
export class LogFileDamaged extends Error {
  override readonly name = 'LogFileDamaged';
  /** At position 0: it is the file's own structure. */
  readonly damage: ChainBreak;
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.damage = { position: 0n, reason };
  }
}

const isDamage = (error: unknown): boolean =>
  error instanceof UnsafeSqlite || isDamagedFile(error) || (error instanceof Database.SqliteError && error.code === 'SQLITE_ERROR');

/**
 * Runs `open` on a new connection that only reads: it has no page of the file in its cache, so what it gives stands in the file now. A long-lived connection
 * would not see that somebody wrote there past SQLite: its pages stay valid until another connection commits.
 * @param identity which file it was when the log was opened
 * @throws LogFileDamaged, and errors of SQLite that say nothing about the content
 */
const openUncached = <T>(path: string, identity: FileIdentity | undefined, open: (connection: Database.Database) => T): T => {
  // Asked first: two files of one name must not share a write-ahead log, nor its locks, for a moment.
  const other = otherFileText(path, identity);
  if (other !== undefined) throw new LogFileDamaged(other);
  let connection: Database.Database | undefined;
  try {
    connection = openLogConnection(path, { readonly: true, evenDamaged: true });
    return open(connection);
  } catch (thrown) {
    connection?.close();
    // Which file it is, everybody knows who hears of it.
    const error = thrown instanceof LogUnavailable ? thrown.cause : thrown;
    if (isDamage(error)) throw new LogFileDamaged(`SQLite cannot open it any more: ${messageOf(error)}`, error);
    throw thrown;
  }
};

/**
 * A copy of a log file, with what stands beside it, at one moment.
 * @throws LogFileDamaged when the file is not the log any more, and errors of SQLite
 */
export const copyUncached = async (path: string, identity: FileIdentity | undefined, destination: string): Promise<void> => {
  const connection = openUncached(path, identity, (opened) => {
    // One state of the file for all steps: a copy through another connection than the writer's begins anew with each commit otherwise.
    opened.exec('BEGIN');
    opened.prepare('SELECT 1 FROM events LIMIT 1').get();
    return opened;
  });
  try {
    await connection.backup(destination);
  } finally {
    connection.close();
  }
};

/**
 * A walk over the chain of a log file as it stands on the disk (`openUncached`), page by page like `ChainWalk`. Its connection closes with the last step, or by
 * `close`.
 */
export class FileWalk {
  #connection: Database.Database | undefined;
  #walk: ChainWalk | undefined;
  readonly #damage: ChainBreak | undefined;
  #done = false;

  /** @param end the last event that the writer knows to be there */
  constructor(path: string, identity: FileIdentity | undefined, from: bigint, end?: Place) {
    try {
      this.#walk = openUncached(path, identity, (connection) => {
        this.#connection = connection;
        return new ChainWalk(connection, from, end);
      });
    } catch (error) {
      if (!(error instanceof LogFileDamaged)) throw error;
      this.#damage = error.damage;
      this.#done = true;
    }
  }

  get progress(): ChainProgress {
    return this.#walk?.progress ?? { position: 0n, head: 0n, events: 0 };
  }

  get report(): ChainReport {
    return this.#walk?.report ?? { events: 0, erased: 0, ...(this.#damage !== undefined && { firstBreak: this.#damage }) };
  }

  /** Verifies the next `limit` events; true when there is nothing left to do. Throws LogUnavailable after `close`, and errors of SQLite that are no damage. */
  step(limit: number): boolean {
    if (this.#done) return true;
    if (this.#walk === undefined || this.#connection === undefined) throw new LogUnavailable('The event log was closed during the verification');
    try {
      this.#done = this.#walk.step(limit);
    } catch (error) {
      this.close();
      throw error;
    }
    if (this.#done) this.close();
    return this.#done;
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}
