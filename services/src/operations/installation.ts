import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupManifest } from './backup-manifest.ts';
import { OperatorError } from './operator-error.ts';

/** Stands in every backup and is made once: the same installation has the same keys for addresses, whatever else is set from outside. */
const path = 'keys/address.key';

/** What tells one installation from another: SHA-256 (hex) of that key. @throws when the key was not made yet */
export const installationOf = (dataDir: string): string => createHash('sha256').update(readFileSync(join(dataDir, path))).digest('hex');

/** What shows that an installation was begun here: its keys, its log (which an import makes before the keys), or a restore that was cut off. */
const signs = ['keys', 'event-log.sqlite', 'restore.json'];

/** Whether a backup was made of the installation that stands here. */
export const isBackupOf = (manifest: BackupManifest, dataDir: string): boolean => existsSync(join(dataDir, path)) && installationOf(dataDir) === installationOfBackup(manifest);

/** Whether an installation stands here, or was begun. */
export const isInstallation = (dataDir: string): boolean => signs.some((name) => existsSync(join(dataDir, name)));

/** For tools that work on what is there: a folder that was mistyped must not become a new, empty installation. @throws OperatorError */
export const expectInstallation = (dataDir: string): void => {
  if (!isInstallation(dataDir)) throw new OperatorError(`There is no CourtLedger data in ${dataDir}. DATA_DIR says where it is; a start of the server makes a new installation, "restore" and "import" bring one.`);
};

/** The installation that a backup was made of. */
export const installationOfBackup = ({ files }: BackupManifest): string | undefined => files.find((file) => file.path === path)?.sha256;
