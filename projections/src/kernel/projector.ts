import { existsSync } from 'node:fs';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import { isOfAnotherProgram } from '@courtledger/contracts/kernel/other-programs';
import type { PersonKind } from '@courtledger/contracts/player/person.events';
import Database from 'better-sqlite3';
import { applyErasure, applyEvent, type OpenPerson } from './apply-event.ts';
import { detailsOfErased, ledgerRow, ledgerTable } from './ledger.ts';
import { LiveDocuments } from './live-documents.ts';
import { forgetSeal, sealReadModel } from './file-seal.ts';
import { inspectReadModel } from './read-model.ts';
import { SqliteRows } from './rows.ts';
import { createIndexes, createTables, parkedTable } from './schema.ts';
import type { Row } from './table.ts';

export type ProjectorOptions = {
  /** The read model's file; made when there is none. */
  readonly path: string;
  readonly openPerson: OpenPerson;
  /** For fault tests: called between the steps of a batch. */
  readonly probe?: (step: 'applied' | 'written' | 'checkpointed' | 'committed') => void;
  /** Documents kept in each generation of the cache. */
  readonly cache?: number;
};

/** An event that was not applied, or waits behind one of its stream that was not. */
export type ParkedEvent = {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly error: string;
  readonly time: string;
};

export type ErasedPerson = { readonly personId: PersonId; readonly kind: PersonKind };

export type Projector = {
  /** The last position whose effects are committed; 0 before the first event. */
  readonly position: bigint;
  /**
   * Applies events in order, skips those at or below the position, and commits rows and checkpoint in one transaction. An event that cannot be applied is
   * parked with the later ones of its stream; the rest goes on. Throws when nothing was committed (disk, another writer): ask again later.
   */
  apply(events: readonly RecordedEvent[]): { readonly position: bigint; readonly parked: number };
  /** Parked events, in order. */
  parked(): ParkedEvent[];
  /** How many streams they are of. */
  readonly parkedStreams: number;
  /**
   * Grows with each commit that changed an account or revoked a session: what was read of those holds as long as it stands still. Begins at the position of the
   * opening, so that it falls behind itself in no projector that follows.
   */
  readonly accountChanges: bigint;
  /** Tries parked events again, read from the log by the caller (those that are not parked are passed over). What still fails stays parked. */
  replayParked(events: readonly RecordedEvent[]): { readonly replayed: number; readonly parked: number };
  /** Shows persons as erased from now on, at the same position: for an erasure whose fact the log has not taken yet. The fact changes nothing of them later. */
  erase(persons: readonly ErasedPerson[]): void;
  /**
   * Writes the file anew and empties its write-ahead log, so that nothing is left but the rows of now: secure_delete blanks deleted rows, but not what moving
   * rows between pages leaves behind. Takes a second for about 200 MB, during which nothing is applied. False when a reader kept the write-ahead log.
   */
  scrub(): boolean;
  close(): void;
};

/** Somebody else moved the checkpoint. Nothing was written. */
export class CheckpointMismatch extends Error {
  override readonly name = 'CheckpointMismatch';
}

const WAITS = 'waits for an earlier event of its stream';

/** Failures of the file, not of an event: they say nothing about what was to be written. */
const isStorageFailure = (error: unknown): boolean =>
  error instanceof CheckpointMismatch || (error instanceof Database.SqliteError && !error.code.startsWith('SQLITE_CONSTRAINT'));

const nothingMore = (): void => {
  // Only the events themselves.
};

const parkRow = (event: RecordedEvent, error: string): Row => [
  event.position,
  event.stream,
  event.revision,
  event.type,
  error,
  event.time,
  event.version,
  event.metadataText,
];

const describe = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

