import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { noSettings } from './no-settings.ts';

/** The server as a process of its own, as an operator starts it. */
export type ServerProcess = {
  readonly child: ChildProcess;
  /** What it has written so far. */
  readonly said: () => string;
  readonly logged: () => string;
  /** Resolves with the port once it says that it is ready; rejects when it ends before. */
  readonly ready: Promise<number>;
  /** Exit code and signal. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
};

const main = join(import.meta.dirname, '../main.ts');

/**
 * Starts `main.ts` with exactly this environment (and PATH), whatever a file .env says. `preload`: source of a module that is loaded first.
 * `before`: a command that becomes Node (strace -D), so that a signal still reaches the server.
 */
export const startServer = (environment: Readonly<Record<string, string>>, preload?: string, before: readonly string[] = []): ServerProcess => {
  const args = preload === undefined ? [main] : ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, main];
  const [command = process.execPath, ...rest] = [...before, process.execPath, ...args];
  const child = spawn(command, rest, { env: { ...noSettings, PATH: process.env['PATH'] ?? '', PORT: '0', ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let [said, logged] = ['', ''];
  const ready = Promise.withResolvers<number>();
  // Whoever does not wait for it must not be disturbed by its rejection.
  ready.promise.catch(() => {});
  child.stdout.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    const port = /listens on http:\/\/[^:]+:(\d+)/.exec(said)?.[1];
    if (port !== undefined && /^(?:Ready\.|Not ready yet)/m.test(said)) ready.resolve(Number(port));
  });
  const ended = (async () => {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    ready.reject(new Error(`The server ended with ${String(code ?? signal)}: ${said}`));
    return { code, signal };
  })();
  return { child, said: () => said, logged: () => logged, ready: ready.promise, ended };
};
