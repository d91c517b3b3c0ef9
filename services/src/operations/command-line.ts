import { join } from 'node:path';
import { inspect } from 'node:util';
import { parseConfig, readEnvironment } from '../platform/config.ts';
import { allVerbs } from './all-verbs.ts';
import { ControlRefusal } from './control-client.ts';
import { failureCodeOf } from './exit-code.ts';
import { tellable } from './expected-errors.ts';
import { reach, type Reached } from './reach.ts';
import { terminalOn } from './terminal-lines.ts';
import { UsageError, type Verb } from './verb.ts';

/** `npm run ops -- <verb> …`: a running server is asked through its control socket; without one the product is opened in this process. */

const root = join(import.meta.dirname, '../../..');

const lines = ({ name, usage, summary }: Verb): readonly string[] => [`  ${name} ${usage}`.trimEnd(), `      ${summary}`];
const help = (): string => ['Usage: npm run ops -- <verb> …', ...allVerbs.flatMap((one) => ['', ...lines(one)])].join('\n');
const helpOf = (one: Verb): string => [`Usage: npm run ops -- ${one.name} ${one.usage}`.trimEnd(), '', `  ${one.summary}`].join('\n');

/** Somebody wants it to end; a shell knows a process that a signal ended by this code. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly code: number;
  constructor(code: number) {
    super('Interrupted: stopped, and tidied up.');
    this.code = code;
  }
}

/** Longest time for tidying up after a signal, in ms: a peer that is silent must not keep this process. */
const graceMs = 5000;

/** Aborted by Ctrl+C, and when nobody reads any more (`tail -f | head -1`): there is nobody left to answer. */
const interrupted = new AbortController();
const interrupt = (code: number): void => {
  interrupted.abort(new Interrupted(code));
  setTimeout(() => {
    process.stderr.write('Interrupted: ended without waiting any longer.\n');
    process.exit(code);
  }, graceMs).unref();
};
/** Whoever read standard output has had enough: what is left to say is not said, and that is no failure. */
const reader = { isGone: false };
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  reader.isGone = true;
  interrupted.abort();
});

const terminal = terminalOn({
  out(text) {
    if (!reader.isGone) process.stdout.write(text);
  },
  error: (text) => void process.stderr.write(text),
  isErrorTerminal: () => process.stderr.isTTY,
});
/** Texts of our own that have several lines: no data stand in them. */
const outLines = (text: string): void => text.split('\n').forEach((line) => terminal.out(line));
const noteLines = (text: string): void => text.split('\n').forEach((line) => terminal.note(line));

const run = async (verb: Verb, args: readonly string[]): Promise<number> => {
  // What fails is told by the verb itself, in words: a line of JSON would only stand in between.
  const config = { ...parseConfig(readEnvironment(root), root), logLevel: 'silent' as const };
  // Once: whoever asks again does not have to wait for anything to be tidied up.
  for (const [signal, number] of [['SIGINT', 2], ['SIGTERM', 15], ['SIGHUP', 1]] as const) process.once(signal, () => interrupt(128 + number));
  let reached: Reached | undefined;
  try {
    return await verb.run(
      {
        config, terminal,
        interrupted: interrupted.signal,
        async reach() {
          reached ??= await reach(config, { mustExist: true, signal: interrupted.signal, onWait: () => terminal.note(`Another tool or server has ${config.dataDir}: waiting for it a few seconds.`), tell: (line) => terminal.note(line), warn: (line) => terminal.note(line) });
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

const [first, ...rest] = process.argv.slice(2);
const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';
// `help <verb>` and `<verb> --help` are the same.
const [name, ...args] = first === 'help' || isHelp(first) ? [rest[0] === 'help' ? undefined : rest[0], '--help'] : [first, ...rest];
const verb = allVerbs.find((one) => one.name === name);
if (verb !== undefined && args.some(isHelp)) {
  outLines(helpOf(verb));
} else if (verb === undefined) {
  const asked = name === undefined;
  if (!asked) terminal.note(`There is no verb ${name}.`);
  (asked ? outLines : noteLines)(help());
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
      terminal.note(error.message);
      noteLines(`Usage: npm run ops -- ${verb.name} ${verb.usage}`);
      process.exitCode = failureCodeOf(verb, args, error);
    } else if (told !== undefined) {
      // What a server answers may have names in it: it is one line.
      if (error instanceof ControlRefusal) terminal.note(told);
      else noteLines(told);
      process.exitCode = failureCodeOf(verb, args, error);
    } else if (verb.failureCode !== undefined) {
      // A fault of ours with its place, as where it is thrown on; but that ends with 1.
      noteLines(inspect(error));
      process.exitCode = failureCodeOf(verb, args, error);
    } else throw error;
  }
}
