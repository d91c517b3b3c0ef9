import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import { createBatchPace, type BatchPace } from './batch-pace.ts';
import { LogUnavailable, UnknownOutcome, type AppendResult, type ExpectedRevision } from './event-log.ts';
import {
  decodeOutcomes,
  joinBatch,
  operationError,
  type Appended,
  type FromLogWorker,
  type LogOperation,
  type ToLogWorker,
  type WorkerStart,
} from './log-messages.ts';
import { ProjectionProgress } from './projection-progress.ts';
import type { Projected } from './projector-port.ts';
import { AppendSignal, retryDelay } from './pull-subscription.ts';
import { resultOf } from './sqlite-event-log.ts';
import { openLogConnection } from './sqlite-connection.ts';
import { walBytesOf } from './sqlite-log-file.ts';
import { logReader, type LogReader } from './sqlite-log-reader.ts';
import type { ChainProgress, KnownBreak } from './verify-chain.ts';

export type WorkerLogOptions = WorkerStart & {
  /** The log cannot go on: its worker died twice within a minute. The process should end and be started clean. */
  readonly onFatal?: (error: Error) => void;
  /** Hears of the catch-up of the read model, which may take long before the log is open. */
  readonly onProjected?: (projected: Projected) => void;
  /** The worker was started anew after a crash, and its read model stands: it may be another file than before. Called before anything newer is told of. */
  readonly onRestarted?: () => void;
  /** Grows with every read that this thread answers. While many read, the log's batches are fewer and larger. */
  readonly readsSoFar?: () => number;
  /** Bounds of what waits: appends (default `defaultQueueLimit`) and characters of their text (default: 4,096 for each append, and no fewer than 8,388,608). */
  readonly queueLimit?: number;
  readonly queueCharacters?: number;
};

type Waiting = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly text: string;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
};
type Pending = {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((progress: ChainProgress) => void) | undefined;
};
type State = { readonly kind: 'starting' | 'ready' | 'down' | 'closing' | 'closed' } | { readonly kind: 'dead'; readonly reason: string };

/** Appends that may wait for the disk. */
export const defaultQueueLimit = 2000;
const batchLimit = 500;
/** Two crashes of the worker within this, in ms: a third one would come as well. */
const crashesApart = 60_000;
/** Of an append that is stored before a thread has gone to sleep and been woken, in characters: one event, and not a match sheet. */
const shortText = 4096;
/** How long this thread stays awake for a lone short append, in ms: most commits take less. With a single core it would keep from working whom it waits for. */
const awakeMs = availableParallelism() > 1 ? 0.6 : 0;

/**
 * The main thread's end of the log worker: the queue, the batch in flight, operations, restarts, and a reading connection of its own. Made by
 * `openWorkerEventLog`.
 */
export class LogWorkerClient {
  readonly progress = new ProjectionProgress();
  readonly signal = new AppendSignal();
  readonly #options: WorkerLogOptions;
  readonly #opened = Promise.withResolvers<void>();
  readonly #queue: Waiting[] = [];
  readonly #operations = new Map<number, Pending>();
  #lastCrash: number | undefined;
  #queuedCharacters = 0;
  #inFlight: readonly Waiting[] = [];
  readonly #pace: BatchPace;
  #sending: (() => void) | undefined;
  #restart: NodeJS.Timeout | undefined;
  #worker: Worker | undefined;
  #state: State = { kind: 'starting' };
  #everReady = false;
  /** Of the worker that runs. */
  #refusal: string | undefined;
  /** Of this process, whichever worker met it: others of its connections go on with what was removed, or remember what was damaged. */
  #lasting: string | undefined;
  #damage: KnownBreak | undefined;
  #isFull = false;
  #nextOperation = 0;
  #reader: { readonly read: LogReader; readonly close: () => void; readonly walBytes: () => number } | undefined;
  #drained: (() => void) | undefined;
  #exited: (() => void) | undefined;

  constructor(options: WorkerLogOptions) {
    this.#options = options;
    this.#pace = createBatchPace(options.readsSoFar ?? (() => 0));
    this.#start();
  }

  /** Settles when the worker is ready for the first time, or could not be. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  get queueLength(): number {
    return this.#queue.length + this.#inFlight.length;
  }

  get refusal(): string | undefined {
    switch (this.#state.kind) {
      case 'ready':
        return this.#lasting ?? this.#refusal;
      case 'dead':
        return this.#state.reason;
      case 'starting':
      case 'down':
        return 'The event log is being opened';
      case 'closing':
      case 'closed':
        return 'The event log is closed';
      default:
        return this.#state satisfies never;
    }
  }

  /** The first break of the chain that was found. */
  get damage(): KnownBreak | undefined {
    return this.#damage;
  }

