import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeLock } from './install-lock.mjs';

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'courtledger-lock-'));
  lock = join(folder, '.installing');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('is held by one process at a time, and leaves nothing behind', () => {
  const release = takeLock(lock);
  // The process that started this one is there; it cannot have the lock as well.
  expect([release === undefined, readdirSync(lock), takeLock(lock, process.ppid)]).toEqual([false, [String(process.pid)], undefined]);
  release?.();
  expect(readdirSync(folder)).toEqual([]);
  const next = takeLock(lock, process.ppid);
  release?.();
  expect([next === undefined, readdirSync(lock)]).toEqual([false, [String(process.ppid)]]);
});

it('is taken over from a process that is gone, and when it was left empty', async () => {
  const gone = spawn(process.execPath, ['-e', '']);
  await once(gone, 'exit');
  mkdirSync(lock);
  writeFileSync(join(lock, String(gone.pid)), '');
  const release = takeLock(lock);
  expect([release === undefined, readdirSync(lock)]).toEqual([false, [String(process.pid)]]);
  release?.();
  mkdirSync(lock);
  expect(takeLock(lock)).toBeDefined();
});

it('lets a second process wait, say so, and go on once the first is done', async () => {
  const release = takeLock(lock);
  const code = `import { waitForLock } from ${JSON.stringify(join(import.meta.dirname, 'install-lock.mjs'))}; const release = waitForLock(${JSON.stringify(lock)}, () => console.log('waiting')); console.log('mine'); release();`;
  const second = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(second, 'exit');
  const said: string[] = [];
  for await (const chunk of second.stdout) {
    said.push(String(chunk).trim());
    if (said[0] === 'waiting') release?.();
  }
  expect([said, await ended, existsSync(lock)]).toEqual([['waiting', 'mine'], [0, null], false]);
});
