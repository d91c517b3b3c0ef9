import { availableParallelism } from 'node:os';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import { LogUnavailable, UnknownOutcome } from './event-log.ts';
import { LiveProjection } from './live-projection.ts';
import { decodeBatch, encodeOutcomes, type Appended, type FromLogWorker, type LogOperation, type ToLogWorker, type WorkerStart } from './log-messages.ts';
import type { BatchProjector, ProjectorModule } from './projector-port.ts';
import { retryDelay } from './pull-subscription.ts';
import { verifyInTurns } from './sqlite-event-log.ts';
import type { AppendOutcome, BatchedAppend } from './log-inserts.ts';
import { SqliteLogFile } from './sqlite-log-file.ts';
import { recordedEvent, type StoredEvent } from './stored-event.ts';

/**
 * The worker thread that owns the log file and the projection of each batch: check revisions, insert and chain, COMMIT with fsync, then project, then one
 * message. Started by `openWorkerEventLog`, which holds the lock.
 */

const start = workerData as WorkerStart;
if (parentPort === null) throw new Error('log-worker.ts runs in a worker thread only');
const port = parentPort;
const post = (message: FromLogWorker): void => port.postMessage(message);
/** The code of an error, or of what caused it. */
const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
};

/** Stands in where no read model is wanted (tools, tests): it is always at the end. */
const withoutProjection = (head: () => bigint): BatchProjector => ({
  get position() {
    return head();
  },
  apply: () => ({ position: head(), parked: 0 }),
});

const openFile = (): SqliteLogFile | undefined => {
  try {
    return new SqliteLogFile({
      path: start.path,
      ...(start.verifyAtOpen === undefined ? {} : { verifyAtOpen: start.verifyAtOpen }),
      ...(start.recordedBreak !== undefined && { recordedBreak: start.recordedBreak }),
    });
  } catch (error) {
    post({ kind: 'refused', reason: messageOf(error) });
    return undefined;
  }
};

/**
 * How long the thread looks for the next batch before it sleeps, in ms: to be woken takes as long. With a single core it would keep from working whom it waits
 * for.
 */
const awakeMs = availableParallelism() > 1 ? 0.1 : 0;

const openProjector = async (file: SqliteLogFile): Promise<BatchProjector> => {
  if (start.projectorModule === undefined) {
    return withoutProjection(() => {
      const head = file.reader.head();
      return head === 'start' ? 0n : head;
    });
  }
  const module = (await import(start.projectorModule)) as ProjectorModule;
  return module.createProjector(start.projectorOptions);
};

/** The events that a batch added to the log, as readers see them. */
const storedEvents = (batch: readonly BatchedAppend[], outcomes: readonly AppendOutcome[]): readonly StoredEvent[] =>
  batch.flatMap(({ stream, events }, index) => {
    const outcome = outcomes[index];
    if (outcome?.kind !== 'stored' || outcome.repeated) return [];
    const before = events.length - 1;
    return events.map((event, at) => recordedEvent(BigInt(outcome.position - before + at), stream, outcome.revision - before + at, event));
  });

