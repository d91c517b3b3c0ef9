import { join } from 'node:path';
import { LogInUse } from '../event-log/log-lock.ts';
import { LogUnavailable } from '../event-log/event-log.ts';
import { ConfigRefused, parseConfig, readEnvironment } from '../platform/config.ts';
import { allVerbs } from './all-verbs.ts';
import { BackupDamaged } from './backup-manifest.ts';
import { ControlRefusal } from './control-client.ts';
import { ImportDiffers } from './log-lines.ts';
import { reach, type Reached } from './reach.ts';
import { OperatorError } from './operator-error.ts';
import { UsageError, type Terminal, type Verb } from './verb.ts';

/** `npm run ops -- <verb> …`: a running server is asked through its control socket; without one the product is opened in this process. */

const root = join(import.meta.dirname, '../../..');

const help = (): string => ['Usage: npm run ops -- <verb> …', ...allVerbs.flatMap(({ name, usage, summary }) => ['', `  ${name} ${usage}`.trimEnd(), `      ${summary}`])].join('\n');

const terminal: Terminal = {
  out: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  progress(line) {
    if (!process.stderr.isTTY) return;
    process.stderr.write(`\r\u001b[2K${line ?? ''}`);
  },
};

/** What is told in one line, because its message says what to do. Anything else is a fault, and is shown with its place. */
const isExpected = (error: unknown): error is Error =>
  error instanceof ControlRefusal || error instanceof ConfigRefused || error instanceof LogInUse || error instanceof LogUnavailable || error instanceof BackupDamaged || error instanceof ImportDiffers || error instanceof OperatorError;

const run = async (verb: Verb, args: readonly string[]): Promise<number> => {
  // What fails is told by the verb itself, in words: a line of JSON would only stand in between.
  const config = { ...parseConfig(readEnvironment(root), root), logLevel: 'silent' as const };
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  let reached: Reached | undefined;
  try {
    return await verb.run(
      {
        config, terminal,
        interrupted: interrupted.signal,
        async reach() {
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
    process.exitCode = await run(verb, args);
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.note(`${error.message}\nUsage: npm run ops -- ${verb.name} ${verb.usage}`);
      process.exitCode = 2;
    } else if (isExpected(error)) {
      terminal.note(error.message);
      process.exitCode = 1;
    } else throw error;
  }
}
