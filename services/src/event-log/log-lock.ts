import Database from 'better-sqlite3';

/** Another process owns the log. */
export class LogInUse extends Error {
  override readonly name = 'LogInUse';
  constructor(lockPath: string) {
    super(
      `Another process owns this event log (${lockPath} is locked): a CourtLedger server or a tool is running on the same DATA_DIR. ` +
        'Stop that process, give this one a DATA_DIR of its own, or use "npm run ops", which talks to the running server.',
    );
  }
}

export type LogLock = { release(): void };

/** How long to try, in ms. Of two processes that begin in the same moment each sees the other's first step: with no patience both would be refused. */
const patience = 250;

/**
 * Takes the lock that makes this process the only owner of a log, or throws LogInUse. It is an operating-system lock (held through SQLite on a file of
 * its own), so it ends with the process, also after kill -9; the file itself stays and means nothing.
 * Nothing else in the process may open that file: POSIX drops the lock when any descriptor of it is closed.
 */
export const takeLogLock = (logPath: string): LogLock => {
  const lockPath = `${logPath}.lock`;
  const connection = new Database(lockPath, { timeout: patience });
  try {
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) throw new LogInUse(lockPath);
    throw error;
  }
  return {
    release() {
      if (connection.open) connection.close();
    },
  };
};
