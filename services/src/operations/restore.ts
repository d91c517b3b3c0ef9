/* oxlint-disable no-await-in-loop -- files come one after another */
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { BackupRun } from '@courtledger/contracts/operations/operations.answers';
import { z } from 'zod';
import { takeDataLock } from '../event-log/log-lock.ts';
import { openSqliteEventLog } from '../event-log/sqlite-event-log.ts';
import { erasureLedgerName as erasuresName, linesOfOwner } from '../platform/erasure-ledger.ts';
import { readIfThereSync, replaceFileSync, syncFile } from '../platform/durable-file.ts';
import { openDataFolder } from '../platform/folders.ts';
import { BackupDamaged, filesBelow, hashFile, logCopyName, manifestName, readManifest, refusalsName, verifyBackup, verifyLogCopy, type BackupManifest } from './backup-manifest.ts';
import { folderStamp } from './folder-stamp.ts';
import { installationOfBackup, isBackupOf } from './installation.ts';
import { removeStaged, restoreJournalName as journalName, stagedName } from './leftovers.ts';
import { importLog } from './log-lines.ts';
import { openOperationsState } from './operations-state.ts';
import { OperatorError } from './operator-error.ts';
import { setAsidePrefix } from './set-aside.ts';

/** What stands in `restore.json`: what was begun must be ended before anything else opens the folder. `names`: what was staged. A name that is not staged any more is in place already. */
const journalSchema = z.object({ staged: z.string(), aside: z.string(), names: z.array(z.string()) });

const lockName = 'event-log.sqlite.lock';

/** What a restore replaces. The write-ahead log goes before its file: it must never meet another one. */
const replaced = ['event-log.sqlite-wal', 'event-log.sqlite-shm', 'event-log.sqlite', 'keys', 'media', 'documents', 'person-keys.made'];
/** Replaced only by a backup that has them. */
const refusals = [`${refusalsName}-wal`, `${refusalsName}-shm`, refusalsName];
/** What `openOperationsState` opens. */
const operationsStateName = 'operations.json';
/** Made from the log that was: they would be ahead of the one that is put in its place. What operators' work left is staged anew, with nothing in it but the last backup. */
const isOutdated = (name: string): boolean => /^read-model[-.]/.test(name) || name === operationsStateName || name === 'folds';

/** `now`: milliseconds, for the names of folders. `signal` stops it as long as nothing was replaced. */
export type RestoreOptions = { readonly folder: string; readonly dataDir: string; readonly now: number; readonly onStep?: (step: string) => void; readonly signal?: AbortSignal | undefined };
/** `aside`: the folder in which stands what was replaced; undefined when nothing was. */
export type RestoreReport = { readonly manifest: BackupManifest; readonly aside: string | undefined };

const moveIfThere = (from: string, to: string): void => {
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
};

/** Puts staged files in place of what is there. Every step may be repeated, so that a restore that a crash cut off is ended by calling it again. */
const putInPlace = (dataDir: string, { staged, aside, names }: z.output<typeof journalSchema>): void => {
  const [from, away] = [join(dataDir, staged), join(dataDir, aside)];
  // Erasures are never taken back: the ones that the backup knew are added to those that stand here.
  const erasures = readIfThereSync(join(from, erasuresName));
  if (erasures !== undefined) {
    appendFileSync(join(dataDir, erasuresName), Buffer.concat([Buffer.from('\n'), erasures]), { mode: 0o600, flush: true });
    rmSync(join(from, erasuresName));
  }
  // The log is the last to go in: as long as it is staged, what stands here is the old installation's.
  if (existsSync(join(from, 'event-log.sqlite'))) {
    const isInPlace = (name: string): boolean => names.includes(name) && !existsSync(join(from, name));
    for (const name of [...readdirSync(dataDir).filter(isOutdated), ...replaced]) if (!isInPlace(name)) moveIfThere(join(dataDir, name), join(away, name));
    moveIfThere(join(from, operationsStateName), join(dataDir, operationsStateName));
    for (const name of replaced.toReversed().filter((one) => one !== 'event-log.sqlite')) moveIfThere(join(from, name), join(dataDir, name));
    if (existsSync(join(from, refusalsName))) {
      for (const name of refusals) moveIfThere(join(dataDir, name), join(away, name));
      moveIfThere(join(from, refusalsName), join(dataDir, refusalsName));
    }
    moveIfThere(join(from, 'event-log.sqlite'), join(dataDir, 'event-log.sqlite'));
  }
  rmSync(from, { recursive: true, force: true });
  rmSync(join(dataDir, journalName), { force: true });
};

