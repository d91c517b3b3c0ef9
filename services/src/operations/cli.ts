import { setImmediate as nextTurn } from 'node:timers/promises';
import { keepCompiled } from '../platform/keep-compiled.ts';
import { makeFilesPrivate } from '../platform/private-files.ts';

keepCompiled();
makeFilesPrivate();
const { commandLine, Interrupted } = await import('./command-line.ts');

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
// Once: whoever asks again does not have to wait for anything to be tidied up.
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
  ['SIGHUP', 1],
] as const)
  process.once(signal, () => interrupt(128 + number));

/**
 * Whoever read standard output has had enough, or its disk takes no more: what is left to say is not said. `failure`: the answer is not all there for somebody
 * who wants it.
 */
const reader: { isGone: boolean; failure?: Error } = { isGone: false };
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  reader.isGone = true;
  if (error.code !== 'EPIPE') reader.failure = Object.assign(error, { path: 'standard output' });
  interrupted.abort(reader.failure);
});

// Notes that nobody reads any more, or that a full disk does not take, are lost. What was asked for is done all the same: it would be left half done.
process.stderr.on('error', () => {});

process.exitCode = await commandLine(process.argv.slice(2), {
  environment: process.env,
  streams: {
    out(text) {
      if (!reader.isGone) process.stdout.write(text);
    },
    error: (text) => void process.stderr.write(text),
    isErrorTerminal: () => process.stderr.isTTY,
  },
  // npm changes the folder before it runs a script.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  interrupted: interrupted.signal,
  async written() {
    // What was written last tells of its failure in the next turn.
    await nextTurn();
    if (reader.failure !== undefined) throw reader.failure;
  },
});
