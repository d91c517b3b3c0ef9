import { readdirSync, writeFileSync } from 'node:fs';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import { forgetOldReadModels } from './old-read-models.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  folder.remove();
});

/** Rewritings until nobody reads the write-ahead log any more, with the pauses between them. */
const attempts = async (successAt: number): Promise<{ readonly pauses: readonly number[]; readonly error: unknown }> => {
  for (const name of [
    'read-model-1.sqlite',
    'read-model-1.sqlite-wal',
    'read-model-2.sqlite',
    'read-model-3.sqlite',
    'read-model-3.sqlite-wal',
    'read-model-1.sqlite.damaged-1',
  ])
    writeFileSync(folder.path(name), 'x');
  const pauses: number[] = [];
  let count = 0;
  const error: unknown = await forgetOldReadModels(
    folder.path('.'),
    { projector: async () => ((count += 1) >= successAt) as never },
    (file) => file === 'read-model-3.sqlite',
    async (milliseconds) => pauses.push(milliseconds),
  ).catch((failure: unknown) => failure);
  return { pauses, error };
};

it('removes what is not live nor being made, and is done when the live one was written anew and nobody keeps what was in it', async () => {
  expect(await attempts(3)).toEqual({ pauses: [100, 200], error: undefined });
  expect(readdirSync(folder.path('.')).toSorted()).toEqual([
    'read-model-1.sqlite',
    'read-model-1.sqlite-wal',
    'read-model-3.sqlite',
    'read-model-3.sqlite-wal',
  ]);
});

it('is not done while somebody keeps what was in it', async () => {
  expect(await attempts(100)).toEqual({
    pauses: [100, 200, 400, 800, 1600, 3200],
    error: new DomainError('unavailable', 'The read model is being read, and keeps what was in it', { retryAfter: 60 }),
  });
});