const journalOf = (dataDir: string): z.output<typeof journalSchema> | undefined => {
  const text = readIfThereSync(join(dataDir, journalName))?.toString('utf8');
  return text === undefined ? undefined : journalSchema.parse(JSON.parse(text));
};

/** A half restored folder is nobody's to open. @throws OperatorError */
export const expectNoHalfRestore = (dataDir: string): void => {
  if (journalOf(dataDir) !== undefined) throw new OperatorError(`A restore into ${dataDir} was cut off. Run "npm run ops -- restore" with the same backup again; it is ended then.`);
};

/** The log of a backup as a file of SQLite. */
const stageLog = async (folder: string, manifest: BackupManifest, staged: string, signal: AbortSignal | undefined): Promise<void> => {
  const path = join(staged, logCopyName);
  if (manifest.log.kind === 'sqlite') {
    await copyFile(join(folder, manifest.log.file), path);
    if ((await verifyLogCopy(path, undefined, signal)).chainHead !== manifest.log.chainHead) throw new BackupDamaged('The copy of the log is not the one of the backup');
    return;
  }
  const log = openSqliteEventLog({ path });
  try {
    // Whether the file is whole the manifest has shown, also of a backup that an earlier release made.
    const { events, erased } = await importLog(join(folder, manifest.log.file), log, { partial: true, onProgress: () => signal?.throwIfAborted() });
    if (events + erased !== manifest.log.events) throw new BackupDamaged('The log in the backup holds another number of events than it should');
  } finally {
    await log.close();
  }
  for (const suffix of ['.lock', '-wal', '-shm']) await rm(path + suffix, { force: true });
};

/** The erasures that the ledger beside the backups, and newer backups of the same installation there, know of. One that cannot be read is passed over: it is not what is restored. */
const newerErasures = async (folder: string, manifest: BackupManifest): Promise<readonly Buffer[]> => {
  const found: Buffer[] = [];
  const owner = installationOfBackup(manifest);
  if (owner === undefined) return found;
  const beside = linesOfOwner(readIfThereSync(join(dirname(folder), erasuresName))?.toString('utf8') ?? '', owner);
  if (beside.length > 0) found.push(Buffer.from(`${beside.join('\n')}\n`));
  for (const name of readdirSync(dirname(folder))) {
    const other = join(dirname(folder), name);
    if (!existsSync(join(other, manifestName))) continue;
    try {
      const newer = readManifest(other);
      const noted = newer.files.find(({ path }) => path === erasuresName);
      if (newer.createdAt <= manifest.createdAt || noted === undefined || installationOfBackup(newer) !== owner) continue;
      if ((await hashFile(join(other, erasuresName))) === noted.sha256) found.push(readFileSync(join(other, erasuresName)));
    } catch {
      // Damaged, or none of ours.
    }
  }
  return found;
};

/** The last backup as the restored installation knows it: the one that is restored, or a newer one that the same installation has made and that is still there. */
const lastBackupAfter = (folder: string, manifest: BackupManifest, dataDir: string): BackupRun => {
  const { createdAt, log, files } = manifest;
  const known = isBackupOf(manifest, dataDir) ? openOperationsState(dataDir).get().lastBackup : undefined;
  if (known?.state === 'done' && Date.parse(known.startedAt) > Date.parse(createdAt) && existsSync(join(known.folder, manifestName))) return known;
  return { state: 'done', startedAt: createdAt, endedAt: createdAt, folder: resolve(folder), head: log.head, events: log.events, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), error: null };
};

