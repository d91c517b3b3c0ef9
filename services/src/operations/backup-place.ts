import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isInTheWayOfBackups } from '../platform/folders.ts';
import { BackupDamaged, logCopyName, logLinesName, manifestName, readManifest } from './backup-manifest.ts';
import { isInDrill } from './leftovers.ts';

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
    return [logCopyName, logLinesName].some((name) => existsSync(join(folder, name)));
  }
};

/**
 * Where no backup may be made: in another one, which would not be what its manifest says any more, and in DATA_DIR outside the folder of backups, where nothing looks after the keys in it.
 * @param backups the server's own folder of backups
 * @throws BackupDamaged saying why
 */
export const expectBackupPlace = (folder: string, dataDir: string, backups: string): void => {
  const [to, data, own] = [realPath(folder), realPath(dataDir), realPath(backups)];
  if (isInTheWayOfBackups(data, to)) throw new BackupDamaged(`${folder} is inside a folder that is backed up`);
  if (to === own || isInside(own, to)) throw new BackupDamaged(`${folder} is the folder in which the server keeps its backups: name a new one in it`);
  const isOwn = isInside(own, data) && isInside(to, own);
  if (isInside(to, data) && !isOwn && !isInDrill(to)) throw new BackupDamaged(`${folder} is inside DATA_DIR: a backup there is looked after only in ${backups}`);
  for (let above = dirname(to); ; above = dirname(above)) {
    if (isBackup(above)) throw new BackupDamaged(`${folder} is inside the backup ${above}, which would not be what it was`);
    if (above === dirname(above)) return;
  }
};
