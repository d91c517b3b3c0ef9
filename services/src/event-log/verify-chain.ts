import { messageOf } from '@courtledger/contracts/kernel/errors';
import Database from 'better-sqlite3';
import { LogUnavailable } from './event-log.ts';
import { chainHash, chainRoot, digestOf } from './hash-chain.ts';
import { personStreamPrefix } from './prepare-append.ts';
import { isDamagedFile, openingDamage } from './sqlite-connection.ts';

/** Where the log stopped being what was written. Position 0 is damage of the file's own structure (an index), not of one event. */
export type ChainBreak = {
  readonly position: bigint;
  readonly reason: string;
  /** Of a log that has lost its end: how far somebody outside it has seen it go. */
  readonly seen?: bigint;
};

/** A break that is known. `isMended`: a later walk of the whole chain came past it. What the process remembers of the file may be of before all the same. */
export type KnownBreak = ChainBreak & { readonly isMended?: true };

/** What becomes of a log that was put right under a process that has met its break, in the words that everybody is told. */
export const mendedText = (position: bigint | string): string =>
  `Position ${String(position)} of the log was damaged and fits now: a restart of the server takes writes again`;

/** Somebody whose details are gone, from this position on. */
export type GoneDetails = { readonly personId: string; readonly position: bigint };

/**
 * What a verification found. `events`: verified, `erased` among them; with a `firstBreak` it stopped there. `untold`: of a whole chain without a break, who is
 * erased though no fact tells of it, if anybody.
 */
export type ChainReport = { readonly events: number; readonly erased: number; readonly firstBreak?: ChainBreak; readonly untold?: readonly GoneDetails[] };

/** An event of the log, by what its chain says of it. */
export type Place = { readonly position: number; readonly hash: string };

/** What is missing of a log that ends before a position which somebody has seen. */
export const lostEnd = (last: bigint | number, seen: bigint | number, by: string): ChainBreak => ({
  position: BigInt(last) + 1n,
  reason: `the log ends before position ${seen}, which ${by}: events are missing`,
  seen: BigInt(seen),
});

export type ChainProgress = { readonly position: bigint; readonly head: bigint; readonly events: number };

/**
 * What is wrong with a log for the writer that acknowledged `known` last, if anything: it ends before it, or another event stands there, in a chain that
 * somebody has made anew and that is whole in itself. `last`: where the log ends; `hash`: of the event that stands at the known position.
 */
export const brokenEnd = (known: Place, last: number, hash: string | undefined): ChainBreak | undefined => {
  if (last < known.position) return lostEnd(last, known.position, 'was acknowledged');
  return hash === known.hash ? undefined : { position: BigInt(known.position), reason: 'the event is not the one that was acknowledged' };
};

// Unknown, because a flipped bit can change the type of a column as well as its content.
type ChainRow = readonly [
  position: unknown,
  stream: unknown,
  revision: unknown,
  id: unknown,
  type: unknown,
  version: unknown,
  time: unknown,
  data: unknown,
  metadata: unknown,
  salt: unknown,
  digest: unknown,
  hash: unknown,
];

const columns = 'position, stream, revision, id, type, version, time, data, metadata, salt, digest, hash';

/** `gone`: whose details are gone. `told`: who is told to be erased. */
type Examined = { readonly hash: string; readonly gone?: string; readonly told?: string };

const personErasedIn = (data: unknown): string | undefined => {
  try {
    const told: unknown = JSON.parse(String(data));
    return typeof told === 'object' && told !== null && 'personId' in told && typeof told.personId === 'string' ? told.personId : undefined;
  } catch {
    return undefined;
  }
};

/** Why a row is not what was written, or its hash and what it tells of erasures. */
const examine = (row: ChainRow, expected: number, before: string): string | Examined => {
  const [position, stream, revision, id, type, version, time, data, metadata, salt, digest, hash] = row;
  if (position !== expected) return `expected position ${expected}, found ${String(position)}: events are missing`;
  if (
    typeof stream !== 'string' ||
    typeof revision !== 'number' ||
    typeof id !== 'string' ||
    typeof type !== 'string' ||
    typeof version !== 'number' ||
    typeof time !== 'string' ||
    typeof metadata !== 'string' ||
    typeof digest !== 'string' ||
    typeof hash !== 'string'
  )
    return 'a column has the wrong type';
  const isPerson = stream.startsWith(personStreamPrefix);
  const erased = isPerson && data === null && salt === null;
  if (!erased) {
    if (typeof data !== 'string' || (isPerson ? typeof salt !== 'string' : salt !== null)) return 'data or salt is missing';
    if (digestOf(salt as string | null, data) !== digest) return 'the data does not match its digest';
  }
  if (chainHash(before, expected, stream, revision, { id, type, version, time, metadata }, digest) !== hash) return 'the event does not match its hash';
  if (erased) return { hash, gone: stream.slice(personStreamPrefix.length) };
  const told = type === 'PersonErased' ? personErasedIn(data) : undefined;
  return told === undefined ? { hash } : { hash, told };
};

