import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { logInAdmin, logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import type { ErrorCode } from '@courtledger/contracts/kernel/errors';
import { expectOpened } from '@courtledger/projections/kernel/not-opened';
import { isDamagedFile } from '../event-log/sqlite-connection.ts';
import type { Caller } from './call.ts';
import { actorOf } from './command-context.ts';
import { FolderRefused } from './folders.ts';
import type { Clock } from './ports.ts';
import { isOfRights } from './problem.ts';
import { subjectsOfText, subjectsText, type RefusalSubject } from './refusal-subject.ts';

/** A refused command or a failed login. No field holds anything that was typed: only ids of the server's own form, and its own words. */
export type Refusal = {
  /** Where to go on from. */
  readonly id: number;
  /** ISO time. */
  readonly time: string;
  /** Name of the endpoint; empty where only the number of what strangers were refused is kept. */
  readonly endpoint: string;
  readonly code: ErrorCode;
  /** `visitor`, `registrant:<team id>`, `admin:<id>`, `superadmin:<id>` or `operator`; of earlier releases without ids but those of admins. */
  readonly actor: string;
  /** The name that the actor's own acts carry; empty for admins, whose names are looked up. */
  readonly actorName: string;
  readonly requestId: string;
  /** Keyed hash of the address: the same caller can be seen, the address cannot. */
  readonly address: string;
  /** What the call was about. */
  readonly subjects: readonly RefusalSubject[];
  /** The server's own words, where the state or the fields were the reason; empty otherwise. */
  readonly message: string;
  /** How often within a minute: of what strangers are refused, the same is kept once. */
  readonly count: number;
};

/** A place in the order of refusals: by time, then by id. */
export type RefusalPlace = { readonly time: string; readonly id: number };
/** Which refusals. `from`, `to`: ISO times, inclusive; `before`: only what is older than that place. */
export type RefusalQuery = { readonly from?: string | undefined; readonly to?: string | undefined; readonly before?: RefusalPlace | undefined };

export type Refusals = {
  /** Notes a refusal; written to the file in batches, at the latest after a second. Never throws: a trail that cannot be written must not fail the answer. */
  record(refusal: {
    readonly endpoint: string;
    readonly code: ErrorCode;
    readonly caller: Caller | undefined;
    readonly requestId: string;
    readonly address: string;
    readonly subjects: readonly RefusalSubject[];
    readonly message?: string | undefined;
  }): void;
  /** The latest first, by time and then by id (a clock may be set back). Only what is iterated is read. Nothing may be recorded meanwhile. */
  find(query: RefusalQuery): Iterable<Refusal>;
  /** Writes what waits to the file. Never throws. */
  flush(): void;
  close(): void;
};

export type RefusalsOptions = {
  readonly clock: Clock;
  /** Key of the address hashes (`serverKey(dataDir, 'address')`). */
  readonly addressKey: Buffer;
  /** Called at most once a minute, when 20 or more refusals came within one (S27). */
  readonly alarm: (count: number) => void;
  /** Called when the file cannot be written. */
  readonly failed: (error: unknown) => void;
  /**
   * Rows that are kept of each kind: those of visitors, those of whoever registers a team, and of everybody else those that concern rights (401, 403, 429) and
   * those that concern the state or the fields. None can push the others out, and nobody those of others of a kind: where there is no more room, the oldest go
   * of whoever has the most.
   */
  readonly most?: number;
};

const alarmCount = 20;
const alarmMilliseconds = 60_000;
const flushMilliseconds = 1000;
const mostWaiting = 500;
const mostRows = 20_000;

/** Whoever needs no account to call: their refusals cost nothing, so they are bounded. */
const strangers: ReadonlySet<Caller['role']> = new Set(['visitor', 'registrant']);
const logIns: ReadonlySet<string> = new Set([logInAdmin.name, logInSuperAdmin.name]);
/** Rows a minute for all visitors together, and for all who register a team; what is more is counted in one further row. */
const strangersAMinute = 10;

/** Kinds of rows, each with its own room. Each team that registers is somebody else, so that all of them together would have more than any visitor. */
const kinds = { state: 0, rights: 1, visitor: 2, registrant: 3 } as const;
type Row = Omit<Refusal, 'subjects'> & { readonly subjects: string };
/** A row that is still to be written, or to be counted further. */
type Kept = { readonly row: Omit<Row, 'id' | 'count'>; readonly kind: number; count: number; id: number | undefined };

const prepareTable = (database: Database.Database): void => {
  database.pragma('journal_mode = WAL');
  // The last second of a trail may be lost with the power; the log's writes are not to wait for it.
  database.pragma('synchronous = NORMAL');
  database.exec(
    `CREATE TABLE IF NOT EXISTS refusals (id INTEGER PRIMARY KEY, time TEXT NOT NULL, endpoint TEXT NOT NULL, code TEXT NOT NULL, actor TEXT NOT NULL, request_id TEXT NOT NULL, address TEXT NOT NULL) STRICT`,
  );
  // What an earlier release did not note.
  const columns = new Set(database.prepare<[], string>("SELECT name FROM pragma_table_info('refusals')").pluck().all());
  for (const [name, type] of [
    ['subjects', "TEXT NOT NULL DEFAULT ''"],
    ['message', "TEXT NOT NULL DEFAULT ''"],
    ['rights', 'INTEGER NOT NULL DEFAULT 1'],
    ['actor_name', "TEXT NOT NULL DEFAULT ''"],
    ['count', 'INTEGER NOT NULL DEFAULT 1'],
  ] as const)
    if (!columns.has(name)) database.exec(`ALTER TABLE refusals ADD COLUMN ${name} ${type}`);
  // And what it kept among the visitors'.
  database.exec(`UPDATE refusals SET rights = ${kinds.registrant} WHERE rights = ${kinds.visitor} AND actor LIKE 'registrant%'`);
  database.exec(
    'DROP INDEX IF EXISTS refusals_by_kind; CREATE INDEX IF NOT EXISTS refusals_by_actor ON refusals (rights, actor, id); CREATE INDEX IF NOT EXISTS refusals_by_time ON refusals (time, id)',
  );
};

/** @throws FolderRefused when the file is damaged, and SQLite's error, with its path, when it cannot be opened */
const openTable = (path: string): Database.Database => {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: 1000 });
    prepareTable(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof Error && isDamagedFile(error))
      throw new FolderRefused(
        `DATA_DIR: ${path} is damaged (${error.message}). Move it away, and the next start begins a new one: what was refused before is in the backups then, and in no audit`,
        { cause: error },
      );
    expectOpened(error, path);
    throw error;
  }
};

