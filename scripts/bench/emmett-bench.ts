import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventMetadata, RecordedEvent } from '@courtledger/contracts/kernel/event';
import { documentTable, packDocument, projectedTypes } from '@courtledger/projections/kernel/all-projections';
import { applyEvent, type OpenPerson } from '@courtledger/projections/kernel/apply-event';
import { FoldDocuments } from '@courtledger/projections/kernel/documents';
import { dumpReadModel } from '@courtledger/projections/kernel/dump';
import { ledgerRow, ledgerTable } from '@courtledger/projections/kernel/ledger';
import type { Collection, View } from '@courtledger/projections/kernel/projection';
import { rebuild } from '@courtledger/projections/kernel/rebuild';
import { createIndexes, createTables } from '@courtledger/projections/kernel/schema';
import { removeSql, upsertSql, type Row, type SqlValue, type Table } from '@courtledger/projections/kernel/table';
import { openLogConnection } from '@courtledger/services/event-log/sqlite-connection';
import { logReader } from '@courtledger/services/event-log/sqlite-log-reader';
import { openPersonVault } from '@courtledger/services/platform/person-vault';
import { current } from '@courtledger/services/platform/store-projector';
import Database from 'better-sqlite3';
import { figure, median, type Figure } from './figure.ts';
import { scratchFolder } from './scratch.ts';
import { writeSeason } from './season-log.ts';

/** Of the newest version no registry that we saw had both packages. */
const versions = { '@event-driven-io/emmett': '0.38.5', '@event-driven-io/emmett-sqlite': '0.38.5', sqlite3: '5.1.7' };
const batchSize = 1000;

/** What is used of the library (its own types are not installed here). */
type Connection = {
  readonly command: (sql: string, values?: readonly SqlValue[]) => Promise<unknown>;
  readonly withTransaction: <T>(work: () => Promise<T>) => Promise<T>;
  readonly close: () => void;
};
type Message = {
  readonly type: string;
  readonly data: unknown;
  readonly metadata: {
    readonly globalPosition: bigint;
    readonly streamPosition: bigint;
    readonly streamName: string;
    readonly text: string;
    readonly time: string;
    readonly version: number;
  };
};
type Consumer = { readonly processor: (options: object) => unknown; readonly start: () => Promise<void>; readonly close: () => Promise<void> };
type Emmett = {
  readonly getSQLiteEventStore: (options: { readonly fileName: string }) => { readonly consumer: (options: object) => Consumer };
  readonly sqliteConnection: (options: { readonly fileName: string }) => Connection;
  readonly createEventStoreSchema: (connection: Connection) => Promise<void>;
  readonly appendToStream: (connection: Connection, stream: string, streamType: string, messages: readonly object[]) => Promise<{ readonly success: boolean }>;
};

/** Installs the library into a folder outside this repository, once: it stands in no lock file. Its driver is compiled where there is no ready one. */
const loadEmmett = (): Emmett => {
  const folder = join(tmpdir(), `courtledger-bench-emmett-${versions['@event-driven-io/emmett-sqlite']}`);
  if (!existsSync(join(folder, 'node_modules/@event-driven-io/emmett-sqlite'))) {
    console.log(
      `Installing ${Object.entries(versions)
        .map((one) => one.join('@'))
        .join(', ')} into ${folder} ...`,
    );
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: versions }));
    const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts=false'], { cwd: folder, stdio: 'inherit' });
    if (status !== 0) throw new Error(`npm could not install it (${String(status)})`);
  }
  return createRequire(join(folder, 'package.json'))('@event-driven-io/emmett-sqlite') as Emmett;
};

/** The log of the product into the library's own store: the same events in the same order, so at the same positions. Not measured. */
const fillStore = async (emmett: Emmett, fileName: string, events: readonly RecordedEvent[]): Promise<void> => {
  const connection = emmett.sqliteConnection({ fileName });
  await emmett.createEventStoreSchema(connection);
  await connection.withTransaction(async () => {
    for (let from = 0; from < events.length;) {
      const stream = events[from]?.stream ?? '';
      const end = events.findIndex((event, index) => index >= from && (event.stream !== stream || index >= from + 500));
      const run = events.slice(from, end < 0 ? events.length : end);
      from += run.length;
      const messages = run.map(({ type, data, metadataText, time, version }) => ({ type, data, metadata: { text: metadataText, time, version } }));
      if (!(await emmett.appendToStream(connection, stream, stream.split('-')[0] ?? '', messages)).success) throw new Error(`${stream} was not appended`);
    }
  });
  connection.close();
};

/**
 * The documents of the product's projections, kept in memory for as long as the consumer lives (so that it never reads one back), and what one event changed of
 * them.
 */
