import { chmodSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { temporaryFolder } from './log-files.ts';

/** Whether anybody may pass through a folder and those above it. */
const isPassable = (folder: string): boolean =>
  ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o001) === 0 ? false : dirname(folder) === folder || isPassable(dirname(folder));

/** A new folder in which somebody else than the user of the tests may do everything: the usual place for such folders may be closed to them. */
export const folderForAll = (): ReturnType<typeof temporaryFolder> => {
  const place = [tmpdir(), '/dev/shm', '/var/tmp', '/tmp'].find(isPassable);
  if (place === undefined) throw new Error('There is no place for temporary files that is open to all');
  const folder = temporaryFolder(place);
  chmodSync(folder.path('.'), 0o777);
  return folder;
};

/** Permissions do not bind the super user, as whom tests may run. */
export const asNobody = <T>(work: () => T): T => {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
};
