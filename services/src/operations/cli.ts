import { keepCompiled } from '../platform/keep-compiled.ts';

keepCompiled();
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
for (const [signal, number] of [['SIGINT', 2], ['SIGTERM', 15], ['SIGHUP', 1]] as const) process.once(signal, () => interrupt(128 + number));

/** Whoever read standard output has had enough: what is left to say is not said. */
const reader = { isGone: false };
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  reader.isGone = true;
  interrupted.abort();
});

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
  isReaderGone: () => reader.isGone,
});