/** From a time (inclusive) back, from before a time and id: a walk along the index, since each page of an audit asks. */
export const refusalsBetween =
  'SELECT id, time, endpoint, code, actor, actor_name AS actorName, request_id AS requestId, address, subjects, message, count FROM refusals WHERE time >= ? AND (time, id) < (?, ?) ORDER BY time DESC, id DESC';

/** What the table says of a caller: role and id, and a name only where it is none of a person's. */
const actorRow = (caller: Caller | undefined): { readonly actor: string; readonly actorName: string } => {
  // As in the operator's own acts.
  if (caller !== undefined && 'id' in caller && caller.id === 'operator') return { actor: 'operator', actorName: 'Operator' };
  const { role, id, name } = actorOf(caller ?? { role: 'visitor' });
  return { actor: role === 'visitor' ? role : `${role}:${id}`, actorName: role === 'admin' ? '' : name };
};

/**
 * Keeps the rows of strangers few: the same within a minute is one row, and beyond a number of different ones only a count goes on. What was tried on a known
 * account has no limit but that of the accounts.
 */
const createStrangerRows = (clock: Clock) => {
  let began = Number.NEGATIVE_INFINITY;
  const rows = new Map<string, Kept>();
  const different = new Map<string, number>();
  return (row: Kept['row']): Kept => {
    const now = clock.monotonic();
    if (now - began >= alarmMilliseconds) {
      began = now;
      rows.clear();
      different.clear();
    }
    const isOnAccount = logIns.has(row.endpoint) && row.subjects.includes('admin:');
    const key = JSON.stringify([row.endpoint, row.code, row.actor, isOnAccount ? '' : row.address, row.subjects, row.message]);
    const isNew = !rows.has(key);
    const role = row.actor.split(':', 1)[0] ?? '';
    const before = different.get(role) ?? 0;
    const isOver = isNew && !isOnAccount && before >= strangersAMinute;
    if (isNew && !isOnAccount && !isOver) different.set(role, before + 1);
    const place = isOver ? role : key;
    let kept = rows.get(place);
    if (kept === undefined) {
      kept = {
        row: isOver ? { ...row, endpoint: '', actor: role, address: '', subjects: '', message: '' } : row,
        kind: role === 'registrant' ? kinds.registrant : kinds.visitor,
        count: 0,
        id: undefined,
      };
      rows.set(place, kept);
    }
    kept.count += 1;
    return kept;
  };
};

