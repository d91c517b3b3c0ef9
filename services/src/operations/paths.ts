import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { OperatorError } from './operator-error.ts';

/** A path as the caller meant it: npm changes the folder before it runs a script. */
export const callersPath = (path: string): string => resolve(process.env['INIT_CWD'] ?? process.cwd(), path);

/** The same for a file that is to be made. @throws OperatorError when it is there */
export const callersNewPath = (path: string): string => {
  const full = callersPath(path);
  if (existsSync(full)) throw new OperatorError(`${full} exists already`);
  return full;
};
