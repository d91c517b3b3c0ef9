import { resolve } from 'node:path';

/** A path as the caller meant it: npm changes the folder before it runs a script. */
export const callersPath = (path: string): string => resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
