import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chainAbsence } from '@courtledger/contracts/operations/hash-chain.rules';
import type { OperationsStatus, ParkedStream } from '@courtledger/contracts/operations/operations.answers';
import { projectionVersion } from '@courtledger/projections/kernel/schema';
import type { ErasedPerson, ParkedEvent } from '@courtledger/projections/kernel/projector';
import { LogUnavailable } from '../event-log/event-log.ts';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/logger.ts';
import type { Clock, PersonVault } from '../platform/ports.ts';
import { liveReadModel, readModelFiles } from '../platform/store-read-model-files.ts';
import type { Store } from '../platform/store.ts';
import { freeBytesOf } from '../platform/throttle-storage.ts';
import { Backups } from './backups.ts';
import { namingTypes, noteNewKeys } from './kept-keys.ts';
import { leftoverFolders, removeLeftovers } from './leftovers.ts';
import { hashAt, timeAfter } from './log-hash.ts';
import { damagePlace, LogVerifications } from './log-verification.ts';
import { missingText } from './missing-files.ts';
import { databaseSizes, folderSizes, nodeSizes, readModelBytes } from './node-sizes.ts';
import { openOperationsState } from './operations-state.ts';
import { ReadModelJobs } from './read-model-jobs.ts';
import { allSetAside, pruneSetAside } from './set-aside.ts';
import { createSchedule, nightlyMinute } from './schedule.ts';

/** An alarm is due when the write-ahead log has grown to this: somebody keeps a read open for very long. */
export const writeAheadAlarmBytes = 268_435_456;
const minute = 60_000;
/** Events that are counted at most when the lag is asked for. */
const mostLag = 1000;

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

/** Parked events by stream, the first of each with its error. */
const byStream = (parked: readonly ParkedEvent[]): ParkedStream[] =>
  [...Map.groupBy(parked, ({ stream }) => stream)].flatMap(([stream, events]) => {
    const [first] = events;
    return first === undefined
      ? []
      : [{ stream, events: events.length, position: first.position.toString(), type: first.type, error: first.error, time: first.time }];
  });

