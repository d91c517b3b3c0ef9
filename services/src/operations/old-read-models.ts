import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import type { Store } from '../platform/store.ts';

/**
 * Takes what read models still show of a person that was erased: the live one's write-ahead log is emptied, and every older or set-aside file is removed (switching back
 * needs a rebuild then). `isBeingMade`: a file under construction, which comes to the erasure by itself.
 */
export const forgetOldReadModels = async (dataDir: string, store: Pick<Store, 'projector'>, isBeingMade: (file: string) => boolean): Promise<void> => {
  await store.projector('scrub', undefined);
  const live = liveReadModel(dataDir);
  const own = new Set(['', '-wal', '-shm', '-journal', '.seal'].map((suffix) => live + suffix));
  for (const name of readdirSync(dataDir)) {
    const file = /^read-model-\d{1,9}\.sqlite/.exec(name)?.[0];
    if (file === undefined || own.has(name) || isBeingMade(file)) continue;
    rmSync(join(dataDir, name), { force: true });
  }
};
