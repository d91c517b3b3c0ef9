import { Worker } from 'node:worker_threads';
import { DomainError, conflict } from '@courtledger/contracts/kernel/errors';
import type { ReadModelJob } from '@courtledger/contracts/operations/operations.answers';
import type { Logger } from '../platform/logger.ts';
import type { Clock } from '../platform/ports.ts';
import { liveReadModel, nextReadModel, readModelFiles, removeReadModel } from '../platform/store-read-model-files.ts';
import type { Store } from '../platform/store.ts';
import type { ChainBreak } from '../event-log/verify-chain.ts';
import { logDamaged } from './log-verification.ts';
import type { StateFile } from './operations-state.ts';
import { fieldsOf, type FromReadModelWorker, type ReadModelWork, type ToReadModelWorker } from './read-model-worker-messages.ts';

export type ReadModelJobsDeps = {
  readonly dataDir: string;
  /** The SQLite log's file; undefined where the log is elsewhere. */
  readonly logPath: string | undefined;
  readonly store: Pick<Store, 'log' | 'reads' | 'switchReadModel'>;
  readonly state: StateFile;
  /** The break of the log's chain that is known. */
  readonly damage: () => ChainBreak | undefined;
  /** Has the log look for itself where a job met a break, or anywhere after a job that failed: resolves when it has looked at that place. */
  readonly look: (position: bigint | undefined) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
};

type Outcome = Exclude<FromReadModelWorker, { kind: 'progress' | 'page' }>;
type Running = { job: ReadModelJob; readonly cancel: Int32Array; readonly started: number; ended: Promise<ReadModelJob> };

const damageText = ({ position, reason }: ChainBreak): string => `The log is damaged at position ${position.toString()}: ${reason}. Restore a backup`;

/**
 * Rebuilds, verifications and switches back, one at a time. The work is done by a thread of its own; only the switch at its end concerns the live read model,
 * and reads and writes go on all the while. A rebuild that a crash cut off is taken up by `resume`.
 */
export class ReadModelJobs {
  readonly #deps: ReadModelJobsDeps;
  #running: Running | undefined;
  #last: ReadModelJob | undefined;
  #closed = false;

  constructor(deps: ReadModelJobsDeps) {
    this.#deps = deps;
  }

  /** The job that runs, or the last one. */
  get job(): ReadModelJob | undefined {
    return this.#running?.job ?? this.#last;
  }

  /** Settles when nothing runs any more, with the job that ended last. */
  async ended(): Promise<ReadModelJob | undefined> {
    await this.#running?.ended;
    return this.#last;
  }

  /** The file that `switchBack` would go back to. */
  get previous(): string | undefined {
    const { dataDir, state } = this.#deps;
    const { previousReadModel } = state.get();
    return previousReadModel !== undefined && previousReadModel !== liveReadModel(dataDir) && readModelFiles(dataDir).includes(previousReadModel) ? previousReadModel : undefined;
  }

  /** Removes what earlier processes left, and goes on with a rebuild that they did not end. */
  resume(): void {
    const { dataDir, state } = this.#deps;
    const { pendingRebuild } = state.get();
    const isOpen = pendingRebuild !== undefined && pendingRebuild.file !== liveReadModel(dataDir);
    if (pendingRebuild !== undefined && !isOpen) state.change({ pendingRebuild: undefined });
    this.#tidy(isOpen ? pendingRebuild.file : undefined);
    if (isOpen) this.#start('rebuild', { ...pendingRebuild, resumed: true });
  }

  /** Begins a rebuild, or with `verifyOnly` its rehearsal. @throws DomainError `conflict` while a job runs, `unavailable` when the log is known to be damaged: it may be compared with, and nothing else */
  start(verifyOnly: boolean): ReadModelJob {
    this.#expectIdle();
    const damage = this.#deps.damage();
    if (damage !== undefined && !verifyOnly) throw logDamaged(damage, 'no read model is made of it');
    const { dataDir, state, clock, newId } = this.#deps;
    const file = nextReadModel(dataDir);
    const startedAt = new Date(clock.now()).toISOString();
    const id = newId();
    if (!verifyOnly) state.change({ pendingRebuild: { id, file, startedAt } });
    return this.#start(verifyOnly ? 'verify' : 'rebuild', { id, file, startedAt, resumed: false });
  }

