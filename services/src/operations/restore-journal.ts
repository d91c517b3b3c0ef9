import { appendFileSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { logFileName, logFileOf } from '../event-log/log-file-name.ts';
import { isCode, readIfThereSync, replaceFileSync, syncFileSync } from '../platform/durable-file.ts';
import { erasureLedgerName as erasuresName } from '../platform/erasure-ledger.ts';
import { isOfDisk } from '../platform/folders.ts';
import { personKeysMarker } from '../platform/person-vault.ts';
import { logLinesName, refusalsName } from './backup-manifest.ts';
import { restoreJournalName } from './leftovers.ts';
import { operationsStateName } from './operations-state.ts';
import { OperatorError } from './operator-error.ts';

/**
 * What stands in `restore.json`: what was begun must be ended before anything else opens the folder. `names`: what was staged. A name that is not staged any
 * more is in place already. `before`: of a repeat after one that was cut off, the folder that this one named as `aside`: there stands what was here before
 * both.
 * `lines`: the facts go into EventStoreDB, from a staged file; nothing is replaced before they are all there (`imported`). `places`: the addresses of the
 * EventStoreDBs that were brought any, the last one last. `backup`: SHA-256 of the manifest, so that a repeat knows whether it is the same.
 */
const journalSchema = z.object({
  staged: z.string(),
  aside: z.string(),
  before: z.string().optional(),
  names: z.array(z.string()),
  backup: z.string().optional(),
  lines: z.literal(logLinesName).optional(),
  imported: z.boolean().optional(),
  places: z.array(z.string()).optional(),
});
export type RestoreJournal = z.output<typeof journalSchema>;

/** Of a restore into DATA_DIR that was begun and not ended. @throws OperatorError when the file is none that a restore has written */
export const restoreJournalOf = (dataDir: string): RestoreJournal | undefined => {
  const path = join(dataDir, restoreJournalName);
  const text = readIfThereSync(path)?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    return journalSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new OperatorError(
      `${path} cannot be read. It is there while a restore into ${dataDir} has not ended, and says what is left to be done. Keep that folder as it is, and restore the backup into a new DATA_DIR. Only when no restore was begun there, remove the file.`,
      { cause: error },
    );
  }
};

/** Notes how far a restore has come, for good before it goes on. */
export const writeRestoreJournal = (dataDir: string, journal: RestoreJournal): void =>
  replaceFileSync(join(dataDir, restoreJournalName), JSON.stringify(journal));

/** What a restore replaces. The write-ahead log goes before its file: it must never meet another one. */
const replacedFolders = ['keys', 'media', 'documents'];
const replaced = [`${logFileName}-wal`, `${logFileName}-shm`, logFileName, ...replacedFolders, personKeysMarker];
/** Replaced only by a backup that has them. */
const refusals = [`${refusalsName}-wal`, `${refusalsName}-shm`, refusalsName];
/**
 * Made from the log that was: they would be ahead of the one that is put in its place. What operators' work left is staged anew, with nothing in it but the
 * last backup.
 */
const isOutdated = (name: string): boolean => /^read-model[-.]/.test(name) || name === operationsStateName || name === 'folds';

type Rename = typeof renameSync;

/** A link that leads nowhere any more (a disk is gone) is there as well: nothing can be put in its place before it goes. */
const moveIfThere = (from: string, to: string, rename: Rename): void => {
  if (lstatSync(from, { throwIfNoEntry: false }) === undefined) return;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  rename(from, to);
};

/**
 * Whether the system says that something cannot be renamed because it is mounted from elsewhere, or may be: where the folder below the mounted one is another
 * user's, that is all that is said.
 */
const mayBeMounted = (error: unknown): boolean => isCode(error, 'EBUSY') || isCode(error, 'EXDEV') || isCode(error, 'EACCES');

/** Flushes what was copied into a folder to the disk; a link is no more than its name there. */
const syncBelow = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) syncFileSync(path);
    else if (entry.isDirectory() && !isOfDisk(entry.name)) syncBelow(path);
  }
  syncFileSync(folder);
};

