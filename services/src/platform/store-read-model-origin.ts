import { join } from 'node:path';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { isOfAnotherProgram } from '@courtledger/contracts/kernel/other-programs';
import { personIdOf } from '@courtledger/contracts/player/person.events';
import { inspectReadModel, openReader, type Reader } from '@courtledger/projections/kernel/read-model';
import { NoSuchPosition } from '../event-log/event-log.ts';
import { isDamagedFile } from '../event-log/sqlite-connection.ts';
import { readModelFiles } from './store-read-model-files.ts';

/** The log, as far as it tells whether a read model was made of it. */
export type LogOfOrigin = {
  /** A page after a position (0n: from the start), in order; empty at the end. */
  readonly readPage: (after: bigint, limit: number) => readonly RecordedEvent[] | Promise<readonly RecordedEvent[]>;
  /** Where a hash chain of ours tells a damaged fact from another one: whether the log is whole up to a position. */
  readonly isWhole?: (until: bigint) => boolean;
  /** Where no chain of ours tells of a lost end: what the log does not reach, or has at another place, is not of this log. */
  readonly unchained?: { readonly head: () => Promise<bigint>; readonly eventAt: (position: bigint) => Promise<RecordedEvent | undefined> };
};

const page = 100;
const knownSql = `SELECT stream, revision, metadata FROM ledger WHERE position = ? UNION ALL SELECT stream, revision, NULL FROM parked WHERE position = ?`;
const lastOf = (where: string): string => `SELECT CAST(position AS TEXT), stream, revision, metadata FROM ledger ${where} ORDER BY position DESC LIMIT 1`;
const lastSql = lastOf('');
// What is erased leaves the log, and the ledger: both at their own time.
const lastingSql = lastOf("WHERE stream NOT LIKE 'person-%'");

const knows = (reader: Reader, event: RecordedEvent): boolean =>
  reader
    .rows(knownSql, event.position, event.position)
    .some(([stream, revision, metadata]) => stream === event.stream && revision === event.revision && (metadata === null || metadata === event.metadataText));

/**
 * The first fact of the log that nothing erases, and the first of all, as far as a position; read page by page. What other programs wrote no read model knows.
 */
const beginning = async (
  log: LogOfOrigin,
  until: bigint,
): Promise<{ readonly first: RecordedEvent | undefined; readonly lasting: RecordedEvent | undefined }> => {
  let first: RecordedEvent | undefined;
  for (let after = 0n; ;) {
    const events = await log.readPage(after, page);
    const facts = events.filter((event) => !isOfAnotherProgram(event));
    first ??= facts[0];
    const found = facts.find(({ position, stream }) => position > until || personIdOf(stream) === undefined);
    const last = events.at(-1);
    if (found !== undefined || last === undefined) return { first, lasting: found !== undefined && found.position <= until ? found : undefined };
    after = last.position;
  }
};

/** A beginning that SQLite cannot read is damaged, and no other log's: it tells nothing. */
const nothingIfDamaged = (error: unknown): Awaited<ReturnType<typeof beginning>> => {
  if (isDamagedFile(error)) return { first: undefined, lasting: undefined };
  throw error;
};

/**
 * Why a log without a chain of ours is not the one that a read model has reached: it ends before it, or has something else at its place. Two short reads, three
 * or four where its last fact was erased or parked.
 */
const reasonOfOtherPast = async (reader: Reader, { unchained, readPage }: LogOfOrigin): Promise<string | undefined> => {
  const reached = reader.position();
  if (unchained === undefined || reached === 0n) return undefined;
  const head = await unchained.head();
  if (head < reached) return `the log ends at position ${head.toString()}, and the read model has reached ${reached.toString()}`;
  for (const sql of [lastSql, lastingSql]) {
    const [position, stream, revision, metadata] = reader.row(sql) ?? [];
    if (position === undefined) break;
    // Not by its stream: whoever deletes that has the same log still.
    const found = await unchained.eventAt(BigInt(String(position)));
    // Erased, perhaps: it tells nothing.
    if (found === undefined && personIdOf(String(stream)) !== undefined) continue;
    if (found === undefined || found.stream !== stream || found.revision !== revision || found.metadataText !== metadata)
      return `the log has another fact, or none, where the read model has the last one (position ${String(position)})`;
    if (found.position === reached) return undefined;
    break;
  }
  try {
    // What it has reached was erased, or parked: the log must go on from there all the same.
    await readPage(reached, 1);
    return undefined;
  } catch (error) {
    if (!(error instanceof NoSuchPosition)) throw error;
    return `the log has no fact at position ${reached.toString()}, which the read model has reached`;
  }
};

