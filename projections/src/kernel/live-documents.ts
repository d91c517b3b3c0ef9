import type Database from 'better-sqlite3';
import { documentTable, packDocument, unpackDocument } from './all-projections.ts';
import type { Collection, Documents, RowWriter, View } from './projection.ts';
import type { SqlValue } from './table.ts';

/** Documents kept by a live projector in each of two generations; beyond that the least used are read from the file again. */
const GENERATION = 20_000;

/**
 * Documents of a live read model: loaded when an event or a view needs them, kept in a bounded cache, written with the rows that show them.
 * A document that is dirty is never dropped: generations turn only after a flush.
 */
export class LiveDocuments implements Documents {
  readonly #load = new Map<object, Database.Statement<[string], string>>();
  readonly #parts = new Map<string, Database.Statement<[string], SqlValue[]>>();
  readonly #database: Database.Database;
  readonly #generation: number;
  #young = new Map<object, Map<string, object>>();
  #old = new Map<object, Map<string, object>>();
  #size = 0;
  #dirty = new Map<Collection, Set<string>>();
  /** By view, by key: the parts touched, or undefined for all of it. */
  #touched = new Map<View, Map<string, Set<string> | undefined>>();

  constructor(database: Database.Database, generation: number = GENERATION) {
    this.#database = database;
    this.#generation = generation;
  }

  read<D extends object>(collection: Collection<D>, key: string): D | undefined {
    const young = this.#young.get(collection)?.get(key);
    if (young !== undefined) return young as D;
    const known = (this.#old.get(collection)?.get(key) as D | undefined) ?? this.#stored(collection, key);
    if (known !== undefined) this.#keep(collection, key, known);
    return known;
  }

  change<D extends object>(collection: Collection<D>, key: string): D {
    let document = this.read(collection, key);
    if (document === undefined) {
      document = collection.initial(key);
      this.#keep(collection, key, document);
    }
    const untyped = collection as unknown as Collection;
    const dirty = this.#dirty.get(untyped);
    if (dirty === undefined) this.#dirty.set(untyped, new Set([key]));
    else dirty.add(key);
    return document;
  }

  touch(view: View, key: string, part?: string): void {
    let keys = this.#touched.get(view);
    if (keys === undefined) {
      keys = new Map();
      this.#touched.set(view, keys);
    }
    if (part === undefined) keys.set(key, undefined);
    else if (!keys.has(key)) keys.set(key, new Set([part]));
    else keys.get(key)?.add(part);
  }

  /** Writes what changed: each document and each row once, however many events changed it. */
  flush(write: RowWriter): void {
    for (const [view, keys] of this.#touched) for (const [key, parts] of keys) view.rows(key, this, write, parts);
    for (const [collection, keys] of this.#dirty) {
      const table = documentTable(collection);
      for (const key of keys) {
        const document = this.read(collection, key);
        if (document !== undefined) write.put(table, [key, packDocument(collection, document)]);
      }
    }
  }

  /** Whether an account or a session was changed since the last commit. */
  get changesAccounts(): boolean {
    for (const { ofAccounts } of this.#dirty.keys()) if (ofAccounts === true) return true;
    return false;
  }

  /** After the commit of what was flushed. */
  settle(): void {
    this.#dirty = new Map();
    this.#touched = new Map();
    if (this.#size <= this.#generation) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#size = 0;
  }

  /** After a failure: documents may be half changed. The file has what was committed. */
  forget(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#size = 0;
    this.#dirty = new Map();
    this.#touched = new Map();
  }

  #stored<D extends object>(collection: Collection<D>, key: string): D | undefined {
    let statement = this.#load.get(collection);
    if (statement === undefined) {
      statement = this.#database.prepare<[string], string>(`SELECT document FROM ${documentTable(collection).name} WHERE key = ?`).pluck();
      this.#load.set(collection, statement);
    }
    const text = statement.get(key);
    return text === undefined ? undefined : unpackDocument(collection, key, text, (sql, of) => this.#rows(sql).all(of));
  }

  #rows(sql: string): Database.Statement<[string], SqlValue[]> {
    let statement = this.#parts.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare<[string], SqlValue[]>(sql).raw();
      this.#parts.set(sql, statement);
    }
    return statement;
  }

  #keep(collection: object, key: string, document: object): void {
    const map = this.#young.get(collection);
    if (map === undefined) this.#young.set(collection, new Map([[key, document]]));
    else map.set(key, document);
    this.#size += 1;
  }
}
