import { existsSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { withoutPassword } from '../event-log/eventstoredb-address.ts';
import { logFileName, logFileOf } from '../event-log/log-file-name.ts';
import type { Config } from '../platform/config.ts';
import { leftAloneMilliseconds } from '../platform/half-finished.ts';
import { disownFolds, otherLogNote } from '../platform/kept-fold.ts';
import type { Logger } from '../platform/logger.ts';

import { openOperationsState, type OperationsState } from './operations-state.ts';
import { OperatorError } from './operator-error.ts';

type Place = Pick<Config, 'dataDir' | 'store'>;

/** Whether a log stands in a folder that is more than an empty file. One that cannot be read is: its own opening says what is wrong with it. */
const hasLogInFile = (dataDir: string): boolean => {
  const path = logFileOf(dataDir);
  if (!existsSync(path)) return false;
  let connection: Database.Database | undefined;
  try {
    connection = new Database(path, { readonly: true });
    // An import that was killed before its first event has no table yet.
    return (
      connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get() !== undefined &&
      connection.prepare('SELECT 1 FROM events LIMIT 1').get() !== undefined
    );
  } catch {
    return true;
  } finally {
    connection?.close();
  }
};

const isNotedElsewhere = (dataDir: string): boolean => openOperationsState(dataDir).get().logElsewhere === true;
const saidOf = (dataDir: string): string => `EVENTSTORE_URL is not set, and the log of ${dataDir} was last in EventStoreDB`;

/** What is to be said where the address of the log was forgotten; undefined when it was not. */
export const logElsewhere = ({ dataDir, store }: Place): string | undefined =>
  store.kind === 'sqlite' && store.isMeant !== true && isNotedElsewhere(dataDir) ? saidOf(dataDir) : undefined;

/**
 * An address that was forgotten would make an empty log of the one that is elsewhere, and call it damaged; where a file was left behind by a move, two logs
 * would go on from it.
 * @throws OperatorError
 */
export const expectNoLogElsewhere = ({ dataDir, store }: Place): void => {
  if (store.kind !== 'sqlite' || !isNotedElsewhere(dataDir)) return;
  if (!hasLogInFile(dataDir))
    throw new OperatorError(
      `${saidOf(dataDir)}; there is none in a file. Set EVENTSTORE_URL as it was then. When the log is to be in a file from now on, "import" or "restore" brings it there.`,
    );
  if (store.isMeant !== true)
    throw new OperatorError(
      `${saidOf(dataDir)}; ${logFileName} there has nothing of what was recorded in EventStoreDB since. Set EVENTSTORE_URL as it was then. When the log is to be in a file from now on, "import" or "restore" brings it there; when this file is to count as it is, set EVENTSTORE_URL=none.`,
    );
};

/** How a log in a file is named among the addresses in `operations.json`. */
const inFile = 'a file of this folder';
const addressOf = (store: Config['store']): string => (store.kind === 'eventstoredb' ? withoutPassword(store.url) : inFile);

/**
 * What `operations.json` says of a log that an operator has just brought somewhere: it is no stranger there, and wherever else one stands it is.
 * @param address of an EventStoreDB, without its password; undefined: a file
 */
export const broughtTo = (
  address: string | undefined,
  now: number,
): { readonly logElsewhere: true | undefined; readonly logAddresses: Readonly<Record<string, string>>; readonly lastLogAddress: undefined } => ({
  logElsewhere: address === undefined ? undefined : true,
  logAddresses: { [address ?? inFile]: new Date(now).toISOString() },
  lastLogAddress: undefined,
});

/** Whether that is what it says. */
export const isBroughtTo = (
  address: string | undefined,
  { logElsewhere: elsewhere, logAddresses }: Pick<OperationsState, 'logElsewhere' | 'logAddresses'>,
): boolean => (elsewhere === true) === (address !== undefined) && logAddresses?.[address ?? inFile] !== undefined;

/** The log that a folder has opened. */
export type LogPlace = {
  /** Until when it is strange to the folder, in ms. */
  readonly strangeUntil: number;
  /**
   * Names it: where it is, and since when the folder knows the one that is there. Another folder that opens it, and another log at the same address, have
   * another name.
   */
  readonly name: string;
};
const placeOf = (address: string, strangeUntil: number): LogPlace => ({ strangeUntil, name: `${address} ${new Date(strangeUntil).toISOString()}` });

/**
 * Notes where the log is that was opened, and gives until when it is strange to this folder: for a day after the first start at an address at which this folder
 * has not opened its log before, or at which another log answers than at the last start there. The first address of a folder is strange only where it had keys
 * of persons before, which other gateways share, and the log is not in a file beside them. What was folded of another one goes. A disk that is full keeps no
 * site from being read.
 * @param hadKeys keys of persons were here before this start
 * @param hasAnswered false: nobody knows yet whether a log of ours is at the address at all
 */
export const noteLogPlace = (
  { dataDir, store }: Place,
  { logger, now, hadKeys, hasAnswered = true }: { readonly logger: Logger; readonly now: number; readonly hadKeys: boolean; readonly hasAnswered?: boolean },
): LogPlace => {
  if (store.kind === 'memory') return placeOf('memory', 0);
  const state = openOperationsState(dataDir);
  const { logAddresses: known, lastLogAddress: last, logElsewhere: wasElsewhere = false } = state.get();
  const isElsewhere = store.kind === 'eventstoredb';
  const address = addressOf(store);
  const noted = known?.[address];
  const isMoved = noted === undefined && (known !== undefined || (hadKeys && isElsewhere));
  // An address that was mistyped: the log is in the file, as it was. Where one answers later after all, the read model is of another log, and the next start
  // notes it.
  if (!hasAnswered && isElsewhere && !wasElsewhere && hasLogInFile(dataDir)) return placeOf(address, isMoved ? now + leftAloneMilliseconds : now);
  // Where the last start was at another address, the read model is of that one.
  const isOther = existsSync(otherLogNote(dataDir));
  const isExchanged = isOther && last === address;
  const until = isMoved || isExchanged ? now + leftAloneMilliseconds : noted === undefined ? now : Date.parse(noted);
  if (wasElsewhere && !isElsewhere)
    logger.warn('the log is in a file now, and was last in EventStoreDB', {
      reason: `${logFileOf(dataDir)} is served: what was recorded in EventStoreDB is not in it`,
    });
  if (noted !== undefined && !isOther && last === address && wasElsewhere === isElsewhere) return placeOf(address, until);
  try {
    if (isMoved) disownFolds(dataDir);
    state.change({
      logElsewhere: isElsewhere ? true : undefined,
      logAddresses: { ...known, [address]: new Date(until).toISOString() },
      lastLogAddress: address,
    });
    rmSync(otherLogNote(dataDir), { force: true });
  } catch (error) {
    logger.warn('where the log is was not noted', { reason: String(error) });
  }
  return placeOf(address, until);
};
