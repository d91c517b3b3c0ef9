import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expectOutsideBackups } from './backup-place.ts';
import { OperatorError } from './operator-error.ts';

/** A file that is read, meant from the caller's folder. @throws OperatorError when it is a folder, and what the system says when there is none */
export const fileToRead = (folder: string, path: string): string => {
  const full = resolve(folder, path);
  if (statSync(full).isDirectory()) throw new OperatorError(`${full}: a folder, not a file`);
  return full;
};

/**
 * The same for a file that is to be made.
 * @throws OperatorError when it is there, its folder is none, or it would stand in a backup, and what the system says when there is no such folder
 */
export const fileToMake = (folder: string, path: string): string => {
  const full = resolve(folder, path);
  if (existsSync(full)) throw new OperatorError(`${full} exists already`);
  if (!statSync(dirname(full)).isDirectory()) throw new OperatorError(`${dirname(full)}: not a folder`);
  expectOutsideBackups(full);
  return full;
};