const open = (path: string): Database.Database => {
  const fresh = !existsSync(path);
  if (!fresh) {
    const state = inspectReadModel(path, 'quick');
    if (state !== 'good') throw new Error(`The read model ${path} is ${state}`);
  }
  forgetSeal(path);
  // Nobody else writes here, unless with a tool of their own: appends, which share this thread, must not wait for that as long as SQLite would (5 s). It is
  // tried again.
  const database = new Database(path, { timeout: 250 });
  try {
    database.pragma('journal_mode = WAL');
    // The log is the truth: what a power cut takes from the read model is projected again.
    database.pragma('synchronous = NORMAL');
    // An erased person's details must not stay readable in freed pages.
    database.pragma('secure_delete = ON');
    // Whoever's commit crosses the limit waits for the checkpoint: many short ones, where one of 4,000 pages takes tens of milliseconds.
    database.pragma('wal_autocheckpoint = 1000');
    database.pragma('journal_size_limit = 33554432');
    if (fresh) {
      database.transaction(() => {
        createTables(database);
        createIndexes(database);
      })();
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * The live side of the read model: one writer a file. Structurally the BatchProjector of the log's worker. Throws when the file is damaged or of another
 * version.
 */
export const createProjector = ({ path, openPerson, probe, cache }: ProjectorOptions): Projector => {
  const database = open(path);
  const documents = new LiveDocuments(database, cache);
  const rows = new SqliteRows(database, false);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const moveCheckpoint = database.prepare<[string, string]>('UPDATE checkpoint SET position = ? WHERE id = 1 AND position = ?');
  const unpark = database.prepare<[bigint]>('DELETE FROM parked WHERE position = ?');
  const readParked = database
    .prepare<[], [bigint, string, bigint, string, string, string]>('SELECT position, stream, revision, type, error, time FROM parked ORDER BY position')
    .raw()
    .safeIntegers();
  const eraseFromLedger = database.prepare<[string]>(detailsOfErased);

  let position = BigInt(database.prepare('SELECT position FROM checkpoint WHERE id = 1').pluck().get() as string);
  let accountChanges = position;
  const parkedStreams = new Set(database.prepare<[], string>('SELECT DISTINCT stream FROM parked').pluck().all());

  /** Applies to documents; answers the ledger's row, or undefined when there was nothing to apply. */
  const applyOne = (event: RecordedEvent): Row | undefined => (applyEvent(event, documents, openPerson) ? ledgerRow(event, documents) : undefined);

  /** One transaction: what `change` and events changed, and what `more` writes. Throws with nothing written and no document kept. */
  const write = (events: readonly RecordedEvent[], next: bigint, more: () => void, change = nothingMore): void => {
    try {
      change();
      const ledger: Row[] = [];
      const waiting: Row[] = [];
      for (const event of events) {
        if (parkedStreams.has(event.stream)) {
          if (!isOfAnotherProgram(event)) waiting.push(parkRow(event, WAITS));
          continue;
        }
        const row = applyOne(event);
        if (row !== undefined) ledger.push(row);
      }
      probe?.('applied');
      begin.run();
      documents.flush(rows);
      for (const row of ledger) rows.put(ledgerTable, row);
      for (const row of waiting) rows.put(parkedTable, row);
      for (const event of events)
        if (event.type === 'PersonErased' && !parkedStreams.has(event.stream)) eraseFromLedger.run((event.data as { personId: PersonId }).personId);
      more();
      probe?.('written');
      if (moveCheckpoint.run(next.toString(), position.toString()).changes !== 1)
        throw new CheckpointMismatch(`The checkpoint of ${path} is not at ${position.toString()}`);
      probe?.('checkpointed');
      commit.run();
    } catch (error) {
      if (database.inTransaction) rollback.run();
      documents.forget();
      throw error;
    }
    if (documents.changesAccounts) accountChanges += 1n;
    documents.settle();
    position = next;
    probe?.('committed');
  };

  /** Applies one event in a transaction of its own, or parks it. */
  const isolate = (event: RecordedEvent): void => {
    try {
      write([event], event.position, nothingMore);
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      write([], event.position, () => {
        rows.put(parkedTable, parkRow(event, describe(error)));
      });
      parkedStreams.add(event.stream);
    }
  };

  const parked = (): ParkedEvent[] =>
    readParked.all().map(([at, stream, revision, type, error, time]) => ({ position: at, stream, revision: Number(revision), type, error, time }));

  return {
    get position() {
      return position;
    },

    apply(events) {
      const fresh = events.filter((event) => event.position > position);
      const last = fresh.at(-1);
      if (last === undefined) return { position, parked: parkedStreams.size };
      try {
        write(fresh, last.position, nothingMore);
      } catch (error) {
        if (isStorageFailure(error)) throw error;
        // One of them cannot be applied: each by itself, so that only its stream stops.
        for (const event of fresh) isolate(event);
      }
      return { position, parked: parkedStreams.size };
    },

    parked,
    get parkedStreams() {
      return parkedStreams.size;
    },
    get accountChanges() {
      return accountChanges;
    },

    replayParked(events) {
      const given = new Map(events.map((event) => [event.position, event]));
      const failed = new Set<string>();
      let replayed = 0;
      for (const { position: at, stream } of parked()) {
        const event = given.get(at);
        if (event === undefined) failed.add(stream);
        if (event === undefined || failed.has(stream)) continue;
        parkedStreams.delete(stream);
        try {
          write([event], position, () => {
            unpark.run(at);
          });
          replayed += 1;
        } catch (error) {
          if (isStorageFailure(error)) {
            parkedStreams.add(stream);
            throw error;
          }
          failed.add(stream);
          write([], position, () => {
            rows.put(parkedTable, parkRow(event, describe(error)));
          });
        }
      }
      for (const stream of failed) parkedStreams.add(stream);
      for (const { stream } of parked()) parkedStreams.add(stream);
      return { replayed, parked: parkedStreams.size };
    },

    erase(persons) {
      const time = new Date(0).toISOString();
      const more = (): void => {
        for (const { personId } of persons) eraseFromLedger.run(personId);
      };
      write([], position, more, () => {
        for (const person of persons) applyErasure(person, { position, revision: 0, time }, documents);
      });
    },

    scrub() {
      database.exec('VACUUM');
      return (database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[])[0]?.busy === 0;
    },

    close() {
      if (!database.open) return;
      const [checkpoint] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      database.close();
      // A reader in the middle of a long read keeps the write-ahead log: then the file is not whole, and the next start checks it page by page.
      if (checkpoint?.busy === 0) sealReadModel(path);
    },
  };
};
