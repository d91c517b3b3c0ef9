import { existsSync } from 'node:fs';
import type { OperationsStatus, ParkedStream } from '@courtledger/contracts/operations/operations.answers';
import { projectionVersion } from '@courtledger/projections/kernel/schema';
import type { ParkedEvent } from '@courtledger/projections/kernel/projector';
import type { Config } from '../platform/config.ts';
import type { Clock, PersonVault } from '../platform/ports.ts';
import { liveReadModel, readModelFiles } from '../platform/store-read-model-files.ts';
import type { Store } from '../platform/store.ts';
import type { Backups } from './backups.ts';
import { reasonTold } from './expected-errors.ts';
import { leftoverFolders } from './leftovers.ts';
import { damagePlace, type LogVerifications } from './log-verification.ts';
import { missingText } from './missing-files.ts';
import { databaseSizes, folderBytes, folderSizes, readModelBytes, type nodeSizes } from './node-sizes.ts';
import type { ProjectionRate } from './projection-rate.ts';
import { ReadModelLag } from './read-model-lag.ts';
import type { ReadModelJobs } from './read-model-jobs.ts';
import { allSetAside } from './set-aside.ts';

/** An alarm is due when the write-ahead log has grown to this: somebody keeps a read open for very long. */
export const writeAheadAlarmBytes = 268_435_456;
const minute = 60_000;

/** Parked events by stream, the first of each with its error. */
const byStream = (parked: readonly ParkedEvent[]): ParkedStream[] =>
  [...Map.groupBy(parked, ({ stream }) => stream)].flatMap(([stream, events]) => {
    const [first] = events;
    return first === undefined
      ? []
      : [{ stream, events: events.length, position: first.position.toString(), type: first.type, error: first.error, time: first.time }];
  });

/** One that cannot be listed counts as nothing: why is told of its files, or of the keys. */
const bytesToTell = async (folder: string): Promise<number> => folderBytes(folder).catch(() => 0);

type NodeStatusDeps = {
  readonly config: Pick<Config, 'dataDir' | 'store'>;
  readonly store: Store;
  readonly clock: Clock;
  readonly startedAt: string;
  /** Erasures that are not ended: whose, and why the last attempt failed. */
  readonly erasures: { readonly persons: () => readonly string[]; readonly waitFor: () => string | undefined };
  readonly vault: Pick<PersonVault, 'refusal'>;
  /** Files that the log refers to and that are not in DATA_DIR, as far as is known. */
  readonly missingFiles: () => Promise<readonly string[]>;
  readonly rate: ProjectionRate;
  readonly jobs: ReadModelJobs;
  readonly verifications: LogVerifications;
  readonly backups: Backups;
  /** Bytes of the log's write-ahead log; undefined where there is none. */
  readonly writeAheadBytes: () => number | undefined;
};

/** What is told of a running node. */
export class NodeStatus {
  readonly #deps: NodeStatusDeps;
  readonly #lag: ReadModelLag;
  /** Every file of a folder is looked at: once a minute, however often the metrics are read. */
  #folders: { readonly at: number; readonly sizes: ReturnType<typeof folderSizes> } | undefined;

  constructor(deps: NodeStatusDeps) {
    this.#deps = deps;
    this.#lag = new ReadModelLag(deps.store, deps.clock);
  }

  async report(): Promise<OperationsStatus> {
    const { config, store, clock, vault, jobs, verifications, backups, erasures } = this.#deps;
    const { dataDir } = config;
    const { head, position, lagEvents, lagMore, lagSeconds, lagUnknown } = await this.#lag.measure();
    const [files, sizes, parked, missingFiles] = await Promise.all([
      this.#readModels(),
      this.#sizesOfLate(),
      store.projector('parked', undefined),
      this.#missingFiles(),
    ]);
    const bytes = this.#deps.writeAheadBytes();
    const unfit = verifications.damage === undefined ? store.otherLog() : damagePlace(verifications.damage);
    return {
      time: new Date(clock.now()).toISOString(),
      startedAt: this.#deps.startedAt,
      store: config.store.kind,
      log: {
        head: head.toString(),
        refusal: store.refusal() ?? null,
        unfit: unfit ?? null,
        otherLog: store.otherLog() !== undefined,
        writeAheadBytes: bytes ?? null,
        writeAheadAlarm: (bytes ?? 0) >= writeAheadAlarmBytes,
      },
      keys: vault.refusal() ?? null,
      missingFiles,
      readModel: {
        file: liveReadModel(dataDir),
        position: position.toString(),
        lagEvents,
        lagMore,
        lagSeconds,
        lagUnknown,
        ratePerSecond: this.#deps.rate.perSecond(),
        error: store.projected().error ?? null,
        doubt: jobs.doubt ?? null,
        parked: byStream(parked),
        version: projectionVersion,
        files,
      },
      sizes,
      job: jobs.job ?? null,
      lastBackup: this.#lastBackup(),
      backups: backups.health(),
      setAside: [...allSetAside(dataDir)],
      leftovers: [...leftoverFolders(dataDir)],
      pendingErasures: [...erasures.persons()],
      pendingErasuresWaitFor: erasures.waitFor() ?? null,
      lastVerification: verifications.latest ?? null,
    };
  }

  /** A folder that cannot be listed hides nothing else: an operator asks most of all when something is wrong. */
  async #missingFiles(): Promise<OperationsStatus['missingFiles']> {
    try {
      return missingText(await this.#deps.missingFiles(), this.#deps.config.dataDir)?.concat(' in a backup') ?? null;
    } catch (error) {
      return `Files that the log refers to cannot be looked for: ${reasonTold(error)}`;
    }
  }

  async #sizesOfLate(): ReturnType<typeof nodeSizes> {
    const { config, clock } = this.#deps;
    const at = clock.monotonic();
    if (this.#folders === undefined || at - this.#folders.at >= minute) this.#folders = { at, sizes: folderSizes(config.dataDir, bytesToTell) };
    try {
      const [databases, sizes] = await Promise.all([databaseSizes(config), this.#folders.sizes]);
      return { ...databases, ...sizes };
    } catch (error) {
      this.#folders = undefined;
      throw error;
    }
  }

  /** Somebody may have removed it. */
  #lastBackup(): OperationsStatus['lastBackup'] {
    const { last } = this.#deps.backups;
    return last === undefined || (last.state === 'done' && !existsSync(last.folder)) ? null : last;
  }

  async #readModels(): Promise<OperationsStatus['readModel']['files']> {
    const { config, jobs } = this.#deps;
    const live = liveReadModel(config.dataDir);
    const making = jobs.job?.state === 'running' ? jobs.job.file : undefined;
    const roleOf = (file: string): OperationsStatus['readModel']['files'][number]['role'] =>
      file === live ? 'live' : file === making ? 'being made' : file === jobs.previous ? 'previous' : 'other';
    return Promise.all(readModelFiles(config.dataDir).map(async (file) => ({ file, bytes: await readModelBytes(config.dataDir, file), role: roleOf(file) })));
  }
}