  /** The log was damaged and is whole: what was made of it meanwhile may be wrong, and is made anew, by this process or by the next one. */
  remake(): void {
    if (this.#running === undefined && this.#deps.damage() === undefined) {
      this.start(false);
      return;
    }
    const { dataDir, state, clock, newId } = this.#deps;
    if (state.get().pendingRebuild === undefined) state.change({ pendingRebuild: { id: newId(), file: nextReadModel(dataDir), startedAt: new Date(clock.now()).toISOString() } });
  }

  /** Makes the read model before the last switch the live one again, up to date. @throws DomainError `conflict` while a job runs, or when there is none */
  switchBack(): ReadModelJob {
    this.#expectIdle();
    const { previous } = this;
    if (previous === undefined) throw conflict('There is no earlier read model to switch back to');
    return this.#start('switch-back', { id: this.#deps.newId(), file: previous, startedAt: new Date(this.#deps.clock.now()).toISOString(), resumed: false });
  }

  /** Stops what runs; resolves when it has stopped. @throws DomainError `conflict` when nothing can be stopped */
  async cancel(): Promise<ReadModelJob> {
    const running = this.#running;
    if (running === undefined) throw conflict('No rebuild is running');
    if (running.job.phase === 'switching') throw conflict('The read model is being switched at this moment');
    Atomics.store(running.cancel, 0, 1);
    return running.ended;
  }

  /** Stops what runs. A rebuild is taken up again by the next process. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = this.#running;
    if (running === undefined) return;
    Atomics.store(running.cancel, 0, 1);
    await running.ended;
  }

  #expectIdle(): void {
    if (this.#closed) throw new DomainError('unavailable', 'The server is stopping', { retryAfter: 5 });
    if (this.#running !== undefined) throw conflict(`A ${this.#running.job.kind} of the read model is running`);
  }

  #start(kind: ReadModelJob['kind'], begun: Pick<ReadModelJob, 'id' | 'file' | 'startedAt' | 'resumed'>): ReadModelJob {
    const { dataDir, logPath, clock } = this.#deps;
    const cancel = new SharedArrayBuffer(4);
    const work: ReadModelWork = { dataDir, kind: kind === 'switch-back' ? 'catch-up' : kind, live: liveReadModel(dataDir), file: begun.file, logPath, cancel };
    const until = this.#deps.store.reads.position();
    const job: ReadModelJob = {
      ...begun, kind, state: 'running', phase: kind === 'switch-back' ? 'catching-up' : 'folding', endedAt: null,
      events: 0, position: '0', until: until.toString(), ratePerSecond: 0, secondsLeft: null, error: null, diff: null,
    };
    const running: Running = { job, cancel: new Int32Array(cancel), started: clock.monotonic(), ended: Promise.resolve(job) };
    this.#running = running;
    running.ended = this.#run(running, work);
    return job;
  }

  /** Never rejects: a failure is the job's answer. */
  async #run(running: Running, work: ReadModelWork): Promise<ReadModelJob> {
    const { logger, look } = this.#deps;
    const end = (change: Partial<ReadModelJob>): void => {
      running.job = { ...running.job, phase: 'ended', secondsLeft: null, endedAt: new Date(this.#deps.clock.now()).toISOString(), ...change };
    };
    logger.info('read model job started', { reason: running.job.kind });
    try {
      const outcome = await this.#work(running, work);
      if (outcome.kind === 'cancelled') end({ state: 'cancelled' });
      else if (outcome.kind === 'failed') {
        await look(outcome.damage?.position);
        end({ state: 'failed', error: outcome.reason });
      } else if (outcome.kind === 'damaged') {
        // Before the job has ended: whoever reads of the break finds the log refusing.
        await look(outcome.damage.position);
        end({ state: 'failed', error: damageText(outcome.damage) });
      } else {
        const diff = outcome.diff === undefined ? null : { position: outcome.diff.position.toString(), equal: outcome.diff.equal, seconds: outcome.diff.seconds, tables: outcome.diff.tables.map((table) => ({ ...table, samples: [...table.samples] })) };
        if (outcome.damage !== undefined) await look(outcome.damage.position);
        running.job = { ...running.job, events: outcome.events, position: outcome.position.toString(), diff, error: outcome.damage === undefined ? null : damageText(outcome.damage) };
        if (work.kind === 'verify') end({ state: diff?.equal === true ? 'equal' : 'different' });
        else if (Atomics.load(running.cancel, 0) !== 0) end({ state: 'cancelled' });
        else {
          running.job = { ...running.job, phase: 'switching', secondsLeft: 0 };
          await this.#switch(work.file);
          end({ state: 'switched' });
        }
      }
    } catch (error) {
      logger.error('read model job failed', error);
      await look(undefined);
      end({ state: 'failed', error: error instanceof Error ? error.message : String(error) });
    }
    this.#conclude(running.job);
    return running.job;
  }

  async #switch(file: string): Promise<void> {
    const { dataDir, state, store } = this.#deps;
    const { previousReadModel } = state.get();
    // Before the pointer moves: a crash in between leaves a previous file that is the live one, which means none.
    state.change({ previousReadModel: liveReadModel(dataDir) });
    try {
      await store.switchReadModel(file);
    } catch (error) {
      state.change({ previousReadModel });
      throw error;
    }
  }

