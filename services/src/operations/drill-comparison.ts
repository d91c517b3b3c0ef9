import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { compareReadModels, openSnapshot, type Snapshot } from '@courtledger/projections/kernel/compare';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { createProjector, type ErasedPerson } from '@courtledger/projections/kernel/projector';
import { inspectReadModel, openReader } from '@courtledger/projections/kernel/read-model';
import { parkedTable } from '@courtledger/projections/kernel/schema';
import type { SqlValue } from '@courtledger/projections/kernel/table';
import { personKindOf } from '@courtledger/projections/operations/retention.queries';
import { LogUnavailable, UnacceptableEvents, type EventLog } from '../event-log/event-log.ts';
import { pagesOf } from '../event-log/log-pages.ts';
import { openEventStoreDb } from '../event-log/open-eventstoredb.ts';
import { refusalOf } from '../event-log/prepare-append.ts';
import { openLogConnection } from '../event-log/sqlite-connection.ts';
import { logReader } from '../event-log/sqlite-log-reader.ts';
import { logFileOf } from '../event-log/log-file-name.ts';
import type { Config } from '../platform/config.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import type { PersonVault } from '../platform/ports.ts';
import { current } from '../platform/store-projector.ts';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import type { BackupManifest } from './backup-manifest.ts';
import { isBackupOf } from './installation.ts';
import { logElsewhere } from './log-elsewhere.ts';
import { hashAt } from './log-hash.ts';
import { OperatorError } from './operator-error.ts';
import { diffLines } from './read-model-lines.ts';

/**
 * What the read model of a restored backup was held against: the live one at this position, so many rows. `forgotten`: persons whose keys the backup has and
 * this installation has not any more, given up or destroyed since.
 */
export type LiveComparison = { readonly position: string; readonly rows: number; readonly forgotten: number };

/** The installation on this machine that a backup may have been made of. */
export type LivePlace = Pick<Config, 'store' | 'dataDir'>;

const whereLog = { sqlite: 'a file of DATA_DIR', eventstoredb: 'EventStoreDB', memory: 'memory' } as const;

/** The live log, as far as a drill reads it. */
type LiveLog = {
  readonly readPage: (after: bigint, limit: number) => Promise<readonly RecordedEvent[]>;
  readonly close: () => unknown;
  /** Where other programs may write as well. */
  readonly readStream?: EventLog['readStream'];
};

/** Why a backup cannot be held against what is live on this machine, as far as that shows without the log; undefined when nothing does. */
const whyNot = (place: LivePlace, manifest: BackupManifest): string | undefined => {
  const { dataDir, store } = place;
  if (!isBackupOf(manifest, dataDir)) return 'the installation that it was made of is not on this machine';
  const elsewhere = logElsewhere(place);
  if (elsewhere !== undefined) return elsewhere;
  if (store.kind !== manifest.store)
    return `the log of this installation is in ${whereLog[store.kind]}, and the backup was made when it was in ${whereLog[manifest.store]}, with other positions`;
  if (store.kind === 'memory') return 'the log is in memory';
  const live = inspectReadModel(join(dataDir, liveReadModel(dataDir)), 'quick');
  return live === 'good' ? undefined : `the live read model is ${live}`;
};

const anotherWay = 'the log here has gone another way since, by a restore, or is another one';

/** Opens the live log in a file, when it has the last event of the backup. */
const openLogInFile = (dataDir: string, { head, chainHead }: BackupManifest['log']): LiveLog | string => {
  const logPath = logFileOf(dataDir);
  if (!existsSync(logPath)) return 'the installation that it was made of is not on this machine';
  if (head !== '0' && hashAt(logPath, BigInt(head)) !== chainHead) return anotherWay;
  const connection = openLogConnection(logPath, { readonly: true });
  const readPage = pagesOf(logReader(connection));
  return { readPage: async (...page) => readPage(...page), close: () => connection.close() };
};

// What is erased leaves the log.
const lastSql = "SELECT CAST(position AS TEXT), stream, revision, metadata FROM ledger WHERE stream NOT LIKE 'person-%' ORDER BY position DESC LIMIT 1";

/**
 * Opens the live log in EventStoreDB, when it has the last fact of the backup that nothing erases: without it a position means nothing there.
 * @param path the read model that was made of the backup
 */
const openLogInEventStoreDb = async (url: string, path: string): Promise<LiveLog | string> => {
  const log = await openEventStoreDb({ url });
  const reader = openReader(path);
  try {
    const [position, stream = '', revision, metadata] = reader.row(lastSql) ?? [];
    const found = position === undefined ? undefined : (await log.readStream(String(stream), Number(revision), 1))?.[0];
    if (position === undefined || (found?.position === BigInt(String(position)) && found.metadataText === metadata))
      return { readPage: pagesOf(log), close: async () => log.close(), readStream: async (...range) => log.readStream(...range) };
    await log.close();
    return anotherWay;
  } catch (error) {
    await log.close();
    if (error instanceof LogUnavailable) return `the log in EventStoreDB does not answer: ${error.message}`;
    throw error;
  } finally {
    reader.close();
  }
};

/** The live read model, held fast where it has come to the head of the backup at least: it may be a moment behind its log. */
const liveSnapshot = async (dataDir: string, head: bigint, signal: AbortSignal | undefined): Promise<Snapshot> => {
  for (let patience = 300; patience > 0; patience -= 1) {
    const live = openSnapshot(join(dataDir, liveReadModel(dataDir)));
    if (live.position >= head) return live;
    live.close();
    await delay(100, undefined, { ...(signal !== undefined && { signal }) });
  }
  throw new OperatorError(`The live read model does not come to position ${head.toString()}, where the backup ends`);
};

