import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { conflict, DomainError } from '@courtledger/contracts/kernel/errors';
import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import type { BackupHealth, BackupRun } from '@courtledger/contracts/operations/operations.answers';
import type { KnownBreak } from '../event-log/verify-chain.ts';
import { KeyRefused } from '../platform/key-file.ts';
import type { Logger } from '../platform/logger.ts';
import { expectUsable, makeFolderSync } from '../platform/folders.ts';
import type { Store } from '../platform/store.ts';
import { BackupLogNames } from './backup-log-names.ts';
import { BackupDamaged, manifestName, readManifest, type BackupManifest } from './backup-manifest.ts';
import { backupsToRemove, keptMilliseconds } from './backup-retention.rules.ts';
import { makeBackup, type BackupSource } from './backup.ts';
import { reasonTold } from './expected-errors.ts';
import { folderStamp } from './folder-stamp.ts';
import { isInDrill } from './leftovers.ts';
import { reservedBytes } from './node-sizes.ts';
import { OwnBackups } from './own-backups.ts';
import { damageText } from './log-verification.ts';
import type { StateFile } from './operations-state.ts';
import { UnsavedChanges, type OwnBackup, type UnsavedChangesDeps } from './unsaved-changes.ts';

export type BackupsDeps = UnsavedChangesDeps &
  Pick<BackupSource, 'dataDir' | 'kind'> & {
    readonly store: BackupSource['store'] & Pick<Store, 'otherLog'>;
    readonly state: StateFile;
    readonly logger: Logger;
    /** Where the server keeps its own. */
    readonly folder: string;
    /** Whatever was recorded is in a backup after so many minutes at the latest; 0: none is made without being asked for. */
    readonly windowMinutes: number;
    /** Writes out what stands in no file yet and belongs into a copy. */
    readonly beforeCopy: () => void;
    /** What names the log (`logNameIn`), as far as it has a name. */
    readonly logName: () => string | undefined;
    /** Why the keys of persons that stand in DATA_DIR are not those that the log needs; undefined while nothing says so. */
    readonly keysRefusal: () => string | undefined;
    /** Whether somebody was erased after a position of the log, or since a time: a restore gives the same positions once more. */
    readonly isErasedSince: (position: bigint, time: string) => boolean;
    /** The break of the log's chain that is known. */
    readonly damage: () => KnownBreak | undefined;
    /** Has the log look for itself at a position where a copy of it is not what was written. */
    readonly look: (position: bigint) => Promise<void>;
    /** Bytes that a whole copy takes, and bytes that are free where it goes. */
    readonly room: (folder: string) => Promise<{ readonly needed: number; readonly unchanging: number; readonly free: number }>;
  };

/** A change waits for so much of the window; the rest is for making the backup, and for making it again. */
const waits = 2 / 3;
const minute = 60_000;
/** Names of what the server made by itself; others are left alone. */
const automaticPrefix = 'auto-';

/**
 * What a run is for, and where the log stood when it began. `own`: the server chose the name. `kept`: it stands in the server's own folder, whoever chose it.
 */
type Begun = { readonly run: BackupRun; readonly automatic: boolean; readonly own: boolean; readonly kept: boolean; readonly head: bigint };

/**
 * Backups of a running node, one at a time: those that are asked for, and those that the server makes by itself while something changes. A failure is told
 * (status, metrics, log) and tried again; it never harms the server.
 */
export class Backups {
  readonly #deps: BackupsDeps;
  readonly #closing = new AbortController();
  #hasLooked = false;
  #latest: BackupRun | undefined;
  /** The same without those of drills. */
  #last: BackupRun | undefined;
  #running: Promise<void> | undefined;
  readonly #own: OwnBackups;
  readonly #unsaved: UnsavedChanges;
  readonly #logNames = new BackupLogNames();
  #failures = 0;
  /** Why nothing can be put into the folder, as the last look at it found. */
  #unusable: string | undefined;
  #failure: { readonly reason: string; readonly at: string } | undefined;
  #notBefore = Number.NEGATIVE_INFINITY;
  #alarmed = false;

