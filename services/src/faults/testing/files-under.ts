import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What is fetched, built or left beside the sources: other tests add and remove there, and a walk that meets that fails. */
const passedOver = new Set(['node_modules', '.git', 'test-results', 'dist']);

/** The files of a folder of ours and of the folders in it, by their paths from there. */
export const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (passedOver.has(entry.name)) return [];
    if (entry.isDirectory()) return filesUnder(join(folder, entry.name)).map((path) => join(entry.name, path));
    return entry.isFile() ? [entry.name] : [];
  });