class TouchedDocuments extends FoldDocuments {
  readonly #dirty = new Map<Collection, Set<string>>();
  readonly #touched = new Map<View, Map<string, Set<string> | undefined>>();
  override change<D extends object>(collection: Collection<D>, key: string): D {
    const untyped = collection as unknown as Collection;
    this.#dirty.set(untyped, (this.#dirty.get(untyped) ?? new Set()).add(key));
    return super.change(collection, key);
  }
  override touch(view?: View, key = '', part?: string): void {
    if (view === undefined) return;
    const keys = this.#touched.get(view) ?? new Map<string, Set<string> | undefined>();
    this.#touched.set(view, keys);
    if (part === undefined) keys.set(key, undefined);
    else if (!keys.has(key)) keys.set(key, new Set([part]));
    else keys.get(key)?.add(part);
  }
  /** The rows that one event changes, as statements. */
  statements(): readonly (readonly [sql: string, values: readonly SqlValue[]])[] {
    const all: (readonly [string, readonly SqlValue[]])[] = [];
    const write = {
      put: (table: Table, row: Row) => void all.push([upsertOf(table), row]),
      remove: (table: Table, key: readonly SqlValue[]) => void all.push([removeSql(table, key.length), key]),
    };
    for (const [view, keys] of this.#touched) for (const [key, parts] of keys) view.rows(key, this, write, parts);
    for (const [collection, keys] of this.#dirty)
      for (const key of keys) write.put(documentTable(collection), [key, packDocument(collection, this.read(collection, key) ?? {})]);
    this.#touched.clear();
    this.#dirty.clear();
    return all;
  }
}

/** Projections see the text only. */
const noMetadata: EventMetadata = {
  commandId: '',
  correlationId: '',
  causationId: '',
  actor: { role: 'system', id: '', name: '' },
  time: '',
  schemaVersion: 1,
};

const texts = new Map<Table, string>();
const upsertOf = (table: Table): string => {
  const known = texts.get(table) ?? upsertSql(table);
  texts.set(table, known);
  return known;
};
/** The driver takes no bigint. */
const plain = (values: readonly SqlValue[]): readonly SqlValue[] => values.map((value) => (typeof value === 'bigint' ? Number(value) : value));

/**
 * The same tables by a consumer of the library: it hands over one event after another, and commits what they wrote once a batch. Milliseconds from its start to
 * the last event.
 */
const projectByEmmett = async (emmett: Emmett, fileName: string, head: bigint, openPerson: OpenPerson, pulling: object): Promise<number> => {
  const tables = new Database(fileName);
  createTables(tables);
  createIndexes(tables);
  tables.close();
  const documents = new TouchedDocuments();
  const consumer = emmett.getSQLiteEventStore({ fileName }).consumer({ pulling });
  consumer.processor({
    projection: {
      name: 'courtledger',
      canHandle: projectedTypes(),
      async handle(messages: readonly Message[], { connection }: { readonly connection: Connection }) {
        for (const { type, data, metadata } of messages) {
          const { globalPosition, streamPosition, streamName, text, time, version } = metadata;
          const event: RecordedEvent = {
            position: globalPosition,
            stream: streamName,
            revision: Number(streamPosition) - 1,
            id: '',
            type,
            version,
            time,
            data,
            metadataText: text,
            metadata: noMetadata,
          };
          if (!applyEvent(event, documents, openPerson)) continue;
          await connection.command(upsertOf(ledgerTable), plain(ledgerRow(event, documents)));
          for (const [sql, values] of documents.statements()) await connection.command(sql, plain(values));
        }
      },
    },
    startFrom: 'BEGINNING',
    stopAfter: ({ metadata }: Message) => metadata.globalPosition === head,
  });
  const started = performance.now();
  await consumer.start();
  const took = performance.now() - started;
  await consumer.close();
  const after = new Database(fileName);
  after.prepare('UPDATE checkpoint SET position = ? WHERE id = 1').run(head.toString());
  after.close();
  return took;
};

/** (b) The rebuild against `@event-driven-io/emmett-sqlite`, on the same events into the same tables: what both wrote must be the same. */
export async function emmettFigures(statistics: number): Promise<readonly Figure[]> {
  const emmett = loadEmmett();
  const folder = scratchFolder();
  const { path } = writeSeason(folder, statistics);
  const vault = openPersonVault(folder, { readonly: true });
  const log = openLogConnection(path, { readonly: true });
  const reader = logReader(log);
  const openPerson: OpenPerson = (personId, sealed) => vault.open(personId, sealed);
  const ours = join(folder, 'product.sqlite');
  const theirs = join(folder, 'emmett.sqlite');
  try {
    const events = reader.readAll('start', 10_000_000).map(current);
    const head = events.at(-1)?.position ?? 0n;
    const rebuildOnce = async (): Promise<number> => {
      const started = performance.now();
      await rebuild({ path: ours, readPage: (after, limit) => reader.readAll(after === 0n ? 'start' : after, limit).map(current), openPerson });
      return performance.now() - started;
    };
    const against = async (name: string, pulling: object): Promise<Figure> => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(theirs + suffix, { force: true });
      await fillStore(emmett, theirs, events);
      // The first one compiles; what lies around the long run says how steady the machine was.
      await rebuildOnce();
      const before = [await rebuildOnce(), await rebuildOnce()];
      const took = await projectByEmmett(emmett, theirs, head, openPerson, pulling);
      const [made, expected] = [dumpReadModel(theirs), dumpReadModel(ours)];
      if (made.sha256 !== expected.sha256)
        throw new Error(
          `the two read models differ: ${Object.keys(made.tables)
            .filter((table) => made.tables[table]?.sha256 !== expected.tables[table]?.sha256)
            .join(', ')}`,
        );
      const times = [...before, await rebuildOnce(), await rebuildOnce()];
      return figure(
        'b',
        name,
        times.map((time) => took / time),
        { atLeast: 100 },
        `${String(events.length)} events in ${(took / 1000).toFixed(1)} s, ours in ${(median(times) / 1000).toFixed(2)} s; the same rows (${made.sha256.slice(0, 12)})`,
      );
    };
    return [
      await against(
        `rebuild, to the same projections in a consumer of emmett-sqlite ${versions['@event-driven-io/emmett-sqlite']}, its own batches of 100 and pauses of 50 ms`,
        {},
      ),
      await against(`the same in batches of ${String(batchSize)} and without pauses`, { batchSize, pullingFrequencyInMs: 0 }),
    ];
  } finally {
    log.close();
    vault.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
