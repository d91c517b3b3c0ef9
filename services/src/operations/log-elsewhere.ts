import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/logger.ts';
import { logCopyName } from './backup-manifest.ts';
import { openOperationsState } from './operations-state.ts';
import { OperatorError } from './operator-error.ts';

type Place = Pick<Config, 'dataDir' | 'store'>;

/** Whether a log stands in a folder that is more than an empty file. One that cannot be read is: its own opening says what is wrong with it. */
const hasLogInFile = (dataDir: string): boolean => {
  const path = join(dataDir, logCopyName);
  if (!existsSync(path)) return false;
  let connection: Database.Database | undefined;
  try {
    connection = new Database(path, { readonly: true });
    // An import that was killed before its first event has no table yet.
    return connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get() !== undefined && connection.prepare('SELECT 1 FROM events LIMIT 1').get() !== undefined;
  } catch {
    return true;
  } finally {
    connection?.close();
  }
};

/** What is to be said where the address of the log was forgotten; undefined when it was not. */
export const logElsewhere = ({ dataDir, store }: Place): string | undefined =>
  store.kind === 'sqlite' && openOperationsState(dataDir).get().logElsewhere === true ? `EVENTSTORE_URL is not set, and the log of ${dataDir} was in EventStoreDB at its last start` : undefined;

/** An address that was forgotten would make an empty log of the one that is elsewhere, and call it damaged. @throws OperatorError */
export const expectNoLogElsewhere = (place: Place): void => {
  const elsewhere = logElsewhere(place);
  if (elsewhere === undefined || hasLogInFile(place.dataDir)) return;
  throw new OperatorError(`${elsewhere}; there is none in a file. Set EVENTSTORE_URL as it was then. When the log is to be in a file from now on, "import" or "restore" brings it there.`);
};

/** Notes where the log is that was opened. A disk that is full keeps no site from being read. */
export const noteLogPlace = ({ dataDir, store }: Place, logger: Logger): void => {
  const state = openOperationsState(dataDir);
  const isElsewhere = store.kind === 'eventstoredb';
  if (store.kind === 'memory' || (state.get().logElsewhere ?? false) === isElsewhere) return;
  if (!isElsewhere) logger.warn('the log is in a file now, and was in EventStoreDB at the last start', { reason: `EVENTSTORE_URL is not set, and ${join(dataDir, logCopyName)} is served: what was recorded in EventStoreDB is not in it unless it was imported since` });
  try {
    state.change({ logElsewhere: isElsewhere ? true : undefined });
  } catch (error) {
    logger.warn('where the log is was not noted', { reason: String(error) });
  }
};
