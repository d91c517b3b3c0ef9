import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openReader, type Reader } from '@courtledger/projections/kernel/read-model';
import { LogUnavailable, type EventLog } from '../event-log/event-log.ts';
import type { LogAdministration } from '../event-log/log-administration.ts';
import { openMemoryEventLog } from '../event-log/memory-event-log.ts';
import type { EventStoreDbLog } from '../event-log/eventstoredb-event-log.ts';
import { openEventStoreDb } from '../event-log/open-eventstoredb.ts';
import type { Projected } from '../event-log/projector-port.ts';
import type { ChainBreak } from '../event-log/verify-chain.ts';
import { defaultQueueLimit } from '../event-log/log-worker-client.ts';
import { openWorkerEventLog } from '../event-log/worker-event-log.ts';
import { logFileOf } from '../event-log/log-file-name.ts';
import type { Config } from './config.ts';
import type { ReadSide } from './endpoint-call.ts';
import type { Logger } from './logger.ts';
import type { NodeProjectorOptions } from './projector-module.ts';
import type { ProjectorCommands } from './store-projector.ts';
import { fullDisk } from './store-full-disk.ts';
import { openFollowingProjection, type FollowingProjection } from './store-following.ts';
import type { StartReason } from './store-start.ts';
import { liveReadModel, pointToReadModel } from './store-read-model-files.ts';
import { freeBytesOf } from './throttle-storage.ts';

/** The log of this installation and the read model of this node. */
export type Store = {
  readonly log: EventLog;
  /** Verification, backup and health, where the log is a file of our own. */
  readonly administration: LogAdministration | undefined;
  /** True when no other process appends to the log. */
  readonly soleWriter: boolean;
  readonly reads: ReadSide;
  /** How commands wait for what they recorded: a position that was written is one that the log has reached. */
  readonly projection: Pick<ReadSide, 'waitFor'>;
  /** The live read model: ask anew for every use, since a rebuild switches it. */
  readonly reader: () => Reader;
  /** Calls `listener` when the read model has moved, or was switched. */
  readonly onMoved: (listener: () => void) => () => void;
  /**
   * Calls `listener` when the same position may mean another answer from then on: another file has become the live one, or rows were changed where it stands.
   * Before `onMoved`.
   */
  readonly onSwitched: (listener: () => void) => () => void;
  readonly projected: () => Projected;
  /** Grows when an account was changed or a session revoked in the read model. After `onSwitched` it may begin anew. */
  readonly accountChanges: () => bigint;
  /** The head of the log as far as this process has heard of it. Others may have written since, where it is not the sole writer. */
  readonly head: () => bigint;
  /** Asks the projector something between two batches. */
  readonly projector: <Name extends keyof ProjectorCommands>(
    name: Name,
    argument: ProjectorCommands[Name]['argument'],
  ) => Promise<ProjectorCommands[Name]['answer']>;
  /** Makes another read model in DATA_DIR the live one: it goes on from its own checkpoint, is caught up, and answers from then on. */
  readonly switchReadModel: (file: string) => Promise<void>;
  /**
   * Why nothing can be written, for operators; undefined when all is well. The one answer to it: status, the Operations tab, `/readyz` and the metrics tell
   * what this says.
   */
  readonly refusal: () => string | undefined;
  /** The refusal where the log that answers is another one than the read model was made of: nothing of it may be copied or projected either. */
  readonly otherLog: () => string | undefined;
  readonly close: () => Promise<void>;
};

export type StoreOptions = {
  readonly config: Pick<Config, 'store' | 'dataDir' | 'writeQueue'>;
  readonly logger: Logger;
  /** The log cannot go on: the process should end and be started clean. */
  readonly onFatal: (error: Error) => void;
  /** Aborted when the server is stopped before the store is open. */
  readonly signal: AbortSignal;
  /** Hears what the opening waits for, in words for operators. */
  readonly onWait: (reason: StartReason, detail?: string) => void;
  /** False: where a log that does not answer is needed, the opening fails at once instead of waiting for it. */
  readonly waitForLog: boolean;
  /** Where a log in a file was last found to be damaged: as long as it still is, nothing is written from the opening on. */
  readonly recordedBreak?: ChainBreak | undefined;
  /** Grows with every read that this process answers: while many read, a log in a file is written in fewer and larger batches. */
  readonly readsSoFar?: () => number;
};

