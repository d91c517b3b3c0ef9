import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { checkpointTable, parkedTable, projectedTables } from './schema.ts';
import type { SqlValue } from './table.ts';

export type TableDump = { readonly rows: number; readonly sha256: string };
export type ReadModelDump = { readonly position: string; readonly sha256: string; readonly tables: Readonly<Record<string, TableDump>> };

/**
 * The content of a read model as hashes: rows of each table in the order of its key, so that two files with the same content give the same, however they were
 * made.
 */
export const dumpReadModel = (path: string): ReadModelDump => {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    return database.transaction(() => {
      const total = createHash('sha256');
      const tables: Record<string, TableDump> = {};
      for (const { name, key, columns } of [checkpointTable, parkedTable, ...projectedTables]) {
        const hash = createHash('sha256');
        let rows = 0;
        for (const row of database
          .prepare<[], SqlValue[]>(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${key.join(', ')}`)
          .raw()
          .safeIntegers()
          .iterate()) {
          hash.update(JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))).update('\n');
          rows += 1;
        }
        const sha256 = hash.digest('hex');
        tables[name] = { rows, sha256 };
        total.update(`${name} ${String(rows)} ${sha256}\n`);
      }
      return { position: String(database.prepare('SELECT position FROM checkpoint WHERE id = 1').pluck().get()), sha256: total.digest('hex'), tables };
    })();
  } finally {
    database.close();
  }
};
