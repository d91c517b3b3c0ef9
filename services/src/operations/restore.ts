import { appendFileSync, existsSync, readFileSync, readdirSync, rmSync, rmdirSync, statSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isOfAnotherProgram } from '@courtledger/contracts/kernel/other-programs';
import type { BackupRun } from '@courtledger/contracts/operations/operations.answers';
import Database from 'better-sqlite3';
import type { After, EventLog } from '../event-log/event-log.ts';
import { takeDataLock } from '../event-log/log-lock.ts';
import { sealReader } from '../event-log/sealed-reader.ts';
import { openLogConnection } from '../event-log/sqlite-connection.ts';
import { openSqliteEventLog } from '../event-log/sqlite-event-log.ts';
import { logReader } from '../event-log/sqlite-log-reader.ts';
import { lockOf, logFileName, logFileOf } from '../event-log/log-file-name.ts';
import { erasureLedgerName as erasuresName, linesOfOwner } from '../platform/erasure-ledger.ts';
import { readIfThereSync, syncFile } from '../platform/durable-file.ts';
import { freeBytesOf } from '../platform/throttle-storage.ts';
import { expectKeysInBackup } from './backup-keys.ts';
import { openInstallationFolder } from './backup-place.ts';
import {
  BackupDamaged,
  filesBelow,
  hashFile,
  logLinesName,
  manifestName,
  readManifest,
  refusalsName,
  verifyBackup,
  verifyLogCopy,
  type BackupManifest,
} from './backup-manifest.ts';
import { folderStamp } from './folder-stamp.ts';
import { installationOfBackup, isBackupOf } from './installation.ts';
import { removeStaged, restoreJournalName, stagedName } from './leftovers.ts';
import { ChainBroken } from './line-chain.ts';
import { broughtTo } from './log-elsewhere.ts';
import { ImportDiffers, importLog } from './log-lines-import.ts';
import { exportLog, LineOfAnother, verifyLines } from './log-lines.ts';
import { folderBytes } from './node-sizes.ts';
import { openOperationsState, operationsStateName } from './operations-state.ts';
import { OperatorError } from './operator-error.ts';
import { copiedAside, putInPlace, restoreJournalOf, writeRestoreJournal, type RestoreJournal } from './restore-journal.ts';
import { setAsidePrefix } from './set-aside.ts';

const lockName = lockOf(logFileName);

/** The disk of a folder, and the bytes that are free on it. */
type Disk = { readonly device: number; readonly free: number };
const diskOfFolder = (folder: string): Disk => ({ device: statSync(folder).dev, free: freeBytesOf(folder)() });

/**
 * `now`: milliseconds, for the names of folders. `log`: the one in EventStoreDB that the facts go into; without it they stand in a file of DATA_DIR.
 * `onProgress`: events that have gone there. `signal` stops it as long as nothing was replaced, and while facts go into EventStoreDB, which a repeat takes up.
 */
export type RestoreOptions = {
  readonly folder: string;
  readonly dataDir: string;
  readonly now: number;
  readonly log?: EventLog | undefined;
  /** Its address, without a password. */
  readonly address?: string | undefined;
  /** BACKUP_DIR: where this installation keeps its own backups, and the ledger of erasures beside them. */
  readonly backups?: string | undefined;
  readonly onStep?: (step: string) => void;
  readonly onProgress?: (events: number) => void;
  readonly signal?: AbortSignal | undefined;
  /** For tests. */
  readonly diskOf?: (folder: string) => Disk;
};
/**
 * `halves`: addresses of EventStoreDBs that hold a part of the log, from attempts that were cut off, and `facts` that of the one that holds all, where it is
 * not the one that was named. `aside`: the folder in which stands what was there before; undefined when nothing was. `cutOff`: that of what restores that were
 * cut off had brought, where this one has ended them first.
 */
export type RestoreReport = {
  readonly manifest: BackupManifest;
  readonly aside: string | undefined;
  readonly cutOff: string | undefined;
  readonly halves: readonly string[];
  readonly facts: string | undefined;
};

