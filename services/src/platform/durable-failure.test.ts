import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import { expect, onTestFinished, test } from 'vitest';
import { diskFailure, isDiskRefusal, storing } from './durable-failure.ts';
import { openMediaStore } from './media.ts';
import { problemOf } from './problem.ts';
import { refusalOf, temporaryFolder } from './testing/gate-fixtures.ts';

test('a disk that takes nothing is 503, with the cause kept for the log', async () => {
  // A device that is always full.
  const refusal = await refusalOf(storing(async () => writeFile('/dev/full', 'x')));
  expect([refusal?.code, refusal?.retryAfter, (refusal?.cause as NodeJS.ErrnoException | undefined)?.code]).toEqual(['unavailable', 5, 'ENOSPC']);
  const folder = temporaryFolder();
  const media = await openMediaStore(folder);
  rmSync(join(folder, 'media'), { recursive: true });
  expect((await refusalOf(storing(async () => media.put({ extension: 'png', main: Buffer.from('x'), card: Buffer.from('x') }))))?.code).toBe('unavailable');
});

test('a full database is 503 too', async () => {
  const database = new Database(join(temporaryFolder(), 'full.sqlite'));
  onTestFinished(() => {
    database.close();
  });
  database.exec('CREATE TABLE t (x BLOB)');
  database.pragma('max_page_count = 2');
  const fill = (): void => {
    database.prepare('INSERT INTO t VALUES (zeroblob(100000))').run();
  };
  const failure = await (async () => fill())().catch((error: unknown) => diskFailure(error));
  expect(failure).toBeInstanceOf(DomainError);
  expect((failure as DomainError).code).toBe('unavailable');
});

test('a full disk is told from a fault of the program, also behind another error and after its way from another thread', () => {
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  expect(
    [
      full,
      new Error('The job failed', { cause: full }),
      Object.assign(new Error('x'), { code: 'ENOSPC' }),
      Object.assign(new Error('x'), { code: 'ENOENT' }),
      new TypeError('x'),
      'text',
    ].map(isDiskRefusal),
  ).toEqual([true, true, true, false, false, false]);
  expect([problemOf(full, 'r').status, problemOf(full, 'r').retryAfter, problemOf(new TypeError('x'), 'r').status]).toEqual([503, 5, 500]);
});

test('other errors stay what they are', async () => {
  const ours = new DomainError('conflict', 'No');
  const bug = new TypeError('x is not a function');
  expect([diskFailure(ours), diskFailure(bug), diskFailure('text')]).toEqual([ours, bug, 'text']);
  await expect(
    storing(async () => {
      throw bug;
    }),
  ).rejects.toBe(bug);
});