/** The log under what every store offers, with what moves its read model. */
type Source = {
  readonly log: EventLog;
  readonly administration: LogAdministration | undefined;
  readonly soleWriter: boolean;
  readonly projected: () => Projected;
  readonly onProjected: (listener: (projected: Projected) => void) => () => void;
  readonly waitForProjected: (position: bigint, timeout: number) => Promise<boolean>;
  /**
   * How far the log goes, as far as following it has told. Without it the log is asked at the opening; where nobody else writes, what is written and projected
   * tells the rest.
   */
  readonly heard?: () => bigint;
  readonly commandProjector: (command: string, argument?: unknown) => Promise<unknown>;
  /** Calls `listener` when the projector was opened anew in the midst of the process: its file may be another one under the same name. */
  readonly onReopened: (listener: () => void) => void;
  readonly refusal: () => string | undefined;
  readonly otherLog: () => string | undefined;
  readonly close: () => Promise<void>;
};

/** What changes rows, and leaves the read model where it stands. */
const changesAnswers: ReadonlySet<keyof ProjectorCommands> = new Set(['erase', 'replay-parked']);

const openSqliteSource = async ({ config, onFatal, logger, onWait, recordedBreak, readsSoFar }: StoreOptions): Promise<Source> => {
  const path = logFileOf(config.dataDir);
  const projectorOptions: NodeProjectorOptions = { dataDir: config.dataDir, logPath: path };
  const freeBytes = freeBytesOf(config.dataDir);
  let told = 0n;
  let reopened: (() => void) | undefined;
  const log = await openWorkerEventLog({
    path,
    isOwned: true,
    projectorModule: pathToFileURL(join(import.meta.dirname, 'projector-module.ts')).href,
    projectorOptions,
    // Beside the commands stand the appends of the server's own work.
    queueLimit: Math.max(defaultQueueLimit, config.writeQueue),
    ...(recordedBreak !== undefined && { recordedBreak }),
    ...(readsSoFar !== undefined && { readsSoFar }),
    onFatal,
    onRestarted: () => reopened?.(),
    onProjected({ position, error }) {
      if (error !== undefined) logger.warn('the read model does not move', { position: String(position), reason: error });
      if (position - told < 50_000n) return;
      told = position;
      onWait('the read model catches up with the log', `position ${String(position)}`);
      logger.info('the read model moves', { position: String(position) });
    },
  });
  return {
    log,
    administration: log,
    soleWriter: true,
    projected: () => log.projected,
    onProjected: (listener) => log.onProjected(listener),
    waitForProjected: async (position, timeout) => log.waitForProjected(position, timeout),
    commandProjector: async (command, argument) => log.commandProjector(command, argument),
    onReopened(listener) {
      reopened = listener;
    },
    refusal() {
      const health = log.health();
      return health.refusal ?? fullDisk(health, freeBytes());
    },
    otherLog: () => undefined,
    close: async () => log.close(),
  };
};

const openFollowingSource = async (
  log: EventLog,
  guarded: EventStoreDbLog | undefined,
  { config, logger, signal, onWait, waitForLog, onFatal }: StoreOptions,
): Promise<Source> => {
  let following: FollowingProjection;
  try {
    following = await openFollowingProjection({
      dataDir: config.dataDir,
      log,
      ...(guarded !== undefined && { guarded }),
      logger,
      signal,
      onWait,
      waitForLog,
      onFatal,
    });
  } catch (error) {
    await log.close();
    throw error;
  }
  return {
    log,
    administration: undefined,
    // Nobody else has a log in memory.
    soleWriter: guarded === undefined,
    projected: () => following.progress.projected,
    onProjected: (listener) => following.progress.listen(listener),
    waitForProjected: async (position, timeout) => following.progress.reached(position, timeout),
    heard: following.heard,
    commandProjector: following.command,
    onReopened: () => {},
    refusal: () => following.refusal() ?? guarded?.refusal(),
    otherLog: () => guarded?.otherLog(),
    async close() {
      await following.close();
      await log.close();
    },
  };
};

const openSource = async (options: StoreOptions): Promise<Source> => {
  const { store } = options.config;
  switch (store.kind) {
    case 'sqlite':
      return openSqliteSource(options);
    case 'memory':
      return openFollowingSource(openMemoryEventLog(), undefined, options);
    case 'eventstoredb': {
      const log = await openEventStoreDb({ url: store.url, onNotice: ({ kind, text }) => options.logger.warn(`event store: ${kind}`, { reason: text }) });
      return openFollowingSource(log, log, options);
    }
    default:
      return store satisfies never;
  }
};

/** The head of the log; where it cannot be read, what is projected of it. */
const headOf = async (log: EventLog, projected: bigint): Promise<bigint> => {
  try {
    const head = await log.head();
    return head === 'start' ? 0n : head;
  } catch (error) {
    if (error instanceof LogUnavailable) return projected;
    throw error;
  }
};

/**
 * Opens log and read model of a DATA_DIR that this process owns (`takeDataLock`). Resolves when the read model has caught up with what the log held at the
 * start; one that is missing, damaged or outdated is made anew before that. Where an EventStoreDB is away and a whole read model is there it resolves at once,
 * and reads are served as of then until it answers.
 * Throws LogUnavailable when the log cannot be opened.
 */