/** A copy has the mode of what it is made of, and a backup is well kept where nobody may write it: the server may write all that is put in its place. */
const copyToWrite = async (from: string, to: string): Promise<void> => {
  await copyFile(from, to);
  await chmod(to, (await stat(to)).mode | 0o600);
};

/** The log of a backup as a file of SQLite. */
const stageLog = async (folder: string, manifest: BackupManifest, staged: string, signal: AbortSignal | undefined): Promise<void> => {
  const path = logFileOf(staged);
  if (manifest.log.kind === 'sqlite') {
    await copyToWrite(join(folder, manifest.log.file), path);
    if ((await verifyLogCopy(path, undefined, signal)).chainHead !== manifest.log.chainHead)
      throw new BackupDamaged('The copy of the log is not the one of the backup');
    // A copy has no write-ahead log, which whoever only reads it cannot give it.
    openLogConnection(path).close();
    return;
  }
  const log = openSqliteEventLog({ path });
  try {
    // Whether the file is whole the manifest has shown, also of a backup that an earlier release made.
    const { events, erased } = await importLog(join(folder, manifest.log.file), log, { partial: true, onProgress: () => signal?.throwIfAborted() });
    if (events + erased !== manifest.log.events) throw new BackupDamaged('The log in the backup holds another number of events than it should');
  } finally {
    await log.close();
  }
  for (const suffix of ['.lock', '-wal', '-shm']) await rm(path + suffix, { force: true });
};

/** The log of a backup as JSON lines, which any store takes: everything that an import looks for in them is looked for now, before anything is changed. */
const stageLines = async (folder: string, manifest: BackupManifest, staged: string, signal: AbortSignal | undefined): Promise<void> => {
  const path = join(staged, logLinesName);
  const from = join(folder, manifest.log.file);
  if (manifest.log.kind === 'json-lines') {
    await copyToWrite(from, path);
    if ((await hashFile(path, signal)) !== manifest.files.find((file) => file.path === manifest.log.file)?.sha256)
      throw new BackupDamaged(`The copy of ${manifest.log.file} is not what is in the backup`);
  } else {
    const connection = new Database(from, { readonly: true, fileMustExist: true });
    try {
      const reader = logReader(connection);
      const { chainHead } = await exportLog(
        { seals: sealReader(connection), readAll: async (after, limit) => reader.readAll(after, limit), head: async () => reader.head() },
        path,
        () => signal?.throwIfAborted(),
      );
      if (chainHead !== manifest.log.chainHead) throw new BackupDamaged('The log in the backup does not end where it ended');
    } finally {
      connection.close();
    }
  }
  // Whether the file is whole the manifest has shown, also of a backup that an earlier release made.
  // By the name in the backup: what is staged goes when it is refused, and its hash is that of the backup.
  const { events } = await verifyLines(manifest.log.kind === 'json-lines' ? from : path, { partial: true, signal }).catch((error: unknown) => {
    if (error instanceof LineOfAnother) throw error;
    if (error instanceof ChainBroken || error instanceof OperatorError)
      throw new BackupDamaged(`The log in the backup is not what was written: ${error.message}`, { cause: error });
    throw error;
  });
  if (events !== manifest.log.events) throw new BackupDamaged('The log in the backup holds another number of events than it should');
};

/** SHA-256 of what a backup says of itself, which tells it from every other one. */
const identityOf = async (folder: string): Promise<string> => hashFile(join(folder, manifestName));

/** Whether anything stands in a log but what other programs wrote. @throws LogUnavailable */
export const holdsFacts = async (log: Pick<EventLog, 'readAll'>): Promise<boolean> => {
  for (let after: After = 'start'; ;) {
    const events = await log.readAll(after, 1000);
    const last = events.at(-1);
    if (last === undefined) return false;
    if (!events.every(isOfAnotherProgram)) return true;
    after = last.position;
  }
};

