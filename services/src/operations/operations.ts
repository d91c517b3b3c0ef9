import { chainAbsence } from '@courtledger/contracts/operations/hash-chain.rules';
import type { OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import type { ErasedPerson } from '@courtledger/projections/kernel/projector';
import { logFileOf } from '../event-log/log-file-name.ts';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/logger.ts';
import type { Clock, PersonVault } from '../platform/ports.ts';
import type { Store } from '../platform/store.ts';
import { freeBytesOf } from '../platform/throttle-storage.ts';
import { Backups } from './backups.ts';
import { namingTypes, noteNewKeys } from './kept-keys.ts';
import { removeLeftovers } from './leftovers.ts';
import { hashAt, timeAfter } from './log-hash.ts';
import { LogVerifications } from './log-verification.ts';
import { nodeSizes } from './node-sizes.ts';
import { NodeStatus, writeAheadAlarmBytes } from './node-status.ts';
import { openOperationsState } from './operations-state.ts';
import { ProjectionRate } from './projection-rate.ts';
import { ReadModelJobs } from './read-model-jobs.ts';
import { pruneSetAside } from './set-aside.ts';
import { createSchedule, nightlyMinute } from './schedule.ts';

const minute = 60_000;

/** Erasures that were begun and are not ended: whose, why the last attempt failed, and another attempt, which is cheap when there are none. */
export type PendingErasures = {
  readonly persons: () => readonly string[];
  readonly hidden: () => readonly ErasedPerson[];
  readonly waitFor: () => string | undefined;
  readonly finish: () => Promise<unknown>;
};

export type OperationsDeps = {
  readonly config: Pick<Config, 'dataDir' | 'store' | 'backups'>;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
  /** Writes out what a copy of the files is to hold. */
  readonly beforeBackup: () => void;
  readonly erasures: PendingErasures;
  readonly vault: Pick<PersonVault, 'refusal' | 'settle' | 'state'>;
  /** Whether the read model was made without keys of persons that are there now. */
  readonly isStale: () => boolean;
  /** Files that the log refers to and that are not in DATA_DIR, as far as is known. */
  readonly missingFiles: () => Promise<readonly string[]>;
};

export type Operations = {
  readonly jobs: ReadModelJobs;
  readonly verifications: LogVerifications;
  readonly backups: Backups;
  /** Why what needs a key of a person is refused; undefined when nothing says so. */
  keysRefusal(): string | undefined;
  status(): Promise<OperationsStatus>;
  /** Bytes of the log's write-ahead log; undefined where there is none. */
  writeAheadBytes(): number | undefined;
  /** Takes up what an earlier process left, and begins the server's own work: a verification in the background now and every night. */
  start(): void;
  /** One turn of that work: what is due by the clock. */
  turn(): Promise<void>;
  close(): Promise<void>;
};

/** What operators can do with a running node. Made once by upkeep.ts. */
export const createOperations = (deps: OperationsDeps): Operations => {
  const { config, store, clock, logger } = deps;
  const { dataDir } = config;
  const state = openOperationsState(dataDir);
  const logPath = config.store.kind === 'sqlite' ? logFileOf(dataDir) : undefined;
  const verifications = new LogVerifications({
    absence: chainAbsence(config.store.kind),
    administration: store.administration,
    state,
    clock,
    logger,
    onHealed: () => jobs.remake(),
    doubt: () => jobs.doubt,
    hasKey: (personId) => deps.vault.state(personId) === 'active',
  });
  const jobs = new ReadModelJobs({
    dataDir,
    logPath,
    store,
    state,
    clock,
    logger,
    newId: deps.newId,
    hidden: deps.erasures.hidden,
    damage: () => verifications.damage,
    look: async (position) => verifications.look(position),
  });
  // By the read model: in a log, any number of events of other programs may stand before it.
  const logName = (): string | undefined =>
    store.reader().text('SELECT stream FROM ledger WHERE type IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT 1', JSON.stringify(namingTypes));
  const backups = new Backups({
    dataDir,
    kind: config.store.kind,
    store,
    state,
    clock,
    logger,
    folder: config.backups.folder,
    windowMinutes: config.backups.minutes,
    head: store.head,
    beforeCopy: deps.beforeBackup,
    keysRefusal: deps.vault.refusal,
    isErasedSince: (position, time) =>
      store.reader().text("SELECT position FROM ledger WHERE type = 'PersonErased' AND (position > ? OR time > ?) LIMIT 1", position, time) !== undefined,
    damage: () => verifications.damage,
    look: async (position) => verifications.look(position),
    hashAt: (position) => (logPath === undefined ? undefined : hashAt(logPath, position)),
    logName,
    // A log that is elsewhere is told of by what was made of it: as long as it is silent too.
    timeAfter: (position) =>
      logPath === undefined
        ? store.reader().text('SELECT time FROM ledger WHERE position > ? ORDER BY position LIMIT 1', position)
        : timeAfter(logPath, position),
    room: async (folder) => {
      const { log, media, documents, keys, refusals } = await nodeSizes(config);
      return { needed: (log ?? 0) + media + documents + keys + refusals, unchanging: media + documents, free: freeBytesOf(folder)() };
    },
  });

  const writeAheadBytes = (): number | undefined => store.administration?.health().walBytes;
  const rate = new ProjectionRate(store, clock);
  const status = new NodeStatus({ ...deps, startedAt: new Date(clock.now()).toISOString(), rate, jobs, verifications, backups, writeAheadBytes });
  const watchWriteAhead = (): void => {
    const bytes = writeAheadBytes() ?? 0;
    if (bytes >= writeAheadAlarmBytes) logger.warn('the write-ahead log is very large: a reader keeps it open', { count: bytes });
  };

  const noteKeys = (): void => {
    // A log in memory has no next start.
    if (config.store.kind !== 'memory' && store.refusal() === undefined) noteNewKeys(state, dataDir, logName);
  };

  const schedule = createSchedule(
    [
      { name: 'verify the log in the background', when: { start: true }, run: () => void (verifications.isPossible && verifications.start()) },
      {
        name: 'verify the log every night',
        when: { nightly: nightlyMinute },
        run: () => void (verifications.isPossible && verifications.latest?.state !== 'running' && verifications.start()),
      },
      { name: 'remove backups that were cut off', when: { start: true }, run: () => void backups.removeCutOff() },
      { name: 'remove backups that were cut off shortly before the start', when: { every: 10 * minute }, run: () => void backups.removeCutOff() },
      { name: 'remove old backups', when: { nightly: nightlyMinute }, run: () => void backups.prune() },
      { name: 'remove what was set aside long ago', when: { nightly: nightlyMinute }, run: () => void pruneSetAside(dataDir, clock.now()) },
      { name: 'remove what killed drills left', when: { nightly: nightlyMinute }, run: () => void removeLeftovers(dataDir) },
      { name: 'end erasures that were begun', when: { every: minute }, run: async () => void (await deps.erasures.finish()) },
      { name: 'back up what has changed', when: { every: 30_000 }, run: () => backups.watch() },
      { name: 'note which keys belong to the log', when: { every: minute }, run: noteKeys },
      {
        name: 'write the keys of persons out',
        when: { every: 30_000 },
        run: () => {
          deps.vault.settle();
        },
      },
      {
        name: 'make the read model of keys that are back',
        when: { start: true },
        run: () => {
          if (deps.isStale()) jobs.remake();
        },
      },
      {
        name: 'put on record what the log has met by itself',
        when: { every: 2000 },
        run: () => {
          verifications.watch();
        },
      },
      { name: 'watch the write-ahead log', when: { every: 30_000 }, run: watchWriteAhead },
    ],
    { clock, logger },
  );

  return {
    jobs,
    verifications,
    backups,
    writeAheadBytes,
    keysRefusal: deps.vault.refusal,
    turn: schedule.turn,
    status: async () => status.report(),
    start() {
      backups.lookAtFolder();
      jobs.resume();
      schedule.start();
      rate.start();
    },
    async close() {
      schedule.stop();
      try {
        noteKeys();
      } catch (error) {
        logger.error('which keys belong to the log was not noted', error);
      }
      rate.stop();
      await Promise.all([jobs.close(), verifications.close(), backups.close()]);
    },
  };
};