/** Opens `DATA_DIR/refusals.sqlite`: refusals are no facts, so they stand outside the log, in a table that never grows beyond its cap. */
export const openRefusals = (dataDir: string, options: RefusalsOptions): Refusals => {
  const { clock, addressKey, alarm, failed } = options;
  const most = options.most ?? mostRows;
  const strangerRow = createStrangerRows(clock);
  const database = openTable(join(dataDir, 'refusals.sqlite'));
  const insert = database.prepare<[string, string, string, string, string, string, string, string, string, number, number]>(
    'INSERT INTO refusals (time, endpoint, code, actor, actor_name, request_id, address, subjects, message, rights, count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const recount = database.prepare<[number, number]>('UPDATE refusals SET count = ? WHERE id = ?');
  const rowsInAll = database.prepare<[number], number>('SELECT count(*) FROM refusals WHERE rights = ?').pluck();
  const rowsOf = database.prepare<[number], { readonly actor: string; readonly rows: number }>(
    'SELECT actor, count(*) AS rows FROM refusals WHERE rights = ? GROUP BY actor ORDER BY min(id)',
  );
  const removeOldest = database.prepare<[number, string, number]>(
    'DELETE FROM refusals WHERE id IN (SELECT id FROM refusals WHERE rights = ? AND actor = ? ORDER BY id LIMIT ?)',
  );
  const select = database.prepare<[string, string, number], Row>(refusalsBetween);

  const trim = (kind: number): void => {
    const over = (rowsInAll.get(kind) ?? 0) - most;
    if (over <= 0) return;
    const left = new Map(rowsOf.all(kind).map(({ actor, rows }) => [actor, rows]));
    const gone = new Map<string, number>();
    for (let removed = 0; removed < over; removed += 1) {
      // Of two who have as many, whose oldest is older.
      const [actor, rows] = [...left].reduce((one, other) => (other[1] > one[1] ? other : one));
      left.set(actor, rows - 1);
      gone.set(actor, (gone.get(actor) ?? 0) + 1);
    }
    for (const [actor, rows] of gone) removeOldest.run(kind, actor, rows);
  };

  const write = database.transaction((rows: readonly Kept[]): readonly number[] => {
    const ids = rows.map(({ row, kind, count, id }) => {
      if (id === undefined)
        return Number(
          insert.run(row.time, row.endpoint, row.code, row.actor, row.actorName, row.requestId, row.address, row.subjects, row.message, kind, count)
            .lastInsertRowid,
        );
      recount.run(count, id);
      return id;
    });
    for (const kind of Object.values(kinds)) trim(kind);
    return ids;
  });
  let waiting = new Set<Kept>();
  const flush = (): void => {
    if (waiting.size === 0) return;
    const rows = [...waiting];
    waiting = new Set();
    try {
      // Known only when they are stored.
      for (const [index, id] of write(rows).entries()) (rows[index] as Kept).id = id;
    } catch (error) {
      failed(error);
    }
  };
  const timer = setInterval(flush, flushMilliseconds);
  timer.unref();

  const recent: number[] = [];
  let alarmed = Number.NEGATIVE_INFINITY;
  const watch = (): void => {
    const now = clock.monotonic();
    recent.push(now);
    while (recent[0] !== undefined && recent[0] <= now - alarmMilliseconds) recent.shift();
    if (recent.length >= alarmCount && now - alarmed >= alarmMilliseconds) {
      alarmed = now;
      alarm(recent.length);
    }
    // Under a flood the count is not worth its memory.
    if (recent.length > mostWaiting) recent.shift();
  };

  return {
    record({ endpoint, code, caller, requestId, address, subjects, message }) {
      const row = {
        time: new Date(clock.now()).toISOString(),
        endpoint,
        code,
        ...actorRow(caller),
        requestId,
        subjects: subjectsText(subjects),
        message: message ?? '',
        address: createHmac('sha256', addressKey).update(address).digest('base64url').slice(0, 16),
      };
      waiting.add(
        strangers.has(caller?.role ?? 'visitor') ? strangerRow(row) : { row, kind: isOfRights(code) ? kinds.rights : kinds.state, count: 1, id: undefined },
      );
      if (isOfRights(code)) watch();
      if (waiting.size >= mostWaiting) flush();
    },
    *find({ from, to, before }) {
      flush();
      // Any text that is a time stands before a tilde.
      const latest = to ?? '~';
      const [time, id] = before === undefined || before.time > latest ? [latest, Number.MAX_SAFE_INTEGER] : [before.time, before.id];
      for (const row of select.iterate(from ?? '', time, id)) yield { ...row, subjects: subjectsOfText(row.subjects) };
    },
    flush,
    close() {
      clearInterval(timer);
      flush();
      database.close();
    },
  };
};
