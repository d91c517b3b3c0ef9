import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { isCode } from './durable-file.ts';

/** A folder that somebody named cannot be used. The message says which, and why. */
export class FolderRefused extends Error {
  override readonly name = 'FolderRefused';
}

const reasonOf = (error: unknown, folder: string): string => {
  if (isCode(error, 'EACCES') || isCode(error, 'EPERM')) return `nothing may be written in ${folder}`;
  if (isCode(error, 'EROFS')) return `${folder} is on a disk that is read-only`;
  if (isCode(error, 'ENOSPC') || isCode(error, 'EDQUOT')) return `no space is left in ${folder}`;
  return `nothing can be made in ${folder}`;
};

/** The folders of a path that are not there, the outermost first. @throws FolderRefused when a part of it is a file */
const missingOf = (path: string, named: string): readonly string[] => {
  const missing: string[] = [];
  for (let at = resolve(path); ; at = dirname(at)) {
    let found: ReturnType<typeof statSync> | undefined;
    try {
      found = statSync(at, { throwIfNoEntry: false });
    } catch (error) {
      throw new FolderRefused(`${named} cannot be used: ${reasonOf(error, dirname(at))}`, { cause: error });
    }
    if (found?.isDirectory() === true) return missing;
    if (found !== undefined) throw new FolderRefused(`${named} cannot be used: ${at} is not a folder`);
    missing.unshift(at);
  }
};

/** Whether a folder is DATA_DIR itself, or inside one of its folders that a backup copies or a restore replaces: a backup there would be in every later one, with keys that were destroyed since. */
export const isInTheWayOfBackups = (dataDir: string, folder: string): boolean => folder === dataDir || ['keys', 'media', 'documents', 'folds'].some((name) => (folder + sep).startsWith(join(dataDir, name) + sep));

/**
 * Makes a folder, with those above it, for its owner only. Not by `mkdir` with `recursive`: that goes round for ever where nothing can be made (below /proc).
 * @param named what a refusal calls it
 * @throws FolderRefused
 */
export const makeFolderSync = (path: string, named = path): void => {
  for (const folder of missingOf(path, named)) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // Somebody else was quicker.
      if (!isCode(error, 'EEXIST')) throw new FolderRefused(`${named} cannot be used: ${reasonOf(error, dirname(folder))}`, { cause: error });
    }
  }
};

/** Whether anything can be made in a folder is tried. A full disk is no reason to refuse: what is there can be read. @throws what the system says */
const tryToMakeIn = (folder: string): void => {
  const trial = join(folder, `.trial-${String(process.pid)}`);
  try {
    mkdirSync(trial);
  } catch (error) {
    if (!isCode(error, 'EEXIST') && !isCode(error, 'ENOSPC') && !isCode(error, 'EDQUOT')) throw error;
    return;
  }
  rmdirSync(trial);
};

/** The same for the folder of an installation, in which much will be made. @throws FolderRefused naming the variable */
export const openDataFolder = (path: string): void => {
  try {
    makeFolderSync(path);
    try {
      tryToMakeIn(path);
    } catch (error) {
      throw new FolderRefused(`${path} cannot be used: ${reasonOf(error, path)}`, { cause: error });
    }
  } catch (error) {
    if (error instanceof FolderRefused) throw new FolderRefused(`DATA_DIR: ${error.message}`, { cause: error });
    throw error;
  }
};

const databases = ['refusals.sqlite', join('keys', 'persons.sqlite')].flatMap((name) => ['', '-wal', '-shm'].map((suffix) => name + suffix));
const written = [...databases, 'operations.json', 'erasures.jsonl'];

const expectPermitted = (path: string, look: (path: string) => unknown): void => {
  try {
    look(path);
  } catch (error) {
    if (error instanceof FolderRefused) throw error;
    // Whatever else is wrong with it, whoever needs it says so.
    if (isCode(error, 'EROFS')) throw new FolderRefused(`DATA_DIR: ${reasonOf(error, path)}`, { cause: error });
    if (isCode(error, 'EACCES') || isCode(error, 'EPERM')) throw new FolderRefused(`DATA_DIR: this user may not use ${path}: look at who owns it, and at its mode`, { cause: error });
  }
};

/** Whether this user may look into the folders of an installation, and make files there: what cannot be looked at would count as missing, and SQLite calls a file damaged beside which it can make none. @throws FolderRefused naming the first */
export const expectFolderPermissions = (dataDir: string): void => {
  for (const name of ['keys', 'media', 'documents', 'folds']) {
    expectPermitted(join(dataDir, name), (path) => {
      readdirSync(path);
      tryToMakeIn(path);
    });
  }
};

/**
 * The same of the files: what root has put there would otherwise count as damaged or empty. For whoever holds the lock of DATA_DIR and has no connection to its files, whose locks would
 * end with this look. The log and the read models are looked at where they are opened. @throws FolderRefused naming the first
 */
export const expectPermissions = (dataDir: string): void => {
  expectFolderPermissions(dataDir);
  for (const name of written) expectPermitted(join(dataDir, name), (path) => { closeSync(openSync(path, 'r+')); });
  expectPermitted(join(dataDir, 'keys'), (folder) => {
    for (const name of readdirSync(folder)) expectPermitted(join(folder, name), (path) => { closeSync(openSync(path, 'r')); });
  });
};

/** Where the socket of the process that owns DATA_DIR stands. */
export const controlSocketPath = (dataDir: string): string => join(dataDir, 'control.sock');