/** What operators can do with a running node. Made once by app.ts. */
export const createOperations = (deps: OperationsDeps): Operations => {
  const { config, store, clock, logger } = deps;
  const { dataDir } = config;
  const startedAt = new Date(clock.now()).toISOString();
  const state = openOperationsState(dataDir);
  const logPath = config.store.kind === 'sqlite' ? join(dataDir, 'event-log.sqlite') : undefined;
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
  const watchWriteAhead = (): void => {
    const bytes = writeAheadBytes() ?? 0;
    if (bytes >= writeAheadAlarmBytes) logger.warn('the write-ahead log is very large: a reader keeps it open', { count: bytes });
  };

  /** Where the read model was, every few seconds of the last minute: the rate is counted from the oldest. */
  let samples: { readonly at: number; readonly position: bigint }[] = [{ at: clock.monotonic(), position: store.reads.position() }];
  const sample = (): void => {
    const at = clock.monotonic();
    samples = [...samples.filter((one) => at - one.at <= minute), { at, position: store.reads.position() }];
  };
  const rate = (): number => {
    const [oldest] = samples;
    const seconds = oldest === undefined ? 0 : (clock.monotonic() - oldest.at) / 1000;
    if (oldest === undefined || seconds < 1 || oldest.position === store.reads.position()) return 0;
    const events = Number(store.reader().text('SELECT count(*) FROM ledger WHERE position > ?', oldest.position) ?? 0);
    return Math.round((events / seconds) * 10) / 10;
  };

  /** Every file of a folder is looked at: once a minute, however often the metrics are read. */
  let folders: { readonly at: number; readonly sizes: ReturnType<typeof folderSizes> } | undefined;
  const sizesOfLate = async (): ReturnType<typeof nodeSizes> => {
    const at = clock.monotonic();
    if (folders === undefined || at - folders.at >= minute) folders = { at, sizes: folderSizes(dataDir) };
    try {
      const [databases, sizes] = await Promise.all([databaseSizes(config), folders.sizes]);
      return { ...databases, ...sizes };
    } catch (error) {
      folders = undefined;
      throw error;
    }
  };

  /** Somebody may have removed it. */
  const lastBackup = (): OperationsStatus['lastBackup'] =>
    backups.last === undefined || (backups.last.state === 'done' && !existsSync(backups.last.folder)) ? null : backups.last;

  /** `position`: of the read model, as it was when the log was asked: a later one would stand beyond the head. */
  type Lag = Pick<OperationsStatus['readModel'], 'lagEvents' | 'lagMore' | 'lagSeconds'> & { readonly head: bigint; readonly position: bigint };
  /** What the log last told. */
  let lastLag: (Lag & { readonly asOf: string }) | undefined;
  const askLag = async (): Promise<Lag> => {
    const found = await store.log.head();
    const head = found === 'start' ? 0n : found;
    const position = store.reads.position();
    if (head <= position) return { head, position, lagEvents: 0, lagMore: false, lagSeconds: 0 };
    const waiting = await store.log.readAll(position === 0n ? 'start' : position, mostLag);
    const [first] = waiting;
    return {
      head,
      position,
      lagEvents: waiting.length,
      lagMore: waiting.length === mostLag,
      lagSeconds: first === undefined ? 0 : Math.max(0, (clock.now() - Date.parse(first.time)) / 1000),
    };
  };
  const lag = async (): Promise<Lag & Pick<OperationsStatus['readModel'], 'lagUnknown'>> => {
    try {
      lastLag = { ...(await askLag()), asOf: new Date(clock.now()).toISOString() };
      return { ...lastLag, lagUnknown: null };
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      // An operator asks most of all when something is wrong: what is known is told.
      const head = store.head();
      // "Up to date" is not told of a read model that is behind what this process itself has heard of since.
      const measured = lastLag?.lagEvents === 0 && head > store.reads.position() ? undefined : lastLag;
      return {
        head,
        position: store.reads.position(),
        lagEvents: measured?.lagEvents ?? 0,
        lagMore: measured?.lagMore ?? false,
        lagSeconds: measured?.lagSeconds ?? 0,
        lagUnknown: { reason: store.refusal() ?? error.message, asOf: measured?.asOf ?? null },
      };
    }
  };

  const readModelRows = async (): Promise<OperationsStatus['readModel']['files']> => {
    const live = liveReadModel(dataDir);
    const making = jobs.job?.state === 'running' ? jobs.job.file : undefined;
    const roleOf = (file: string): OperationsStatus['readModel']['files'][number]['role'] =>
      file === live ? 'live' : file === making ? 'being made' : file === jobs.previous ? 'previous' : 'other';
    return Promise.all(readModelFiles(dataDir).map(async (file) => ({ file, bytes: await readModelBytes(dataDir, file), role: roleOf(file) })));
  };

  const noteKeys = (): void => {
    // A log in memory has no next start.
    if (config.store.kind !== 'memory' && store.refusal() === undefined) noteNewKeys(state, dataDir, logName);
  };

  const unfit = (): string | undefined => (verifications.damage === undefined ? store.otherLog() : damagePlace(verifications.damage));

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
  let sampler: NodeJS.Timeout | undefined;

  return {
    jobs,
    verifications,
    backups,
    writeAheadBytes,
    keysRefusal: deps.vault.refusal,
    turn: schedule.turn,
    async status() {
      const { head, position, lagEvents, lagMore, lagSeconds, lagUnknown } = await lag();
      const [files, sizes, parked, absent] = await Promise.all([readModelRows(), sizesOfLate(), store.projector('parked', undefined), deps.missingFiles()]);
      const bytes = writeAheadBytes();
      return {
        time: new Date(clock.now()).toISOString(),
        startedAt,
        store: config.store.kind,
        log: {
          head: head.toString(),
          refusal: store.refusal() ?? null,
          unfit: unfit() ?? null,
          otherLog: store.otherLog() !== undefined,
          writeAheadBytes: bytes ?? null,
          writeAheadAlarm: (bytes ?? 0) >= writeAheadAlarmBytes,
        },
        keys: deps.vault.refusal() ?? null,
        missingFiles: missingText(absent, dataDir)?.concat(' in a backup') ?? null,
        readModel: {
          file: liveReadModel(dataDir),
          position: position.toString(),
          lagEvents,
          lagMore,
          lagSeconds,
          lagUnknown,
          ratePerSecond: rate(),
          error: store.projected().error ?? null,
          doubt: jobs.doubt ?? null,
          parked: byStream(parked),
          version: projectionVersion,
          files,
        },
        sizes,
        job: jobs.job ?? null,
        lastBackup: lastBackup(),
        backups: backups.health(),
        setAside: [...allSetAside(dataDir)],
        leftovers: [...leftoverFolders(dataDir)],
        pendingErasures: [...deps.erasures.persons()],
        pendingErasuresWaitFor: deps.erasures.waitFor() ?? null,
        lastVerification: verifications.latest ?? null,
      };
    },
    start() {
      backups.lookAtFolder();
      jobs.resume();
      schedule.start();
      sampler ??= setInterval(sample, 5000).unref();
    },
    async close() {
      schedule.stop();
      try {
        noteKeys();
      } catch (error) {
        logger.error('which keys belong to the log was not noted', error);
      }
      clearInterval(sampler);
      await Promise.all([jobs.close(), verifications.close(), backups.close()]);
    },
  };
};
