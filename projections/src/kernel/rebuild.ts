import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import { LAST_POSITION, type RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import Database from 'better-sqlite3';
import { allCollections, allViews, documentTable, packDocument } from './all-projections.ts';
import { applyEvent, type OpenPerson } from './apply-event.ts';
import { FoldDocuments } from './documents.ts';
import { sealReadModel } from './file-seal.ts';
import { detailsOfErased, ledgerRow, ledgerTable } from './ledger.ts';
import { SqliteRows } from './rows.ts';
import { createIndexes, createTables } from './schema.ts';

export type RebuildProgress = { readonly events: number; readonly position: bigint };

export type RebuildOptions = {
  /** The file to make. Whatever stands there is replaced. */
  readonly path: string;
  /** A page of the log after a position (0n: from its start), in order; empty at the end. */
  readonly readPage: (after: bigint, limit: number) => readonly RecordedEvent[] | Promise<readonly RecordedEvent[]>;
  readonly openPerson: OpenPerson;
  /** The last position to fold; without it, to the end. */
  readonly until?: bigint;
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Stops with `signal.reason`, and leaves no file. */
  readonly signal?: AbortSignal;
};

/** An event could not be applied: there is no new file. `cause` says why. */
export class RebuildFailed extends Error {
  override readonly name = 'RebuildFailed';
  readonly position: bigint;
  readonly stream: string;
  readonly type: string;
  constructor({ position, stream, type }: RecordedEvent, cause: unknown) {
    super(`Rebuild stopped at position ${position.toString()} (${type} of ${stream}): ${messageOf(cause)}`, { cause });
    this.position = position;
    this.stream = stream;
    this.type = type;
  }
}

const PAGE = 1000;

const syncFile = (path: string): void => {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const removeFile = (path: string): void => {
  for (const suffix of ['', '-wal', '-shm', '-journal', '.seal']) rmSync(path + suffix, { force: true });
};

/**
 * Folds the log into a new file: strict, it stops at the first event that cannot be applied (RebuildFailed). Documents stay in maps, and rows and answers are
 * written once at the end, without a journal and with one fsync: until then the file is nobody's.
 */
export const rebuild = async ({ path, readPage, until = LAST_POSITION, onProgress, signal, openPerson }: RebuildOptions): Promise<RebuildProgress> => {
  removeFile(path);
  const database = new Database(path);
  try {
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN');
    createTables(database);
    const rows = new SqliteRows(database, true);
    const documents = new FoldDocuments();
    let position = 0n;
    let events = 0;
    const erased: string[] = [];
    for (;;) {
      signal?.throwIfAborted();
      const page = await readPage(position, PAGE);
      const before = position;
      for (const event of page) {
        if (event.position > until) break;
        try {
          if (applyEvent(event, documents, openPerson)) rows.put(ledgerTable, ledgerRow(event, documents));
          if (event.type === 'PersonErased') erased.push((event.data as { personId: PersonId }).personId);
        } catch (error) {
          throw new RebuildFailed(event, error);
        }
        position = event.position;
        events += 1;
      }
      if (position === before) break;
      onProgress?.({ events, position });
    }
    for (const view of allViews) for (const key of documents.all(view.over).keys()) view.rows(key, documents, rows, undefined);
    for (const collection of allCollections) {
      const table = documentTable(collection);
      for (const [key, document] of documents.all(collection)) rows.put(table, [key, packDocument(collection, document)]);
    }
    database.prepare('UPDATE checkpoint SET position = ? WHERE id = 1').run(position.toString());
    createIndexes(database);
    // Where their key is a copy that lives a while longer, their details were read.
    const eraseFromLedger = database.prepare(detailsOfErased);
    for (const personId of erased) eraseFromLedger.run(personId);
    database.exec('COMMIT');
    database.close();
    syncFile(path);
    syncFile(dirname(path));
    sealReadModel(path);
    return { events, position };
  } catch (error) {
    database.close();
    removeFile(path);
    throw error;
  }
};
