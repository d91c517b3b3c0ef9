import { writeSync } from 'node:fs';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import { pino } from 'pino';
import type { Config } from './config.ts';
import { isCode } from './durable-file.ts';

/**
 * All that a log line may hold beside its time, level and event name: an allow-list, because a list of what to leave out forgets.
 * No bodies, no query strings, no addresses with ids in them, no names, no free text of a request (S26).
 */
export type LogFields = {
  readonly requestId?: string;
  /** The endpoint's name, or `unknown`. */
  readonly endpoint?: string;
  readonly method?: string;
  readonly status?: number;
  readonly code?: string;
  readonly role?: string;
  readonly milliseconds?: number;
  readonly position?: string;
  readonly lag?: number;
  readonly count?: number;
  /** What went wrong, in words of our own. */
  readonly reason?: string;
  readonly host?: string;
  readonly port?: number;
  readonly store?: string;
  readonly signal?: string;
};
const allowed = new Set<string>([
  'requestId',
  'endpoint',
  'method',
  'status',
  'code',
  'role',
  'milliseconds',
  'position',
  'lag',
  'count',
  'reason',
  'host',
  'port',
  'store',
  'signal',
] as const satisfies readonly (keyof LogFields)[]);

export type Logger = {
  /** `event`: what happened, a constant text. */
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  /** `error` is described by class, code and stack. */
  error(event: string, error: unknown, fields?: LogFields): void;
  flush(): void;
};

/** Errors whose message repeats what was sent: parsers quote their input. */
const quotesInput = (error: Error): boolean =>
  error instanceof SyntaxError || error instanceof URIError || error.name === 'ZodError' || error.name === '$ZodError';

type ErrorLine = { readonly name: string; readonly code?: string; readonly message?: string; readonly stack?: string; readonly cause?: ErrorLine };

/** What a log may say of an error: its class, code, the places in the code, and its message unless that could quote a request. */
export const errorLine = (error: unknown, depth = 0): ErrorLine => {
  if (!(error instanceof Error)) return { name: typeof error };
  const code: unknown = 'code' in error ? error.code : undefined;
  const places = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
  return {
    name: error.name,
    ...(typeof code === 'string' && { code }),
    ...(!quotesInput(error) && { message: error.message.slice(0, 300) }),
    ...(places.length > 0 && { stack: places.slice(0, 8).join(' | ') }),
    ...(error.cause !== undefined && depth < 3 && { cause: errorLine(error.cause, depth + 1) }),
  };
};

const pick = (fields: LogFields | undefined): LogFields => {
  if (fields === undefined) return {};
  const line: Record<string, unknown> = {};
  for (const [name, value] of Object.entries<unknown>(fields)) if (value !== undefined && allowed.has(name)) line[name] = value;
  return line;
};

/** `push`: sends what it can without waiting; `flush`: the last words of a process. */
type Sink = { readonly write: (line: string) => unknown; readonly push?: () => unknown; readonly flush: () => void };

/** A write for each line costs more than the line; what is left goes out every second, with an error, and at exit. */
const pieceCharacters = 8192;
/** What is kept for a reader who has fallen behind, in bytes; beyond that lines are lost, and their number is told. */
const mostKept = 4_194_304;
/** How long the last words of a process wait for their reader, in ms. */
const lastPatience = 500;

/**
 * Standard output in pieces. Nothing is synced: pino's own destination syncs at every flush, which on a slow disk stops the event loop for everybody (R15).
 * A pipe that is full makes nobody wait either, but for the end of the process.
 * @param write as `writeSync` of standard output
 */
export const standardOutput = (write: (bytes: Buffer) => number = (bytes) => writeSync(1, bytes)): Sink & { readonly stop: () => void } => {
  let text = '';
  let rest = Buffer.alloc(0);
  let lost = 0;
  /** False when the reader is behind. */
  const push = (): boolean => {
    try {
      while (rest.length > 0 || text !== '') {
        if (rest.length === 0) [rest, text] = [Buffer.from(text), ''];
        rest = rest.subarray(write(rest));
      }
    } catch (error) {
      if (isCode(error, 'EAGAIN')) return false;
      // Nobody reads standard output any more: there is no place left to say so.
      rest = Buffer.alloc(0);
    }
    return true;
  };
  const flush = (): void => {
    const until = performance.now() + lastPatience;
    while (!push() && performance.now() < until) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  };
  const timer = setInterval(push, 1000);
  timer.unref();
  return {
    write(line) {
      if (rest.length + text.length > mostKept) {
        lost += 1;
        return;
      }
      if (lost > 0) text += `{"level":"warn","event":"log lines were lost","count":${lost}}\n`;
      lost = 0;
      text += line;
      if (text.length >= pieceCharacters) push();
    },
    push,
    flush,
    stop: () => clearInterval(timer),
  };
};

/**
 * One JSON line per event. `sink` replaces standard output in tests.
 * The lines are built by pino; what may stand in them is decided here.
 */
export const createLogger = (level: Config['logLevel'], sink: Sink = standardOutput()): Logger => {
  const log = pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"`, formatters: { level: (label) => ({ level: label }) }, messageKey: 'event' },
    sink,
  );
  return {
    info(event, fields) {
      if (log.isLevelEnabled('info')) log.info(pick(fields), event);
    },
    warn: (event, fields) => log.warn(pick(fields), event),
    error(event, error, fields) {
      const shown = error instanceof DomainError && error.cause !== undefined ? error.cause : error;
      log.error({ ...pick(fields), error: errorLine(shown) }, event);
      (sink.push ?? sink.flush)();
    },
    flush: () => sink.flush(),
  };
};
