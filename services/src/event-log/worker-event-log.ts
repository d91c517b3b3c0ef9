import type { EventLog } from './event-log.ts';
import type { LogAdministration } from './log-administration.ts';
import { takeLogLock } from './log-lock.ts';
import { encodeAppend } from './log-messages.ts';
import { LogWorkerClient, type WorkerLogOptions } from './log-worker-client.ts';
import { checkDeletable, checkStreamName, prepareEvents } from './prepare-append.ts';
import type { Projected } from './projector-port.ts';
import { pullSubscription } from './pull-subscription.ts';
import type { ChainReport } from './verify-chain.ts';

/** The log behind its worker thread, and how far this node's read model is. */
export type WorkerEventLog = EventLog &
  LogAdministration & {
    readonly projectedPosition: bigint;
    readonly projected: Projected;
    /** Calls `listener` after each change until the returned function is called. */
    onProjected(listener: (projected: Projected) => void): () => void;
    /** True as soon as the read model has reached the position, false after `timeout` ms without. */
    waitForProjected(position: bigint, timeout: number): Promise<boolean>;
    /** Has the projector do something between two batches (`BatchProjector.command`). */
    commandProjector(command: string, argument?: unknown): Promise<unknown>;
    /** Appends that wait or are being written: for metrics. */
    readonly queueLength: number;
  };

/**
 * The server's log: a worker thread writes the SQLite file and projects each batch; reads run on this thread's own connection. Resolves when the read model has
 * caught up. Throws LogInUse when another process owns the file, LogUnavailable when the file cannot be used, or what the projector's module threw.
 *
 * While the worker is busy appends collect; when it is free they go as one batch at the end of the turn. An append is answered after its commit and after the
 * projection of its batch was tried: `projectedPosition` then says whether it can be read.
 */
export const openWorkerEventLog = async ({
  isOwned = false,
  ...options
}: WorkerLogOptions & {
  /** The caller holds the lock of the log (`takeLogLock`), and keeps it until this is closed. */
  readonly isOwned?: boolean;
}): Promise<WorkerEventLog> => {
  const lock = isOwned ? undefined : takeLogLock(options.path);
  const worker = new LogWorkerClient(options);
  try {
    await worker.opened;
  } catch (error) {
    await worker.close();
    lock?.release();
    throw error;
  }
  const readAll: EventLog['readAll'] = async (after, limit) => worker.read((reader) => reader.readAll(after, limit));
  const { progress } = worker;
  return {
    async append(stream, expected, events) {
      return worker.append(stream, expected, encodeAppend(stream, expected, prepareEvents(stream, events)));
    },
    async readStream(stream, from = 0, limit = Infinity) {
      checkStreamName(stream);
      return worker.read((reader) => reader.readStream(stream, from, limit));
    },
    readAll,
    subscribe: (after) => pullSubscription(after, readAll, worker.signal),
    async deleteStream(stream) {
      checkDeletable(stream);
      await worker.operate({ name: 'delete-stream', stream });
    },
    head: async () => worker.read((reader) => reader.head()),
    verifyChain: async (from = 1n, onProgress, signal) => (await worker.operate({ name: 'verify-chain', from }, onProgress, signal)) as ChainReport,
    async refuse(damage) {
      await worker.operate({ name: 'refuse', damage });
    },
    async backup(destination) {
      await worker.operate({ name: 'backup', destination });
    },
    checkpoint: async () => (await worker.operate({ name: 'checkpoint' })) as { readonly complete: boolean },
    health() {
      const { refusal, damage, walBytes, isFull } = worker;
      return { walBytes, ...(isFull && { isFull }), ...(refusal !== undefined && { refusal }), ...(damage !== undefined && { damage }) };
    },
    get projectedPosition() {
      return progress.projected.position;
    },
    get projected() {
      return progress.projected;
    },
    get queueLength() {
      return worker.queueLength;
    },
    onProjected: (listener) => progress.listen(listener),
    waitForProjected: async (position, timeout) => progress.reached(position, timeout),
    commandProjector: async (command, argument) => worker.operate({ name: 'project', command, argument }),
    async close() {
      await worker.close();
      lock?.release();
    },
  };
};
