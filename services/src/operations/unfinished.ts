import { existsSync } from 'node:fs';
import { logFileOf } from '../event-log/log-file-name.ts';
import type { Config } from '../platform/config.ts';

import { openOperationsState, type OperationsState } from './operations-state.ts';
import { OperatorError } from './operator-error.ts';
import { restoreJournalOf } from './restore-journal.ts';

type PendingImport = NonNullable<OperationsState['pendingImport']>;

/** What is to be done about an import that was cut off. @param otherFile one that was given in place of its own */
const unfinishedText = (dataDir: string, { file, store }: PendingImport, otherFile?: string): string => {
  const isInFile = store === 'sqlite';
  const giveUp = isInFile
    ? `To give it up, remove ${logFileOf(dataDir)} with its -wal and -shm: everything that stands there is in the file.`
    : 'To give it up, begin with another EventStoreDB and another DATA_DIR.';
  return `An import of ${file} into ${isInFile ? dataDir : 'EventStoreDB'} has not ended${otherFile === undefined ? '' : `, and ${otherFile} is another file (or a changed one), of which nothing was imported`}. Unless it is still running, run "npm run ops -- import" with the same file again; it is ended then. ${giveUp}`;
};

/**
 * Two files in one log would stand there in an order that neither has.
 * @param facts digest of what the file holds: one that was moved or renamed is the same
 * @throws OperatorError
 */
export const expectFileOf = (dataDir: string, pending: PendingImport | undefined, path: string, facts: string): void => {
  if (pending?.facts !== undefined && pending.facts !== facts) throw new OperatorError(unfinishedText(dataDir, pending, path));
};

/**
 * A folder that is half restored, or whose log is half imported, is nobody's to open.
 * @param takenUp the store that an import goes into: one that was cut off there it takes up.
 * @throws OperatorError
 */
export const expectNothingUnfinished = ({ dataDir, store }: Pick<Config, 'dataDir' | 'store'>, takenUp?: Config['store']['kind']): void => {
  const restore = restoreJournalOf(dataDir);
  if (restore !== undefined)
    throw new OperatorError(
      `A restore into ${dataDir}${restore.lines === undefined ? '' : ' and EventStoreDB'} has not ended. Unless it is still running, run "npm run ops -- restore" with the same backup${restore.lines === undefined ? '' : ' and the same EVENTSTORE_URL'} again; it is ended then.`,
    );
  const state = openOperationsState(dataDir);
  const { pendingImport } = state.get();
  if (pendingImport === undefined || store.kind === 'memory' || pendingImport.store === takenUp) return;
  // Whoever has removed the file has given the import up.
  if (pendingImport.store === 'sqlite' && !existsSync(logFileOf(dataDir))) return state.change({ pendingImport: undefined });
  throw new OperatorError(unfinishedText(dataDir, pendingImport));
};
