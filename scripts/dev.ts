import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readEnvironment } from '../services/src/platform/config.ts';

/**
 * For developers: the API on :8080 (or PORT), started again on every change, and the pages on :5173 with /api and /media passed on to it. Both end together,
 * and with npm.
 */
const root = join(import.meta.dirname, '..');
if (process.argv.length > 2) {
  console.error(`This takes no arguments, and was given ${process.argv.slice(2).join(' ')}. Settings are environment variables, see .env.example.`);
  process.exit(1);
}
// As the server reads it, and for both: what .env says, and nothing where it is empty.
const set = readEnvironment(root)['PORT']?.trim();
const env: NodeJS.ProcessEnv = { ...process.env, PORT: set === undefined || set === '' ? '8080' : set };
// Vite and React choose by it what they build: only the server may know.
delete env['NODE_ENV'];

const children = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', '--import', './scripts/need-node.mjs', 'services/src/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...env, NODE_ENV: process.env['NODE_ENV'] ?? 'development' },
  }),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'web'], { cwd: root, stdio: 'inherit', env }),
];

let stopping = false;
const stop = (code: number): void => {
  if (stopping) return;
  stopping = true;
  process.exitCode = code;
  for (const child of children) child.kill('SIGTERM');
  // A supervisor would not wait longer either.
  setTimeout(() => {
    for (const child of children) child.kill('SIGKILL');
  }, 10_000).unref();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));
for (const child of children) {
  child.once('error', () => stop(1));
  child.once('exit', (code) => stop(code ?? 1));
}
// npm killed outright sends nothing: leave with it, or the ports stay taken.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid !== parent) stop(0);
}, 500);
watch.unref();
