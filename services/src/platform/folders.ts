import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, rmdirSync, statSync } from 'node:fs';
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

/** The folders of an installation that a backup copies or a restore replaces. */
const ownFolders = ['keys', 'media', 'documents', 'folds'];

/** Whether a folder is DATA_DIR itself, or inside one of its folders: a backup there would be in every later one, with keys that were destroyed since. */
export const isInTheWayOfBackups = (dataDir: string, folder: string): boolean =>
  folder === dataDir || ownFolders.some((name) => (folder + sep).startsWith(join(dataDir, name) + sep));

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
      // Something that is there and leads nowhere, as where a disk is not mounted; else somebody was quicker.
      if (isCode(error, 'EEXIST') && !existsSync(folder))
        throw new FolderRefused(`${named} cannot be used: ${folder} is a link to what is not there`, { cause: error });
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

/** Tries whether a folder can be used, or made where it is not there; nothing stays of it. @throws FolderRefused */
export const expectUsable = (path: string): void => {
  const [outermost] = missingOf(path, path);
  if (outermost !== undefined && lstatSync(outermost, { throwIfNoEntry: false }) !== undefined)
    throw new FolderRefused(`${path} cannot be used: ${outermost} is a link to what is not there`);
  const at = outermost === undefined ? path : dirname(outermost);
  try {
    tryToMakeIn(at);
  } catch (error) {
    throw new FolderRefused(`${path} cannot be used: ${reasonOf(error, at)}`, { cause: error });
  }
};

/**
 * In a folder that somebody else has made, for everybody who has an account on the machine, databases that an earlier release made are for everybody as well
 * (private-files.ts).
 */
const keepToOwner = (dataDir: string): void => {
  for (const path of readdirSync(dataDir)
    .filter((name) => /\.sqlite(?:-wal|-shm)?$/.test(name))
    .map((name) => join(dataDir, name))) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.uid !== process.geteuid?.() || (found.mode & 0o077) === 0) continue;
    try {
      chmodSync(path, found.mode & 0o700);
    } catch (error) {
      // Whoever has it open may be at its end: the lock is not ours yet. And some disks know no modes.
      if (!isCode(error, 'ENOENT') && !isCode(error, 'EPERM')) throw error;
    }
  }
};

/** The same for the folder of an installation, in which much will be made. @throws FolderRefused naming the variable */
export const openDataFolder = (path: string): void => {
  try {
    makeFolderSync(path);
    expectUsable(path);
    keepToOwner(path);
  } catch (error) {
    if (error instanceof FolderRefused) throw new FolderRefused(`DATA_DIR: ${error.message}`, { cause: error });
    throw error;
  }
};

const databases = ['refusals.sqlite', join('keys', 'persons.sqlite')].flatMap((name) => ['', '-wal', '-shm'].map((suffix) => name + suffix));
const written = [...databases, 'operations.json', 'erasures.jsonl'];
const isReadModel = (name: string): boolean => /^read-model-\d+\.sqlite(?:-wal|-shm)?$/.test(name);
/** More are counted. */
const mostNamed = 5;

type Look = readonly [path: string, look: (path: string) => unknown];
const toWrite = (path: string): Look => [
  path,
  () => {
    closeSync(openSync(path, 'r+'));
  },
];
const toRead = (path: string): Look => [
  path,
  () => {
    closeSync(openSync(path, 'r'));
  },
];

/** All that are refused are named at once: whoever has started it as root by mistake has left several. */
const expectPermitted = (looks: readonly Look[]): void => {
  const found = new Set<string>();
  for (const [path, look] of looks) {
    try {
      look(path);
    } catch (error) {
      // Whatever else is wrong with it, whoever needs it says so.
      if (isCode(error, 'EROFS')) throw new FolderRefused(`DATA_DIR: ${reasonOf(error, path)}`, { cause: error });
      if (isCode(error, 'EACCES') || isCode(error, 'EPERM')) found.add(path);
    }
  }
  const refused = [...found];
  if (refused.length === 0) return;
  const named = `${refused.slice(0, mostNamed).join(', ')}${refused.length > mostNamed ? ` and ${String(refused.length - mostNamed)} more` : ''}`;
  throw new FolderRefused(
    `DATA_DIR: this user may not use ${named}: look at who owns ${refused.length === 1 ? 'it, and at its mode' : 'them, and at their modes'}`,
  );
};

/** What a disk that is mounted as one of our folders has at its root: nobody but root may look into it, and nothing of ours is in it. */
export const isOfDisk = (name: string): boolean => name === 'lost+found';

const namesIn = (folder: string): readonly string[] =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder).filter((name) => !isOfDisk(name)) : [];

/**
 * Whether this user may look into the folders of an installation, and make files there: what cannot be looked at would count as missing, and SQLite calls a
 * file damaged beside which it can make none.
 * @throws FolderRefused naming them
 */
export const expectFolderPermissions = (dataDir: string): void => {
  expectPermitted(
    ownFolders.map((name) => [
      join(dataDir, name),
      (path) => {
        readdirSync(path);
        tryToMakeIn(path);
      },
    ]),
  );
};

/**
 * The same of the files: what root has put there would otherwise count as damaged or empty, and a read model that may only be read would stand still from the
 * first change on. For whoever holds the lock of DATA_DIR and has no connection to its files, whose locks would end with this look. The log is looked at where
 * it is opened.
 * @throws FolderRefused naming them
 */
export const expectPermissions = (dataDir: string): void => {
  expectFolderPermissions(dataDir);
  expectPermitted([
    ...[...written, ...namesIn(dataDir).filter(isReadModel)].map((name) => toWrite(join(dataDir, name))),
    ...['read-model.live', ...['keys', 'folds'].flatMap((folder) => namesIn(join(dataDir, folder)).map((name) => join(folder, name)))].map((name) =>
      toRead(join(dataDir, name)),
    ),
  ]);
};

/** Root may use everything, and what it makes is root's: said where somebody else's server would be in trouble. */
export const tellForeignOwner = (dataDir: string, logger: { readonly warn: (event: string, fields: { readonly reason: string }) => void }): void => {
  const { uid } = statSync(dataDir);
  if (process.geteuid?.() === 0 && uid !== 0)
    logger.warn('DATA_DIR belongs to another user', {
      reason: `${dataDir} is of user ${String(uid)}, and this runs as root: a server of that user may not use the files that root makes there`,
    });
};

/** Where the socket of the process that owns DATA_DIR stands. */
export const controlSocketPath = (dataDir: string): string => join(dataDir, 'control.sock');
