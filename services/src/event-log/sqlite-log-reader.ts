import Database from 'better-sqlite3';
import type { After } from './event-log.ts';
import { StoredEvent } from './stored-event.ts';

/** A row as `.raw()` gives it. Row numbers of SQLite stay far below 2^53, so they are read as numbers (a third quicker) and leave as bigint. */
type EventRow = [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  version: number,
  time: string,
  data: string | null,
  metadata: string,
];

const columns = 'position, stream, revision, id, type, version, time, data, metadata';

const eventOf = ([position, stream, revision, id, type, version, time, data, metadata]: EventRow): StoredEvent =>
  new StoredEvent({ position: BigInt(position), stream, revision, id, type, version, time, data, metadata });

/** SQLite's number for a place in the log; a bigint beyond 2^53 is beyond every log of SQLite as well. */
const rowNumber = (after: After): number => (after === 'start' ? 0 : Number(after));

/**
 * Of one damaged page SQLite may give no error, but rows that come again and again (a page of references that says that it is one of events). Whoever reads on
 * from the last one would never come to an end: it is told as what SQLite says of damage that it meets by itself.
 */
const disorder = (position: number, before: number): Error =>
  new Database.SqliteError(`the positions do not rise (${String(position)} after ${String(before)})`, 'SQLITE_CORRUPT');

/** Reads of a log file, in pages (`.all()`: an open iterator would block writes on its connection and keep the write-ahead log from being reset). */
export type LogReader = {
  readStream(stream: string, from: number, limit: number): readonly StoredEvent[] | undefined;
  readAll(after: After, limit: number): readonly StoredEvent[];
  head(): After;
};

export const logReader = (connection: Database.Database): LogReader => {
  // An erased event is never read by its stream; a stream of nothing else does not exist.
  const byStream = connection
    .prepare<[string, number, number], EventRow>(
      `SELECT ${columns} FROM events WHERE stream = ? AND revision >= ? AND data IS NOT NULL ORDER BY revision LIMIT ?`,
    )
    .raw();
  const anyOfStream = connection.prepare<[string], number>('SELECT 1 FROM events WHERE stream = ? AND data IS NOT NULL ORDER BY revision DESC LIMIT 1').pluck();
  const byPosition = connection.prepare<[number, number], EventRow>(`SELECT ${columns} FROM events WHERE position > ? ORDER BY position LIMIT ?`).raw();
  const last = connection.prepare<[], number>('SELECT position FROM events ORDER BY position DESC LIMIT 1').pluck();
  return {
    readStream(stream, from, limit) {
      const rows = byStream.all(stream, from, Number.isFinite(limit) ? limit : -1);
      if (rows.length === 0 && anyOfStream.get(stream) === undefined) return undefined;
      return rows.map(eventOf);
    },
    readAll(after, limit) {
      let before = rowNumber(after);
      return byPosition.all(before, limit).map((row) => {
        if (row[0] <= before) throw disorder(row[0], before);
        [before] = row;
        return eventOf(row);
      });
    },
    head() {
      const position = last.get();
      return position === undefined ? 'start' : BigInt(position);
    },
  };
};
