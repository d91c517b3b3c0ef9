import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '../app.ts';
import type { Opened } from '../product.ts';
import { LogInUse } from '../event-log/log-lock.ts';
import type { Config } from '../platform/config.ts';
import { controlSocketPath } from '../platform/folders.ts';
import { createLogger, type Logger } from '../platform/logger.ts';
import type { StartReason } from '../platform/store-start.ts';
import { madePasswordLine } from '../platform/super-admin.ts';
import { controlClient, goneCode, neverSent, type ControlAnswer, type ControlClient } from './control-client.ts';
import { expectProduct } from './installation.ts';
import { OperatorError } from './operator-error.ts';

/**
 * A way in for the tools on the server. `own`: no server was running, so this process has DATA_DIR until `close`; it may become so at the first call, when
 * whoever answered before has ended.
 */
export type Reached = { readonly client: ControlClient; readonly own: boolean; close(): Promise<void> };

export type ReachOptions = {
  /** True: a folder in which nothing was begun is refused, as by `expectProduct`. */
  readonly mustExist?: boolean;
  /** Aborted: nothing is reached any more, and what was opened for it is closed. */
  readonly signal?: AbortSignal;
  /**
   * How long another process that has DATA_DIR and does not answer is waited for, in ms: the owner opens the socket right after the lock, and one that ends
   * closes it before. One that is halted takes a call and never answers.
   */
  readonly patience?: number;
  /** Called when somebody has to be waited for, once. */
  readonly onWait?: () => void;
  /**
   * Told what is shown once: the super admin's password, when the product that is opened here has made it. On standard error unless somebody else takes it: it
   * must not be lost.
   */
  readonly tell?: (line: string) => void;
  /**
   * Told once each what the product that is opened here warns of, as a server's log is: that the log is another one than the read model was made of, or away.
   */
  readonly warn?: (line: string) => void;
};

/** Whoever was asked is gone. `code`: the system's, for those who wait for the next one. */
export class OwnerGone extends OperatorError {
  readonly code: string;
  constructor(code: string, dataDir: string, cause: unknown) {
    super(`The other tool or server that had ${dataDir} ended before it had answered. Look at what it has done, and try again.`, { cause });
    this.code = code;
  }
}

const defaultPatience = 5000;
/** Between two attempts, in ms. */
const pause = 100;
/** How often somebody else may be quicker before the caller hears of it. */
const mostTurns = 5;

/** Bytes that the path of a socket may have: the system's address of one has room for no more. */
const longestSocketPath = process.platform === 'darwin' ? 103 : 107;
/** @throws OperatorError */
const expectSocketPath = (path: string): void => {
  const bytes = Buffer.byteLength(path);
  if (bytes > longestSocketPath)
    throw new OperatorError(
      `DATA_DIR is too long: tools and server speak over ${path}, which has ${String(bytes)} bytes, and the path of a socket may have ${String(longestSocketPath)}. Give both a shorter DATA_DIR for the same folder, as a symbolic link to it.`,
    );
};

/** Refused, unheard, since the owner is ending. */
const isEnding = ({ status, headers }: ControlAnswer): boolean => status === 503 && headers['connection'] === 'close';

