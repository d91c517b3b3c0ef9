import { Worker } from 'node:worker_threads';
import { DomainError, conflict, messageOf } from '@courtledger/contracts/kernel/errors';
import type { ReadModelJob } from '@courtledger/contracts/operations/operations.answers';
import type { ErasedPerson } from '@courtledger/projections/kernel/projector';
import type { Logger } from '../platform/logger.ts';
import type { Clock } from '../platform/ports.ts';
import { liveReadModel, nextReadModel, readModelFiles, removeReadModel } from '../platform/store-read-model-files.ts';
import type { Store } from '../platform/store.ts';
import { pagesOf } from '../event-log/log-pages.ts';
import type { KnownBreak } from '../event-log/verify-chain.ts';
import { reasonTold } from './expected-errors.ts';
import { logDamaged, notRemadeText } from './log-verification.ts';
import type { OperationsState, StateFile } from './operations-state.ts';
import { doubtOf, openRemake } from './read-model-doubt.ts';
import { fieldsOf, type FromReadModelWorker, type ReadModelWork, type ToReadModelWorker } from './read-model-worker-messages.ts';

export type ReadModelJobsDeps = {
  readonly dataDir: string;
  /** The SQLite log's file; undefined where the log is elsewhere. */
  readonly logPath: string | undefined;
  readonly store: Pick<Store, 'log' | 'reads' | 'switchReadModel' | 'otherLog'>;
  readonly state: StateFile;
  /** Who is shown as erased while the log does not tell of it. */
  readonly hidden: () => readonly ErasedPerson[];
  /** The break of the log's chain that is known. */
  readonly damage: () => KnownBreak | undefined;
  /** Has the log look for itself where a job met a break, or anywhere after a job that failed: resolves when it has looked at that place. */
  readonly look: (position: bigint | undefined) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
};

