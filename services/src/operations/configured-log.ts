import { existsSync, statSync } from 'node:fs';
import type { EventLog } from '../event-log/event-log.ts';
import { pagesOf } from '../event-log/log-pages.ts';
import { openEventStoreDb } from '../event-log/open-eventstoredb.ts';
import { namingFile, openLogConnection, UnsafeSqlite } from '../event-log/sqlite-connection.ts';
import { sealReader } from '../event-log/sealed-reader.ts';
import { logReader } from '../event-log/sqlite-log-reader.ts';
import { logFileOf } from '../event-log/log-file-name.ts';
import type { Config } from '../platform/config.ts';
import { witnessesIn } from '../platform/store-read-model-files.ts';
import { farthestReached } from '../platform/store-read-model-origin.ts';
import { expectNoBackup } from './backup-place.ts';
import { expectInstallation } from './installation.ts';
import { expectNoLogElsewhere } from './log-elsewhere.ts';
import type { Seals } from './log-lines.ts';
import { openOperationsState, recordedBreakOf } from './operations-state.ts';
import { OperatorError } from './operator-error.ts';
import { fileToRead } from './paths.ts';
import { expectNothingUnfinished } from './unfinished.ts';

/** @throws OperatorError for a copy out of a backup that nobody has opened since: whoever only reads it cannot give it a write-ahead log */
const openToRead = (path: string): ReturnType<typeof openLogConnection> => {
  try {
    return openLogConnection(path, { readonly: true });
  } catch (error) {
    if (!(error instanceof UnsafeSqlite)) throw error;
    throw new OperatorError(
      `${path} was opened by no server or tool since it was put there (${error.message}): run "npm run ops -- status" first, which opens all of the installation, and try again.`,
      { cause: error },
    );
  }
};

/**
 * The log of this installation, for reading only: beside a running server as well, since nothing is taken or written. A log of our own is read as it is at the
 * first look, whatever is appended or erased meanwhile.
 */
export const openConfiguredLog = async ({
  store,
  dataDir,
}: Pick<Config, 'store' | 'dataDir'>): Promise<Pick<EventLog, 'readAll' | 'head' | 'close'> & { readonly seals?: Seals }> => {
  expectNoBackup(dataDir);
  expectNothingUnfinished({ dataDir, store });
  if (store.kind === 'eventstoredb') return openEventStoreDb({ url: store.url });
  expectInstallation(dataDir);
  expectNoLogElsewhere({ dataDir, store });
  const path = logFileOf(dataDir);
  if (store.kind === 'memory' || !existsSync(path) || statSync(path).size === 0) throw new OperatorError(`There is no log in ${dataDir}`);
  const connection = openToRead(fileToRead(dataDir, path));
  const reader = logReader(connection);
  const named = <R>(read: () => R): R => {
    try {
      return read();
    } catch (error) {
      throw namingFile(path, error);
    }
  };
  try {
    // Asked before the first look: a running server goes on meanwhile.
    const [reached, recorded] = [
      await farthestReached(witnessesIn(dataDir), { readPage: pagesOf(reader) }),
      recordedBreakOf(openOperationsState(dataDir).get())?.seen ?? 0n,
    ];
    connection.exec('BEGIN');
    const seals = sealReader(connection);
    return {
      seals: { readSeals: seals.readSeals, lastGiven: () => [seals.lastGiven(), recorded].reduce((a, b) => (b > a ? b : a), reached) },
      readAll: async (...range) => named(() => reader.readAll(...range)),
      head: async () => named(() => reader.head()),
      close: async () => void connection.close(),
    };
  } catch (error) {
    connection.close();
    throw namingFile(path, error);
  }
};
