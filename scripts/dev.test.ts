import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

it.each<[string, string, Record<string, string>, string]>([
  ['of the environment', 'PORT=9000\n', { PORT: ' 9001 ' }, '9001'],
  ['of .env', 'PORT=9000\n', {}, '9000'],
  ['that is left out where it is empty', 'PORT=9000\n', { PORT: '' }, '8080'],
])('gives server and pages one port, the one %s, and ends both', async (_, file, environment, port) => {
  const root = mkdtempSync(join(tmpdir(), 'courtledger-dev-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true });
  });
  for (const folder of ['scripts', 'services/src', 'node_modules/vite/bin']) mkdirSync(join(root, folder), { recursive: true });
  for (const name of ['dev.ts', 'need-node.mjs']) copyFileSync(join(import.meta.dirname, name), join(root, 'scripts', name));
  symlinkSync(join(import.meta.dirname, '../services/src/platform'), join(root, 'services/src/platform'));
  writeFileSync(join(root, '.env'), file);
  for (const [path, name] of [
    ['services/src/main.ts', 'server'],
    ['node_modules/vite/bin/vite.js', 'pages'],
  ] as const)
    writeFileSync(join(root, path), `console.log('${name}', process.env.PORT); setInterval(() => {}, 1000);`);
  const child = spawn(process.execPath, [join(root, 'scripts/dev.ts')], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()));
  const ended = once(child, 'close');
  await expect.poll(() => said.split('\n').toSorted()).toEqual(['', `pages ${port}`, `server ${port}`]);
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});

it('refuses what it would pass over: another port', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'dev.ts'), '--port', '9000'], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    'This takes no arguments, and was given --port 9000. Settings are environment variables, see .env.example.\n',
  ]);
});
