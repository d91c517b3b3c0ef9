import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { lockOf, logFileName, logFileOf } from '../event-log/log-file-name.ts';
import { isInTheWayOfBackups, openDataFolder } from '../platform/folders.ts';
import { BackupDamaged, logLinesName, manifestName, readManifest } from './backup-manifest.ts';
import { isInDrill } from './leftovers.ts';
import { OperatorError } from './operator-error.ts';

/** The path without links, as far as it is there. */
const realPath = (path: string): string => {
  const full = resolve(path);
  if (existsSync(full)) return realpathSync(full);
  const above = dirname(full);
  return above === full ? full : join(realPath(above), basename(full));
};

const isInside = (folder: string, of: string): boolean => folder.startsWith(of.endsWith(sep) ? of : of + sep);

/** Whether a folder is a backup of ours, also one whose manifest cannot be read any more: the log beside it tells. */
const isBackup = (folder: string): boolean => {
  if (!existsSync(join(folder, manifestName))) return false;
  try {
    readManifest(folder);
    return true;
  } catch {
    return [logFileName, logLinesName].some((name) => existsSync(join(folder, name)));
  }
};

/** The backup that a folder is, or stands in. @param folder without links */
const backupAround = (folder: string): string | undefined =>
  isBackup(folder) ? folder : dirname(folder) === folder ? undefined : backupAround(dirname(folder));

/** One in which somebody has begun to work is an installation by now: its lock tells. */
const isWorkedIn = (folder: string): boolean => existsSync(lockOf(logFileOf(folder)));

/** The backup that would be none any more if anything were put into a folder. */
const backupSpoiledIn = (folder: string): string | undefined => {
  const around = backupAround(realPath(folder));
  return around === undefined || isWorkedIn(around) ? undefined : around;
};

/**
 * Whatever opens DATA_DIR writes there, and a backup in which something was written is none any more.
 * @throws OperatorError when DATA_DIR names a backup, or a folder in one
 */
export const expectNoBackup = (dataDir: string): void => {
  if (isWorkedIn(dataDir)) return;
  const around = backupSpoiledIn(dataDir);
  if (around === undefined) return;
  if (around !== realPath(dataDir))
    throw new OperatorError(
      `DATA_DIR: ${dataDir} is inside the backup ${around}, which would be none any more if anything were put there. Name a folder of its own.`,
    );
  throw new OperatorError(
    `DATA_DIR: ${dataDir} is a backup, and would be none any more if anything were opened in it. DATA_DIR says where the installation is; "npm run ops -- restore ${dataDir}" puts the backup there. A copy of it that is to be worked in as it is goes without its manifest.json.`,
  );
};

/**
 * Where no file may be put either: a backup with a file that it does not tell of is not restored.
 * @throws OperatorError when a file that is to be made would stand in one
 */
export const expectOutsideBackups = (file: string): void => {
  const around = backupSpoiledIn(dirname(file));
  if (around !== undefined)
    throw new OperatorError(`${file} is inside the backup ${around}, which would be none any more if anything were put there. Name a file elsewhere.`);
};

/**
 * The folder of an installation, for whoever works in it.
 * @param backups where it keeps its own backups, and notes erasures beside them
 * @throws OperatorError when either is a backup, FolderRefused as `openDataFolder`
 */
export const openInstallationFolder = (dataDir: string, backups?: string): void => {
  expectNoBackup(dataDir);
  const around = backups === undefined ? undefined : backupAround(realPath(backups));
  if (around !== undefined && around !== realPath(dataDir))
    throw new OperatorError(
      `BACKUP_DIR names ${around} or a folder in it: that is a backup, and would be none any more if anything were put there. Name the folder in which backups stand.`,
    );
  openDataFolder(dataDir);
};

/**
 * Where no backup may be made: in another one, which would not be what its manifest says any more, and in DATA_DIR outside the folder of backups, where nothing
 * looks after the keys in it.
 * @param backups the server's own folder of backups
 * @throws BackupDamaged saying why
 */
export const expectBackupPlace = (folder: string, dataDir: string, backups: string): void => {
  const [to, data, own] = [realPath(folder), realPath(dataDir), realPath(backups)];
  if (isInTheWayOfBackups(data, to)) throw new BackupDamaged(`${folder} is inside a folder that is backed up`);
  if (to === own || isInside(own, to)) throw new BackupDamaged(`${folder} is the folder in which the server keeps its backups: name a new one in it`);
  const isOwn = isInside(own, data) && isInside(to, own);
  if (isInside(to, data) && !isOwn && !isInDrill(to))
    throw new BackupDamaged(`${folder} is inside DATA_DIR: a backup there is looked after only in ${backups}`);
  const around = backupAround(dirname(to));
  // A copy that somebody works in, manifest and all, is none any more.
  if (around !== undefined && around !== data) throw new BackupDamaged(`${folder} is inside the backup ${around}, which would not be what it was`);
};
