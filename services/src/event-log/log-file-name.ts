import { join } from 'node:path';

/** What a log in a file is called in DATA_DIR, and its copy in a backup. */
export const logFileName = 'event-log.sqlite';

/** The log in a file of an installation, there or not. */
export const logFileOf = (dataDir: string): string => join(dataDir, logFileName);
