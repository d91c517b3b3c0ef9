import { spawn } from 'node:child_process';

/** The API on :8080 restarted on change, the pages on :5173 with its /api proxied there. */
const children = [
  spawn(process.execPath, ['--watch', 'services/src/main.ts'], { stdio: 'inherit' }),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'web'], { stdio: 'inherit' }),
];
const stop = () => {
  for (const child of children) child.kill();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
for (const child of children) child.once('exit', stop);
