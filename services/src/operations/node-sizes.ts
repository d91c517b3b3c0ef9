import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import type { Config } from '../platform/config.ts';
import { freeBytesOf } from '../platform/throttle-storage.ts';
import { filesBelow } from './backup-manifest.ts';

/** What copies of an installation leave free on their disk: a full one would stop the log. */
export const reservedBytes = 256 * 1024 * 1024;

const bytesOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

/** Bytes below a folder. What goes away meanwhile counts as nothing. */
export const folderBytes = async (folder: string): Promise<number> => {
  let sum = 0;
  // oxlint-disable-next-line no-await-in-loop -- thousands of files are looked at one after another
  for (const path of await filesBelow(folder)) sum += await bytesOf(join(folder, path));
  return sum;
};

/** Sizes of what stands in DATA_DIR, in bytes. A file of a log that is not the one in use is no size of the log. */
export const nodeSizes = async ({ dataDir, store }: Pick<Config, 'dataDir' | 'store'>): Promise<OperationsStatus['sizes']> => {
  const names = await readdir(dataDir);
  const sumOf = async (prefix: string): Promise<number> => {
    const sizes = await Promise.all(names.filter((name) => name.startsWith(prefix)).map(async (name) => bytesOf(join(dataDir, name))));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  };
  const [log, readModels, refusals, media, documents, keys] = await Promise.all([
    sumOf('event-log.sqlite'), sumOf('read-model-'), sumOf('refusals.sqlite'), folderBytes(join(dataDir, 'media')), folderBytes(join(dataDir, 'documents')), folderBytes(join(dataDir, 'keys')),
  ]);
  return { log: store.kind === 'sqlite' ? log : null, readModels, media, documents, keys, refusals, freeDisk: freeBytesOf(dataDir)() };
};

/** Bytes of a read model with what stands beside it. */
export const readModelBytes = async (dataDir: string, file: string): Promise<number> => (await bytesOf(join(dataDir, file))) + (await bytesOf(join(dataDir, `${file}-wal`)));