  constructor(deps: BackupsDeps) {
    this.#deps = deps;
    this.#own = new OwnBackups(deps.folder, deps.clock);
    this.#unsaved = new UnsavedChanges(deps);
    this.#last = deps.state.get().lastBackup;
    this.#latest = this.#last;
  }

  /** The one that runs, or the last one, also of an earlier process. */
  get latest(): BackupRun | undefined {
    return this.#latest;
  }

  /** The same for whoever asks how the backups stand: what a drill makes for itself is no backup that anybody has, whether it succeeds or fails. */
  get last(): BackupRun | undefined {
    return this.#last?.state === 'done' && !this.#isOfThisLog(this.#last.folder) ? undefined : this.#last;
  }

  async ended(): Promise<BackupRun | undefined> {
    await this.#running;
    return this.#latest;
  }

  /**
   * @param to the new folder; without it, one in the server's own folder named by the time.
   * @throws DomainError `conflict` while one runs, `unavailable` while another log answers than the one that is followed
   */
  start(to?: string): BackupRun {
    if (this.#running !== undefined) throw conflict('A backup is being made');
    const other = this.#deps.store.otherLog();
    if (other !== undefined) throw new DomainError('unavailable', other, { retryAfter: 5 });
    return this.#start(to, false);
  }

  /** Tries the folder before anything is due: a wrong one is told at the start, not when it is needed. */
  lookAtFolder(): void {
    const { folder, windowMinutes, logger } = this.#deps;
    if (windowMinutes === 0) return;
    const known = this.#unusable;
    this.#unusable = undefined;
    try {
      expectUsable(folder);
    } catch (error) {
      this.#unusable = reasonTold(error);
      if (known === undefined) logger.warn('no backup can be made', { reason: this.#unusable });
    }
  }

  /** Begins a backup when something has waited for one long enough; called every half minute. */
  watch(): void {
    const { windowMinutes, clock, logger, store } = this.#deps;
    if (this.#unusable !== undefined) this.lookAtFolder();
    // A copy of another log saves nothing of this one.
    if (windowMinutes === 0 || this.#closing.signal.aborted || store.otherLog() !== undefined) return;
    const now = clock.monotonic();
    const since = this.#unsavedSince(this.#own.list());
    const age = since === undefined ? 0 : now - since;
    // What was recorded while no backups were made is old at the first look: the first one comes now.
    const isOverdue = age > windowMinutes * minute && this.#hasLooked;
    this.#hasLooked = true;
    if (isOverdue && !this.#alarmed)
      logger.error('what was recorded is in no backup yet', new Error(this.#failure?.reason ?? 'The backup takes longer than its window'), {
        count: Math.floor(age / minute),
      });
    this.#alarmed = isOverdue;
    if (this.#running === undefined && since !== undefined && age >= windowMinutes * minute * waits && now >= this.#notBefore) this.#start(undefined, true);
  }

  /** How they stand, for people and for alarms. */
  health(): BackupHealth {
    const { folder, windowMinutes, clock, damage } = this.#deps;
    const own = this.#own.list();
    const known = damage();
    const since = windowMinutes === 0 ? undefined : this.#unsavedSince(own);
    const unsaved = since === undefined ? null : Math.max(0, clock.monotonic() - since) / 1000;
    return {
      folder,
      windowMinutes,
      kept: own.length,
      newest: this.#newest(own),
      unsavedSeconds: unsaved,
      overdue: unsaved !== null && unsaved > windowMinutes * 60,
      // The log may have been put right since.
      failure: this.#failure === undefined ? (this.#own.unreadable ?? this.#unusable ?? null) : known === undefined ? this.#failure.reason : damageText(known),
      failedAt: known === undefined ? (this.#failure?.at ?? null) : null,
    };
  }

  /** The log whose place this one took, where a backup is of it. What does not say of which log it is counts as of this one. */
  #otherLogOf(folder: string): string | undefined {
    const name = this.#logNames.of(folder);
    return name === this.#deps.logName() ? undefined : name;
  }

  #isOfThisLog(folder: string): boolean {
    return this.#otherLogOf(folder) === undefined;
  }

  /** Where a chain of ours tells of which log they are, nothing else has to. */
  #unsavedSince(own: readonly OwnBackup[]): number | undefined {
    return this.#unsaved.since(own.filter(({ name, chainHead }) => chainHead !== null || this.#isOfThisLog(this.#own.pathOf(name))));
  }

  /** The newest of this log that stands there: one of the server's own, or the last one that was made elsewhere. */
  #newest(own: readonly OwnBackup[]): BackupHealth['newest'] {
    const { state } = this.#deps;
    const [kept, last] = [own.findLast(({ name }) => this.#isOfThisLog(this.#own.pathOf(name))), state.get().lastBackup];
    if (
      last !== undefined &&
      last.head !== null &&
      this.#isOfThisLog(last.folder) &&
      !(kept !== undefined && kept.madeAt >= Date.parse(last.startedAt)) &&
      existsSync(join(last.folder, manifestName))
    )
      return { folder: last.folder, madeAt: last.startedAt, head: last.head };
    return kept === undefined ? null : { folder: this.#own.pathOf(kept.name), madeAt: new Date(kept.madeAt).toISOString(), head: kept.head };
  }

  /**
   * Removes what the rules of the server's own folder let go: its own by `backupsToRemove`, those that were asked for after 30 days, and what a kill cut off.
   * Gives the names. One that was asked for stays while nothing newer is there, as long as nobody was erased who is in it (S32): a server that makes none, or
   * cannot, or whose clock went ahead, would have none left.
   */
  prune(): readonly string[] {
    const { clock, isErasedSince } = this.#deps;
    if (this.#running !== undefined) return [];
    const now = clock.now();
    const own = this.#own.list();
    const newest = own.findLast(({ name }) => this.#isOfThisLog(this.#own.pathOf(name)));
    const stays = (one: OwnBackup): boolean => one === newest && !isErasedSince(BigInt(one.head), new Date(one.madeAt).toISOString());
    return this.#remove([
      ...this.#own.cutOff(),
      ...own.filter((one) => !one.name.startsWith(automaticPrefix) && now - one.madeAt > keptMilliseconds && !stays(one)).map(({ name }) => name),
      ...backupsToRemove(
        own
          .filter(({ name }) => name.startsWith(automaticPrefix))
          .map(({ name, madeAt }) => ({ name, madeAt, other: this.#otherLogOf(this.#own.pathOf(name)) })),
        now,
      ),
    ]);
  }

  /** Removes what a process that was killed in the midst of one left in the server's own folder: a copy that nobody can restore. Gives the names. */
  removeCutOff(): readonly string[] {
    return this.#running === undefined ? this.#remove(this.#own.cutOff()) : [];
  }

  #remove(names: readonly string[]): readonly string[] {
    for (const name of names) {
      this.#own.remove(name);
      this.#deps.logger.info('a backup was removed', { reason: name });
    }
    return names;
  }

  /** Stops what runs. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The server was stopped'));
    await this.#running;
  }

  #tell(run: BackupRun): void {
    this.#latest = run;
    if (!isInDrill(run.folder)) this.#last = run;
  }

  #attempt(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#deps.logger.error(what, error);
    }
  }

  #start(to: string | undefined, automatic: boolean): BackupRun {
    const { clock, folder, head } = this.#deps;
    const now = clock.now();
    const name = `${automatic ? automaticPrefix : ''}${folderStamp(now)}`;
    const run: BackupRun = {
      state: 'running',
      startedAt: new Date(now).toISOString(),
      endedAt: null,
      folder: to ?? join(folder, name),
      head: null,
      events: 0,
      files: 0,
      bytes: 0,
      error: null,
    };
    this.#tell(run);
    this.#running = this.#run({ run, automatic, own: to === undefined, kept: to === undefined || dirname(resolve(to)) === resolve(folder), head: head() });
    return run;
  }

  /** The newest automatic one, as long as it is of the same day: the first of a day is a copy of everything. */
  #before(now: number): BackupSource['before'] {
    const newest = this.#own.list().findLast(({ name }) => name.startsWith(automaticPrefix));
    if (newest === undefined || kathmanduDay(newest.madeAt) !== kathmanduDay(now)) return undefined;
    try {
      const folder = this.#own.pathOf(newest.name);
      return { folder, manifest: readManifest(folder) };
    } catch {
      return undefined;
    }
  }

  async #make({ run, automatic, own }: Begun, onLeftOut: (events: number) => void): Promise<BackupManifest> {
    const { clock, folder, room, dataDir, kind, store, damage, look } = this.#deps;
    // One that walks only what is new would hold an old break, and pass for whole.
    const known = damage();
    if (known !== undefined) throw new BackupDamaged(damageText(known));
    // An older copy in their place would count as all of them.
    const keys = this.#deps.keysRefusal();
    if (keys !== undefined) throw new KeyRefused(keys);
    const now = clock.now();
    if (own) makeFolderSync(folder);
    const before = automatic ? this.#before(now) : undefined;
    if (automatic) {
      const { needed, unchanging, free } = await room(folder);
      if (free - (before === undefined ? needed : needed - unchanging) < reservedBytes)
        throw new Error(`There is no room for a backup in ${folder}: ${String(Math.floor(free / 1_000_000))} MB are free`);
    }
    this.#deps.beforeCopy();
    return makeBackup({ dataDir, kind, store, backups: folder, now, before, look, onLeftOut, signal: this.#closing.signal }, run.folder);
  }

  /** Never rejects. */
  async #run(begun: Begun): Promise<void> {
    const { clock, logger, state, windowMinutes } = this.#deps;
    const { run, automatic, own, kept } = begun;
    let ended: BackupRun;
    let leftOut = 0;
    try {
      const { log, files } = await this.#make(begun, (events) => (leftOut = events));
      ended = {
        ...run,
        state: 'done',
        head: log.head,
        events: log.events,
        files: files.length,
        bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        ...(leftOut > 0 && { leftOut }),
      };
      logger.info('a backup was made', { count: log.events, position: log.head, reason: automatic ? 'something had changed' : 'it was asked for' });
      if (kept) {
        this.#unsaved.note(basename(run.folder), log.head, begun.head);
        this.#failures = 0;
        this.#failure = undefined;
      }
    } catch (error) {
      const reason = reasonTold(error);
      ended = { ...run, state: 'failed', error: reason };
      if (!this.#closing.signal.aborted) {
        logger.error('the backup failed', error);
        if (own) this.#failure = { reason, at: new Date(clock.now()).toISOString() };
        // A disk that is full or away is not helped by a copy every half minute.
        if (automatic) {
          this.#notBefore = clock.monotonic() + Math.min(minute * 2 ** this.#failures, (windowMinutes * minute) / 3);
          this.#failures += 1;
        }
      }
    }
    ended = { ...ended, endedAt: new Date(clock.now()).toISOString() };
    this.#tell(ended);
    this.#running = undefined;
    // What a drill makes for itself goes with it: nobody has it, and the one before is still the last.
    if (ended.state !== 'done' || isInDrill(run.folder)) return;
    // An earlier release cannot read the file with a part that it does not know.
    this.#attempt('the backup was not noted', () => state.change({ lastBackup: { ...ended, leftOut: undefined } }));
    if (automatic) this.#attempt('old backups were not removed', () => void this.prune());
  }
}
