import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { allCollections, allViews, documentTable } from './all-projections.ts';
import { ledgerTable } from './ledger.ts';
import { table, type Table } from './table.ts';

/** Raise it when rows come out differently though no table changed: files of another version are set aside and built anew. */
const REVISION = 2;

/** The one checkpoint: every row of the file is the fold of the log up to this position (decimal text). */
export const checkpointTable = table('checkpoint', { id: 'INTEGER NOT NULL CHECK (id = 1)' }, { position: 'TEXT NOT NULL' });
/** `key` 'version': what the file was made by. */
export const metaTable = table('read_model', { key: 'TEXT NOT NULL' }, { value: 'TEXT NOT NULL' });
/** Events that could not be applied, and later events of the same streams. `time` is the event's own. */
export const parkedTable = table('parked', { position: 'INTEGER NOT NULL' }, { stream: 'TEXT NOT NULL', revision: 'INTEGER NOT NULL', type: 'TEXT NOT NULL', error: 'TEXT NOT NULL', time: 'TEXT NOT NULL' }, { indexes: ['stream'] });

/** What projections make of the log. */
export const projectedTables: readonly Table[] = [...allCollections.map(documentTable), ...allViews.flatMap((view) => view.tables), ledgerTable];
export const allTables: readonly Table[] = [checkpointTable, metaTable, parkedTable, ...projectedTables];

/** Hash over the tables and the revision of the projections. */
export const projectionVersion = createHash('sha256')
  .update(JSON.stringify([REVISION, allTables.map(({ create, indexes }) => [create, indexes])]))
  .digest('hex')
  .slice(0, 16);

export const createTables = (database: Database.Database): void => {
  for (const { create } of allTables) database.exec(create);
  database.prepare('INSERT INTO checkpoint (id, position) VALUES (1, ?)').run('0');
  database.prepare('INSERT INTO read_model (key, value) VALUES (?, ?)').run('version', projectionVersion);
};

/** After the rows of a rebuild: building an index over sorted rows is several times quicker than keeping it row by row. */
export const createIndexes = (database: Database.Database): void => {
  for (const { indexes } of allTables) for (const index of indexes) database.exec(index);
};
