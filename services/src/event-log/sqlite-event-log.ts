import { setImmediate as nextTurn } from 'node:timers/promises';
import { LogUnavailable, UnacceptableEvents, WrongRevision, type AppendResult, type ExpectedRevision } from './event-log.ts';
import type { SqliteEventLog } from './log-administration.ts';
import { takeLogLock } from './log-lock.ts';
import { checkDeletable, checkStreamName, prepareEvents } from './prepare-append.ts';
import { AppendSignal, pullSubscription, retryDelay } from './pull-subscription.ts';
import type { AppendOutcome, BatchedAppend } from './log-inserts.ts';
import { SqliteLogFile, type LogFileOptions } from './sqlite-log-file.ts';
import type { ChainProgress, ChainReport } from './verify-chain.ts';

/** The caller's result of one append of a batch: returns it, or throws WrongRevision or UnacceptableEvents. */
export const resultOf = (stream: string, expected: ExpectedRevision, outcome: AppendOutcome): AppendResult => {
  if (outcome.kind === 'wrong-revision') throw new WrongRevision(stream, expected, outcome.actual);
  if (outcome.kind === 'unacceptable') throw new UnacceptableEvents(outcome.reason);
  return { revision: outcome.revision, position: BigInt(outcome.position), ...(outcome.repeated ? { repeated: true } : {}) };
};

/** Walks the chain of a log file in steps of 1,000 events with a turn of the event loop between them, so that appends on the same thread go on. */
export const verifyInTurns = async (
  file: SqliteLogFile,
  from: bigint,
  onProgress?: (progress: ChainProgress) => void,
  signal?: AbortSignal,
): Promise<ChainReport> => {
  const known = from <= 1n ? file.damage : undefined;
  const walk = file.startWalk(from);
  try {
    while (!walk.step(1000)) {
      onProgress?.(walk.progress);
      // Gives way to appends.
      await nextTurn();
      signal?.throwIfAborted();
    }
  } finally {
    file.endWalk(walk);
  }
  file.concludeWalk(walk.report, known);
  onProgress?.(walk.progress);
  return walk.report;
};

type Waiting = BatchedAppend & { readonly resolve: (result: AppendResult) => void; readonly reject: (error: unknown) => void };

/**
 * The log in a SQLite file, written on the calling thread: for tools, the seed and tests. The server uses `openWorkerEventLog`, which keeps fsync off the main
 * thread. Appends that wait together commit together. Throws LogInUse when another process owns the file, LogUnavailable when it is no log.
 */
export const openSqliteEventLog = (options: LogFileOptions): SqliteEventLog => {
  const lock = takeLogLock(options.path);
  let file: SqliteLogFile;
  try {
    file = new SqliteLogFile(options);
  } catch (error) {
    lock.release();
    throw error;
  }
  const signal = new AppendSignal();
  const waiting: Waiting[] = [];
  let recovery: NodeJS.Timeout | undefined;
  let flushing: NodeJS.Immediate | undefined;
  let closed = false;

  const maintenance = setInterval(() => file.maintain(), 2000);
  maintenance.unref();

  const recover = (failures: number): void => {
    recovery = undefined;
    if (!file.isRecoverable || file.recover()) return;
    recovery = setTimeout(() => recover(failures + 1), retryDelay(failures));
    recovery.unref();
  };

  const flush = (): void => {
    flushing = undefined;
    const batch = waiting.splice(0, 500);
    if (batch.length === 0) return;
    if (waiting.length > 0) flushing = setImmediate(flush);
    try {
      const outcomes = file.append(batch);
      for (const [index, append] of batch.entries()) {
        try {
          append.resolve(resultOf(append.stream, append.expected, outcomes[index] as AppendOutcome));
        } catch (error) {
          append.reject(error);
        }
      }
      signal.notify();
    } catch (error) {
      for (const append of batch) append.reject(error);
      if (recovery === undefined) recover(0);
    }
  };

  const readAll: SqliteEventLog['readAll'] = async (after, limit) => file.reader.readAll(after, limit);

  return {
    async append(stream, expected, events) {
      const texts = prepareEvents(stream, events);
      if (closed) throw new LogUnavailable('The log is closed');
      return new Promise<AppendResult>((resolve, reject) => {
        waiting.push({ stream, expected, events: texts, resolve, reject });
        flushing ??= setImmediate(flush);
      });
    },
    async readStream(stream, from = 0, limit = Infinity) {
      checkStreamName(stream);
      return file.reader.readStream(stream, from, limit);
    },
    readAll,
    subscribe: (after) => pullSubscription(after, readAll, signal),
    async deleteStream(stream) {
      checkDeletable(stream);
      file.deleteStream(stream);
    },
    async head() {
      return file.reader.head();
    },
    verifyChain: async (from = 1n, onProgress, abort) => verifyInTurns(file, from, onProgress, abort),
    refuse: async (damage) => file.refuse(damage),
    backup: async (destination) => file.backup(destination),
    checkpoint: async () => file.checkpoint(),
    health() {
      const { refusal, damage, walBytes } = file;
      return { walBytes, ...(refusal !== undefined && { refusal }), ...(damage !== undefined && { damage }) };
    },
    async close() {
      if (closed) return;
      closed = true;
      while (waiting.length > 0) flush();
      clearImmediate(flushing);
      clearTimeout(recovery);
      clearInterval(maintenance);
      file.close();
      lock.release();
    },
  };
};
