import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, type Dirent } from 'node:fs';
import { join, sep } from 'node:path';
import { LogInUse, takeDataLock, takeLogLock } from '../event-log/log-lock.ts';
import { readIfThereSync, temporaryPrefix } from '../platform/durable-file.ts';
import { folderStamp, momentOfStamp } from './folder-stamp.ts';

/**
 * Whole copies of an installation that work in progress holds: what a restore stages, and where a drill works. A process that is killed leaves them, with keys
 * that an erasure cannot reach: whoever comes next removes them, and nothing else. A start also removes files that were not in their place yet.
 */

const stagedPrefix = '.restore-';
const drillName = /^\.drill-(.{24})-[0-9a-f]{12}$/;
/** While it is there, files are being put in place, and what it names is needed to end that. */
export const restoreJournalName = 'restore.json';
/** Between its making and its lock a place looks abandoned for a moment. */
const youngMilliseconds = 60_000;

/** The name of what a restore stages in DATA_DIR. @param now milliseconds */
export const stagedName = (now: number): string => stagedPrefix + folderStamp(now);

const isStaged = (name: string): boolean => name.startsWith(stagedPrefix) && !Number.isNaN(momentOfStamp(name.slice(stagedPrefix.length)));
const isDrill = (name: string): boolean => !Number.isNaN(momentOfStamp(drillName.exec(name)?.[1] ?? ''));

/** Whether a folder lies where a drill works: it goes when that ends. */
export const isInDrill = (folder: string): boolean => folder.split(sep).some(isDrill);

const foldersIn = (folder: string, isOurs: (name: string) => boolean): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && isOurs(entry.name))
        .map(({ name }) => name)
        .toSorted()
    : [];

/** Staged folders that no begun restore needs any more. */
const abandonedStaged = (dataDir: string): readonly string[] => {
  const journal = readIfThereSync(join(dataDir, restoreJournalName))?.toString('utf8') ?? '';
  return foldersIn(dataDir, isStaged).filter((name) => !journal.includes(name));
};

/** Copies that stand in DATA_DIR now, by name: of a drill that runs, or of work that was killed. */
export const leftoverFolders = (dataDir: string): readonly string[] => [...foldersIn(dataDir, isDrill), ...foldersIn(dataDir, isStaged)];

/** Removes what earlier restores staged. To be called by whoever holds the lock of the log, as a restore does. Gives the names. */
export const removeStaged = (dataDir: string): readonly string[] => {
  const names = abandonedStaged(dataDir);
  for (const name of names) rmSync(join(dataDir, name), { recursive: true, force: true });
  return names;
};

/** The lock of a drill's place, or undefined as long as its process lives: also one in another container, of which no process id tells. */
const lockOfDead = (place: string): { release(): void } | undefined => {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  // In a folder that all may write, a folder of that name may be anybody's.
  if (stat === undefined || stat.uid !== process.getuid?.()) return undefined;
  if (!existsSync(join(place, 'drill.lock')) && Date.now() - stat.mtimeMs < youngMilliseconds) return undefined;
  try {
    return takeLogLock(join(place, 'drill'));
  } catch (error) {
    if (error instanceof LogInUse) return undefined;
    throw error;
  }
};

/** Removes the places of drills whose process has ended. Gives the names. */
export const removeDeadDrills = (folder: string): readonly string[] =>
  foldersIn(folder, isDrill).filter((name) => {
    const lock = lockOfDead(join(folder, name));
    if (lock === undefined) return false;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } finally {
      lock.release();
    }
    return true;
  });

/** As `temporaryName` makes them. */
const isTemporary = (name: string): boolean => name.startsWith(temporaryPrefix) && /^[\w-]{12}-./.test(name.slice(temporaryPrefix.length));

const entriesIn = (folder: string): readonly Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not there, or no folder: whoever needs it says so.
    return [];
  }
};

const removeTemporaryIn = (folder: string, olderThan: number): readonly string[] =>
  entriesIn(folder)
    .filter((entry) => entry.isFile() && isTemporary(entry.name))
    .map(({ name }) => join(folder, name))
    .filter((path) => {
      if ((lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) > olderThan) return false;
      try {
        rmSync(path, { force: true });
        return true;
      } catch {
        // A folder that is mounted may be read-only. The file is in nobody's way.
        return false;
      }
    });

/**
 * Removes files that a killed process had not put in their place yet, from DATA_DIR, its keys and its folds (pictures and documents have a sweep of their own).
 * To be called at a start, by whoever holds the lock of DATA_DIR, before it writes there itself. Gives the paths.
 * @param now milliseconds
 */
export const removeTemporary = (dataDir: string, now: number): readonly string[] => [
  ...[dataDir, join(dataDir, 'folds')].flatMap((folder) => removeTemporaryIn(folder, Number.MAX_VALUE)),
  // Gateways may share them: another one that starts at this moment may be making a key.
  ...removeTemporaryIn(join(dataDir, 'keys'), now - youngMilliseconds),
];

/** Removes what killed restores and drills left in DATA_DIR; what runs is left alone. Gives the names. */
export const removeLeftovers = (dataDir: string): readonly string[] => {
  const drills = removeDeadDrills(dataDir);
  if (abandonedStaged(dataDir).length === 0) return drills;
  let lock: { release(): void };
  try {
    lock = takeDataLock(dataDir);
  } catch (error) {
    // A restore is staging, or a server has the log, and has looked before it took it.
    if (error instanceof LogInUse) return drills;
    throw error;
  }
  try {
    return [...drills, ...removeStaged(dataDir)];
  } finally {
    lock.release();
  }
};

/** Places of this process. A lock that nobody refers to would be collected, and given up by that. */
const held = new Set<{ release(): void }>();

export type DrillPlace = { readonly path: string; remove(): void };

/** Makes a place for a drill, and holds it until it is removed or the process ends. @param now milliseconds */
export const openDrillPlace = (within: string, now: number): DrillPlace => {
  const path = join(within, `.drill-${folderStamp(now)}-${randomBytes(6).toString('hex')}`);
  mkdirSync(path, { mode: 0o700 });
  const lock = takeLogLock(join(path, 'drill'));
  held.add(lock);
  return {
    path,
    remove() {
      try {
        rmSync(path, { recursive: true, force: true });
      } finally {
        held.delete(lock);
        lock.release();
      }
    },
  };
};
