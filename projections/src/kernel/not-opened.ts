import type Database from 'better-sqlite3';

/** Bytes, or names in the folder, were wanting for a file or for what stands beside it while it is open (its write-ahead log, and the index of that), or it may not be opened. */
const codes: ReadonlySet<string> = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_CANTOPEN']);

/** Whether SQLite could not open a file, which says nothing about what is in it. */
export const isNotOpened = (error: InstanceType<typeof Database.SqliteError>): boolean => codes.has(error.code);