/** @throws OperatorError when EventStoreDB holds any fact: nothing there is ever replaced; LogUnavailable */
const expectEmpty = async (log: EventLog): Promise<void> => {
  if (!(await holdsFacts(log))) return;
  throw new OperatorError(
    'There are facts in EventStoreDB already, and a restore replaces none there: it goes into an empty one only. Let EVENTSTORE_URL name an empty EventStoreDB (the old one is best kept as it is until the restored one has been looked at), and run the restore again. Nothing was changed. When it was this very restore that has brought them, and it has said so at its end, nothing is left to do: start the server. One that was cut off has left a part of a log, on which no server is to be started.',
  );
};

/**
 * Brings the staged facts into EventStoreDB, and compares every stream; taken up again where it was cut off.
 * @throws OperatorError when something else is there, LogUnavailable, UnknownOutcome, the signal's reason
 */
const bringFacts = async (dataDir: string, journal: RestoreJournal, { log, onStep = () => {}, onProgress, signal }: RestoreOptions): Promise<void> => {
  if (journal.lines === undefined || journal.imported === true) return;
  if (log === undefined)
    throw new OperatorError(
      `A restore into EventStoreDB was cut off in ${dataDir}. Set EVENTSTORE_URL as it was then, and run it with the same backup again; it is ended then.`,
    );
  onStep('Bringing the facts into EventStoreDB, and comparing every stream');
  try {
    await importLog(join(dataDir, journal.staged, journal.lines), log, {
      partial: true,
      onProgress(events) {
        signal?.throwIfAborted();
        onProgress?.(events);
      },
    });
  } catch (error) {
    const again = `Nothing in ${dataDir} was replaced yet, and no server starts there before this is ended: run the restore again with the same backup`;
    if (error instanceof ImportDiffers)
      throw new OperatorError(
        `EventStoreDB holds something else than the backup: ${error.message}. Has anything else written there? ${again}, with EVENTSTORE_URL naming an empty EventStoreDB. To give it up instead, remove ${join(dataDir, restoreJournalName)}.`,
        { cause: error },
      );
    onStep(`The restore is not ended. ${again} and the same EVENTSTORE_URL; it goes on where it stands.`);
    throw error;
  }
  // From here on others may write there: what follows concerns DATA_DIR alone.
  writeRestoreJournal(dataDir, { ...journal, imported: true });
};

/**
 * The erasures that the ledger in a folder of backups, and newer backups of the same installation there, know of. One that cannot be read is passed over: it is
 * not what is restored.
 */
const newerErasures = async (place: string, manifest: BackupManifest): Promise<readonly Buffer[]> => {
  const found: Buffer[] = [];
  const owner = installationOfBackup(manifest);
  if (owner === undefined || !existsSync(place)) return found;
  const beside = linesOfOwner(readIfThereSync(join(place, erasuresName))?.toString('utf8') ?? '', owner);
  if (beside.length > 0) found.push(Buffer.from(`${beside.join('\n')}\n`));
  for (const name of readdirSync(place)) {
    const other = join(place, name);
    if (!existsSync(join(other, manifestName))) continue;
    try {
      const newer = readManifest(other);
      const noted = newer.files.find(({ path }) => path === erasuresName);
      if (newer.createdAt <= manifest.createdAt || noted === undefined || installationOfBackup(newer) !== owner) continue;
      if ((await hashFile(join(other, erasuresName))) === noted.sha256) found.push(readFileSync(join(other, erasuresName)));
    } catch {
      // Damaged, or none of ours.
    }
  }
  return found;
};

/**
 * The last backup as the restored installation knows it: the one that is restored, or a newer one that the same installation has made and that is still there.
 */
const lastBackupAfter = (folder: string, manifest: BackupManifest, dataDir: string): BackupRun => {
  const { createdAt, log, files } = manifest;
  const known = isBackupOf(manifest, dataDir) ? openOperationsState(dataDir).get().lastBackup : undefined;
  if (known?.state === 'done' && Date.parse(known.startedAt) > Date.parse(createdAt) && existsSync(join(known.folder, manifestName))) return known;
  return {
    state: 'done',
    startedAt: createdAt,
    endedAt: createdAt,
    folder: resolve(folder),
    head: log.head,
    events: log.events,
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    error: null,
  };
};

