/**
 * Bytes, or names in the folder, were wanting for a file or for what stands beside it while it is open (its write-ahead log, and the index of that), or it may
 * not be opened.
 */
const codes: ReadonlySet<unknown> = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_CANTOPEN']);

/**
 * For a caught error of SQLite, whose words name no file.
 * @throws it again, with the file's path, where the file could not be opened, which says nothing about what is in it
 */
export const expectOpened = (error: unknown, path: string): void => {
  if (error instanceof Error && 'code' in error && codes.has(error.code)) throw Object.assign(error, { path });
};