const run = async (file: SqliteLogFile): Promise<void> => {
  const aborts = new Map<number, AbortController>();
  let told: string | undefined;
  let recovery: NodeJS.Timeout | undefined;

  const tellHealth = (): void => {
    const { refusal, damage } = file;
    if (refusal === told) return;
    told = refusal;
    post({ kind: 'health', ...(refusal !== undefined && { refusal, ...(!file.isRecoverable && { lasts: true }) }), ...(damage !== undefined && { damage }) });
  };
  const recover = (failures: number): void => {
    recovery = undefined;
    if (file.isRecoverable && !file.recover()) recovery = setTimeout(() => recover(failures + 1), retryDelay(failures));
    tellHealth();
  };
  const recoverIfNeeded = (): void => {
    tellHealth();
    if (file.isRecoverable && recovery === undefined) recover(0);
  };

  post({ kind: 'opened' });
  tellHealth();
  const projector = await openProjector(file);
  for (const seen of [projector.position, projector.seen ?? 0n]) file.noteSeen(seen);
  tellHealth();
  const projection = new LiveProjection(
    projector,
    (position, limit) => file.reader.readAll(position, limit),
    (projected) => post({ kind: 'projected', projected }),
  );

  const append = (text: string): void => {
    const batch = decodeBatch(text);
    let appended: Appended;
    let events: readonly StoredEvent[] = [];
    try {
      const outcomes = file.append(batch);
      events = storedEvents(batch, outcomes);
      appended = { outcomes: encodeOutcomes(outcomes) };
    } catch (error) {
      // Anything but these two is a fault of the program: the thread ends and is started anew.
      const full = codeOf(error) === 'SQLITE_FULL';
      if (error instanceof UnknownOutcome) appended = { failure: 'unknown', reason: error.message, full };
      else if (error instanceof LogUnavailable) appended = { failure: 'unavailable', reason: error.message, full };
      else throw error;
    }
    post({ kind: 'batch', appended, projected: projection.project(events) });
    if ('failure' in appended) recoverIfNeeded();
  };

  const operate = async (id: number, operation: LogOperation): Promise<unknown> => {
    switch (operation.name) {
      case 'delete-stream':
        return file.deleteStream(operation.stream);
      case 'verify-chain': {
        const abort = new AbortController();
        aborts.set(id, abort);
        const report = await verifyInTurns(file, operation.from, (progress) => post({ kind: 'progress', id, progress }), abort.signal);
        // Before the answer: whoever has that finds the log refusing.
        tellHealth();
        return report;
      }
      case 'refuse':
        file.refuse(operation.damage);
        tellHealth();
        return undefined;
      case 'backup':
        return file.backup(operation.destination);
      case 'checkpoint':
        return file.checkpoint();
      case 'project':
        return projection.command(operation.command, operation.argument);
      default:
        return operation satisfies never;
    }
  };
  const answer = async (id: number, operation: LogOperation): Promise<void> => {
    try {
      post({ kind: 'done', id, answer: await operate(id, operation) });
    } catch (error) {
      const code = codeOf(error);
      post({
        kind: 'failed',
        id,
        error: { name: error instanceof Error ? error.name : 'Error', message: messageOf(error), ...(code !== undefined && { code }) },
      });
    } finally {
      aborts.delete(id);
      recoverIfNeeded();
    }
  };

  const maintenance = setInterval(() => {
    file.maintain();
    tellHealth();
  }, 2000);
  const close = (): void => {
    clearInterval(maintenance);
    clearTimeout(recovery);
    projection.close();
    file.close();
    port.close();
  };

  const take = (message: ToLogWorker): void => {
    switch (message.kind) {
      case 'append':
        append(message.batch);
        break;
      case 'operation':
        void answer(message.id, message.operation);
        break;
      case 'abort':
        aborts.get(message.id)?.abort();
        break;
      case 'close':
        close();
        break;
    }
  };
  /** Waits for the next batch without going to sleep: whoever appended is answered by now, and appends again or has company. */
  const stayAwake = (): void => {
    let until = performance.now() + awakeMs;
    // Everything else in this thread gets its turn after so many.
    for (let left = 16; left > 0 && performance.now() < until;) {
      const next: { readonly message: ToLogWorker } | undefined = receiveMessageOnPort(port);
      if (next === undefined) continue;
      take(next.message);
      if (next.message.kind !== 'append') return;
      until = performance.now() + awakeMs;
      left -= 1;
    }
  };
  port.on('message', (message: ToLogWorker) => {
    take(message);
    if (message.kind === 'append') stayAwake();
  });
  await projection.catchUp();
  post({ kind: 'ready', projected: projection.projected });
};

const opened = openFile();
if (opened === undefined) port.close();
else await run(opened);