/** Copies a folder so that it is there after a power cut. */
const copyForGood = (from: string, to: string): void => {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, filter: (source) => !isOfDisk(basename(source)) });
  syncBelow(to);
};

/** The folder that a link leads to; undefined of anything else, and of a link that leads nowhere. */
const linkedFolder = (path: string): string | undefined =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && existsSync(path) ? realpathSync(path) : undefined;

/** The folders whose content a restore copies aside, which takes room in DATA_DIR. One that is mounted from the same disk is not seen. */
export const copiedAside = (dataDir: string): readonly string[] => {
  const { dev } = statSync(dataDir);
  return replacedFolders
    .map((name) => join(dataDir, name))
    .filter((path) => existsSync(path) && (linkedFolder(path) !== undefined || statSync(path).dev !== dev));
};

/**
 * A folder that is mounted (gateways share keys, media and documents) cannot be renamed, and one that a link leads to is on the disk that somebody chose for
 * it, where no erasure and no end of 30 days would reach what a moved link leaves: what is in it is copied aside, and what is staged copied in. Each step may
 * be repeated, since what is copied from goes last.
 */
const replaceInside = (folder: string, staged: string, away: string): void => {
  if (!existsSync(away)) {
    const partial = `${away}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(dirname(away), { recursive: true, mode: 0o700 });
    copyForGood(folder, partial);
    renameSync(partial, away);
  }
  for (const name of readdirSync(folder)) if (!isOfDisk(name)) rmSync(join(folder, name), { recursive: true, force: true });
  if (!existsSync(staged)) return;
  copyForGood(staged, folder);
  renameSync(staged, `${staged}.done`);
};

/**
 * Puts staged files in place of what is there. Every step may be repeated, so that a restore that a crash cut off is ended by calling it again. With `lines`
 * the facts must be in EventStoreDB before.
 * @param rename the system's, for tests
 */
export const putInPlace = (dataDir: string, { staged, aside, names, lines }: RestoreJournal, rename: Rename = renameSync): void => {
  const [from, away] = [join(dataDir, staged), join(dataDir, aside)];
  // Erasures are never taken back: the ones that the backup knew are added to those that stand here.
  const erasures = readIfThereSync(join(from, erasuresName));
  if (erasures !== undefined) {
    appendFileSync(join(dataDir, erasuresName), Buffer.concat([Buffer.from('\n'), erasures]), { mode: 0o600, flush: true });
    rmSync(join(from, erasuresName));
  }
  const log = lines ?? logFileName;
  // The log is the last to go in: as long as it is staged, what stands here is the old installation's.
  if (existsSync(join(from, log))) {
    const isInPlace = (name: string): boolean => names.includes(name) && !existsSync(join(from, name));
    for (const name of [...readdirSync(dataDir).filter(isOutdated), ...replaced]) {
      if (isInPlace(name)) continue;
      const linked = replacedFolders.includes(name) ? linkedFolder(join(dataDir, name)) : undefined;
      if (linked !== undefined) {
        replaceInside(linked, join(from, name), join(away, name));
        continue;
      }
      try {
        moveIfThere(join(dataDir, name), join(away, name), rename);
      } catch (error) {
        if (!replacedFolders.includes(name) || !mayBeMounted(error)) throw error;
        replaceInside(join(dataDir, name), join(from, name), join(away, name));
      }
    }
    moveIfThere(join(from, operationsStateName), join(dataDir, operationsStateName), rename);
    for (const name of replaced.toReversed().filter((one) => one !== logFileName)) moveIfThere(join(from, name), join(dataDir, name), rename);
    if (existsSync(join(from, refusalsName))) {
      for (const name of refusals) moveIfThere(join(dataDir, name), join(away, name), rename);
      moveIfThere(join(from, refusalsName), join(dataDir, refusalsName), rename);
    }
    if (lines === undefined) moveIfThere(logFileOf(from), logFileOf(dataDir), rename);
    else rmSync(join(from, lines));
  }
  rmSync(from, { recursive: true, force: true });
  rmSync(join(dataDir, restoreJournalName), { force: true });
};
