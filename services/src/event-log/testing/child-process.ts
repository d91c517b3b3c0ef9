import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ChildArgument } from './log-child.ts';

const script = fileURLToPath(new URL('./log-child.ts', import.meta.url));

export type LogChild = {
  readonly process: ChildProcess;
  /** Whole lines so far: a line cut by a kill is not one. */
  readonly lines: readonly string[];
  readonly errors: () => string;
  /** Settles with the first line that starts like this; rejects when the child ends without one. */
  said(start: string): Promise<string>;
  /** Settles when the child has ended and all it said is in `lines`. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  kill(): void;
};

/** Starts `log-child.ts`, by a command of one's own before Node if need be (strace). */
export const startLogChild = (
  mode: 'worker' | 'in-process' | 'unsynced' | 'shared' | 'own',
  path: string,
  argument?: ChildArgument,
  before: readonly string[] = [],
): LogChild => {
  // Of its own: one that was started a moment before may be reading its argument still.
  const argumentFile = `${path}.${randomUUID()}-argument.json`;
  if (argument !== undefined) writeFileSync(argumentFile, JSON.stringify(argument));
  const [command = process.execPath, ...rest] = [...before, process.execPath, script, mode, path, ...(argument === undefined ? [] : [argumentFile])];
  // What a child that is watched writes is its log: compiled code would be kept in files that other processes rename at the same time.
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: before.length === 0 ? process.env : { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  const lines: string[] = [];
  const waiting = new Set<{ readonly start: string; readonly resolve: (line: string) => void; readonly reject: (error: Error) => void }>();
  let errors = '';
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (text + chunk).split('\n');
    text = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      for (const waiter of waiting) {
        if (!line.startsWith(waiter.start)) continue;
        waiting.delete(waiter);
        waiter.resolve(line);
      }
    }
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => {
      for (const waiter of waiting) waiter.reject(new Error(`The child ended (${code ?? signal}) without saying ${waiter.start}: ${errors}`));
      waiting.clear();
      resolve({ code, signal });
    });
  });
  return {
    process: child,
    lines,
    errors: () => errors,
    ended,
    async said(start) {
      const already = lines.find((line) => line.startsWith(start));
      if (already !== undefined) return already;
      return new Promise<string>((resolve, reject) => {
        waiting.add({ start, resolve, reject });
      });
    },
    kill: () => child.kill('SIGKILL'),
  };
};