/** Removes a folder that nothing was put into. */
const leaveNothing = (dataDir: string): void => {
  if (readdirSync(dataDir).some((name) => name !== lockName)) return;
  rmSync(join(dataDir, lockName), { force: true });
  rmdirSync(dataDir);
};

/**
 * Replaces an installation by a backup. The backup is verified, copied beside what is there, and the copy is verified, before anything is replaced; what was there stays in a folder of its own.
 * Whom an erasure reached after the backup was made, the next start of the server erases again: `erasures.jsonl` is never replaced, and the ledger and newer backups beside this one are asked, so that a new machine knows too.
 * @throws BackupDamaged, the signal's reason, and LogInUse when a server runs on the folder; nothing was touched then, and no folder is left that was not there
 */
export const restoreBackup = async ({ folder, dataDir, now, onStep = () => {}, signal }: RestoreOptions): Promise<RestoreReport> => {
  const isNew = !existsSync(dataDir);
  openDataFolder(dataDir);
  const lock = takeDataLock(dataDir);
  try {
    const unfinished = journalOf(dataDir);
    if (unfinished !== undefined) {
      onStep('Ending a restore that was cut off');
      putInPlace(dataDir, unfinished);
    }
    // What an earlier one was killed over: with keys, and out of the reach of erasures.
    removeStaged(dataDir);
    onStep('Verifying the backup');
    const manifest = await verifyBackup(folder, signal);
    const stamp = folderStamp(now);
    const staged = join(dataDir, stagedName(now));
    const aside = `${setAsidePrefix}${stamp}`;
    await rm(staged, { recursive: true, force: true });
    await mkdir(staged, { recursive: true, mode: 0o700 });
    try {
      onStep('Copying it');
      for (const { path, sha256 } of manifest.files) {
        if (path === manifest.log.file) continue;
        const to = join(staged, path);
        await mkdir(dirname(to), { recursive: true, mode: 0o700 });
        await copyFile(join(folder, path), to);
        if ((await hashFile(to, signal)) !== sha256) throw new BackupDamaged(`The copy of ${path} is not what is in the backup`);
      }
      await stageLog(folder, manifest, staged, signal);
      // What was refused here since the backup stays part of the audit: the same installation's own file has what the backup has, and more.
      if (isBackupOf(manifest, dataDir) && existsSync(join(dataDir, refusalsName))) await rm(join(staged, refusalsName), { force: true });
      for (const erasures of await newerErasures(folder, manifest)) appendFileSync(join(staged, erasuresName), Buffer.concat([Buffer.from('\n'), erasures]), { mode: 0o600 });
      // Nothing else that was known of the log before holds for the one that comes.
      openOperationsState(staged).change({ lastBackup: lastBackupAfter(folder, manifest, dataDir) });
      for (const path of await filesBelow(staged)) await syncFile(join(staged, path));
      signal?.throwIfAborted();
    } catch (error) {
      await rm(staged, { recursive: true, force: true });
      throw error;
    }
    onStep('Putting it in place');
    const journal = { staged: basename(staged), aside, names: readdirSync(staged) };
    replaceFileSync(join(dataDir, journalName), JSON.stringify(journal));
    putInPlace(dataDir, journal);
    // It is made by the first thing that goes there.
    return { manifest, aside: existsSync(join(dataDir, aside)) ? join(dataDir, aside) : undefined };
  } catch (error) {
    // Where somebody may have been before, another process may be waiting for the lock: it stays, and means nothing.
    if (isNew) leaveNothing(dataDir);
    throw error;
  } finally {
    lock.release();
  }
};

