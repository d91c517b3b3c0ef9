/* oxlint-disable no-await-in-loop -- files come one after another: a backup has time */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { isCode, replaceFileSync, syncFile, temporaryPrefix } from '../platform/durable-file.ts';
import type { Store } from '../platform/store.ts';
import { BackupDamaged, filesBelow, hashFile, logCopyName, logLinesName, manifestName, verifyLogCopy, type BackupManifest } from './backup-manifest.ts';
import { exportLog } from './log-lines.ts';

export type BackupSource = {
  readonly dataDir: string;
  readonly kind: BackupManifest['store'];
  readonly store: Pick<Store, 'log' | 'administration'>;
  /** Milliseconds. */
  readonly now: number;
};

/** What stands in DATA_DIR beside the log and belongs into a backup. Refusals and read models do not: the ones are no facts, the others are made again. */
const folders = ['keys', 'media', 'documents'] as const;
const singleFiles = ['person-keys.made', 'erasures.jsonl'] as const;

/** A copy that is read leaves nothing beside it then. */
const withoutWriteAhead = (path: string): void => {
  const connection = new Database(path);
  try {
    connection.pragma('journal_mode = DELETE');
  } finally {
    connection.close();
  }
};

const copyDatabase = async (from: string, to: string): Promise<void> => {
  const connection = new Database(from, { readonly: true, fileMustExist: true });
  try {
    await connection.backup(to);
  } finally {
    connection.close();
  }
  withoutWriteAhead(to);
};

const copyFolder = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const path of await filesBelow(from)) {
    const name = basename(path);
    if (name.startsWith(temporaryPrefix) || /-(?:wal|shm|journal)$/.test(name)) continue;
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    try {
      if (name.endsWith('.sqlite')) await copyDatabase(join(from, path), join(to, path));
      else await copyFile(join(from, path), join(to, path));
    } catch (error) {
      // Erased while the backup went on.
      if (!isCode(error, 'ENOENT')) throw error;
    }
  }
};

/**
 * Copies an installation into a new folder while it works, and checks the copy. The log comes first and what it refers to after it: files and keys are made before the event that names them, so nothing that
 * the copied log refers to can be missing. The folder appears under its name only when it is whole.
 * @throws BackupDamaged when the copy is not whole, or the folder exists
 */
export const makeBackup = async (source: BackupSource, folder: string): Promise<BackupManifest> => {
  const { dataDir, store } = source;
  if (existsSync(folder)) throw new BackupDamaged(`${folder} exists already`);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const log = await copyLog(store, partial);
    for (const name of folders) await copyFolder(join(dataDir, name), join(partial, name));
    for (const name of singleFiles) if (existsSync(join(dataDir, name))) await copyFile(join(dataDir, name), join(partial, name));
    const files: BackupManifest['files'] = [];
    for (const path of await filesBelow(partial)) {
      const full = join(partial, path);
      await syncFile(full);
      files.push({ path, bytes: (await stat(full)).size, sha256: await hashFile(full) });
    }
    const manifest: BackupManifest = { format: 1, createdAt: new Date(source.now).toISOString(), store: source.kind, log, files };
    replaceFileSync(join(partial, manifestName), `${JSON.stringify(manifest, null, 1)}\n`);
    await rename(partial, folder);
    await syncFile(dirname(folder));
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
};

const copyLog = async ({ log, administration }: BackupSource['store'], folder: string): Promise<BackupManifest['log']> => {
  if (administration === undefined) {
    const { events, head } = await exportLog(log, join(folder, logLinesName));
    return { kind: 'json-lines', file: logLinesName, events, head: head.toString(), chainHead: null };
  }
  const copy = join(folder, logCopyName);
  await administration.backup(copy);
  withoutWriteAhead(copy);
  const { events, head, chainHead, firstBreak } = await verifyLogCopy(copy);
  if (firstBreak !== undefined) throw new BackupDamaged(`The log is damaged at position ${firstBreak.position.toString()}: ${firstBreak.reason}`);
  return { kind: 'sqlite', file: logCopyName, events, head: head.toString(), chainHead };
};
