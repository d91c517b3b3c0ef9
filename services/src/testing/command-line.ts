import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { commandLine } from '../operations/command-line.ts';
import { noSettings } from './no-settings.ts';

/** What a call of `npm run ops` comes to: its exit code, and what it wrote to standard output and to standard error. */
export type Ran = { readonly code: number | null; readonly out: string; readonly said: string };
export type OpsPlace = {
  readonly dataDir: string;
  /** Where the caller stands. */
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
};
export type Running = {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<Ran>;
  /** Settles once standard output has the text. */
  readonly heard: (text: string) => Promise<void>;
};

const environmentOf = ({ dataDir, environment }: OpsPlace): Readonly<Record<string, string>> => ({
  ...noSettings,
  DATA_DIR: dataDir,
  PORT: '0',
  ...environment,
});

/**
 * Calls the command line in this process. What only a process shows needs `startOps`: a signal, a reader that has gone, that nothing is left which keeps it
 * alive.
 */
export const callOps = async (args: readonly string[], place: OpsPlace): Promise<Ran> => {
  let [out, said] = ['', ''];
  const streams = { out: (text: string) => void (out += text), error: (text: string) => void (said += text), isErrorTerminal: () => false };
  const code = await commandLine(args, {
    environment: environmentOf(place),
    folder: place.folder,
    streams,
    interrupted: new AbortController().signal,
    written: async () => {},
  });
  return { code, out, said };
};

/** Starts `npm run ops` as an operator does, in a process of its own. */
export const startOps = (args: readonly string[], place: OpsPlace): Running => {
  const environment = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    INIT_CWD: place.folder,
    ...environmentOf(place),
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../operations/cli.ts'), ...args], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, said] = ['', ''];
  const waiting = new Set<{ readonly text: string; readonly resolve: () => void }>();
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    for (const waiter of waiting) if (out.includes(waiter.text)) waiter.resolve();
  });
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<Ran>((resolve) => {
    child.on('close', (code) => resolve({ code, out, said }));
  });
  return { child, ended, heard: async (text) => (out.includes(text) ? undefined : new Promise<void>((resolve) => void waiting.add({ text, resolve }))) };
};
