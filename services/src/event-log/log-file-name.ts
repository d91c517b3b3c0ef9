import { join } from 'node:path';

/** What a log in a file is called in DATA_DIR, and its copy in a backup. */
export const logFileName = 'event-log.sqlite';

/** The lock of whoever works with a log, or with the folder that it stands in: beside it. */
export const lockOf = (log: string): string => `${log}.lock`;

/** The log in a file of an installation, there or not. */
export const logFileOf = (dataDir: string): string => join(dataDir, logFileName);
