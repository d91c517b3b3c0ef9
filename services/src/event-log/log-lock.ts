import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expectOpened } from '@courtledger/projections/kernel/not-opened';
import Database from 'better-sqlite3';
import { LogUnavailable } from './event-log.ts';
import { isDamagedFile } from './sqlite-connection.ts';
import { lockOf, logFileOf } from './log-file-name.ts';

/** For a tool that must have a folder to itself. Which of both has it nobody can tell from outside. */
export const inUseText = (folder: string): string =>
  `A CourtLedger server or another tool is running on ${folder}. Stop the server, or wait until the tool has ended, and try again.`;

/**
 * Another process owns DATA_DIR, or the log that a tool opens. The message is a server's that starts; `toTools` is what a tool says of it, whose caller uses
 * "npm run ops" already.
 */
export class LogInUse extends Error {
  override readonly name = 'LogInUse';
  readonly toTools: string;
  constructor(lockPath: string) {
    super(
      `Another process owns this DATA_DIR (${lockPath} is locked): a CourtLedger server or a tool is running on it. ` +
        'Stop that process, give this one a DATA_DIR of its own, or use "npm run ops", which talks to the running server.',
    );
    this.toTools = inUseText(dirname(lockPath));
  }
}

export type LogLock = { release(): void };

/** How long to try, in ms. Of two processes that begin in the same moment each sees the other's first step: with no patience both would be refused. */
const patience = 250;
/** Between two attempts, in ms. */
const pause = 100;

/**
 * Takes the lock that makes this process the only owner of a log in a file, or throws LogInUse (and LogUnavailable where the lock's own file is damaged). That
 * of `DATA_DIR/event-log.sqlite` is the lock of DATA_DIR, wherever the log is (`takeDataLock`). It is an operating-system lock (held through SQLite on a file
 * of its own), so it ends with the process, also after kill -9; the file itself stays and means nothing.
 * Nothing else in the process may open that file: POSIX drops the lock when any descriptor of it is closed.
 */
export const takeLogLock = (logPath: string): LogLock => {
  const lockPath = lockOf(logPath);
  let connection: Database.Database | undefined;
  try {
    connection = new Database(lockPath, { timeout: patience });
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection?.close();
    expectOpened(error, lockPath);
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) throw new LogInUse(lockPath);
    // Nothing is ever written into it: a disk that was repaired may leave anything in a file.
    if (isDamagedFile(error))
      throw new LogUnavailable(
        `${lockPath} holds something, and should be empty: remove it when neither a server nor a tool runs on ${dirname(lockPath)}, and try again. Nothing of CourtLedger is in it.`,
        { cause: error },
      );
    throw error;
  }
  return {
    release() {
      if (connection.open) connection.close();
    },
  };
};

/** The same for a whole DATA_DIR, which has one owner: also where its log is in EventStoreDB, for keys, files and read models are its own. */
export const takeDataLock = (dataDir: string): LogLock => takeLogLock(logFileOf(dataDir));

/** Whether anybody owns it now; of a folder that nobody ever owned nothing is made. @throws LogInUse */
export const expectNoOwner = (dataDir: string): void => {
  if (existsSync(lockOf(logFileOf(dataDir)))) takeDataLock(dataDir).release();
};

/**
 * The same as `takeDataLock`, and another owner is waited for so many ms: a tool has the folder for a moment, and a server that starts need not fail because of
 * it.
 */
export const waitForDataLock = async (dataDir: string, milliseconds: number, signal: AbortSignal): Promise<LogLock> => {
  for (const until = performance.now() + milliseconds; ;) {
    try {
      return takeDataLock(dataDir);
    } catch (error) {
      if (!(error instanceof LogInUse) || performance.now() >= until) throw error;
    }
    await delay(pause, undefined, { signal });
  }
};
