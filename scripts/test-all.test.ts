import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

it('told to stop it ends the steps that run, and leaves no folder behind', async () => {
  const place = mkdtempSync(join(tmpdir(), 'courtledger-all-'));
  onTestFinished(() => { rmSync(place, { recursive: true }); });
  for (const folder of ['root/scripts', 'root/node_modules/.bin', 'temporary']) mkdirSync(join(place, folder), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'test-all.ts'), join(place, 'root/scripts/test-all.ts'));
  for (const [name, script] of [['tsc', 'exit 0'], ['oxlint', 'exit 0'], ['vitest', `trap 'echo ended > ${place}/vitest; exit 1' TERM; echo tests run; while :; do sleep 0.1; done`]] as const) {
    writeFileSync(join(place, 'root/node_modules/.bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(place, 'root/node_modules/.bin', name), 0o755);
  }
  const child = spawn(process.execPath, [join(place, 'root/scripts/test-all.ts')], { env: { PATH: process.env['PATH'], TMPDIR: join(place, 'temporary') }, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()));
  const ended = once(child, 'exit');
  await expect.poll(() => said).toContain('tests run');
  expect(readdirSync(join(place, 'temporary'))).toHaveLength(1);
  child.kill('SIGTERM');
  expect([await ended, existsSync(join(place, 'vitest')), readdirSync(join(place, 'temporary'))]).toEqual([[1, null], true, []]);
});
