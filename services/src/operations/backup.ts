import { existsSync, mkdirSync } from 'node:fs';
import { copyFile, link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { logFileName, logFileOf } from '../event-log/log-file-name.ts';
import { isCode, replaceFileSync, syncFile, temporaryPrefix } from '../platform/durable-file.ts';
import { erasureLedgerName } from '../platform/erasure-ledger.ts';
import { makeFolderSync } from '../platform/folders.ts';
import { personKeysMarker } from '../platform/person-vault.ts';
import type { Store } from '../platform/store.ts';
import { forgetErased } from './backup-erasures.ts';
import { expectKeysOfPersons, expectKeysToBackUp, personsInCopy, personsNoted } from './backup-keys.ts';
import { BackupDamaged, filesBelow, hashFile, logLinesName, manifestName, refusalsName, verifyLogCopy, type BackupManifest } from './backup-manifest.ts';
import { expectBackupPlace } from './backup-place.ts';
import { exportLog } from './log-lines.ts';

export type BackupSource = {
  readonly dataDir: string;
  readonly kind: BackupManifest['store'];
  readonly store: Pick<Store, 'log' | 'administration'>;
  /** The server's own folder of backups: `DATA_DIR/backups` when it is not told. */
  readonly backups?: string | undefined;
  /** Milliseconds. */
  readonly now: number;
  /**
   * A whole backup made before, on the same disk as the new one. Files that never change under their name (media, documents) are linked from it instead of
   * copied, and of the log's chain only what is new since then is walked. Each folder is still whole by itself, but a damaged file would be damaged in both:
   * give none from time to time.
   */
  readonly before?: { readonly folder: string; readonly manifest: BackupManifest } | undefined;
  /** Has the log look for itself at a position where the copy is not what was written. */
  readonly look?: ((position: bigint) => Promise<void>) | undefined;
  /** Hears how many events of other programs were left out. */
  readonly onLeftOut?: ((events: number) => void) | undefined;
  /** Stops the backup, which leaves nothing. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Of what stands in DATA_DIR beside the log and belongs into a backup (read models do not: they are made again), the folders in which a name never gets other
 * content.
 */
const unchanging: ReadonlySet<string> = new Set(['media', 'documents']);
const singleFiles = [personKeysMarker, erasureLedgerName] as const;

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

/** Files of the backup before, by path, that may be linked. */
type Earlier = ReadonlyMap<string, { readonly full: string; readonly bytes: number; readonly sha256: string }>;

const earlierFiles = (before: BackupSource['before']): Earlier =>
  new Map(
    before?.manifest.files
      .filter(({ path }) => unchanging.has(path.slice(0, path.indexOf('/'))))
      .map(({ path, bytes, sha256 }) => [path, { full: join(before.folder, path), bytes, sha256 }]),
  );

/** Whether the file stands there now as a link to the same content. */
const linkEarlier = async (earlier: Earlier, path: string, from: string, to: string): Promise<boolean> => {
  const known = earlier.get(path);
  // The live one decides what belongs into the backup: gone there (erased), it throws as a copy would.
  if (known === undefined || (await stat(from)).size !== known.bytes) return false;
  try {
    await link(known.full, to);
    return true;
  } catch {
    // Another disk, too many links, removed meanwhile: it is copied.
    return false;
  }
};

type Copying = {
  readonly from: string;
  readonly to: string;
  readonly earlier: Earlier;
  readonly linked: Set<string>;
  readonly signal: AbortSignal | undefined;
};

const copyFolder = async (folder: string, { from: source, to: target, earlier, linked, signal }: Copying): Promise<void> => {
  const [from, to] = [join(source, folder), join(target, folder)];
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const path of await filesBelow(from)) {
    signal?.throwIfAborted();
    const name = basename(path);
    if (name.startsWith(temporaryPrefix) || /-(?:wal|shm|journal)$/.test(name)) continue;
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    try {
      if (name.endsWith('.sqlite')) await copyDatabase(join(from, path), join(to, path));
      else if (await linkEarlier(earlier, `${folder}/${path}`, join(from, path), join(to, path))) linked.add(`${folder}/${path}`);
      else await copyFile(join(from, path), join(to, path));
    } catch (error) {
      // Erased while the backup went on. What is there, and could not be copied, has lost the place that it goes to.
      if (!isCode(error, 'ENOENT') || existsSync(join(from, path))) throw error;
    }
  }
};

/** One that is there is never taken: two backups in it would be one of neither. @throws BackupDamaged when it is there, FolderRefused */
const makePartialSync = (partial: string, folder: string): void => {
  try {
    mkdirSync(partial, { mode: 0o700 });
  } catch (error) {
    if (isCode(error, 'EEXIST'))
      throw new BackupDamaged(
        `${partial} is there: a backup is being made in it, or one that was cut off has left it. Remove it when none is being made, and try again`,
      );
    // Which says why it cannot be made.
    makeFolderSync(partial, folder);
  }
};

/**
 * Copies an installation into a new folder while it works, and checks the copy. The log comes first and what it refers to after it: files and keys are made
 * before the event that names them, so nothing that the copied log refers to can be missing. The folder appears under its name only when it is whole.
 * @throws BackupDamaged when the copy is not whole, or the folder exists or is no place for one; KeyRefused when DATA_DIR lacks keys that the log needs;
 * FolderRefused when it cannot be made; the signal's reason
 */
export const makeBackup = async (source: BackupSource, folder: string): Promise<BackupManifest> => {
  const { dataDir, store, signal } = source;
  if (existsSync(folder)) throw new BackupDamaged(`${folder} exists already`);
  expectBackupPlace(folder, dataDir, source.backups ?? join(dataDir, 'backups'));
  const partial = `${folder}.partial`;
  makeFolderSync(dirname(folder), folder);
  makePartialSync(partial, folder);
  try {
    const { log, persons } = await copyLog(store, partial, source);
    const earlier = earlierFiles(source.before);
    const linked = new Set<string>();
    const copying: Copying = { from: dataDir, to: partial, earlier, linked, signal };
    await copyFolder('keys', copying);
    // Before all that takes long: without them it would be none.
    await expectKeysToBackUp(partial, log, dataDir);
    await expectKeysOfPersons(partial, persons, dataDir, signal);
    for (const name of unchanging) await copyFolder(name, copying);
    for (const name of singleFiles) if (existsSync(join(dataDir, name))) await copyFile(join(dataDir, name), join(partial, name));
    await forgetErased(partial, log, signal);
    if (existsSync(join(dataDir, refusalsName))) await copyDatabase(join(dataDir, refusalsName), join(partial, refusalsName));
    const files: BackupManifest['files'] = [];
    for (const path of await filesBelow(partial)) {
      signal?.throwIfAborted();
      const full = join(partial, path);
      const known = linked.has(path) ? earlier.get(path) : undefined;
      if (known === undefined) await syncFile(full);
      files.push({ path, bytes: known?.bytes ?? (await stat(full)).size, sha256: known?.sha256 ?? (await hashFile(full, signal)) });
    }
    const manifest: BackupManifest = { format: 1, createdAt: new Date(source.now).toISOString(), store: source.kind, log, files };
    replaceFileSync(join(partial, manifestName), `${JSON.stringify(manifest, null, 1)}\n`);
    // Whoever shares the folder may have taken it for one that was cut off: what was copied since would pass for all of it.
    if (!existsSync(join(partial, log.file))) throw new BackupDamaged(`Somebody removed ${partial} while the backup was made`);
    await rename(partial, folder);
    await syncFile(dirname(folder));
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
};

/** `persons`: ids of those whose details stand in it. */
type CopiedLog = { readonly log: BackupManifest['log']; readonly persons: Iterable<string> };

const copyLog = async (
  { log, administration }: BackupSource['store'],
  folder: string,
  { before, look, onLeftOut, signal }: Pick<BackupSource, 'before' | 'look' | 'onLeftOut' | 'signal'>,
): Promise<CopiedLog> => {
  if (administration === undefined) {
    const { pages, persons } = personsNoted(log);
    const { events, head, leftOut } = await exportLog(pages, join(folder, logLinesName), () => signal?.throwIfAborted());
    onLeftOut?.(leftOut);
    return { log: { kind: 'json-lines', file: logLinesName, events, head: head.toString(), chainHead: null }, persons };
  }
  const copy = logFileOf(folder);
  await administration.backup(copy);
  withoutWriteAhead(copy);
  const { events, head, chainHead, firstBreak } = await verifyLogCopy(copy, before?.manifest.log, signal);
  if (firstBreak !== undefined) {
    await look?.(firstBreak.position);
    throw new BackupDamaged(`The log is damaged at position ${firstBreak.position.toString()}: ${firstBreak.reason}`);
  }
  return { log: { kind: 'sqlite', file: logFileName, events, head: head.toString(), chainHead }, persons: personsInCopy(copy) };
};