/** `persons`: whose details the restored keys opened. */
export type DrilledModel = { readonly path: string; readonly vault: PersonVault; readonly manifest: BackupManifest; readonly persons: ReadonlySet<string> };

/** Those of them whom this installation can only show as erased, with what they are: their keys were destroyed since the backup, or given up. */
const forgottenSince = (path: string, persons: ReadonlySet<string>, liveVault: PersonVault): readonly ErasedPerson[] => {
  const gone = [...persons].filter((personId) => liveVault.state(personId) === 'destroyed');
  if (gone.length === 0) return [];
  const reader = openReader(path);
  try {
    return gone.flatMap((personId) => {
      const kind = personKindOf(reader, personId);
      return kind === undefined ? [] : [{ personId, kind }];
    });
  } finally {
    reader.close();
  }
};

/**
 * Holds the read model that was rebuilt from a restored backup against the live one, row by row: what the live log has recorded since is applied to it first,
 * so that both stand at one position, and persons whose keys were given up or destroyed here since are taken out of it.
 * Gives why it cannot be done, as text, where there is nothing to compare with. The rebuilt file is changed by it.
 * @throws OperatorError saying what differs
 */
export const compareWithLive = async (
  { path, vault, manifest, persons }: DrilledModel,
  place: LivePlace,
  signal?: AbortSignal,
): Promise<LiveComparison | string> => {
  const { dataDir, store } = place;
  const reason = whyNot(place, manifest);
  if (reason !== undefined) return reason;
  const log = store.kind === 'eventstoredb' ? await openLogInEventStoreDb(store.url, path) : openLogInFile(dataDir, manifest.log);
  if (typeof log === 'string') return log;
  try {
    return await compareAt(await liveSnapshot(dataDir, BigInt(manifest.log.head), signal), log, { path, vault, manifest, persons }, dataDir, signal);
  } catch (error) {
    if (error instanceof LogUnavailable) return `the log in EventStoreDB does not answer: ${error.message}`;
    throw error;
  } finally {
    await log.close();
  }
};

/** Whether what is parked is an event of another program, which no backup holds. */
const isLeftOut = async (readStream: EventLog['readStream'], stream: string, revision: number): Promise<boolean> => {
  try {
    const [event] = (await readStream(stream, revision, 1)) ?? [];
    return event?.revision === revision && refusalOf(stream, event) !== undefined;
  } catch (error) {
    // A name that no stream of ours can have.
    if (error instanceof UnacceptableEvents) return true;
    throw error;
  }
};

/** A read model without what it has parked of other programs: the live one has more of that than one of a backup, which is no difference. */
const withoutLeftOut = async (model: Snapshot, { readStream }: LiveLog): Promise<Snapshot> => {
  if (readStream === undefined) return model;
  const [ofStream, ofRevision] = [parkedTable.columns.indexOf('stream'), parkedTable.columns.indexOf('revision')];
  const parked: SqlValue[][] = [];
  const rows = model.rows(parkedTable);
  for (let row = rows.next(); row.done !== true; row = rows.next()) {
    const { value } = row;
    if (!(await isLeftOut(readStream, String(value[ofStream]), Number(value[ofRevision])))) parked.push(value);
  }
  return { ...model, rows: (table) => (table === parkedTable ? (parked.values() as Iterator<SqlValue[], undefined>) : model.rows(table)) };
};

const compareAt = async (
  live: Snapshot,
  log: LiveLog,
  { path, vault, persons }: DrilledModel,
  dataDir: string,
  signal: AbortSignal | undefined,
): Promise<LiveComparison> => {
  const liveVault = openPersonVault(dataDir, { readonly: true });
  const forgotten = forgottenSince(path, persons, liveVault);
  // Whoever came after the backup has a key only here, and whoever was forgotten since is not to be shown by the backup's.
  const projector = createProjector({
    path,
    openPerson: (personId, sealed) =>
      (vault.state(personId) === 'absent' || liveVault.state(personId) === 'destroyed' ? liveVault : vault).open(personId, sealed),
  });
  try {
    // What follows from their keys alone is no difference: details that nobody can open are the rows of an erasure.
    projector.erase(forgotten);
    while (projector.position < live.position) {
      signal?.throwIfAborted();
      await nextTurn();
      const events = (await log.readPage(projector.position, 1000)).filter(({ position }) => position <= live.position).map(current);
      if (events.length === 0) throw new OperatorError(`The live log ends before position ${live.position.toString()}, which its read model has reached`);
      projector.apply(events);
    }
    const next = openSnapshot(path);
    try {
      const { equal, tables } = compareReadModels(await withoutLeftOut(live, log), await withoutLeftOut(next, log), {
        onTable: () => signal?.throwIfAborted(),
      });
      if (!equal)
        throw new OperatorError(
          [
            'The read model of the restored backup is NOT the live one.',
            ...diffLines(
              { position: live.position.toString(), equal, seconds: 0, tables: tables.map((table) => ({ ...table, samples: [...table.samples] })) },
              false,
            ),
          ].join('\n'),
        );
      return { position: live.position.toString(), rows: tables.reduce((sum, { rows }) => sum + rows.live, 0), forgotten: forgotten.length };
    } finally {
      next.close();
    }
  } finally {
    projector.close();
    liveVault.close();
    live.close();
  }
};
