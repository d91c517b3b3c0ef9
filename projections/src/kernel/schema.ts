import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { allCollections, allViews, documentTable } from './all-projections.ts';
import { ledgerTable } from './ledger.ts';
import { ownSources, sourceVersion } from './source-version.ts';
import { table, type Table } from './table.ts';

/** The one checkpoint: every row of the file is the fold of the log up to this position (decimal text). */
export const checkpointTable = table('checkpoint', { id: 'INTEGER NOT NULL CHECK (id = 1)' }, { position: 'TEXT NOT NULL' });
/** `key` 'version': what the file was made by. */
const metaTable = table('read_model', { key: 'TEXT NOT NULL' }, { value: 'TEXT NOT NULL' });
/**
 * Events that could not be applied, and later events of the same streams; all but the data, of which nobody knows what may be shown. `time` is the event's own.
 */
export const parkedTable = table(
  'parked',
  { position: 'INTEGER NOT NULL' },
  {
    stream: 'TEXT NOT NULL',
    revision: 'INTEGER NOT NULL',
    type: 'TEXT NOT NULL',
    error: 'TEXT NOT NULL',
    time: 'TEXT NOT NULL',
    version: 'INTEGER NOT NULL',
    metadata: 'TEXT NOT NULL',
  },
  { indexes: ['stream'] },
);

/** What projections make of the log. */
export const projectedTables: readonly Table[] = [...allCollections.map(documentTable), ...allViews.flatMap((view) => view.tables), ledgerTable];
export const allTables: readonly Table[] = [checkpointTable, metaTable, parkedTable, ...projectedTables];

const versionKey = 'courtledger projection version';
const known = getEnvironmentData(versionKey);

/**
 * What made a file: the sources of the projections as they were when this process began. A file of another version is set aside and built anew. Worked out once
 * a process and handed on to its threads, which must not be of another version than who reads what they write because a release is being put in place.
 */
export const projectionVersion = typeof known === 'string' ? known : sourceVersion(ownSources);
setEnvironmentData(versionKey, projectionVersion);

/** Makes the tables of a new file, without their indexes, at the checkpoint before the first event. */
export const createTables = (database: Database.Database): void => {
  for (const { create } of allTables) database.exec(create);
  database.prepare('INSERT INTO checkpoint (id, position) VALUES (1, ?)').run('0');
  database.prepare('INSERT INTO read_model (key, value) VALUES (?, ?)').run('version', projectionVersion);
};

/** After the rows of a rebuild: building an index over sorted rows is several times quicker than keeping it row by row. */
export const createIndexes = (database: Database.Database): void => {
  for (const { indexes } of allTables) for (const index of indexes) database.exec(index);
};
