import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { UnknownEventType } from '@courtledger/projections/kernel/all-projections';
import { dumpReadModel } from '@courtledger/projections/kernel/dump';
import { inspectReadModel } from '@courtledger/projections/kernel/read-model';
import { rebuild, RebuildFailed } from '@courtledger/projections/kernel/rebuild';
import Database from 'better-sqlite3';
import { openLogConnection } from '../event-log/sqlite-connection.ts';
import { pagesOf } from '../event-log/log-pages.ts';
import { logReader } from '../event-log/sqlite-log-reader.ts';
import { UnreadableFact } from '../event-log/upcast.ts';
import { logFileOf } from '../event-log/log-file-name.ts';
import { makeFolderSync } from '../platform/folders.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { current } from '../platform/store-projector.ts';
import { freeBytesOf } from '../platform/throttle-storage.ts';
import { filesBelow, readManifest, refusalsName, type BackupManifest } from './backup-manifest.ts';
import { compareWithLive, type LiveComparison, type LivePlace } from './drill-comparison.ts';
import { countedText } from './figures.ts';
import { reservedBytes } from './node-sizes.ts';
import { linePages } from './line-pages.ts';
import { OperatorError } from './operator-error.ts';
import { restoreBackup } from './restore.ts';

export type DrillReport = {
  readonly events: number;
  readonly head: string;
  readonly files: number;
  readonly readModel: string;
  /** What it was held against, or why there was nothing to hold it against. */
  readonly live: LiveComparison | string;
  readonly seconds: number;
};

/** @throws OperatorError when a drill that takes so many bytes would fill the disk */
export const expectRoom = (folder: string, bytes: number): void => {
  const free = freeBytesOf(folder)();
  if (free - bytes < reservedBytes)
    throw new OperatorError(
      `There is no room for a drill in ${folder}: it takes ${String(Math.ceil(bytes / 1_000_000))} MB, and ${String(Math.floor(free / 1_000_000))} MB are free`,
    );
};

/** `place`: a folder that is removed by whoever made it (`openDrillPlace`). */
export type DrillOptions = {
  readonly now: number;
  readonly place: string;
  /** The installation on this machine: the rebuilt read model is held against its live one. */
  readonly live?: LivePlace | undefined;
  readonly onStep?: (step: string) => void;
  readonly signal?: AbortSignal;
};

/** A rebuild is strict, a server is not: it serves what can be read. */
const noReadModelText = ({ message, position, stream, type, cause }: RebuildFailed): string => {
  const reason =
    cause instanceof UnreadableFact || cause instanceof UnknownEventType
      ? `: this release cannot read the fact at position ${position.toString()} (${type} of ${stream}: ${cause.message}).`
      : `. ${message}.`;
  return `The restored log gives no read model${reason} A server that has this log parks that stream and goes on with the rest.`;
};

/**
 * Shows that a backup can be restored: restores it into a folder of its own, folds its log into a read model, holds that against the live one where there is
 * one, and finds every file that the restored facts refer to.
 * @throws BackupDamaged or OperatorError saying what is wrong, or the signal's reason
 */
export const drillBackup = async (folder: string, { now, place: within, live: livePlace, onStep = () => {}, signal }: DrillOptions): Promise<DrillReport> => {
  const started = performance.now();
  makeFolderSync(within);
  const place = join(within, 'restored');
  const { files: backedUp, log } = readManifest(folder);
  // A read model is about as large as its log.
  expectRoom(
    within,
    [...backedUp, ...backedUp.filter(({ path }) => path === log.file)].reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const { manifest } = await restoreBackup({ folder, dataDir: place, now, onStep, signal });
  onStep('Rebuilding the read model');
  const path = join(place, 'read-model-1.sqlite');
  const vault = openPersonVault(place);
  const restored = openRestored(folder, place, manifest);
  const persons = new Set<string>();
  const details: { readonly photo?: string | undefined; readonly documentId?: string | undefined }[] = [];
  try {
    const { events, position } = await rebuild({
      path,
      async readPage(after, limit) {
        // Signals are heard only between two turns.
        await nextTurn();
        return (await restored.readPage(after, limit)).map(current);
      },
      ...(signal !== undefined && { signal }),
      openPerson(personId, sealed) {
        const opened = vault.open(personId, sealed);
        if (opened !== null) {
          persons.add(personId);
          details.push({ photo: opened.photo, documentId: opened.document?.documentId });
        }
        return opened;
      },
    });
    if (events !== manifest.log.events)
      throw new OperatorError(`The restored log gave ${countedText(events, 'event')}, the backup holds ${String(manifest.log.events)}`);
    if (position.toString() !== manifest.log.head)
      throw new OperatorError(`The restored log ends at ${position.toString()}, the backup at ${manifest.log.head}`);
    onStep('Comparing');
    const { sha256 } = dumpReadModel(path);
    const state = inspectReadModel(path, 'full');
    if (state !== 'good') throw new OperatorError(`The read model of the restored log is ${state}`);
    const files = await filesBelow(place);
    if (files.includes(refusalsName)) expectDatabase(join(place, refusalsName));
    expectFiles(new Set(files), details);
    if (readManifest(folder).createdAt !== manifest.createdAt) throw new OperatorError('The backup changed during the drill');
    const live =
      livePlace === undefined ? 'there is no installation on this machine' : await compareWithLive({ path, vault, manifest, persons }, livePlace, signal);
    return {
      events,
      head: position.toString(),
      files: manifest.files.length,
      readModel: sha256,
      live,
      seconds: Math.round(performance.now() - started) / 1000,
    };
  } catch (error) {
    if (error instanceof RebuildFailed) throw new OperatorError(noReadModelText(error), { cause: error });
    throw error;
  } finally {
    await restored.close();
    vault.close();
  }
};

/**
 * The log to fold. One that was restored from JSON lines into a file has other positions there than the log that was backed up, and its read model could be
 * held against nothing: the restore has compared every stream of it with these lines, so they stand for it, with the positions of the log that they were
 * written from.
 */
const openRestored = (
  backup: string,
  place: string,
  { log }: BackupManifest,
): { readonly readPage: (after: bigint, limit: number) => Promise<readonly RecordedEvent[]>; readonly close: () => unknown } => {
  if (log.kind === 'json-lines') return linePages(join(backup, log.file));
  const connection = openLogConnection(logFileOf(place));
  const readPage = pagesOf(logReader(connection));
  return { readPage: async (...page) => readPage(...page), close: () => connection.close() };
};

/** The trail of refusals can be read. @throws OperatorError */
const expectDatabase = (path: string): void => {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    if (database.pragma('quick_check', { simple: true }) !== 'ok') throw new OperatorError('The refusals of the backup are damaged');
  } finally {
    database.close();
  }
};

/** Every photo and document of the restored persons is there. */
const expectFiles = (
  files: ReadonlySet<string>,
  details: readonly { readonly photo?: string | undefined; readonly documentId?: string | undefined }[],
): void => {
  for (const { photo, documentId } of details) {
    if (photo?.startsWith('/media/') === true && !files.has(photo.slice(1))) throw new OperatorError(`${photo} is missing from the backup`);
    if (documentId !== undefined && !files.has(`documents/${documentId}`)) throw new OperatorError(`A document is missing from the backup: ${documentId}`);
  }
};
