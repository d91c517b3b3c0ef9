import { join } from 'node:path';
import { inspect } from 'node:util';
import { parseConfig, readEnvironment } from '../platform/config.ts';
import { allVerbs } from './all-verbs.ts';
import { ControlRefusal } from './control-client.ts';
import { failureCodeOf } from './exit-code.ts';
import { tellable } from './expected-errors.ts';
import { reach, type Reached } from './reach.ts';
import { terminalOn, type TerminalStreams } from './terminal-lines.ts';
import { UsageError, type Terminal, type Verb } from './verb.ts';

const root = join(import.meta.dirname, '../../..');

const lines = ({ name, usage, summary }: Verb): readonly string[] => [`  ${name} ${usage}`.trimEnd(), `      ${summary}`];
const help = (): string => ['Usage: npm run ops -- <verb> …', ...allVerbs.flatMap((one) => ['', ...lines(one)])].join('\n');
const helpOf = (one: Verb): string => [`Usage: npm run ops -- ${one.name} ${one.usage}`.trimEnd(), '', `  ${one.summary}`].join('\n');

/** Somebody wants it to end; a shell knows a process that a signal ended by this code. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly code: number;
  constructor(code: number) {
    super('Interrupted: this call has stopped, and tidied up.');
    this.code = code;
  }
}

/** What a call has of the process that it runs in. */
export type Surroundings = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly streams: TerminalStreams;
  /** Where the caller stands. */
  readonly folder: string;
  /** Aborted with an `Interrupted` when somebody wants it to end, with any other reason when nobody reads any more, or what is said cannot be written. */
  readonly interrupted: AbortSignal;
  /** Settles once standard output is written, also where nobody reads it any more; rejects with why it could not be written. */
  readonly written: () => Promise<void>;
};

const run = async (verb: Verb, args: readonly string[], terminal: Terminal, { environment, folder, interrupted }: Surroundings): Promise<number> => {
  // What fails is told by the verb itself, in words: a line of JSON would only stand in between.
  const config = { ...parseConfig(readEnvironment(root, environment), root), logLevel: 'silent' as const };
  let reached: Reached | undefined;
  try {
    return await verb.run(
      {
        config,
        terminal,
        interrupted,
        folder,
        async reach() {
          reached ??= await reach(config, {
            mustExist: true,
            signal: interrupted,
            onWait: () => terminal.note(`Another tool or server has ${config.dataDir}: waiting for it a few seconds.`),
            tell: (line) => terminal.note(line),
            warn: (line) => terminal.note(line),
          });
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

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';

/**
 * `npm run ops -- <verb> …`: a running server is asked through its control socket; without one the product is opened in this process.
 * @param words what stands after the program's name
 * @returns the exit code. Throws what nobody expected, unless 1 is an answer of the verb
 */
export const commandLine = async (words: readonly string[], surroundings: Surroundings): Promise<number> => {
  const { streams, interrupted, written } = surroundings;
  const terminal = terminalOn(streams);
  /** Texts of our own that have several lines: no data stand in them. */
  const outLines = (text: string): void => text.split('\n').forEach((line) => terminal.out(line));
  const noteLines = (text: string): void => text.split('\n').forEach((line) => terminal.note(line));
  const [first, ...rest] = words;
  // `help <verb>` and `<verb> --help` are the same.
  const [name, ...args] = first === 'help' || isHelp(first) ? [rest[0] === 'help' ? undefined : rest[0], '--help'] : [first, ...rest];
  const verb = allVerbs.find((one) => one.name === name);
  if (verb !== undefined && args.some(isHelp)) {
    outLines(helpOf(verb));
    return 0;
  }
  if (verb === undefined) {
    const asked = name === undefined;
    if (!asked) terminal.note(`There is no verb ${name}.`);
    (asked ? outLines : noteLines)(help());
    return asked ? 0 : 2;
  }
  try {
    const code = await run(verb, args, terminal, surroundings);
    // An answer that is not all there is none, whatever it says.
    await written();
    return code;
  } catch (error) {
    const told = tellable(error);
    const reason: unknown = interrupted.reason;
    if (reason instanceof Interrupted && (error === reason || (error instanceof Error && error.cause === reason))) {
      terminal.progress(undefined);
      terminal.note(reason.message);
      return reason.code;
    }
    if (error instanceof UsageError) {
      terminal.note(error.message);
      noteLines(`Usage: npm run ops -- ${verb.name} ${verb.usage}`);
    } else if (told !== undefined) {
      // What a server answers may have names in it: it is one line.
      if (error instanceof ControlRefusal) terminal.note(told);
      else noteLines(told);
    } else if (verb.failureCode === undefined) throw error;
    // A fault of ours with its place, as where it is thrown on; but that ends with 1.
    else noteLines(inspect(error));
    return failureCodeOf(verb, args, error);
  }
};