  /** Whether the disk had no room for what was last to be stored. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get walBytes(): number {
    return this.#reader?.walBytes() ?? 0;
  }

  append(stream: string, expected: ExpectedRevision, text: string): Promise<AppendResult> {
    return new Promise<AppendResult>((resolve, reject) => {
      const refusal = this.refusal;
      if (refusal !== undefined) return reject(new LogUnavailable(refusal));
      const { queueLimit = defaultQueueLimit, queueCharacters = Math.max(8_388_608, queueLimit * 4096) } = this.#options;
      const full = this.queueLength >= queueLimit || this.#queuedCharacters + text.length > queueCharacters;
      if (full) return reject(new LogUnavailable('Too many appends are waiting'));
      this.#queuedCharacters += text.length;
      this.#queue.push({ stream, expected, text, resolve, reject });
      this.#sendSoon();
    });
  }

  async operate(operation: LogOperation, onProgress?: (progress: ChainProgress) => void, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const worker = this.#worker;
    if (worker === undefined || this.#state.kind !== 'ready') throw new LogUnavailable(this.refusal ?? 'The event log is closed');
    // A worker that was started anew may know nothing of it.
    if (operation.name === 'delete-stream' && this.#lasting !== undefined) throw new LogUnavailable(this.#lasting);
    const id = this.#nextOperation++;
    const abort = (): void => {
      this.#post({ kind: 'abort', id });
      this.#operations.get(id)?.reject(signal?.reason);
      this.#operations.delete(id);
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        this.#operations.set(id, { resolve, reject, onProgress });
        this.#post({ kind: 'operation', id, operation });
      });
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#settleDrain();
    }
  }

  /** Runs a read on this thread's own connection: it does not queue behind writes and sees every acknowledged append. */
  read<R>(work: (reader: LogReader) => R): R {
    if (this.#reader === undefined) throw new LogUnavailable('The event log is closed');
    try {
      return work(this.#reader.read);
    } catch (error) {
      throw new LogUnavailable(`The event log cannot be read: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Refuses what is new, finishes what waits, closes the files. */
  async close(): Promise<void> {
    if (this.#state.kind === 'closed' || this.#state.kind === 'closing') return;
    const live = this.#state.kind === 'ready' || this.#state.kind === 'starting';
    this.#state = { kind: 'closing' };
    clearTimeout(this.#restart);
    if (live) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
        this.#settleDrain();
      });
      // The reader goes first: the last connection to leave moves the write-ahead log into the file, and only the writer's may.
      this.#reader?.close();
      if (this.#worker !== undefined) {
        const exited = new Promise<void>((resolve) => {
          this.#exited = resolve;
        });
        this.#post({ kind: 'close' });
        await exited;
      }
    } else this.#reader?.close();
    this.#reader = undefined;
    this.#state = { kind: 'closed' };
  }

  #start(): void {
    this.#refusal = undefined;
    const { path, verifyAtOpen, projectorModule, projectorOptions } = this.#options;
    // After a crash: a worker that was started anew looks at the last events only, and where it is told to.
    const recordedBreak = this.#damage ?? this.#options.recordedBreak;
    const workerData: WorkerStart = {
      path,
      projectorOptions,
      ...(verifyAtOpen === undefined ? {} : { verifyAtOpen }),
      ...(projectorModule === undefined ? {} : { projectorModule }),
      ...(recordedBreak !== undefined && { recordedBreak }),
    };
    const worker = new Worker(new URL('./log-worker.ts', import.meta.url), { name: 'event-log', workerData });
    let failure: Error | undefined;
    worker.on('message', (message: FromLogWorker) => {
      if (message.kind === 'refused') failure = new LogUnavailable(message.reason);
      else this.#receive(message);
    });
    worker.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', (code) => {
      this.#worker = undefined;
      this.#lost(failure ?? new Error(`The event log's worker ended with code ${code}`));
    });
    this.#worker = worker;
  }

  #post(message: ToLogWorker): void {
    this.#worker?.postMessage(message);
  }

  #receive(message: Exclude<FromLogWorker, { kind: 'refused' }>): void {
    switch (message.kind) {
      case 'batch':
        this.#answer(message.appended, message.projected);
        break;
      case 'projected':
        this.#advance(message.projected);
        break;
      case 'opened':
        this.#openReader();
        break;
      case 'ready':
        if (this.#everReady) this.#options.onRestarted?.();
        this.#advance(message.projected);
        this.#everReady = true;
        if (this.#state.kind === 'starting') this.#state = { kind: 'ready' };
        this.#opened.resolve();
        break;
      case 'health':
        this.#refusal = message.refusal;
        if (message.lasts === true) this.#lasting = message.refusal;
        // A worker that was started anew looks at the last events only: what was found before stays found.
        this.#damage = message.damage ?? this.#damage;
        break;
      case 'progress':
        this.#operations.get(message.id)?.onProgress?.(message.progress);
        break;
      case 'done':
      case 'failed': {
        const pending = this.#operations.get(message.id);
        this.#operations.delete(message.id);
        if (message.kind === 'failed' && message.error.name === 'LogUnavailable' && message.error.code === 'SQLITE_FULL') this.#isFull = true;
        if (message.kind === 'done') pending?.resolve(message.answer);
        else pending?.reject(operationError(message.error));
        break;
      }
      default:
        message satisfies never;
    }
  }

  #openReader(): void {
    if (this.#reader !== undefined) return;
    const { path } = this.#options;
    const connection = openLogConnection(path, { readonly: true, evenDamaged: true });
    this.#reader = { read: logReader(connection), close: () => connection.close(), walBytes: () => walBytesOf(path) };
  }

  #advance(projected: Projected): void {
    this.progress.advance(projected);
    this.#options.onProjected?.(projected);
  }

  #sendSoon(): void {
    if (this.#sending !== undefined || this.#inFlight.length > 0 || this.#queue.length === 0) return;
    const pause = this.#pace.pause();
    if (pause > 0) {
      const timer = setTimeout(() => this.#send(), pause);
      this.#sending = () => clearTimeout(timer);
    } else {
      const immediate = setImmediate(() => this.#send());
      this.#sending = () => clearImmediate(immediate);
    }
  }

  #send(): void {
    this.#sending = undefined;
    const batch = this.#queue.splice(0, batchLimit);
    if (batch.length === 0) return;
    this.#inFlight = batch;
    this.#pace.sent();
    const text = joinBatch(batch.map((append) => append.text));
    this.#post({ kind: 'append', batch: text });
    if (batch.length === 1 && text.length <= shortText && awakeMs > 0) this.#stayAwake();
  }

  /**
   * Goes round without sleeping until the answer to a lone short append is there: to be woken takes a quarter as long as a commit. Whatever else comes is seen
   * to meanwhile.
   */
  #stayAwake(): void {
    const until = performance.now() + awakeMs;
    const look = (): void => {
      if (this.#inFlight.length > 0 && performance.now() < until) setImmediate(look);
    };
    look();
  }

  /** Settles one batch: the read model's place first, so that whoever is answered finds its own event projected. */
  #answer(appended: Appended, projected: Projected): void {
    const batch = this.#inFlight;
    this.#inFlight = [];
    for (const append of batch) this.#queuedCharacters -= append.text.length;
    this.#advance(projected);
    this.#isFull = 'failure' in appended && appended.full;
    if ('failure' in appended) {
      for (const append of batch) append.reject(appended.failure === 'unknown' ? new UnknownOutcome(appended.reason) : new LogUnavailable(appended.reason));
    } else {
      const outcomes = decodeOutcomes(appended.outcomes);
      for (const [index, append] of batch.entries()) {
        const outcome = outcomes[index];
        try {
          if (outcome === undefined) throw new UnknownOutcome('The event log gave no answer for this append');
          append.resolve(resultOf(append.stream, append.expected, outcome));
        } catch (error) {
          append.reject(error);
        }
      }
      this.signal.notify();
    }
    // Answers go out before the next batch: they were taken up first.
    this.#sendSoon();
    this.#settleDrain();
  }

  #settleDrain(): void {
    if (this.queueLength === 0 && this.#operations.size === 0) this.#drained?.();
  }

  /** The worker has ended: by our wish, or by a fault that leaves what it was doing unknown. */
  #lost(failure: Error): void {
    this.#sending?.();
    this.#sending = undefined;
    const inFlight = this.#inFlight;
    this.#inFlight = [];
    const queued = this.#queue.splice(0);
    this.#queuedCharacters = 0;
    for (const append of inFlight) append.reject(new UnknownOutcome(`The event log's worker ended: ${failure.message}`, { cause: failure }));
    for (const append of queued) append.reject(new LogUnavailable(`The event log's worker ended: ${failure.message}`, { cause: failure }));
    for (const pending of this.#operations.values()) pending.reject(new UnknownOutcome(`The event log's worker ended: ${failure.message}`, { cause: failure }));
    this.#operations.clear();
    this.#drained?.();
    this.#exited?.();
    if (this.#state.kind === 'closing' || this.#state.kind === 'closed') return;
    if (!this.#everReady) {
      this.#state = { kind: 'dead', reason: failure.message };
      this.#opened.reject(failure);
      return;
    }
    const now = performance.now();
    const before = this.#lastCrash;
    this.#lastCrash = now;
    if (before !== undefined && now - before < crashesApart) {
      this.#state = { kind: 'dead', reason: `The event log's worker ended twice within a minute: ${failure.message}` };
      this.#options.onFatal?.(failure);
      return;
    }
    this.#state = { kind: 'down' };
    this.#restart = setTimeout(() => {
      this.#state = { kind: 'starting' };
      this.#start();
    }, retryDelay(0));
  }
}