/** The same of the read model in a file, for a log that may have become another one while it was followed. */
export const reasonOfChangedLog = async (path: string, log: LogOfOrigin): Promise<string | undefined> => {
  const reader = openReader(path);
  try {
    return await reasonOfOtherPast(reader, log);
  } finally {
    reader.close();
  }
};

/** What says that the log begins with other facts than those that a read model knows up to a position; undefined when nothing does. */
const otherBeginning = async (reader: Reader, log: LogOfOrigin, reached: bigint): Promise<RecordedEvent | undefined> => {
  const { first, lasting } = await beginning(log, reached).catch(nothingIfDamaged);
  return first !== undefined && first.position > reached ? first : lasting !== undefined && !knows(reader, lasting) ? lasting : undefined;
};

/**
 * What the checkpoint of a read model says, as far as its ledger has the facts: a number alone may be the damage. 0 where it tells nothing that can be relied
 * on, or was made of another log.
 */
const reachedOfLog = async (path: string, log: LogOfOrigin): Promise<bigint> => {
  let reader: Reader | undefined;
  try {
    reader = openReader(path, { ofAnyVersion: true });
    const [checkpoint, last] = [reader.position(), BigInt(String(reader.row(lastSql)?.[0] ?? 0))];
    const reached = checkpoint < last ? checkpoint : last;
    return reached > 0n && (await otherBeginning(reader, log, reached)) === undefined ? reached : 0n;
  } catch {
    return 0n;
  } finally {
    reader?.close();
  }
};

/** How far the log went, as read models show that were made of it; of any release, damaged or not. 0 when none shows anything. */
export const farthestReached = async (paths: readonly string[], log: LogOfOrigin): Promise<bigint> => {
  let farthest = 0n;
  for (const path of paths) {
    const reached = await reachedOfLog(path, log);
    if (reached > farthest) farthest = reached;
  }
  return farthest;
};

/**
 * Why a read model (whole, of this release) was made of another log than this one; undefined when nothing says so. Its ledger has a row of every fact that it
 * has applied: the first fact of the log must be there, at its place. One that has reached nothing yet may go on with any log.
 */
const reasonOfOtherLog = async (path: string, log: LogOfOrigin): Promise<string | undefined> => {
  const reader = openReader(path);
  try {
    const reached = reader.position();
    if (reached === 0n) return undefined;
    const begins = await otherBeginning(reader, log, reached);
    if (begins !== undefined)
      return log.isWhole?.(begins.position) === false
        ? undefined
        : `the log begins with other facts (${begins.type} at position ${begins.position.toString()})`;
    if (log.unchained === undefined) return undefined;
    return await reasonOfOtherPast(reader, log);
  } finally {
    reader.close();
  }
};

export type OfOtherLog = { readonly file: string; readonly reason: string };

/**
 * The read models in DATA_DIR that were made of another log: the live one, the one to switch back to, one that a rebuild has begun. What is not whole, or of
 * another release, is nobody's.
 */
export const readModelsOfOtherLog = async (dataDir: string, log: LogOfOrigin): Promise<readonly OfOtherLog[]> => {
  const found: OfOtherLog[] = [];
  for (const file of readModelFiles(dataDir)) {
    const path = join(dataDir, file);
    if (inspectReadModel(path, 'quick') !== 'good') continue;
    const reason = await reasonOfOtherLog(path, log);
    if (reason !== undefined) found.push({ file, reason });
  }
  return found;
};
