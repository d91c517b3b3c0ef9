import { openLogConnection } from '../event-log/sqlite-connection.ts';

/** The hash of the event at a position of a log file, in its chain; undefined when there is no such event. */
export const hashAt = (logPath: string, position: bigint): string | undefined => {
  const connection = openLogConnection(logPath, { readonly: true });
  try {
    return connection.prepare<[bigint], string>('SELECT hash FROM events WHERE position = ?').pluck().get(position);
  } finally {
    connection.close();
  }
};
