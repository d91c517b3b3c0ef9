import type Database from 'better-sqlite3';
import type { RowWriter } from './projection.ts';
import { insertSql, removeSql, upsertSql, type Row, type SqlValue, type Table } from './table.ts';

/** Writes rows by prepared statements, one a table. `fresh`: into empty tables, where nothing is to be replaced or removed. */
export class SqliteRows implements RowWriter {
  readonly #database: Database.Database;
  readonly #fresh: boolean;
  readonly #puts = new Map<Table, Database.Statement<[SqlValue[]]>>();
  readonly #removes = new Map<string, Database.Statement<[SqlValue[]]>>();

  constructor(database: Database.Database, fresh: boolean) {
    this.#database = database;
    this.#fresh = fresh;
  }

  put(table: Table, row: Row): void {
    let statement = this.#puts.get(table);
    if (statement === undefined) {
      statement = this.#database.prepare<[SqlValue[]]>(this.#fresh ? insertSql(table) : upsertSql(table));
      this.#puts.set(table, statement);
    }
    statement.run(row as SqlValue[]);
  }

  remove(table: Table, key: readonly SqlValue[]): void {
    if (this.#fresh) return;
    const name = `${table.name} ${String(key.length)}`;
    let statement = this.#removes.get(name);
    if (statement === undefined) {
      statement = this.#database.prepare<[SqlValue[]]>(removeSql(table, key.length));
      this.#removes.set(name, statement);
    }
    statement.run(key as SqlValue[]);
  }
}
