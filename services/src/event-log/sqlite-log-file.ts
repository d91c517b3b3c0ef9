import { statSync } from 'node:fs';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import Database from 'better-sqlite3';
import { BesideLogFile } from './beside-log-file.ts';
import { LogUnavailable, UnknownOutcome } from './event-log.ts';
import { eventsSchema, insertAll, logStatements, type AppendOutcome, type BatchedAppend, type LogStatements } from './log-inserts.ts';
import { copyUncached, FileWalk, LogFileDamaged } from './file-walk.ts';
import { OwnLogFile, rescueLog } from './own-log-file.ts';
import { isDamagedFile, namingFile, openLogConnection } from './sqlite-connection.ts';
import { logReader, type LogReader } from './sqlite-log-reader.ts';
import {
  brokenEnd,
  lostEnd,
  mendedText,
  openingBreak,
  stillBroken,
  strangerBreak,
  verifyLast,
  type ChainBreak,
  type ChainReport,
  type KnownBreak,
  type Place,
} from './verify-chain.ts';

export type LogFileOptions = {
  readonly path: string;
  /** How many of the last events are verified at open and after a failed commit. Default 10,000. */
  readonly verifyAtOpen?: number;
  /**
   * A break that was found earlier. Where it still is nothing is written from the opening on; where it is not, only a walk of the whole chain says that the log
   * is whole.
   */
  readonly recordedBreak?: ChainBreak;
  /** How the connection is made; tests give one that fails. */
  readonly connect?: (path: string) => Database.Database;
};

/** A write-ahead log above this many bytes is cut as soon as no reader needs it. */
const walLimit = 33_554_432;

/** Bytes of the write-ahead log of a log file. */
export const walBytesOf = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

const codeOf = (error: unknown): string => (error instanceof Database.SqliteError ? error.code : '');

/**
 * The one writer of a log file, synchronous: it runs in the log worker, or in-process behind `openSqliteEventLog`. It does not take the lock (`takeLogLock`).
 *
 * After an error in COMMIT the connection is thrown away, because the page cache may hold what the disk does not: nothing is written until `recover` has opened
 * the file again, made everything in it durable and found every acknowledged event. After a break in the hash chain nothing is written any more; reads go on.
 */
export class SqliteLogFile {
  readonly #path: string;
  readonly #verifyCount: number;
  readonly #connect: (path: string) => Database.Database;
  #connection: Database.Database;
  #statements: LogStatements;
  #reader: LogReader;
  readonly #own: OwnLogFile;
  readonly #walks = new Set<FileWalk>();
  #acknowledged: Place | undefined;
  #failure: string | undefined;
  #break: KnownBreak | undefined;
  #walHoldsErased = false;
  readonly #beside: BesideLogFile;
  /** The path names another file, or none, and this process has what was recorded. */
  #isAway = false;
  /** Where that was brought. */
  #rescued: string | undefined;

