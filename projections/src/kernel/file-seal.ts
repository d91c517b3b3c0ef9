import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';

/**
 * The seal of a read model that nobody is writing: SHA-256 of the whole file, beside it. SQLite's integrity check finds hardly any flipped bit; the seal finds
 * every one. It is broken off when a projector opens the file, and put on when it closes cleanly or when a rebuild ends.
 */
const sealOf = (path: string): string => `${path}.seal`;
const CHUNK = 4 * 1024 * 1024;

const hashFile = (path: string): string => {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK);
  const file = openSync(path, 'r');
  try {
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) hash.update(chunk.subarray(0, size));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
};

/** Puts the seal on a file that nobody writes any more. */
export const sealReadModel = (path: string): void => {
  writeFileSync(sealOf(path), hashFile(path));
};

/** Breaks the seal off, before the file is written. */
export const forgetSeal = (path: string): void => {
  rmSync(sealOf(path), { force: true });
};

/** `none`: the file was in use when its process ended. */
export const checkSeal = (path: string): 'none' | 'whole' | 'broken' => {
  let expected: string;
  try {
    expected = readFileSync(sealOf(path), 'utf8');
  } catch {
    return 'none';
  }
  return hashFile(path) === expected ? 'whole' : 'broken';
};
