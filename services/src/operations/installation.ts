import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupManifest } from './backup-manifest.ts';
import { LogUnavailable } from '../event-log/event-log.ts';
import { openEventStoreDb } from '../event-log/open-eventstoredb.ts';
import { logFileName } from '../event-log/log-file-name.ts';
import type { Config } from '../platform/config.ts';
import { KeyRefused } from '../platform/key-file.ts';
import { expectNoBackup } from './backup-place.ts';
import { restoreJournalName } from './leftovers.ts';
import { OperatorError } from './operator-error.ts';
import { missingKeysOf, missingKeysText } from './required-keys.ts';
import { expectNothingUnfinished } from './unfinished.ts';

/** Stands in every backup and is made once: the same installation has the same keys for addresses, whatever else is set from outside. */
const path = 'keys/address.key';

/** What tells one installation from another: SHA-256 (hex) of that key. @throws when the key was not made yet */
export const installationOf = (dataDir: string): string =>
  createHash('sha256')
    .update(readFileSync(join(dataDir, path)))
    .digest('hex');

/** What shows that an installation was begun here: its keys, its log (which an import makes before the keys), or a restore that was cut off. */
const signs = ['keys', logFileName, restoreJournalName];

/** Whether a backup was made of the installation that stands here. */
export const isBackupOf = (manifest: BackupManifest, dataDir: string): boolean =>
  existsSync(join(dataDir, path)) && installationOf(dataDir) === installationOfBackup(manifest);

/** Whether an installation stands here, or was begun. */
export const isInstallation = (dataDir: string): boolean => signs.some((name) => existsSync(join(dataDir, name)));

const nothingHere = (dataDir: string): OperatorError =>
  new OperatorError(
    `There is no CourtLedger data in ${dataDir}. DATA_DIR says where it is; a start of the server makes a new installation, "restore" and "import" bring one.`,
  );

/** For tools that work on what is there: a folder that was mistyped must not become a new, empty installation. @throws OperatorError */
export const expectInstallation = (dataDir: string): void => {
  if (!isInstallation(dataDir)) throw nothingHere(dataDir);
};

/**
 * For tools that open the product: the same, where a log in EventStoreDB may be all that there is of the installation, and what is half brought is to be ended
 * first, before anything is said of its keys.
 * @throws OperatorError, KeyRefused naming what the log needs in the folder, and LogUnavailable when nothing tells
 */
export const expectProduct = async ({ store, dataDir }: Pick<Config, 'store' | 'dataDir'>): Promise<void> => {
  expectNoBackup(dataDir);
  expectNothingUnfinished({ store, dataDir });
  if (isInstallation(dataDir)) return;
  if (store.kind !== 'eventstoredb') throw nothingHere(dataDir);
  const log = await openEventStoreDb({ url: store.url });
  try {
    const missing = await missingKeysOf(dataDir, log);
    if (missing.length > 0) throw new KeyRefused(missingKeysText({ store, dataDir }, missing));
    throw new OperatorError(
      `There is no CourtLedger data in ${dataDir}, and the log in EventStoreDB ${(await log.head()) === 'start' ? 'is empty' : 'needs none of its keys'}. A start of the server begins there, "import" brings a log.`,
    );
  } catch (error) {
    throw error instanceof LogUnavailable
      ? new LogUnavailable(`There is no CourtLedger data in ${dataDir}, and the log in EventStoreDB does not answer: ${error.message}`, { cause: error })
      : error;
  } finally {
    await log.close();
  }
};

/** The installation that a backup was made of. */
export const installationOfBackup = ({ files }: BackupManifest): string | undefined => files.find((file) => file.path === path)?.sha256;
