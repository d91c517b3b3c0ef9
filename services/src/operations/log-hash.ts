import Database from 'better-sqlite3';
import { LogUnavailable } from '../event-log/event-log.ts';
import { openLogConnection } from '../event-log/sqlite-connection.ts';

const inLog = (logPath: string, sql: string, position: bigint): string | undefined => {
  let connection: Database.Database | undefined;
  try {
    connection = openLogConnection(logPath, { readonly: true });
    return connection.prepare<[bigint], string>(sql).pluck().get(position);
  } catch (error) {
    // A place that cannot be read tells nothing: of the damage others tell.
    if (error instanceof Database.SqliteError || error instanceof LogUnavailable) return undefined;
    throw error;
  } finally {
    connection?.close();
  }
};

/** The hash of the event at a position of a log file, in its chain; undefined when there is no such event, or it cannot be read. */
export const hashAt = (logPath: string, position: bigint): string | undefined => inLog(logPath, 'SELECT hash FROM events WHERE position = ?', position);

/** The time (ISO) of the first event after a position of a log file; undefined when there is none, or it cannot be read. */
export const timeAfter = (logPath: string, position: bigint): string | undefined =>
  inLog(logPath, 'SELECT time FROM events WHERE position > ? ORDER BY position LIMIT 1', position);
