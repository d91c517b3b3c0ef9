import fs, { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import { tellable } from './expected-errors.ts';
import { writeNewFile } from './new-file.ts';
import { OperatorError } from './operator-error.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it('of two who write to one file at once the second is refused, and the first has its file whole', async () => {
  const path = folder.path('log.jsonl');
  const isHalf = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  const first = writeNewFile(
    path,
    (async function* parts() {
      yield 'one\n';
      isHalf.resolve();
      await rest.promise;
      yield 'two\n';
    })(),
  );
  await isHalf.promise;
  const refusal: unknown = await writeNewFile(path, ['other\n']).catch((error: unknown) => error);
  expect([refusal instanceof OperatorError, String(refusal), existsSync(path)]).toEqual([
    true,
    `OperatorError: ${path}.partial is there: somebody else writes to it, or was killed over it. Remove it when nobody does, and try again`,
    false,
  ]);
  rest.resolve();
  await first;
  expect([readFileSync(path, 'utf8'), readdirSync(folder.path('.'))]).toEqual(['one\ntwo\n', ['log.jsonl']]);
  await expect(writeNewFile(path, ['other\n'])).rejects.toThrow(`${path} exists already`);
});

it('is for whom it is made, also where files are for their owner alone', async () => {
  const before = process.umask(0o077);
  try {
    await writeNewFile(folder.path('season.json'), ['{}'], 0o644);
    await writeNewFile(folder.path('log.jsonl'), ['{}']);
  } finally {
    process.umask(before);
  }
  expect(['season.json', 'log.jsonl'].map((name) => statSync(folder.path(name)).mode & 0o777)).toEqual([0o644, 0o600]);
});

it('what is there under the name of a half stays, whoever left it', async () => {
  writeFileSync(folder.path('x.partial'), 'of somebody');
  await expect(writeNewFile(folder.path('x'), ['new'])).rejects.toThrow(OperatorError);
  expect([readdirSync(folder.path('.')), readFileSync(folder.path('x.partial'), 'utf8')]).toEqual([['x.partial'], 'of somebody']);
});

it('a disk that takes no more leaves no half under the name, nor beside it', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  vi.spyOn(fs, 'write').mockImplementation((...told: readonly unknown[]) => process.nextTick(told.at(-1) as (error: Error) => void, full));
  try {
    const failure: unknown = await writeNewFile(folder.path('season.json'), [Buffer.from('{}')], 0o644).catch((error: unknown) => error);
    expect([failure, tellable(failure)]).toEqual([full, `${folder.path('season.json')}: no space is left on the disk`]);
  } finally {
    vi.restoreAllMocks();
  }
  expect(readdirSync(folder.path('.'))).toEqual([]);
});