type Outcome = Exclude<FromReadModelWorker, { kind: 'progress' | 'page' }>;
type Running = {
  job: ReadModelJob;
  readonly cancel: Int32Array;
  readonly started: number;
  /** Whether a remake was owed when it began. */
  readonly owed: boolean;
  ended: Promise<ReadModelJob>;
};

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
    return previousReadModel !== undefined && previousReadModel !== liveReadModel(dataDir) && readModelFiles(dataDir).includes(previousReadModel)
      ? previousReadModel
      : undefined;
  }

  /** Why the live read model may tell what nobody recorded, and what becomes of that. */
  get doubt(): string | undefined {
    const { dataDir, state, damage, logPath } = this.#deps;
    const job = this.#running?.job;
    return doubtOf({
      state: state.get(),
      live: liveReadModel(dataDir),
      damage: damage(),
      making: job?.kind === 'rebuild' ? job.file : undefined,
      hasChain: logPath !== undefined,
    });
  }

  /** Removes what earlier processes left, and goes on with a rebuild that they did not end, or makes the one that is owed. */
  resume(): void {
    const { dataDir, state } = this.#deps;
    const { pendingRebuild, owedRemake } = state.get();
    const live = liveReadModel(dataDir);
    const isOwed = openRemake(state.get(), live) !== undefined;
    // What was begun before the debt may go on from a file that was folded before it: the remake begins anew.
    const isOpen = pendingRebuild !== undefined && pendingRebuild.file !== live && !isOwed;
    if (pendingRebuild !== undefined && !isOpen) state.change({ pendingRebuild: undefined });
    if (owedRemake !== undefined && !isOwed) state.change({ owedRemake: undefined });
    this.#tidy(isOpen ? pendingRebuild.file : undefined);
    if (isOwed) this.remake();
    else if (isOpen) this.#start('rebuild', { ...pendingRebuild, resumed: true });
  }

  /**
   * Begins a rebuild, or with `verifyOnly` its rehearsal.
   * @throws DomainError `conflict` while a job runs, `unavailable` when the log is known to be damaged: it may be compared with, and nothing else
   */
  start(verifyOnly: boolean): ReadModelJob {
    this.#expectIdle();
    const damage = this.#deps.damage();
    if (damage !== undefined && !verifyOnly) throw logDamaged(damage, 'no read model is made of it');
    const { dataDir, state, clock, newId } = this.#deps;
    const file = nextReadModel(dataDir);
    const startedAt = new Date(clock.now()).toISOString();
    const id = newId();
    const owed = openRemake(state.get(), liveReadModel(dataDir));
    if (!verifyOnly) state.change({ pendingRebuild: { id, file, startedAt }, ...(owed !== undefined && { owedRemake: { ...owed, file } }) });
    return this.#start(verifyOnly ? 'verify' : 'rebuild', { id, file, startedAt, resumed: false });
  }

  /**
   * Makes the read model that is owed (`doubt`): at once, after the job that runs, or, where this process takes no writes any more, at the next start. Never
   * throws: the debt stays until it is paid.
   */
  remake(): void {
    if (this.#running !== undefined || this.#closed || this.#deps.damage() !== undefined) return;
    try {
      this.start(false);
    } catch (error) {
      this.#deps.logger.error('the read model could not be made anew', error);
    }
  }

  /**
   * Makes the read model before the last switch the live one again, up to date.
   * @throws DomainError `conflict` while a job runs, while the read model is to be made anew, or when there is none
   */
  switchBack(): ReadModelJob {
    this.#expectIdle();
    const { previous, doubt } = this;
    if (doubt !== undefined) throw conflict(`${doubt}. There is no switching back: the earlier ones may show the same`);
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
    const other = this.#deps.store.otherLog();
    if (other !== undefined) throw new DomainError('unavailable', other, { retryAfter: 5 });
  }

  #start(kind: ReadModelJob['kind'], begun: Pick<ReadModelJob, 'id' | 'file' | 'startedAt' | 'resumed'>): ReadModelJob {
    const { dataDir, logPath, clock } = this.#deps;
    const cancel = new SharedArrayBuffer(4);
    const work: ReadModelWork = {
      dataDir,
      kind: kind === 'switch-back' ? 'catch-up' : kind,
      live: liveReadModel(dataDir),
      file: begun.file,
      hidden: this.#deps.hidden(),
      logPath,
      cancel,
    };
    const until = this.#deps.store.reads.position();
    const job: ReadModelJob = {
      ...begun,
      kind,
      state: 'running',
      phase: kind === 'switch-back' ? 'catching-up' : 'folding',
      endedAt: null,
      events: 0,
      position: '0',
      until: until.toString(),
      ratePerSecond: 0,
      secondsLeft: null,
      error: null,
      diff: null,
    };
    const running: Running = {
      job,
      cancel: new Int32Array(cancel),
      started: clock.monotonic(),
      owed: this.#remakeOwed !== undefined,
      ended: Promise.resolve(job),
    };
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
        end({ state: 'failed', error: this.#failureText(work, outcome.reason, outcome.damage) });
      } else if (outcome.kind === 'damaged') {
        // Before the job has ended: whoever reads of the break finds the log refusing.
        await look(outcome.damage.position);
        end({ state: 'failed', error: notRemadeText(outcome.damage) });
      } else {
        const diff =
          outcome.diff === undefined
            ? null
            : {
                position: outcome.diff.position.toString(),
                equal: outcome.diff.equal,
                seconds: outcome.diff.seconds,
                tables: outcome.diff.tables.map((table) => ({ ...table, samples: [...table.samples] })),
              };
        if (outcome.damage !== undefined) await look(outcome.damage.position);
        // Of a log that fits now and did not, or that this process knows to be damaged, no read model is made however the two compare.
        const known = work.kind === 'verify' ? (outcome.damage ?? this.#deps.damage()) : undefined;
        running.job = {
          ...running.job,
          events: outcome.events,
          position: outcome.position.toString(),
          diff,
          error: known === undefined ? null : notRemadeText(known),
        };
        if (work.kind === 'verify') end({ state: diff?.equal === true ? 'equal' : 'different' });
        else if (Atomics.load(running.cancel, 0) !== 0) end({ state: 'cancelled' });
        else if (this.#remakeOwed !== undefined && this.#remakeOwed.file !== work.file)
          end({ state: 'failed', error: `It was begun before the log was put right at position ${this.#remakeOwed.position}: another one is made` });
        else {
          running.job = { ...running.job, phase: 'switching', secondsLeft: 0 };
          await this.#switch(work.file);
          end({ state: 'switched' });
        }
      }
    } catch (error) {
      logger.error('read model job failed', error);
      await look(undefined);
      end({ state: 'failed', error: this.#failureText(work, reasonTold(error), undefined) });
    }
    this.#conclude(running);
    return running.job;
  }

  /**
   * Whatever the folding of a damaged log stumbles over, the damage is what is told, with the way out. Going back to an earlier read model walks what it takes
   * up: it fails for reasons of its own.
   */
  #failureText({ kind }: ReadModelWork, reason: string, found: KnownBreak | undefined): string {
    const known = found ?? (kind === 'catch-up' ? undefined : this.#deps.damage());
    return known === undefined ? reason : notRemadeText(known);
  }

  async #switch(file: string): Promise<void> {
    const { dataDir, state, store } = this.#deps;
    const { previousReadModel } = state.get();
    // Before the pointer moves: a crash in between leaves a previous file that is the live one, which means none. After a remake there is none to go back to:
    // whatever was there may be of the damaged log.
    state.change({ previousReadModel: this.#remakeOwed === undefined ? liveReadModel(dataDir) : undefined });
    try {
      await store.switchReadModel(file);
    } catch (error) {
      state.change({ previousReadModel });
      throw error;
    }
  }

  #conclude({ job, owed }: Running): void {
    const { state, logger } = this.#deps;
    this.#last = job;
    this.#running = undefined;
    logger[job.state === 'failed' || job.state === 'different' ? 'warn' : 'info']('read model job ended', {
      reason: `${job.kind}: ${job.state}${job.error === null ? '' : ` (${job.error})`}`,
      position: job.position,
      count: job.events,
    });
    try {
      // Stopped by the end of the process, a rebuild is the next one's to end.
      const isLeft = this.#closed && job.state === 'cancelled';
      // A remake that was stopped, or that failed, stays owed.
      const isPaid = job.state === 'switched' && state.get().owedRemake?.file === job.file;
      if (job.kind === 'rebuild' && !isLeft) state.change({ pendingRebuild: undefined, ...(isPaid && { owedRemake: undefined }) });
      if (!isLeft) this.#tidy(undefined);
    } catch (error) {
      logger.error('after a read model job', error);
    }
    // Whoever stops a remake, or sees it fail, is not given the next one at once; what came to be owed under another job is made now.
    if (!owed && this.#remakeOwed !== undefined) this.remake();
  }

  get #remakeOwed(): OperationsState['owedRemake'] {
    const { dataDir, state } = this.#deps;
    return openRemake(state.get(), liveReadModel(dataDir));
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
        answer({ events: (await pagesOf(this.#deps.store.log)(after, limit)).map(fieldsOf) });
      } catch (error) {
        answer({ failure: messageOf(error) });
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
      ...running.job,
      phase,
      events,
      position: position.toString(),
      ratePerSecond: Math.round(events / seconds),
      secondsLeft: phase === 'folding' && done > 0 ? Math.round((seconds / done - seconds) * 10) / 10 : null,
    };
  }
}
