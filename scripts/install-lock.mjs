import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a process of that id is there.
 * @param {number} pid */
const isThere = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is there as well.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
};

/** Does what may fail because somebody else was faster; false when it did with one of these codes.
 * @param {() => void} act
 * @param {readonly string[]} codes */
const tried = (act, codes) => {
  try {
    act();
    return true;
  } catch (error) {
    if (codes.includes(String(/** @type {NodeJS.ErrnoException} */ (error).code))) return false;
    throw error;
  }
};

/** @param {string} folder */
const holderOf = (folder) => {
  try {
    return readdirSync(folder)[0];
  } catch {
    return undefined;
  }
};

/**
 * Takes the lock, if nobody who is there holds it, and gives the function that lets it go; undefined while another process holds it.
 * The lock is a folder with one file, named after the process that holds it. It appears whole, by a rename: that fails on a folder
 * with a file in it and replaces an empty one, so of several who find the holder gone exactly one succeeds, and nobody removes the lock of a living one.
 * @param {string} folder
 * @param {number} [pid]
 * @returns {(() => void) | undefined} */
export const takeLock = (folder, pid = process.pid) => {
  const holder = holderOf(folder);
  if (holder !== undefined) {
    if (Number(holder) !== pid && isThere(Number(holder))) return undefined;
    tried(() => unlinkSync(join(folder, holder)), ['ENOENT']);
  }
  const own = `${folder}.${String(pid)}`;
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own);
  writeFileSync(join(own, String(pid)), '');
  if (!tried(() => renameSync(own, folder), ['ENOTEMPTY', 'EEXIST'])) {
    rmSync(own, { recursive: true, force: true });
    return undefined;
  }
  return () => {
    if (tried(() => unlinkSync(join(folder, String(pid))), ['ENOENT'])) tried(() => rmdirSync(folder), ['ENOENT', 'ENOTEMPTY']);
  };
};

/** Takes the lock as soon as it is free; `onWait` is called once when it is not.
 * @param {string} folder
 * @param {() => void} onWait
 * @returns {() => void} */
export const waitForLock = (folder, onWait) => {
  for (let told = false; ; told = true) {
    const release = takeLock(folder);
    if (release) return release;
    if (!told) onWait();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
  }
};
