import { existsSync } from 'node:fs';
import { personIdOf } from '@courtledger/contracts/player/person.events';
import Database from 'better-sqlite3';
import { openEventStoreDb } from '../event-log/open-eventstoredb.ts';
import { namingFile } from '../event-log/sqlite-connection.ts';
import { logFileOf } from '../event-log/log-file-name.ts';
import type { Config } from '../platform/config.ts';

/** Ids of everybody of whom the log ever recorded details. `erased`: those of whom it says that they were erased. */
export type PersonsInLog = { readonly all: ReadonlySet<string>; readonly erased: ReadonlySet<string> };

/** Undefined in a fact that cannot be read, as everywhere: its stream is parked. */
const idIn = (data: unknown): string | undefined => {
  const { personId } = (data ?? {}) as { readonly personId?: unknown };
  return typeof personId === 'string' ? personId : undefined;
};

const inFile = (path: string): PersonsInLog => {
  const all = new Set<string>();
  const erased = new Set<string>();
  if (!existsSync(path)) return { all, erased };
  let connection: Database.Database | undefined;
  try {
    // Only looked into, whatever state the file is in: damaged, or just restored and not opened for writing yet.
    connection = new Database(path, { readonly: true });
    if (connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get() === undefined) return { all, erased };
    // Also of streams that were blanked: whoever was erased stays erased.
    for (const stream of connection.prepare<[], string>("SELECT DISTINCT stream FROM events WHERE type = 'PersonDetailsRecorded'").pluck().iterate()) {
      const personId = personIdOf(stream);
      if (personId !== undefined) all.add(personId);
    }
    for (const personId of connection
      .prepare<[]>("SELECT DISTINCT json_extract(data, '$.personId') FROM events WHERE type = 'PersonErased' AND json_valid(data)")
      .pluck()
      .iterate()) {
      if (typeof personId !== 'string') continue;
      all.add(personId);
      erased.add(personId);
    }
  } catch (error) {
    throw namingFile(path, error);
  } finally {
    connection?.close();
  }
  return { all, erased };
};

const page = 1000;

const inEventStoreDb = async (url: string): Promise<PersonsInLog> => {
  const all = new Set<string>();
  const erased = new Set<string>();
  const log = await openEventStoreDb({ url });
  try {
    for (let after: bigint | 'start' = 'start'; ;) {
      const events = await log.readAll(after, page);
      for (const { type, stream, data } of events) {
        const personId = type === 'PersonErased' ? idIn(data) : type === 'PersonDetailsRecorded' ? personIdOf(stream) : undefined;
        if (personId === undefined) continue;
        all.add(personId);
        if (type === 'PersonErased') erased.add(personId);
      }
      const last = events.at(-1);
      if (last === undefined) return { all, erased };
      after = last.position;
    }
  } finally {
    await log.close();
  }
};

/** Whom the log of this installation knows. Reads all of it, and changes nothing. */
export const personsInLog = async ({ store, dataDir }: Pick<Config, 'store' | 'dataDir'>): Promise<PersonsInLog> =>
  store.kind === 'eventstoredb' ? inEventStoreDb(store.url) : inFile(logFileOf(dataDir));