/**
 * The damage that SQLite met. An error that says nothing about the content (busy, out of memory, a failed read) is thrown on: it is no reason to refuse writes
 * for good.
 */
const damageOf = (error: unknown, position: number): ChainBreak => {
  if (error instanceof Database.SqliteError && !isDamagedFile(error)) throw error;
  return { position: BigInt(position), reason: `SQLite cannot read on: ${messageOf(error)}` };
};

/**
 * What no walk comes past, and yet changes what is read or written: events before the first one, which a stream's readers would take for facts, and triggers.
 */
export const strangerBreak = (connection: Database.Database): ChainBreak | undefined => {
  const first = connection.prepare<[], number | null>('SELECT min(position) FROM events').pluck().get() ?? 1;
  if (first < 1) return { position: 0n, reason: `an event stands at position ${first}, before the first one` };
  const trigger = connection.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger' LIMIT 1").pluck().get();
  return trigger === undefined ? undefined : { position: 0n, reason: `the file has a trigger, ${trigger}, which is none of the log's` };
};

/** Of a file that SQLite would not have opened, what for. Whoever walks it names the first event that is missing before. */
export const openingBreak = (connection: Database.Database): ChainBreak | undefined => {
  const reason = openingDamage(connection);
  return reason === undefined ? undefined : { position: 0n, reason };
};

/** The indexes must agree with the events, or reads by stream would miss some; and nothing may stand beside them. */
const structureBreak = (connection: Database.Database): ChainBreak | undefined => {
  try {
    const stranger = strangerBreak(connection) ?? openingBreak(connection);
    if (stranger !== undefined) return stranger;
    const found = String(connection.pragma('integrity_check(1)', { simple: true }));
    return found === 'ok' ? undefined : { position: 0n, reason: `SQLite's integrity check: ${found}` };
  } catch (error) {
    return damageOf(error, 0);
  }
};

/**
 * Walks the hash chain of a log page by page, so that the caller may do other work in between. Construct it with the first position to verify (1 is the first
 * event); call `step` until it answers true, then read `report`. Damage that SQLite itself stumbles over is a break like any other.
 */
export class ChainWalk {
  readonly #page: Database.Statement<[number, number], ChainRow>;
  readonly #connection: Database.Database;
  readonly #whole: boolean;
  readonly #end: Place | undefined;
  readonly #head: number;
  /** Damage that says nothing of a place yet: the end of the log could not be found. */
  #endless: ChainBreak | undefined;
  #next: number;
  #before: string | undefined;
  #events = 0;
  #erased = 0;
  readonly #gone = new Map<string, bigint>();
  readonly #told = new Set<string>();
  #break: ChainBreak | undefined;

