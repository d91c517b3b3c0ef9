import { join } from 'node:path';
import { parseConfig, readEnvironment } from '../platform/config.ts';
import { allVerbs } from './all-verbs.ts';
import { ControlRefusal } from './control-client.ts';
import { tellable } from './expected-errors.ts';
import { expectInstallation } from './installation.ts';
import { reach, type Reached } from './reach.ts';
import { UsageError, type Terminal, type Verb } from './verb.ts';

/** `npm run ops -- <verb> …`: a running server is asked through its control socket; without one the product is opened in this process. */

const root = join(import.meta.dirname, '../../..');

const help = (): string => ['Usage: npm run ops -- <verb> …', ...allVerbs.flatMap(({ name, usage, summary }) => ['', `  ${name} ${usage}`.trimEnd(), `      ${summary}`])].join('\n');

/** Somebody wants it to end; a shell knows a process that a signal ended by this code. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly code: number;
  constructor(code: number) {
    super('Interrupted: stopped, and tidied up.');
    this.code = code;
  }
}

/** Aborted by Ctrl+C, and when nobody reads any more (`tail -f | head -1`): there is nobody left to answer. */
const interrupted = new AbortController();
/** Whoever read standard output has had enough: what is left to say is not said, and that is no failure. */
const reader = { isGone: false };
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  reader.isGone = true;
  interrupted.abort();
});

const terminal: Terminal = {
  out(line) {
    if (!reader.isGone) process.stdout.write(`${line}\n`);
  },
  note: (line) => void process.stderr.write(`${line}\n`),
  progress(line) {
    if (!process.stderr.isTTY) return;
    process.stderr.write(`\r\u001b[2K${line ?? ''}`);
  },
};

const run = async (verb: Verb, args: readonly string[]): Promise<number> => {
  // What fails is told by the verb itself, in words: a line of JSON would only stand in between.
  const config = { ...parseConfig(readEnvironment(root), root), logLevel: 'silent' as const };
  // Once: whoever asks again does not have to wait for anything to be tidied up.
  for (const [signal, number] of [['SIGINT', 2], ['SIGTERM', 15], ['SIGHUP', 1]] as const) process.once(signal, () => interrupted.abort(new Interrupted(128 + number)));
  let reached: Reached | undefined;
  try {
    return await verb.run(
      {
        config, terminal,
        interrupted: interrupted.signal,
        async reach() {
          expectInstallation(config.dataDir);
          reached ??= await reach(config);
          if (reached.own) terminal.note(`No server is running on ${config.dataDir}: opened in this process.`);
          return reached;
        },
      },
      args,
    );
  } finally {
    await reached?.close();
  }
};

const [name, ...args] = process.argv.slice(2);
const verb = allVerbs.find((one) => one.name === name);
if (verb === undefined) {
  const asked = name === undefined || name === 'help' || name === '--help';
  if (!asked) terminal.note(`There is no verb ${name}.`);
  terminal[asked ? 'out' : 'note'](help());
  process.exitCode = asked ? 0 : 2;
} else {
  try {
    const code = await run(verb, args);
    process.exitCode = reader.isGone ? 0 : code;
  } catch (error) {
    const told = tellable(error);
    const reason: unknown = interrupted.signal.reason;
    if (reason instanceof Interrupted && (error === reason || (error instanceof Error && error.cause === reason))) {
      terminal.progress(undefined);
      terminal.note(reason.message);
      process.exitCode = reason.code;
    } else if (error instanceof UsageError) {
      terminal.note(`${error.message}\nUsage: npm run ops -- ${verb.name} ${verb.usage}`);
      process.exitCode = 2;
    } else if (told !== undefined) {
      terminal.note(told);
      // What the server calls a bad request is a wrong call.
      process.exitCode = error instanceof ControlRefusal && error.status === 400 ? 2 : 1;
    } else throw error;
  }
}
