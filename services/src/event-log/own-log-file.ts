import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { fileIdentity, otherFileText, type FileIdentity } from './file-walk.ts';

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * What was recorded lives as long as this process has the file open that somebody took away: a whole copy of it goes beside the path, under a name of its own,
 * since something else may stand there.
 * @param position the last one that was acknowledged: it is in the name. Gives where the copy is, or undefined when there is no room, no folder any more, or a
 * reader in the way
 */
export const rescueLog = (connection: Database.Database, path: string, position: number): string | undefined => {
  const copy = `${path}.rescued-${String(position)}`;
  const partial = `${copy}.partial`;
  try {
    // What stood in the write-ahead log would be taken, by its name, for one of whatever file is there at the next start: SQLite leaves it behind where the
    // file was moved.
    const [checkpoint] = connection.pragma('wal_checkpoint(TRUNCATE)') as readonly { busy: number }[];
    if (checkpoint?.busy !== 0) return undefined;
    rmSync(partial, { force: true });
    connection.prepare('VACUUM INTO ?').run(partial);
    const descriptor = openSync(partial, 'r+');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(partial, copy);
    return copy;
  } catch {
    return undefined;
  }
};

/**
 * Whether the file that an open log has is still the one that its path names, and whole as far as its size tells. Whoever has it open goes on with a file that
 * was removed or exchanged, and with the pages that it remembers of one that somebody wrote over: what is committed then is gone with the process.
 */
export class OwnLogFile {
  readonly #path: string;
  #identity: FileIdentity | undefined;
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Which file it is; undefined before `note`. */
  get identity(): FileIdentity | undefined {
    return this.#identity;
  }

  /** The path's file was opened. */
  note(): void {
    this.#identity = fileIdentity(this.#path);
    this.#bytes = bytesOf(this.#path);
  }

  /** Looks only whether there is one; for each batch. To ask for more costs a lone writer a fifth of its rate. */
  get isThere(): boolean {
    return existsSync(this.#path);
  }

  /**
   * What is wrong with it, for operators; undefined while it is the same. Every few seconds. `isOurs`: what was recorded still stands in the file that this
   * process has open.
   */
  look(): { readonly reason: string; readonly isOurs: boolean } | undefined {
    const other = otherFileText(this.#path, this.#identity);
    if (other !== undefined) return { reason: other, isOurs: true };
    // Nothing of ours makes it shorter: events are never removed, and no VACUUM is run.
    const bytes = bytesOf(this.#path);
    if (bytes < this.#bytes)
      return { reason: `the file has ${String(bytes)} bytes, and had ${String(this.#bytes)}: somebody cut it off or wrote over it`, isOurs: false };
    this.#bytes = bytes;
    return undefined;
  }
}
