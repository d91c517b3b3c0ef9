import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../platform/config.ts';
import { logCopyName } from './backup-manifest.ts';
import { openOperationsState } from './operations-state.ts';
import { OperatorError } from './operator-error.ts';
import { restoreJournalOf } from './restore-journal.ts';

/** A folder that is half restored, or whose log is half imported, is nobody's to open. @param takenUp the store that an import goes into: one that was cut off there it takes up. @throws OperatorError */
export const expectNothingUnfinished = ({ dataDir, store }: Pick<Config, 'dataDir' | 'store'>, takenUp?: Config['store']['kind']): void => {
  const restore = restoreJournalOf(dataDir);
  if (restore !== undefined) throw new OperatorError(`A restore into ${dataDir}${restore.lines === undefined ? '' : ' and EventStoreDB'} was cut off. Run "npm run ops -- restore" with the same backup${restore.lines === undefined ? '' : ' and the same EVENTSTORE_URL'} again; it is ended then.`);
  const state = openOperationsState(dataDir);
  const { pendingImport } = state.get();
  if (pendingImport === undefined || store.kind === 'memory' || pendingImport.store === takenUp) return;
  const path = join(dataDir, logCopyName);
  const isInFile = pendingImport.store === 'sqlite';
  // Whoever has removed the file has given the import up.
  if (isInFile && !existsSync(path)) return state.change({ pendingImport: undefined });
  const giveUp = isInFile ? ` To give it up, remove ${path} with its -wal and -shm: everything that stands there is in the file.` : ' To give it up, begin with another EventStoreDB and another DATA_DIR.';
  throw new OperatorError(`An import of ${pendingImport.file} into ${isInFile ? dataDir : 'EventStoreDB'} has not ended. Unless it is still running, run "npm run ops -- import" with the same file again; it is ended then.${giveUp}`);
};
