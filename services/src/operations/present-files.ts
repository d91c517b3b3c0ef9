import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode } from '../platform/durable-file.ts';

/** A change so shortly before a folder was listed may have been followed by another at the same time, as far as its file system tells times apart. */
const coarsestTick = 5000;

type Listed = { readonly state: string; readonly paths: ReadonlySet<string> };
const nothing: Listed = { state: '', paths: new Set() };

/**
 * The pictures and documents that stand in the folder of an installation. A folder is listed anew when its own time says that something came or went: there may
 * be tens of thousands in it, and whoever watches the installation asks every few seconds.
 */
export class PresentFiles {
  readonly #dataDir: string;
  readonly #listed = new Map<string, Listed>();

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Gives which paths below the folder of the installation name a file that is there now. @throws errors of the system, but for a folder that is not there */
  async read(): Promise<(path: string) => boolean> {
    const folders = await Promise.all(['media', 'documents'].map(async (folder) => this.#list(folder)));
    return (path) => folders.some(({ paths }) => paths.has(path));
  }

  async #list(folder: string): Promise<Listed> {
    const place = join(this.#dataDir, folder);
    try {
      const { dev, ino, mtimeNs, mtimeMs } = await stat(place, { bigint: true });
      const state = [dev, ino, mtimeNs].join(' ');
      const known = this.#listed.get(folder);
      if (known?.state === state) return known;
      // Before it is listed: what comes meanwhile changes the folder's time.
      const isSettled = Date.now() - Number(mtimeMs) > coarsestTick;
      const listed = { state, paths: new Set((await readdir(place)).map((name) => `${folder}/${name}`)) };
      if (isSettled) this.#listed.set(folder, listed);
      return listed;
    } catch (error) {
      // A folder that somebody has taken away holds nothing.
      if (isCode(error, 'ENOENT')) return nothing;
      throw error;
    }
  }
}
