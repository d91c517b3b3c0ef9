import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { manifestName, readManifest } from './backup-manifest.ts';
import { logNameIn, namingTypes } from './kept-keys.ts';

/** Bytes of a log in lines that are read for its name: what names a log stands at its beginning. */
const firstBytes = 65_536;

const nameInFile = (path: string): string | undefined => {
  const connection = new Database(path, { readonly: true, fileMustExist: true });
  try {
    return connection
      .prepare<[string], string>('SELECT stream FROM events WHERE type IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT 1')
      .pluck()
      .get(JSON.stringify(namingTypes));
  } finally {
    connection.close();
  }
};

const nameInLines = (path: string): string | undefined => {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(firstBytes);
    // The last line may be half one.
    const lines = bytes.toString('utf8', 0, readSync(file, bytes)).split('\n').slice(0, -1);
    return logNameIn(lines.map((line) => JSON.parse(line) as { readonly type: string; readonly stream: string }));
  } finally {
    closeSync(file);
  }
};

/** Of which logs backups are (`logNameIn`): a folder keeps its backups when another log is imported into it. Each is looked at once. */
export class BackupLogNames {
  readonly #known = new Map<string, { readonly written: number; readonly name: string | undefined }>();

  /** Undefined where nothing in it names a log, or it cannot be read. */
  of(folder: string): string | undefined {
    try {
      const written = statSync(join(folder, manifestName)).mtimeMs;
      const known = this.#known.get(folder);
      if (known?.written === written) return known.name;
      const { log } = readManifest(folder);
      const path = join(folder, log.file);
      const name = log.kind === 'sqlite' ? nameInFile(path) : nameInLines(path);
      this.#known.set(folder, { written, name });
      return name;
    } catch {
      return undefined;
    }
  }
}
