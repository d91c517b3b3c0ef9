import { join } from 'node:path';
import { KeyRefused } from '../platform/key-file.ts';
import { BackupDamaged, type BackupManifest } from './backup-manifest.ts';
import { linePages } from './line-pages.ts';
import { missingKeys, missingKeysOf, type MissingKey } from './required-keys.ts';

/** A backup without a key that its log needs is none: the start of what is restored from it would be refused. Which these are is what a start says (docs/decisions/lost-keys.md). */

type LogCopy = Pick<BackupManifest['log'], 'kind' | 'file'>;

/** Keys that the log in a folder of a backup needs and that are not there with it. @param noted the folder that knows which keys the log was kept with; a whole backup says nothing of that */
const missingIn = async (folder: string, { kind, file }: LogCopy, noted = folder): Promise<readonly MissingKey[]> => {
  if (kind === 'sqlite') return missingKeys(folder, noted);
  const { readPage, close } = linePages(join(folder, file));
  try {
    return await missingKeysOf(folder, { readAll: async (after, limit) => readPage(after === 'start' ? 0n : after, limit) }, noted);
  } finally {
    await close();
  }
};

const list = (missing: readonly MissingKey[]): string => missing.map(({ file, lost, foreign }) => `${file} (${foreign ?? 'without it'}, ${lost})`).join('; ');

/** While a backup is made: log and keys are copied. @throws KeyRefused naming what is not in DATA_DIR */
export const expectKeysToBackUp = async (partial: string, log: LogCopy, dataDir: string): Promise<void> => {
  const missing = await missingIn(partial, log, dataDir);
  if (missing.length > 0) throw new KeyRefused(`The log needs keys that are not in ${join(dataDir, 'keys')}: ${list(missing)}. Bring them back; when they are lost for good, the next start says what to do.`);
};

/** What to do with a backup that lacks keys: without its manifest it is an installation, of which a start says what else it needs. */
const wayOut = (folder: string, { kind, file }: LogCopy): string =>
  kind === 'sqlite'
    ? 'copy what is in the backup into a new, empty DATA_DIR, put the keys into its folder keys, and start the server there, which says what is still missing'
    : `bring ${join(folder, file)} into an empty log by "import", copy everything else that is in the backup into DATA_DIR, put the keys into its folder keys, and start the server, which says what is still missing`;

/** Before anything is restored: a backup of an earlier release may lack some. One that its log does not need yet is not missing. @throws BackupDamaged naming them, and what to do */
export const expectKeysInBackup = async (folder: string, log: LogCopy): Promise<void> => {
  const missing = await missingIn(folder, log);
  if (missing.length > 0) throw new BackupDamaged(`${folder} lacks keys that its log needs: ${list(missing)}. Nothing was restored: take another backup. Only where there is none, and the keys are elsewhere or lost for good: ${wayOut(folder, log)}.`);
};
