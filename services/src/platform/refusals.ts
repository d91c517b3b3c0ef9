import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { ErrorCode } from '@courtledger/contracts/kernel/errors';
import type { Caller } from './call.ts';
import type { Clock } from './ports.ts';
import { subjectsOfText, subjectsText, type RefusalSubject } from './refusal-subject.ts';

/** A refused command or a failed login. No field holds anything that was typed: only ids of the server's own form, and its own words. */
export type Refusal = {
  /** Where to go on from. */
  readonly id: number;
  /** ISO time. */
  readonly time: string;
  /** Name of the endpoint. */
  readonly endpoint: string;
  readonly code: ErrorCode;
  /** `visitor`, `registrant`, `admin:<id>`, `superadmin` or `operator`. */
  readonly actor: string;
  readonly requestId: string;
  /** Keyed hash of the address: the same caller can be seen, the address cannot. */
  readonly address: string;
  /** What the call was about. */
  readonly subjects: readonly RefusalSubject[];
  /** The server's own words, where the state or the fields were the reason; empty otherwise. */
  readonly message: string;
};

/** Which refusals. `from`, `to`: ISO times, inclusive; `before`: the id of the one where a page ended. */
export type RefusalQuery = { readonly from?: string | undefined; readonly to?: string | undefined; readonly before?: number | undefined };

export type Refusals = {
  /** Notes a refusal; written to the file in batches, at the latest after a second. Never throws: a trail that cannot be written must not fail the answer. */
  record(refusal: { readonly endpoint: string; readonly code: ErrorCode; readonly caller: Caller | undefined; readonly requestId: string; readonly address: string; readonly subjects: readonly RefusalSubject[]; readonly message?: string | undefined }): void;
  /** The latest first, by time and then by id (a clock may be set back). Only what is iterated is read. Nothing may be recorded meanwhile. */
  find(query: RefusalQuery): Iterable<Refusal>;
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
  /** Rows that are kept of each kind: those that concern rights (401, 403, 429), and those that concern the state or the fields. Neither can push the other out. */
  readonly most?: number;
};

const alarmCount = 20;
const alarmMilliseconds = 60_000;
const flushMilliseconds = 1000;
const mostWaiting = 500;
const mostRows = 20_000;

/** The refusals that look like an attack when there are many: of rights, not of wrong fields. */
const ofRights: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'forbidden', 'cross-site', 'throttled']);

type Row = Omit<Refusal, 'subjects'> & { readonly subjects: string };

const openTable = (path: string): Database.Database => {
  const database = new Database(path, { timeout: 1000 });
  database.pragma('journal_mode = WAL');
  // The last second of a trail may be lost with the power; the log's writes are not to wait for it.
  database.pragma('synchronous = NORMAL');
  database.exec(`CREATE TABLE IF NOT EXISTS refusals (id INTEGER PRIMARY KEY, time TEXT NOT NULL, endpoint TEXT NOT NULL, code TEXT NOT NULL, actor TEXT NOT NULL, request_id TEXT NOT NULL, address TEXT NOT NULL) STRICT`);
  // What an earlier release did not note.
  const columns = new Set(database.prepare<[], string>("SELECT name FROM pragma_table_info('refusals')").pluck().all());
  for (const [name, type] of [['subjects', "TEXT NOT NULL DEFAULT ''"], ['message', "TEXT NOT NULL DEFAULT ''"], ['rights', 'INTEGER NOT NULL DEFAULT 1']] as const) if (!columns.has(name)) database.exec(`ALTER TABLE refusals ADD COLUMN ${name} ${type}`);
  database.exec('CREATE INDEX IF NOT EXISTS refusals_by_kind ON refusals (rights, id); CREATE INDEX IF NOT EXISTS refusals_by_time ON refusals (time, id)');
  return database;
};

/** From a time (inclusive) back, from before a time and id: a walk along the index, since each page of an audit asks. */
export const refusalsBetween = 'SELECT id, time, endpoint, code, actor, request_id AS requestId, address, subjects, message FROM refusals WHERE time >= ? AND (time, id) < (?, ?) ORDER BY time DESC, id DESC';

/** What the table says of a caller: roles and account ids, never a name. */
const actorOf = (caller: Caller | undefined): string => {
  if (caller === undefined) return 'visitor';
  if ('id' in caller && caller.id === 'operator') return 'operator';
  return caller.role === 'admin' ? `admin:${caller.id}` : caller.role;
};

/** Opens `DATA_DIR/refusals.sqlite`: refusals are no facts, so they stand outside the log, in a table that never grows beyond its cap. */
export const openRefusals = (dataDir: string, options: RefusalsOptions): Refusals => {
  const { clock, addressKey, alarm, failed } = options;
  const most = options.most ?? mostRows;
  const database = openTable(join(dataDir, 'refusals.sqlite'));
  const insert = database.prepare<[string, string, string, string, string, string, string, string, number]>('INSERT INTO refusals (time, endpoint, code, actor, request_id, address, subjects, message, rights) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const trim = database.prepare<[number, number, number]>('DELETE FROM refusals WHERE rights = ? AND id <= (SELECT id FROM refusals WHERE rights = ? ORDER BY id DESC LIMIT 1 OFFSET ?)');
  const select = database.prepare<[string, string, number], Row>(refusalsBetween);
  // The one itself may have been trimmed since: then it is gone on from the next older one.
  const timeOf = database.prepare<[number], string>('SELECT time FROM refusals WHERE id <= ? ORDER BY id DESC LIMIT 1').pluck();

  const write = database.transaction((rows: readonly Omit<Row, 'id'>[]) => {
    for (const { time, endpoint, code, actor, requestId, address, subjects, message } of rows) insert.run(time, endpoint, code, actor, requestId, address, subjects, message, ofRights.has(code) ? 1 : 0);
    for (const rights of [0, 1]) trim.run(rights, rights, most);
  });
  let waiting: Omit<Row, 'id'>[] = [];
  const flush = (): void => {
    if (waiting.length === 0) return;
    const rows = waiting;
    waiting = [];
    try {
      write(rows);
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
      waiting.push({
        time: new Date(clock.now()).toISOString(), endpoint, code, actor: actorOf(caller), requestId, subjects: subjectsText(subjects), message: message ?? '',
        address: createHmac('sha256', addressKey).update(address).digest('base64url').slice(0, 16),
      });
      if (ofRights.has(code)) watch();
      if (waiting.length >= mostWaiting) flush();
    },
    *find({ from, to, before }) {
      flush();
      // Any text that is a time stands before a tilde.
      const latest = to ?? '~';
      const ended = before === undefined ? undefined : (timeOf.get(before) ?? '');
      const [time, id] = before === undefined || ended === undefined || ended > latest ? [latest, Number.MAX_SAFE_INTEGER] : [ended, before];
      for (const row of select.iterate(from ?? '', time, id)) yield { ...row, subjects: subjectsOfText(row.subjects) };
    },
    close() {
      clearInterval(timer);
      flush();
      database.close();
    },
  };
};
