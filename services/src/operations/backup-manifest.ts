import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { instantOut, positionOut } from '@courtledger/contracts/kernel/answers';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { ChainWalk, type ChainReport } from '../event-log/verify-chain.ts';
import { isOfDisk } from '../platform/folders.ts';

/** What a backup says of itself: `manifest.json`, written last. Paths are relative, with forward slashes. */
const backupManifest = z.strictObject({
  format: z.literal(1),
  createdAt: instantOut,
  store: z.enum(['sqlite', 'eventstoredb', 'memory']),
  /** `sqlite`: a copy of the log's file, with the hash of the last event of its chain. `json-lines`: the events of another store, one a line. */
  log: z.strictObject({
    kind: z.enum(['sqlite', 'json-lines']),
    file: z.string(),
    events: z.int().min(0),
    head: positionOut,
    chainHead: z.union([z.string(), z.null()]),
  }),
  files: z.array(z.strictObject({ path: z.string(), bytes: z.int().min(0), sha256: z.string() })),
});
export type BackupManifest = z.output<typeof backupManifest>;

export const manifestName = 'manifest.json';
/** Refused commands are part of the audit, though no facts. Backups of earlier releases have none. */
export const refusalsName = 'refusals.sqlite';
export const logLinesName = 'event-log.jsonl';

/** A backup that is not what its manifest says; the message names what is wrong. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';
}

/** SHA-256 (hex) of a file. @throws the signal's reason */
export const hashFile = async (path: string, signal?: AbortSignal): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) {
    signal?.throwIfAborted();
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
};

/** Files below a folder, relative, in order; none when it is not there. */
export const filesBelow = async (folder: string): Promise<readonly string[]> => {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const paths = await Promise.all(
    entries.map(async (entry) => {
      if (entry.isFile()) return [entry.name];
      return entry.isDirectory() && !isOfDisk(entry.name) ? (await filesBelow(join(folder, entry.name))).map((path) => `${entry.name}/${path}`) : [];
    }),
  );
  return paths.flat().toSorted();
};

export type LogCopyReport = ChainReport & { readonly head: bigint; readonly chainHead: string | null };

/** The event up to which a log was verified before, when it is still the same event: its position and the count of events up to it. */
const verifiedUntil = (connection: Database.Database, before: BackupManifest['log'] | undefined): { readonly position: bigint; readonly events: number } => {
  const start = { position: 0n, events: 0 };
  if (before === undefined || before.chainHead === null) return start;
  const hash = connection.prepare<[bigint], string>('SELECT hash FROM events WHERE position = ?').pluck().get(BigInt(before.head));
  return hash === before.chainHead ? { position: BigInt(before.head), events: before.events } : start;
};

/**
 * Walks the chain of a log file that nobody writes, giving way to other work in between.
 * @param before of a verified copy of the same log: what comes after it is walked. Without it, or when the log has another event there, all of it.
 * @throws the signal's reason
 */
export const verifyLogCopy = async (path: string, before?: BackupManifest['log'], signal?: AbortSignal): Promise<LogCopyReport> => {
  const connection = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const known = verifiedUntil(connection, before);
    const walk = new ChainWalk(connection, known.position + 1n);
    while (!walk.step(500)) {
      signal?.throwIfAborted();
      // Gives way to requests.
      await nextTurn();
    }
    const last = connection
      .prepare<[], { readonly position: number; readonly hash: string }>('SELECT position, hash FROM events ORDER BY position DESC LIMIT 1')
      .get();
    return { ...walk.report, events: known.events + walk.report.events, head: BigInt(last?.position ?? 0), chainHead: last?.hash ?? null };
  } finally {
    connection.close();
  }
};

/** Undefined for what is no JSON: a file that was cut off, or another one. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** What a manifest says, but for what an earlier release took along of a disk that was mounted as one of our folders. @throws BackupDamaged */
export const readManifest = (folder: string): BackupManifest => {
  const path = join(folder, manifestName);
  // One that this user may not look into says so itself.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) throw new BackupDamaged(`${folder} is no backup: it has no ${manifestName}`);
  const parsed = backupManifest.safeParse(jsonOf(readFileSync(path, 'utf8')));
  if (!parsed.success) throw new BackupDamaged(`${path} cannot be read`);
  return { ...parsed.data, files: parsed.data.files.filter(({ path: named }) => !named.split('/').some(isOfDisk)) };
};

/**
 * Checks a backup against its manifest: every file by its hash, none missing, none more, and the chain of the log to its head.
 * @throws BackupDamaged, the signal's reason
 */
export const verifyBackup = async (folder: string, signal?: AbortSignal): Promise<BackupManifest> => {
  const manifest = readManifest(folder);
  const present = new Set(await filesBelow(folder));
  present.delete(manifestName);
  for (const { path, bytes, sha256 } of manifest.files) {
    if (!present.delete(path)) throw new BackupDamaged(`${path} is missing from the backup`);
    // Not all at once: thousands of open files do harm.
    if ((await stat(join(folder, path))).size !== bytes || (await hashFile(join(folder, path), signal)) !== sha256)
      throw new BackupDamaged(`${path} is not what was backed up`);
  }
  const [more] = present;
  if (more !== undefined) throw new BackupDamaged(`${more} does not belong to the backup`);
  if (!manifest.files.some(({ path }) => path === manifest.log.file)) throw new BackupDamaged('The backup holds no log');
  if (manifest.log.kind === 'sqlite') {
    const report = await verifyLogCopy(join(folder, manifest.log.file), undefined, signal);
    if (report.firstBreak !== undefined)
      throw new BackupDamaged(`The log in the backup is damaged at position ${report.firstBreak.position.toString()}: ${report.firstBreak.reason}`);
    if (report.chainHead !== manifest.log.chainHead || report.head.toString() !== manifest.log.head)
      throw new BackupDamaged('The log in the backup does not end where it ended');
  }
  return manifest;
};