/** How long the outcome of what another tool began is held ready for it, in ms: it asks several times a second. */
const held = 1000;
/** Ends with the work that other tools have begun in this process, and not before they know what came of it. */
const settle = async ({ operations: { jobs, verifications, backups } }: Opened, signal: AbortSignal | undefined): Promise<void> => {
  if (![jobs.job, verifications.latest, backups.latest].some((work) => work?.state === 'running') || signal?.aborted === true) return;
  const interrupted = new Promise<void>((resolve) => {
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([interrupted, Promise.all([jobs.ended(), verifications.ended(), backups.ended()])]);
  await Promise.race([interrupted, delay(held)]);
};

/** Over in a moment, as a rule. */
const brief: readonly StartReason[] = ['it opens its data', 'it waits for the event log'];
const isOpening = (answer: ControlAnswer): boolean => {
  if (answer.status !== 503) return false;
  const { reason } = answer.json() as { readonly reason?: unknown };
  return typeof reason === 'string' && brief.some((one) => reason.endsWith(one));
};

/**
 * Reaches the product on this DATA_DIR: the running server (or another tool that has it open) through its control socket, also while it starts, else the
 * product in this process, on that socket only. Of several tools that begin or end in the same moment each gets its turn.
 * @throws OperatorError when a process owns DATA_DIR and does not answer on the socket in time, LogUnavailable when the log is needed and does not answer, and
 * the signal's reason
 */
export async function reach(
  config: Config,
  {
    mustExist = false,
    signal,
    patience = defaultPatience,
    onWait = () => {},
    tell = (line) => void process.stderr.write(`${line}\n`),
    warn = () => {},
  }: ReachOptions = {},
): Promise<Reached> {
  const path = controlSocketPath(config.dataDir);
  expectSocketPath(path);
  const raw = controlClient(config.dataDir);
  let app: App | undefined;
  let opened: Opened | undefined;
  let isClosed = false;

  const look = async (): Promise<'away' | 'opening' | 'there'> => {
    const asked = controlClient(config.dataDir, AbortSignal.any([AbortSignal.timeout(patience), ...(signal === undefined ? [] : [signal])]));
    try {
      if ((await asked.call('GET', '/healthz')).status !== 200) return 'away';
      const ready = await asked.call('GET', '/readyz');
      if (isEnding(ready)) return 'away';
      return isOpening(ready) ? 'opening' : 'there';
    } catch {
      return 'away';
    }
  };

  const openHere = async (): Promise<void> => {
    if (mustExist) await expectProduct(config);
    // Loaded only here: it is the whole product, and it blocks picture formats for the whole process.
    const { createApp } = await import('../app.ts');
    const warned = new Set<string>();
    /** What is tried again warns each time: at a terminal it would push everything else away. */
    const warnOnce: Logger['warn'] = (event, { count, reason } = {}) => {
      const line = `Warning: ${event}${count === undefined ? '' : ` (${String(count)})`}${reason === undefined ? '' : `: ${reason}`}`;
      if (!warned.has(line)) warn(line);
      warned.add(line);
    };
    const logger: Logger = { ...createLogger(config.logLevel), warn: warnOnce };
    const made = createApp({ config, background: false, waitForLog: false, logger });
    const stop = (): void => void made.close(0);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      signal?.throwIfAborted();
      opened = await made.open();
      // Before anything else may fail: no later start shows it.
      if (opened.madePassword !== undefined) tell(madePasswordLine(opened.madePassword));
      signal?.throwIfAborted();
      app = made;
    } catch (error) {
      await made.close(0);
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  };

  /** Ends when somebody answers on the socket, or when this process has DATA_DIR. */
  const takeTurn = async (): Promise<void> => {
    const until = performance.now() + patience;
    for (let isWaiting = false; ; isWaiting = true) {
      const state = await look();
      signal?.throwIfAborted();
      const isLate = performance.now() >= until;
      // One that goes on opening says itself what it waits for.
      if (state === 'there' || (state === 'opening' && isLate)) return;
      if (state === 'away') {
        try {
          await openHere();
          return;
        } catch (error) {
          if (!(error instanceof LogInUse)) throw error;
          if (isLate)
            throw new OperatorError(
              `Another tool or server has ${config.dataDir} and does not answer on ${path}: it is beginning, ending, halted, or busy with work that nobody else may come between (a restore, an import). Wait until it has ended, and try again.`,
              { cause: error },
            );
        }
      }
      if (!isWaiting) onWait();
      await delay(pause);
      signal?.throwIfAborted();
    }
  };

  await takeTurn();
  let hasAnswered = false;
  const client: ControlClient = {
    async call(method, to, body, headers) {
      for (let turns = 1; ; turns += 1) {
        // Later calls belong to what was asked of the one who answered: they are nobody else's.
        const mayTurn = app === undefined && !hasAnswered && !isClosed && turns < mostTurns;
        try {
          const answer = await raw.call(method, to, body, headers);
          if (!(mayTurn && isEnding(answer))) {
            hasAnswered = true;
            return answer;
          }
        } catch (error) {
          const code = goneCode(error);
          if (code === undefined) throw error;
          if (!mayTurn || !(neverSent.has(code) || method === 'GET')) throw new OwnerGone(code, config.dataDir, error);
        }
        await takeTurn();
      }
    },
  };
  return {
    client,
    get own() {
      return app !== undefined;
    },
    async close() {
      isClosed = true;
      if (opened !== undefined) await settle(opened, signal);
      await app?.close();
    },
  };
}