  /** Opens or makes the file and verifies its last events. Throws LogUnavailable when the file is no log at all; a break in the chain only refuses writes. */
  constructor(options: LogFileOptions) {
    this.#path = options.path;
    this.#own = new OwnLogFile(options.path);
    this.#beside = new BesideLogFile(options.path);
    this.#verifyCount = options.verifyAtOpen ?? 10_000;
    this.#connect = options.connect ?? ((path) => openLogConnection(path, { evenDamaged: true }));
    try {
      this.#connection = this.#connect(this.#path);
    } catch (error) {
      throw error instanceof LogUnavailable ? error : new LogUnavailable(`The event log ${this.#path} cannot be opened: ${messageOf(error)}`, { cause: error });
    }
    try {
      this.#connection.exec(eventsSchema);
      this.#statements = logStatements(this.#connection);
      this.#reader = logReader(this.#connection);
    } catch (error) {
      this.#connection.close();
      throw isDamagedFile(error)
        ? namingFile(this.#path, error)
        : new LogUnavailable(`The event log ${this.#path} cannot be used: ${messageOf(error)}`, { cause: error });
    }
    try {
      if (options.recordedBreak !== undefined) this.#break = stillBroken(this.#connection, options.recordedBreak);
      this.#noteReport(verifyLast(this.#connection, this.#verifyCount));
      this.#break ??= openingBreak(this.#connection);
    } catch (error) {
      this.#connection.close();
      throw new LogUnavailable(`The event log ${this.#path} cannot be verified: ${messageOf(error)}`, { cause: error });
    }
    if (this.#break === undefined) this.#acknowledged = this.#statements.last.get();
    this.#own.note();
    this.#beside.note();
  }

  /** Why nothing can be written, for operators; undefined when all is well. */
  get refusal(): string | undefined {
    if (this.#break?.isMended === true) return `${mendedText(this.#break.position)}.`;
    if (this.#break !== undefined)
      return `The event log is damaged at position ${this.#break.position}: ${this.#break.reason}. ${this.#rescued === undefined ? 'Restore a backup' : `What was recorded is in ${this.#rescued}: stop the server, and put that in the place of ${this.#path}`}.`;
    if (this.#beside.removed !== undefined) return `${this.#beside.removed}.`;
    return this.#failure;
  }

  /**
   * Somebody outside the file has seen events up to a position. What SQLite drops of a damaged write-ahead log leaves a chain that is whole, only shorter:
   * without a witness nobody would know.
   */
  noteSeen(position: bigint): void {
    if (this.#break !== undefined) return;
    const head = this.reader.head();
    const last = head === 'start' ? 0n : head;
    if (position > last) this.#break = lostEnd(last, position, 'a read model has reached');
  }

  /** The first break that was found; nothing is written after it. */
  get damage(): KnownBreak | undefined {
    return this.#break;
  }

  /** Whether `recover` may help. */
  get isRecoverable(): boolean {
    return this.#failure !== undefined && this.#break === undefined && this.#beside.removed === undefined;
  }

  get reader(): LogReader {
    return this.#reader;
  }

  /**
   * Writes all appends of a batch in one transaction, each all or nothing; an append at a wrong revision does not touch the others.
   * Throws LogUnavailable when nothing was stored, UnknownOutcome when COMMIT failed; both for the whole batch.
   */
  append(batch: readonly BatchedAppend[]): readonly AppendOutcome[] {
    this.#refuse();
    return this.#write((last) => {
      try {
        return insertAll(this.#statements, batch, last, false);
      } catch (error) {
        if (!codeOf(error).startsWith('SQLITE_CONSTRAINT')) throw error;
        // An id that is already stored somewhere: undo the batch, then look each id up before inserting it. Too dear for the ordinary case.
        this.#connection.exec('ROLLBACK');
        this.#connection.exec('BEGIN IMMEDIATE');
        return insertAll(this.#statements, batch, last, true);
      }
    });
  }

  /**
   * Blanks data and salt of a stream, in the file and in its write-ahead log; digests, metadata and hashes stay, so the chain stays whole. Errors as `append`.
   */
  deleteStream(stream: string): void {
    this.#refuse();
    this.#write(() => this.#statements.blank.run(stream));
    // The content must not survive in the write-ahead log, whose frames are only overwritten by and by.
    this.#walHoldsErased = true;
    this.maintain();
  }

  /**
   * Cuts the write-ahead log when it has grown (a long reader) or holds erased content, without waiting for anybody, and looks whether the end of the log is
   * still there. Call it every few seconds.
   */
  maintain(): void {
    if (!this.#connection.open) return;
    this.#lookAtFile();
    this.#lookBeside();
    this.#lookAtEnd();
    if (!this.#walHoldsErased && this.walBytes < walLimit) return;
    try {
      this.#connection.pragma('busy_timeout = 0');
      this.checkpoint();
    } catch {
      // A full disk or a busy reader: the next turn tries again.
    } finally {
      this.#connection.pragma('busy_timeout = 5000');
    }
  }

  /** Moves the write-ahead log into the file and cuts it to nothing. `complete` is false when a reader or writer was in the way. */
  checkpoint(): { readonly complete: boolean } {
    const [result] = this.#connection.pragma('wal_checkpoint(TRUNCATE)') as readonly { busy: number }[];
    const complete = result?.busy === 0;
    if (complete) this.#walHoldsErased = false;
    return { complete };
  }

  /** Bytes of the write-ahead log. */
  get walBytes(): number {
    return walBytesOf(this.#path);
  }

  /**
   * A walk over the chain from a position on, of what stands in the file now, whatever this log's own connection has in its cache. Its report must be handed to
   * `concludeWalk`.
   * @throws LogUnavailable when what stands beside the file was removed
   */
  startWalk(from: bigint): FileWalk {
    this.#expectBeside();
    const walk = new FileWalk(this.#path, this.#own.identity, from, this.#acknowledged);
    this.#walks.add(walk);
    return walk;
  }

  /**
   * Refuses writes from now on when the walk found a break.
   * @param known of a walk of the whole chain, the break that was known when it began: where the walk has passed it, it was put right since. Writes stay
   * refused until the next start, and for that reason.
   */
  concludeWalk(report: ChainReport, known?: KnownBreak): void {
    const { firstBreak, events } = report;
    if (firstBreak !== undefined && (this.#break?.isMended === true || this.#break?.position === firstBreak.position)) this.#break = { ...firstBreak };
    else this.#noteReport(report);
    // One at the file itself (0), or beyond its end, no walk can pass.
    const isPassed = firstBreak === undefined && known !== undefined && known === this.#break && known.position > 0n && known.position <= BigInt(events);
    if (isPassed) this.#break = { ...known, isMended: true };
  }

  /** Refuses writes from now on: what a walk takes for whole is known to be damaged there. */
  refuse(damage: ChainBreak): void {
    if (this.#break === undefined || this.#break.isMended === true) this.#break = damage;
  }

  /** For a walk that ends, wherever it has come to. */
  endWalk(walk: FileWalk): void {
    walk.close();
    this.#walks.delete(walk);
  }

  /**
   * A copy of the log at this moment, also under writes; the writer goes on between its steps. It is made of what stands in the file: pages in the cache of the
   * writer's connection would hide from the copy, and from whoever verifies it, what has become of them on the disk.
   * @throws LogUnavailable when the file is not the log any more, after which nothing is written
   */
  async backup(destination: string): Promise<void> {
    this.#expectBeside();
    try {
      await copyUncached(this.#path, this.#own.identity, destination);
    } catch (error) {
      if (!(error instanceof LogFileDamaged)) throw error;
      this.#break ??= error.damage;
      throw new LogUnavailable(this.refusal ?? error.message, { cause: error });
    }
  }

  /**
   * Opens the file again after a failed commit: everything in it is made durable, the last events are verified, and what was acknowledged must be there. True
   * when writes go on.
   */
  recover(): boolean {
    if (!this.isRecoverable) return this.refusal === undefined;
    try {
      if (this.#connection.open) this.#connection.close();
      this.#connection = this.#connect(this.#path);
      this.#own.note();
      this.#statements = logStatements(this.#connection);
      this.#reader = logReader(this.#connection);
      // Frames whose fsync failed may be readable and yet not on the disk: a full checkpoint writes and syncs their pages anew.
      if (!this.checkpoint().complete) throw new Error('a reader holds the write-ahead log');
      this.#noteReport(verifyLast(this.#connection, this.#verifyCount));
      this.#noteEnd(this.#statements.last.get());
      this.#break ??= openingBreak(this.#connection);
      if (this.#break !== undefined) return false;
      this.#acknowledged = this.#statements.last.get();
      this.#beside.note();
      this.#failure = undefined;
      return true;
    } catch (error) {
      this.#failure = `The event log cannot be opened again: ${messageOf(error)}`;
      return false;
    }
  }

  close(): void {
    for (const walk of this.#walks) this.endWalk(walk);
    if (this.#connection.open) this.#connection.close();
    this.#failure ??= 'The log is closed';
  }

  /** @throws LogUnavailable when what stands beside the file was removed */
  #expectBeside(): void {
    this.#lookAtFile();
    this.#lookBeside();
    if (this.#beside.removed !== undefined) throw new LogUnavailable(this.#beside.removed);
  }

  #lookAtFile(): void {
    if (this.#failure !== undefined) return;
    const found = this.#break === undefined ? this.#own.look() : undefined;
    if (found !== undefined) {
      this.#break = { position: 0n, reason: found.reason };
      this.#isAway = found.isOurs;
    }
    if (this.#isAway) this.#rescued ??= rescueLog(this.#connection, this.#path, this.#acknowledged?.position ?? 0);
  }

  #lookBeside(look: 'look' | 'glance' = 'look'): void {
    // After a failed write the file is being opened again, with what stands beside it then.
    if (this.#failure === undefined) this.#beside[look](() => this.checkpoint().complete);
  }

  /** What was acknowledged last must be there, and be the same, whatever somebody else has written after it. */
  #noteEnd(last: Place | undefined): void {
    const known = this.#acknowledged;
    if (known === undefined) return;
    const standing = last?.position === known.position ? last : this.#statements.at.get(known.position);
    this.#break ??= brokenEnd(known, last?.position ?? 0, standing?.hash);
  }

  #lookAtEnd(): void {
    if (this.refusal !== undefined) return;
    try {
      this.#noteEnd(this.#statements.last.get());
      this.#break ??= strangerBreak(this.#connection);
    } catch (error) {
      // Anything else whoever writes, or walks the chain, meets too, and says what it is.
      this.#noteStranger(error);
    }
  }

  /** A trigger may swallow what is written, and a table may be gone: such a file takes nothing until somebody has put it right, and everybody is told so. */
  #noteStranger(failure: unknown): void {
    const isOfSchema = codeOf(failure) === 'SQLITE_ERROR' && /no such (?:table|column)|has no column/.test(messageOf(failure));
    if (!isOfSchema && failure instanceof Database.SqliteError) return;
    try {
      this.#break ??= strangerBreak(this.#connection);
    } catch {
      // The failure itself says it.
    }
    if (isOfSchema) this.#break ??= { position: 0n, reason: `SQLite cannot use it: ${messageOf(failure)}` };
  }

  #refuse(): void {
    if (!this.#own.isThere) this.#lookAtFile();
    this.#lookBeside('glance');
    const reason = this.refusal;
    if (reason !== undefined) throw new LogUnavailable(reason);
  }

  #noteReport(report: ChainReport): void {
    this.#break ??= report.firstBreak;
  }

  /** Runs `work` in a transaction. What fails before COMMIT is not stored; what fails in COMMIT may be. */
  #write<R>(work: (last: Place | undefined) => R): R {
    let result: R;
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      const before = this.#statements.last.get();
      this.#noteEnd(before);
      if (this.#break !== undefined) this.#refuse();
      result = work(before);
    } catch (error) {
      this.#rollback();
      if (error instanceof LogUnavailable) throw error;
      const code = codeOf(error);
      // A connection that was opened to a file that may not be written stays so: another one tells when it may be.
      if (/^SQLITE_(?:IOERR|CORRUPT|READONLY)/.test(code)) this.#fail(error);
      else this.#noteStranger(error);
      throw new LogUnavailable(`Nothing was stored: ${messageOf(error)}`, { cause: error });
    }
    const last = this.#statements.last.get();
    try {
      this.#connection.exec('COMMIT');
    } catch (error) {
      this.#rollback();
      // Not one byte of a commit record was written: SQLite found no room before it.
      if (codeOf(error) === 'SQLITE_FULL') throw new LogUnavailable(`Nothing was stored: ${messageOf(error)}`, { cause: error });
      this.#fail(error);
      throw new UnknownOutcome(`It is not known whether the events were stored: ${messageOf(error)}`, { cause: error });
    }
    this.#acknowledged = last;
    return result;
  }

  #rollback(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure = `A write failed (${messageOf(error)}); the event log is being opened again`;
  }
}
