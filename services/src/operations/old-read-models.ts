import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import { bytesText } from '@courtledger/contracts/kernel/figures';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import type { Store } from '../platform/store.ts';
import { freeBytesOf } from '../platform/throttle-storage.ts';

/** Milliseconds; the pauses together are six seconds. */
const longestPause = 4000;

/**
 * Takes what read models still show of a person that was erased: every older or set-aside file is removed (switching back needs a rebuild then), and the live
 * one is written anew. `isBeingMade`: a file under construction, which comes to the erasure by itself.
 */
export const forgetOldReadModels = async (
  dataDir: string,
  store: Pick<Store, 'projector'>,
  isBeingMade: (file: string) => boolean,
  pauseFor: (milliseconds: number) => Promise<unknown> = delay,
): Promise<void> => {
  const live = liveReadModel(dataDir);
  const own = new Set(['', '-wal', '-shm', '-journal', '.seal'].map((suffix) => live + suffix));
  for (const name of readdirSync(dataDir)) {
    const file = /^read-model-\d{1,9}\.sqlite/.exec(name)?.[0];
    if (file === undefined || own.has(name) || isBeingMade(file)) continue;
    rmSync(join(dataDir, name), { force: true });
  }
  // Last, since the others leave room for it. Not begun without: what is tried again every minute must not fill a disk each time.
  const needed = statSync(join(dataDir, live)).size;
  const free = freeBytesOf(dataDir)();
  if (free < needed)
    throw new DomainError('unavailable', `There is no room to write the read model anew: it takes ${bytesText(needed)}, and ${bytesText(free)} are free`, {
      retryAfter: 60,
    });
  for (let pause = 100; !(await store.projector('scrub', undefined)); pause *= 2) {
    // What was there before stands in the write-ahead log as long as somebody reads it: a comparison takes a second or two.
    if (pause > longestPause) throw new DomainError('unavailable', 'The read model is being read, and keeps what was in it', { retryAfter: 60 });
    await pauseFor(pause);
  }
};
