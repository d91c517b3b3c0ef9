import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import { logFileName } from '../event-log/log-file-name.ts';
import type { Config } from '../platform/config.ts';
import { freeBytesOf } from '../platform/throttle-storage.ts';
import { filesBelow } from './backup-manifest.ts';

/** What copies of an installation leave free on their disk: a full one would stop the log. */
export const reservedBytes = 256 * 1024 * 1024;

const bytesOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

/** Bytes below a folder. What goes away meanwhile counts as nothing. */
export const folderBytes = async (folder: string): Promise<number> => {
  let sum = 0;
  // Not all at once: there may be thousands.
  for (const path of await filesBelow(folder)) sum += await bytesOf(join(folder, path));
  return sum;
};

type Sizes = OperationsStatus['sizes'];

/** Sizes of the databases, of which there are a handful. A file of a log that is not the one in use is no size of the log. */
export const databaseSizes = async ({
  dataDir,
  store,
}: Pick<Config, 'dataDir' | 'store'>): Promise<Pick<Sizes, 'log' | 'readModels' | 'refusals' | 'freeDisk'>> => {
  const names = await readdir(dataDir);
  const sumOf = async (prefix: string): Promise<number> => {
    const sizes = await Promise.all(names.filter((name) => name.startsWith(prefix)).map(async (name) => bytesOf(join(dataDir, name))));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  };
  const [log, readModels, refusals] = await Promise.all([sumOf(logFileName), sumOf('read-model-'), sumOf('refusals.sqlite')]);
  return { log: store.kind === 'sqlite' ? log : null, readModels, refusals, freeDisk: freeBytesOf(dataDir)() };
};

/** Sizes of the folders, in which there may be tens of thousands of files. */
export const folderSizes = async (dataDir: string, sizeOf = folderBytes): Promise<Pick<Sizes, 'media' | 'documents' | 'keys'>> => {
  const [media, documents, keys] = await Promise.all([sizeOf(join(dataDir, 'media')), sizeOf(join(dataDir, 'documents')), sizeOf(join(dataDir, 'keys'))]);
  return { media, documents, keys };
};

/** Sizes of what stands in DATA_DIR, in bytes. */
export const nodeSizes = async (config: Pick<Config, 'dataDir' | 'store'>): Promise<Sizes> => ({
  ...(await databaseSizes(config)),
  ...(await folderSizes(config.dataDir)),
});

/** Bytes of a read model with what stands beside it. */
export const readModelBytes = async (dataDir: string, file: string): Promise<number> =>
  (await bytesOf(join(dataDir, file))) + (await bytesOf(join(dataDir, `${file}-wal`)));
