import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isCode, placeFile } from '../platform/durable-file.ts';
import { OperatorError } from './operator-error.ts';

/** What is asked of the system for a file that is open. */
const writing: ReadonlySet<unknown> = new Set(['write', 'fsync', 'close']);

/**
 * Writes a file that must not exist, part by part. It has its name only when all of it is on the disk; what fails leaves nothing. A half that is there under
 * the name of ours (`.partial`) is never taken: of two who write to one file at once, one would give the other's half its name.
 * @param mode for whom it is; its owner alone unless told otherwise
 * @throws OperatorError when one of the two is there, and what the system says to a path or a disk
 */
export const writeNewFile = async (path: string, parts: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>, mode = 0o600): Promise<void> => {
  if (existsSync(path)) throw new OperatorError(`${path} exists already`);
  const partial = `${path}.partial`;
  // The disk may refuse a part at any time, also while the next one is being made.
  const output = createWriteStream(partial, { flags: 'wx', mode });
  try {
    // First: a file that comes after its removal would stay.
    await once(output, 'open');
    // What a process makes without saying more is for its owner alone.
    if (mode !== 0o600) await chmod(partial, mode);
  } catch (error) {
    throw isCode(error, 'EEXIST')
      ? new OperatorError(`${partial} is there: somebody else writes to it, or was killed over it. Remove it when nobody does, and try again`, { cause: error })
      : error;
  }
  try {
    await pipeline(parts, output);
    await placeFile(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    // A failed write says nothing of where it was to go.
    if (error instanceof Error && 'syscall' in error && writing.has(error.syscall) && !('path' in error)) Object.assign(error, { path });
    throw error;
  }
};