/** Removes a folder that nothing was put into. */
const leaveNothing = (dataDir: string): void => {
  if (readdirSync(dataDir).some((name) => name !== lockName)) return;
  rmSync(join(dataDir, lockName), { force: true });
  rmdirSync(dataDir);
};

const sumOfBytes = async (folders: readonly string[]): Promise<number> => {
  let sum = 0;
  for (const folder of folders) sum += await folderBytes(folder);
  return sum;
};
const megabytes = (bytes: number, round: (value: number) => number): string => `${String(round(bytes / 1_000_000))} MB`;

/** Once the copying aside has begun, neither what was there nor what comes can be opened before it ends. @throws OperatorError */
const expectRoomAside = async (staged: string, { dataDir, diskOf = diskOfFolder }: RestoreOptions): Promise<void> => {
  const folders = copiedAside(dataDir);
  const [bytes, own] = [await sumOfBytes(folders), diskOf(dataDir)];
  if (bytes > own.free)
    throw new OperatorError(
      `There is no room in ${dataDir}, where a restore keeps what was there before: what stands in ${folders.join(', ')}, on another disk, takes ${megabytes(bytes, Math.ceil)}, and ${megabytes(own.free, Math.floor)} are free beside the copy of the backup. Nothing was replaced.`,
    );
  for (const onDisk of Map.groupBy(folders, (folder) => diskOf(folder).device).values()) {
    const { device, free } = diskOf(onDisk[0] ?? dataDir);
    // A link may lead to a place on the disk of DATA_DIR, which keeps what was there before.
    const isOwn = device === own.device;
    const [coming, going] = [await sumOfBytes(onDisk.map((folder) => join(staged, basename(folder)))), await sumOfBytes(onDisk)];
    const room = free + going - (isOwn ? bytes : 0);
    if (coming > room)
      throw new OperatorError(
        `There is no room in ${onDisk.join(', ')} for what the backup brings there: that takes ${megabytes(coming, Math.ceil)}, and that disk has ${megabytes(room, Math.floor)} once what is there now is ${isOwn ? `kept in ${dataDir}` : 'gone'}. Nothing was replaced.`,
      );
  }
};

/** Copies a backup into a folder beside what is there, verified again there. */
const stage = async (staged: string, manifest: BackupManifest, { folder, dataDir, backups, log, address, now, signal }: RestoreOptions): Promise<void> => {
  for (const { path, sha256 } of manifest.files) {
    if (path === manifest.log.file) continue;
    const to = join(staged, path);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await copyToWrite(join(folder, path), to);
    if ((await hashFile(to, signal)) !== sha256) throw new BackupDamaged(`The copy of ${path} is not what is in the backup`);
  }
  await (log === undefined ? stageLog : stageLines)(folder, manifest, staged, signal);
  // What was refused here since the backup stays part of the audit: the same installation's own file has what the backup has, and more.
  if (isBackupOf(manifest, dataDir) && existsSync(join(dataDir, refusalsName))) await rm(join(staged, refusalsName), { force: true });
  const places = new Set([dirname(resolve(folder)), ...(backups === undefined ? [] : [resolve(backups)])]);
  for (const place of places)
    for (const erasures of await newerErasures(place, manifest))
      appendFileSync(join(staged, erasuresName), Buffer.concat([Buffer.from('\n'), erasures]), { mode: 0o600 });
  // Nothing else that was known of the log before holds for the one that comes.
  openOperationsState(staged).change({
    lastBackup: lastBackupAfter(folder, manifest, dataDir),
    ...(log === undefined || address !== undefined ? broughtTo(address, now) : {}),
  });
  for (const path of await filesBelow(staged)) await syncFile(join(staged, path));
  signal?.throwIfAborted();
};

/** Where facts are brought now, after where attempts before have brought some. */
const placesOf = ({ places = [] }: Pick<RestoreJournal, 'places'>, { log, address }: RestoreOptions): Pick<RestoreJournal, 'places'> =>
  log === undefined || address === undefined ? {} : { places: [...places.filter((place) => place !== address), address] };

