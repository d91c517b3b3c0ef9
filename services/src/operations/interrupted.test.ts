import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import { startOps } from '../testing/command-line.ts';
import { leftoverFolders } from './leftovers.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** A server whose backup never ends, so that whoever waits for it can be interrupted at a known moment. */
const endlessServer = async (): Promise<{ readonly asked: Promise<void>; readonly close: () => void }> => {
  mkdirSync(folder.path('keys'));
  const run = { state: 'running', startedAt: '2026-11-21T10:00:00.000Z', endedAt: null, folder: '/x', head: null, events: 0, files: 0, bytes: 0, error: null };
  const { promise: asked, resolve: told } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/api/operations/backup') told();
    response
      .setHeader('content-type', 'application/json')
      .writeHead(request.method === 'POST' ? 202 : 200)
      .end(request.url === '/healthz' ? '{"status":"ok"}' : JSON.stringify({ backup: run }));
  });
  server.listen(folder.path('control.sock'));
  await once(server, 'listening');
  return {
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

it('a call whose notes nobody reads any more goes on, and leaves nothing half done', async () => {
  const server = await endlessServer();
  const drill = startOps(['drill'], { dataDir: folder.path(''), folder: folder.path('') });
  drill.child.stderr.destroy();
  await Promise.race([server.asked, drill.ended]);
  drill.child.kill('SIGINT');
  const { code } = await drill.ended;
  server.close();
  expect([code, leftoverFolders(folder.path(''))]).toEqual([130, []]);
}, 60_000);

it('a backup that a server makes goes on after SIGINT, and whoever asked is told so', async () => {
  const server = await endlessServer();
  const backup = startOps(['backup'], { dataDir: folder.path(''), folder: folder.path('') });
  await server.asked;
  backup.child.kill('SIGINT');
  const { code, said } = await backup.ended;
  server.close();
  expect([code, said]).toEqual([
    130,
    'The server goes on with the backup: "status" tells what comes of it.\nInterrupted: this call has stopped, and tidied up.\n',
  ]);
}, 60_000);

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'a drill that %s ends leaves no copy, and says so by its exit code',
  async (signal, code) => {
    const server = await endlessServer();
    // What an earlier one was killed over.
    const dead = spawn(
      process.execPath,
      [
        '-e',
        `const { openDrillPlace } = await import(${JSON.stringify(new URL('./leftovers.ts', import.meta.url).href)}); openDrillPlace(${JSON.stringify(folder.path(''))}, 0);`,
        '--input-type=module',
      ],
      { stdio: 'ignore' },
    );
    await once(dead, 'exit');
    const [killed = ''] = leftoverFolders(folder.path(''));
    expect(existsSync(join(folder.path(killed), 'drill.lock'))).toBe(true);
    const drill = startOps(['drill'], { dataDir: folder.path(''), folder: folder.path('') });
    await server.asked;
    expect(leftoverFolders(folder.path(''))).not.toEqual([killed]);
    drill.child.kill(signal);
    const { code: exit, said } = await drill.ended;
    server.close();
    expect([exit, said.split('\n').filter((line) => line !== '')]).toEqual([
      code,
      [`Removed what a killed drill had left: ${folder.path(killed)}`, 'Backing up', 'Interrupted: this call has stopped, and tidied up.'],
    ]);
    expect(readdirSync(folder.path('')).filter((name) => name.startsWith('.drill'))).toEqual([]);
  },
  60_000,
);