  /** @param end the last event that the writer of the log knows to be there: it must be there, and be the same */
  constructor(connection: Database.Database, from: bigint, end?: Place) {
    this.#connection = connection;
    this.#end = end;
    this.#whole = from <= 1n;
    this.#next = this.#whole ? 1 : Number(from);
    this.#page = connection.prepare<[number, number], ChainRow>(`SELECT ${columns} FROM events WHERE position >= ? ORDER BY position LIMIT ?`).raw();
    this.#head = 0;
    try {
      // The last position ever given (rows are never deleted): events missing at the end leave no gap that the chain could show.
      this.#head = Math.max(this.#ask("SELECT seq FROM sqlite_sequence WHERE name = 'events'"), this.#ask('SELECT max(position) FROM events'));
      this.#break = strangerBreak(connection);
      this.#before = this.#whole
        ? chainRoot
        : connection
            .prepare<[number], string>('SELECT hash FROM events WHERE position = ?')
            .pluck()
            .get(this.#next - 1);
    } catch (error) {
      this.#stop(error);
    }
  }

  get progress(): ChainProgress {
    return { position: BigInt(this.#next - 1), head: BigInt(this.#head), events: this.#events };
  }

  get report(): ChainReport {
    const found = { events: this.#events, erased: this.#erased };
    if (this.#break !== undefined) return { ...found, firstBreak: this.#break };
    const untold = this.#whole ? [...this.#gone].filter(([personId]) => !this.#told.has(personId)).map(([personId, position]) => ({ personId, position })) : [];
    return untold.length === 0 ? found : { ...found, untold };
  }

  /**
   * Verifies the next `limit` events; true when there is nothing left to do. Throws LogUnavailable when the connection was closed meanwhile, and errors of
   * SQLite that are no damage.
   */
  step(limit: number): boolean {
    if (!this.#connection.open) throw new LogUnavailable('The event log was closed or opened again during the verification');
    if (this.#break !== undefined) return true;
    const rows = this.#read(limit);
    for (const row of rows) {
      const found = this.#before === undefined ? 'the event before is missing' : examine(row, this.#next, this.#before);
      if (typeof found === 'string') {
        this.#break = { position: BigInt(this.#next), reason: found };
        return true;
      }
      const { hash, gone, told } = found;
      if (this.#end?.position === this.#next) {
        this.#break = brokenEnd(this.#end, this.#next, hash);
        if (this.#break !== undefined) return true;
      }
      if (gone !== undefined) {
        this.#erased += 1;
        if (!this.#gone.has(gone)) this.#gone.set(gone, BigInt(this.#next));
      }
      if (told !== undefined) this.#told.add(told);
      this.#before = hash;
      this.#next += 1;
      this.#events += 1;
    }
    // #read has set it when SQLite could not read on.
    if (this.report.firstBreak !== undefined) return true;
    if (rows.length === limit) return false;
    if (this.#end !== undefined && this.#head < this.#end.position && this.#next <= this.#end.position)
      this.#break = brokenEnd(this.#end, this.#next - 1, undefined);
    else if (this.#next <= this.#head) this.#break = { position: BigInt(this.#next), reason: `the log ends before position ${this.#head}: events are missing` };
    else if (this.#whole) this.#break = structureBreak(this.#connection);
    this.#break ??= this.#endless;
    return true;
  }

  /** Rows up to `limit`; when SQLite fails on the page, those before the damage, one by one. */
  #read(limit: number): readonly ChainRow[] {
    try {
      return this.#page.all(this.#next, limit);
    } catch (failure) {
      // Throws on what is no damage.
      this.#stop(failure);
      this.#break = undefined;
      const rows: ChainRow[] = [];
      try {
        while (rows.length < limit) {
          const row = this.#page.get(this.#next + rows.length, 1);
          if (row === undefined) break;
          rows.push(row);
        }
      } catch (error) {
        this.#stop(error, this.#next + rows.length);
      }
      return rows;
    }
  }

  /** A number, or 0 where there is none, or it cannot be read: the walk comes to where that lies. */
  #ask(sql: string): number {
    try {
      return this.#connection.prepare<[], number>(sql).pluck().get() ?? 0;
    } catch (error) {
      this.#endless ??= damageOf(error, 0);
      return 0;
    }
  }

  /** Notes damage that SQLite met; throws as `damageOf`. */
  #stop(error: unknown, position = this.#next): void {
    this.#break = damageOf(error, position);
  }
}

/**
 * Whether a break that was found earlier is still there, by a look at that one event and the hash before it; for the file's own structure by SQLite's check of
 * the whole file. Undefined: what stands there now fits, or the log is another one that never came that far. Throws errors of SQLite that say nothing about the
 * content.
 */
export const stillBroken = (connection: Database.Database, { position, reason, seen }: ChainBreak): ChainBreak | undefined => {
  if (position === 0n) return structureBreak(connection);
  const walk = new ChainWalk(connection, position);
  walk.step(1);
  const { firstBreak, events } = walk.report;
  if (firstBreak !== undefined) return firstBreak;
  // The log that lost its end there has nothing at that position yet, and must not be given something else. An empty one has lost nothing that anybody could
  // know, unless somebody has seen it go further.
  if (events > 0 || walk.progress.head !== position - 1n || (position === 1n && seen === undefined)) return undefined;
  return { position, reason, ...(seen !== undefined && { seen }) };
};

/** Verifies the last `count` events at once. */
export const verifyLast = (connection: Database.Database, count: number): ChainReport => {
  let last: number;
  try {
    last = connection.prepare<[], number>('SELECT max(position) FROM events').pluck().get() ?? 0;
  } catch {
    last = 0;
  }
  const walk = new ChainWalk(connection, BigInt(Math.max(1, last - count + 1)));
  let done = false;
  while (!done) done = walk.step(1000);
  return walk.report;
};