/**
 * Replaces an installation by a backup. The backup is verified, copied beside what is there, and the copy is verified, before anything is replaced; what was
 * there stays in a folder of its own. With a log in EventStoreDB, which must be empty, the facts go there before anything in DATA_DIR is replaced; a repeat
 * with the same backup takes up what was cut off. Whom an erasure reached after the backup was made, the next start of the server erases again:
 * `erasures.jsonl` is never replaced, and the ledgers and newer backups beside this one and in BACKUP_DIR are asked, so that a new machine knows too.
 * @throws BackupDamaged, the signal's reason, and LogInUse when a server runs on the folder; nothing was touched then, and no folder is left that was not
 * there. OperatorError and LogUnavailable say what is to be done.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<RestoreReport> => {
  const { folder, dataDir, now, log, address, onStep = () => {}, signal } = options;
  const isNew = !existsSync(dataDir);
  openInstallationFolder(dataDir);
  const lock = takeDataLock(dataDir);
  const placeOf = (name: string | undefined): string | undefined => (name !== undefined && existsSync(join(dataDir, name)) ? join(dataDir, name) : undefined);
  const reportOf = (manifest: BackupManifest, { aside, before, places = [] }: RestoreJournal): RestoreReport => {
    const holder = places.at(-1);
    return {
      manifest,
      aside: placeOf(before ?? aside),
      cutOff: before === undefined ? undefined : placeOf(aside),
      halves: places.filter((place) => place !== holder),
      facts: holder === address ? undefined : holder,
    };
  };
  try {
    const cutOff = restoreJournalOf(dataDir);
    const unfinished = cutOff === undefined || cutOff.imported === true ? cutOff : { ...cutOff, ...placesOf(cutOff, options) };
    if (unfinished !== undefined) {
      onStep('Ending a restore that was cut off');
      writeRestoreJournal(dataDir, unfinished);
      await bringFacts(dataDir, unfinished, options).catch((error: unknown) => {
        // Refused for what else it holds: nothing was brought there.
        if (error instanceof OperatorError && cutOff !== undefined) writeRestoreJournal(dataDir, cutOff);
        throw error;
      });
      // Ended where another one than was noted holds it all.
      const stagedBefore = join(dataDir, unfinished.staged);
      const holder = unfinished.places?.at(-1);
      if (holder !== undefined && existsSync(join(stagedBefore, operationsStateName))) openOperationsState(stagedBefore).change(broughtTo(holder, now));
      putInPlace(dataDir, unfinished);
      // Once more would find the facts that this one has brought.
      if (unfinished.lines !== undefined && existsSync(join(folder, manifestName)) && unfinished.backup === (await identityOf(folder)))
        return reportOf(readManifest(folder), unfinished);
    }
    // What an earlier one was killed over: with keys, and out of the reach of erasures.
    removeStaged(dataDir);
    if (log !== undefined) await expectEmpty(log);
    onStep('Verifying the backup');
    const manifest = await verifyBackup(folder, signal);
    await expectKeysInBackup(folder, manifest.log);
    const staged = join(dataDir, stagedName(now));
    await rm(staged, { recursive: true, force: true });
    await mkdir(staged, { recursive: true, mode: 0o700 });
    try {
      onStep('Copying it');
      await stage(staged, manifest, options);
      await expectRoomAside(staged, options);
    } catch (error) {
      await rm(staged, { recursive: true, force: true });
      throw error;
    }
    const journal: RestoreJournal = {
      staged: basename(staged),
      aside: `${setAsidePrefix}${folderStamp(now)}`,
      names: readdirSync(staged),
      ...(unfinished !== undefined && { before: unfinished.before ?? unfinished.aside }),
      ...(log !== undefined && { backup: await identityOf(folder), lines: logLinesName, ...placesOf({}, options) }),
    };
    writeRestoreJournal(dataDir, journal);
    await bringFacts(dataDir, journal, options);
    onStep('Putting it in place');
    putInPlace(dataDir, journal);
    // What was there stands aside only where there was something.
    return reportOf(manifest, journal);
  } catch (error) {
    // Where somebody may have been before, another process may be waiting for the lock: it stays, and means nothing.
    if (isNew) leaveNothing(dataDir);
    throw error;
  } finally {
    lock.release();
  }
};
