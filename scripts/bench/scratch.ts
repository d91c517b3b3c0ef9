import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What a run must not leave behind, also where it is stopped: a server that goes on takes part in the figures of the next run, and a log of a million
 * statistics is large.
 */
const folders = new Set<string>();
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  // Tried again where a server that has just been killed was writing.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(128 + constants.signals[signal]));

/** A temporary folder that is gone when the run has ended, whether or not whoever asked removes it. */
export const scratchFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'courtledger-bench-'));
  folders.add(folder);
  return folder;
};

/** A process that ends with the run at the latest. */
export const endingWithRun = <T extends ChildProcess>(child: T): T => {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
};
