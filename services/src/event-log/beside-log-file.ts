import { existsSync } from 'node:fs';
import { fileIdentity } from './file-walk.ts';

/** Which files stand beside an open log file: its write-ahead log and the index of that; undefined while one is not there. */
const besideOf = (path: string): string | undefined => {
  const [wal, index] = [fileIdentity(`${path}-wal`), fileIdentity(`${path}-shm`)];
  return wal === undefined || index === undefined ? undefined : `${wal} ${index}`;
};

/**
 * What stands beside a log file while it is open (`-wal`, `-shm`) belongs to it: removed, both live on for whoever has them open, and whatever is committed
 * there ends with this process. To open the file anew would not do, since other connections of this process go on with the old ones.
 */
export class BesideLogFile {
  readonly #path: string;
  #known: string | undefined;
  #removed: { readonly isKept: boolean } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The file was opened: what stands beside it now is its own. */
  note(): void {
    this.#known = besideOf(this.#path);
  }

  /**
   * Looks only whether they are there; for each batch. To ask for more (`stat`) makes the next commit to such a file slower: a writer alone lost a fifth of its
   * rate.
   */
  glance(keep: () => boolean): void {
    if (this.#removed === undefined && existsSync(`${this.#path}-wal`) && existsSync(`${this.#path}-shm`)) return;
    this.look(keep);
  }

  /**
   * Looks whether they are still the same; every few seconds.
   * @param keep moves what they hold into the file; true when all of it is there. Asked for until it is
   */
  look(keep: () => boolean): void {
    if (this.#removed === undefined) {
      const found = besideOf(this.#path);
      this.#known ??= found;
      if (found === this.#known) return;
    }
    if (this.#removed?.isKept === true) return;
    this.#removed = { isKept: false };
    try {
      this.#removed = { isKept: keep() };
    } catch {
      // The next look tries again.
    }
  }

  /** Why nothing may be written any more, for operators; undefined while they are there. */
  get removed(): string | undefined {
    if (this.#removed === undefined) return undefined;
    return `Somebody removed what belongs to the event log ${this.#path} while it is open (-wal, -shm). ${this.#removed.isKept ? 'What was recorded is in the file: restart the server' : 'What was recorded is not all in the file yet: stop the server, do not kill it, and start it'}`;
  }
}
