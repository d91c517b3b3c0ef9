import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../node_modules/.cache/compiled');

/**
 * Half of a start is reading source: what this process and its threads compile from now on is kept, and the next start finds it. Where nothing can be kept,
 * nothing is lost.
 */
export const keepCompiled = (): void => {
  enableCompileCache(folder);
  // Threads see to it themselves, and only if they are told.
  process.env['NODE_COMPILE_CACHE'] ??= folder;
};
