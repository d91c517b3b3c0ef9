import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { open, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Names of files that are not in their place yet begin so; a janitor may remove them when they are old. */
export const temporaryPrefix = '.tmp-';

/** A fresh name in the folder of `path`, so that a rename never crosses file systems. */
export const temporaryName = (path: string): string => join(dirname(path), `${temporaryPrefix}${randomBytes(9).toString('base64url')}-${basename(path)}`);

/** For its owner alone. */
const writeSynced = (path: string, bytes: Buffer | string): void => {
  const handle = openSync(path, 'wx', 0o600);
  try {
    const all = Buffer.from(bytes);
    for (let written = 0; written < all.length;) written += writeSync(handle, all, written);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Flushes a file, or the names in a folder, to the disk. */
export const syncFileSync = (path: string): void => {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Replaces a small file as a whole: after a crash there is the old or the new one, never a half. */
export const replaceFileSync = (path: string, bytes: Buffer | string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = temporaryName(path);
  try {
    writeSynced(temporary, bytes);
    renameSync(temporary, path);
  } catch (error) {
    removeIfThereSync(temporary);
    throw error;
  }
  syncFileSync(dirname(path));
};

/** Makes a file that must not be made twice; gives what is there when another process was quicker. */
export const makeFileOnceSync = (path: string, make: () => Buffer | string): Buffer => {
  const known = readIfThereSync(path);
  if (known !== undefined) return known;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = temporaryName(path);
  try {
    writeSynced(temporary, make());
    // A link fails where a rename would silently replace the other's file.
    linkSync(temporary, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    removeIfThereSync(temporary);
  }
  syncFileSync(dirname(path));
  return readFileSync(path);
};

/** What a file holds; undefined when there is none. Whatever else the system says names the file. */
export const readIfThereSync = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    // Of a folder, or of a disk that does not read, the system names no file.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
};

const removeIfThereSync = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
};

/** True when a system call failed with that code, e.g. `ENOENT`. */
export const isCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code;

/** Flushes a file's content to the disk. */
export const syncFile = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Puts a written file in its place for good: content flushed, renamed, folder flushed. */
export const placeFile = async (temporary: string, path: string): Promise<void> => {
  await syncFile(temporary);
  await rename(temporary, path);
  await syncFile(dirname(path));
};

/** Writes a file for good, for its owner alone: after a crash it is there as a whole, or not at all. */
export const writeFileDurably = async (path: string, bytes: Buffer): Promise<void> => {
  const temporary = temporaryName(path);
  try {
    await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600 });
    await placeFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};

/** Removes a file; one that is not there is no error. */
export const removeIfThere = async (path: string): Promise<void> => {
  try {
    await unlink(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
};
