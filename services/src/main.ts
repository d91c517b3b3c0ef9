import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Config } from './platform/config.ts';
import { keepCompiled } from './platform/keep-compiled.ts';
import { makeFilesPrivate } from './platform/private-files.ts';

// Before there is any code that V8 could have optimised otherwise: docs/decisions/short-lived-objects.md.
setFlagsFromString('--no-allocation-site-pretenuring');
keepCompiled();
makeFilesPrivate();
const { ConfigRefused, parseConfig, readEnvironment } = await import('./platform/config.ts');

/** What an operator reads at the terminal; everything else is a log line. */
const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

// Notes that nobody reads any more (npm start 2>&1 | head) are lost, as the log's lines are. The server goes on.
process.stderr.on('error', () => {});

const root = join(import.meta.dirname, '../..');

const readConfig = (): Config => {
  try {
    return parseConfig(readEnvironment(root), root);
  } catch (error) {
    if (!(error instanceof ConfigRefused)) throw error;
    say(error.message);
    return process.exit(1);
  }
};

/** A failure to start in words that say what to do; undefined for one that nobody expected. */
const refusal = (error: unknown, config: Config): string | undefined => {
  if (error instanceof Error && error.name === 'LogInUse') return error.message;
  const { code, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code === 'EADDRINUSE') return `Port ${config.port} is taken. Another CourtLedger may be running; set PORT to use another one.`;
  // A file that may not be read has an EACCES as well.
  if (syscall === 'listen' || syscall === 'getaddrinfo') return `This address cannot be used: HOST=${config.host}, PORT=${config.port}.`;
  const told = tellable(error);
  return told === undefined ? undefined : `CourtLedger cannot start: ${told}`;
};

const shown = (host: string): string => (host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host);

const config = readConfig();
// Loaded only now: a refused configuration is answered at once.
const [{ createApp }, { messageOf }, { createLogger }, { madePasswordLine }, { isCommonPassword }, { tellable }] = await Promise.all([
  import('./app.ts'),
  import('@courtledger/contracts/kernel/errors'),
  import('./platform/logger.ts'),
  import('./platform/super-admin.ts'),
  import('./platform/passwords-common.ts'),
  import('./operations/expected-errors.ts'),
]);
const logger = createLogger(config.logLevel);
/** Longest time for a stop, in ms: a supervisor kills after ten seconds. */
const graceMs = 8000;

const die = (event: string, error: unknown): void => {
  logger.error(event, error);
  logger.flush();
  process.exit(1);
};
// An error that nobody caught leaves the process in a state that nobody knows: it ends, and the supervisor starts a clean one.
process.on('uncaughtException', (error) => die('uncaught error', error));
process.on('unhandledRejection', (error) => die('unhandled rejection', error));

const app = createApp({ config, logger, onFatal: (error) => die('the event log cannot go on', error) });

const state = { stopping: false };
const stop = async (signal: string): Promise<void> => {
  if (state.stopping) return;
  state.stopping = true;
  logger.info('stopping', { signal });
  setTimeout(() => die('stopping took too long', new Error('Some work did not end')), graceMs + 1500).unref();
  try {
    await app.close(graceMs);
    logger.info('stopped');
    logger.flush();
    process.exit(0);
  } catch (error) {
    die('stopping failed', error);
  }
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));

try {
  const port = await app.listen();
  say('CourtLedger opens its data ...');
  const { madePassword, operations } = await app.open();
  const address = `http://${shown(config.host)}:${port}`;
  /** Nothing of it is true of a server that was told to stop while it opened its data. */
  const sayRunning = (text: string): void => {
    if (!state.stopping) say(text);
  };
  // Not before the log is ours: a second server on the same data would announce itself, and then refuse.
  sayRunning(`CourtLedger listens on ${address}`);
  sayRunning(`Data: ${config.store.kind === 'eventstoredb' ? 'event log in EventStoreDB, the rest in ' : ''}${config.dataDir}`);
  // No refusal: it may have been the password of this installation for long.
  if (config.superAdmin !== undefined && isCommonPassword(config.superAdmin.password)) {
    sayRunning('Warning: SUPERADMIN_PASSWORD is one of those that everybody tries first. Set another one.');
    logger.warn('SUPERADMIN_PASSWORD is a common password');
  }
  const unsaved = operations.backups.health().failure;
  if (unsaved !== null) sayRunning(`Warning: no backup can be made: ${unsaved}`);
  if (madePassword !== undefined) {
    say('');
    // Also by one that stops: no later start shows it.
    say(madePasswordLine(madePassword));
    sayRunning(`Log in at ${address}/superadmin8080808080 and create the first admin there.`);
    say('');
  }
  const { reason } = app.readiness();
  sayRunning(`${reason === null ? 'Ready.' : `Not ready yet, and serving what was known: ${reason}.`} Stop with Ctrl+C.`);
  if (!state.stopping)
    logger.info(reason === null ? 'ready' : 'not ready', { ...(reason !== null && { reason }), host: config.host, port, store: config.store.kind });
  logger.flush();
} catch (error) {
  if (!state.stopping) {
    const reason = refusal(error, config);
    say(reason ?? `CourtLedger cannot start: ${messageOf(error)}`);
    // What says what to do needs no place in the code beside it.
    if (reason === undefined) logger.error('not started', error);
    else logger.warn('not started', { reason });
    logger.flush();
    process.exit(1);
  }
}