  #conclude(job: ReadModelJob): void {
    const { state, logger } = this.#deps;
    this.#last = job;
    this.#running = undefined;
    logger.info('read model job ended', { reason: `${job.kind}: ${job.state}${job.error === null ? '' : ` (${job.error})`}`, position: job.position, count: job.events });
    try {
      // Stopped by the end of the process, a rebuild is the next one's to end.
      const isLeft = this.#closed && job.state === 'cancelled';
      if (job.kind === 'rebuild' && !isLeft) state.change({ pendingRebuild: undefined });
      if (!isLeft) this.#tidy(undefined);
    } catch (error) {
      logger.error('after a read model job', error);
    }
  }

  /** Removes read models that are neither live nor kept. */
  #tidy(pending: string | undefined): void {
    const { dataDir } = this.#deps;
    const kept = new Set([liveReadModel(dataDir), this.previous, pending]);
    for (const file of readModelFiles(dataDir)) if (!kept.has(file)) removeReadModel(dataDir, file);
  }

  async #work(running: Running, work: ReadModelWork): Promise<Outcome> {
    const worker = new Worker(new URL('./read-model-worker.ts', import.meta.url), { name: 'read-model', workerData: work });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    const answer = (message: ToReadModelWorker): void => worker.postMessage(message);
    const sendPage = async (after: bigint, limit: number): Promise<void> => {
      try {
        answer({ events: (await this.#deps.store.log.readAll(after === 0n ? 'start' : after, limit)).map(fieldsOf) });
      } catch (error) {
        answer({ failure: error instanceof Error ? error.message : String(error) });
      }
    };
    return new Promise((resolve, reject) => {
      let outcome: Outcome | undefined;
      worker.on('message', (message: FromReadModelWorker) => {
        if (message.kind === 'progress') this.#progress(running, message);
        else if (message.kind === 'page') void sendPage(message.after, message.limit);
        else outcome = message;
      });
      worker.on('error', reject);
      // Only when the thread has gone are its files closed.
      worker.on('exit', (code) => {
        if (outcome === undefined) reject(new Error(`The thread of the read model ended with code ${String(code)}`));
        else resolve(outcome);
      });
    });
  }

  #progress(running: Running, { phase, events, position }: Extract<FromReadModelWorker, { kind: 'progress' }>): void {
    const seconds = Math.max(0.001, (this.#deps.clock.monotonic() - running.started) / 1000);
    const until = BigInt(running.job.until);
    const done = until === 0n ? 1 : Math.min(1, Number(position) / Number(until));
    running.job = {
      ...running.job, phase, events,
      position: position.toString(),
      ratePerSecond: Math.round(events / seconds),
      secondsLeft: phase === 'folding' && done > 0 ? Math.round((seconds / done - seconds) * 10) / 10 : null,
    };
  }
}