export const openStore = async (options: StoreOptions): Promise<Store> => {
  const { config, logger } = options;
  const source = await openSource(options);
  const { log } = source;
  let reader: Reader;
  let known: bigint;
  try {
    const report = (await source.commandProjector('report')) as ProjectorCommands['report']['answer'];
    for (const { file, reason } of report.ofOtherLog) logger.warn('a read model was set aside', { reason: `${file} was made of another log: ${reason}` });
    if (report.setAside !== undefined) logger.warn('a read model was set aside', { reason: `${report.file} was ${report.state}` });
    if (report.rebuilt > 0) logger.info('the read model was made anew', { count: report.rebuilt });
    if (report.rebuildFailure !== undefined) logger.warn('the read model could not be rebuilt strictly', { reason: report.rebuildFailure });
    reader = openReader(join(config.dataDir, liveReadModel(config.dataDir)));
    known = source.heard?.() ?? (await headOf(log, source.projected().position));
  } catch (error) {
    await source.close();
    throw error;
  }
  const listeners = new Set<() => void>();
  const switchListeners = new Set<() => void>();
  /** While the read model is switched the worker already writes the next one: nothing newer than this can be read yet. */
  let frozen: bigint | undefined;
  const position = (): bigint => frozen ?? source.projected().position;
  const moved = (): void => {
    for (const listener of listeners) listener();
  };
  /** Streams, as last told of in the server's log. */
  let parked = 0;
  const tellOfParked = ({ parked: now, position: at }: Projected): void => {
    if (now > parked)
      logger.warn('streams are parked: facts could not be projected', {
        count: now,
        position: at.toString(),
        reason: '"ops status" and the Operations tab name them',
      });
    parked = now;
  };
  tellOfParked(source.projected());
  const stopListening = source.onProjected((projected) => {
    const { position: at } = projected;
    tellOfParked(projected);
    if (at > known) known = at;
    if (frozen === undefined) moved();
  });
  let switching: Promise<void> = Promise.resolve();
  const readFrom = (next: Reader): void => {
    const old = reader;
    reader = next;
    switched();
    old.close();
  };
  // A damaged file was set aside then, and the reader would go on with it for ever: it still holds what has lost its name.
  source.onReopened(() => {
    try {
      readFrom(openReader(join(config.dataDir, liveReadModel(config.dataDir))));
      logger.warn('the read model was opened again after a restart of the log', {});
    } catch (error) {
      options.onFatal(error instanceof Error ? error : new Error(String(error)));
    }
  });

  const waitFor = (wanted: bigint, timeoutMs: number): boolean | Promise<boolean> => {
    if (wanted <= position()) return true;
    return frozen === undefined ? source.waitForProjected(wanted, timeoutMs) : switching.then(async () => source.waitForProjected(wanted, timeoutMs));
  };
  // Anybody may ask a read for any position: that says nothing of the log.
  const waitForWritten = (written: bigint, timeoutMs: number): boolean | Promise<boolean> => {
    if (written > known) known = written;
    return waitFor(written, timeoutMs);
  };

  const switched = (): void => {
    for (const listener of switchListeners) listener();
  };
  const projector: Store['projector'] = async (name, argument) => {
    try {
      return (await source.commandProjector(name, argument)) as never;
    } finally {
      // Also when it failed: it may have come half the way.
      if (changesAnswers.has(name)) switched();
    }
  };

  return {
    log,
    administration: source.administration,
    soleWriter: source.soleWriter,
    reads: { position, waitFor },
    projection: { waitFor: waitForWritten },
    reader: () => reader,
    onMoved(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onSwitched(listener) {
      switchListeners.add(listener);
      return () => switchListeners.delete(listener);
    },
    projected: source.projected,
    accountChanges: () => source.projected().accountChanges,
    head() {
      const heard = source.heard?.() ?? known;
      return heard > known ? heard : known;
    },
    projector,
    async switchReadModel(file) {
      const before = switching;
      const turn = (async () => {
        await before;
        const next = openReader(join(config.dataDir, file));
        frozen = position();
        try {
          await projector('switch', { file });
          readFrom(next);
        } catch (error) {
          next.close();
          throw error;
        } finally {
          frozen = undefined;
        }
        pointToReadModel(config.dataDir, file);
        moved();
      })();
      switching = turn.catch(() => undefined);
      await turn;
    },
    refusal: source.refusal,
    otherLog: source.otherLog,
    async close() {
      stopListening();
      // The reader goes first, or the projector could not leave a file that is whole.
      reader.close();
      await source.close();
    },
  };
};
