import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { ErrorCode } from '@courtledger/contracts/kernel/errors';
import type { Caller } from './call.ts';
import type { Clock } from './ports.ts';

/** A refused command or a failed login. No field holds anything that was sent: only what the server itself knows. */
export type Refusal = {
  /** ISO time. */
  readonly time: string;
  /** Name of the endpoint. */
  readonly endpoint: string;
  readonly code: ErrorCode;
  /** `visitor`, `registrant`, `admin:<id>` or `superadmin`. */
  readonly actor: string;
  readonly requestId: string;
  /** Keyed hash of the address: the same caller can be seen, the address cannot. */
  readonly address: string;
};

export type Refusals = {
  /** Notes a refusal; written to the file in batches, at the latest after a second. Never throws: a trail that cannot be written must not fail the answer. */
  record(refusal: { readonly endpoint: string; readonly code: ErrorCode; readonly caller: Caller | undefined; readonly requestId: string; readonly address: string }): void;
  /** The latest first. */
  latest(limit: number): readonly Refusal[];
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
  /** Rows that are kept. */
  readonly most?: number;
};

const alarmCount = 20;
const alarmMilliseconds = 60_000;
const flushMilliseconds = 1000;
const mostWaiting = 500;
const mostRows = 20_000;

/** What the table says of a caller: roles and account ids, never a name. */
const actorOf = (caller: Caller | undefined): string => {
  if (caller === undefined) return 'visitor';
  return caller.role === 'admin' ? `admin:${caller.id}` : caller.role;
};

/** Opens `DATA_DIR/refusals.sqlite`: refusals are no facts, so they stand outside the log, in a table that never grows beyond its cap. */
export const openRefusals = (dataDir: string, options: RefusalsOptions): Refusals => {
  const { clock, addressKey, alarm, failed } = options;
  const most = options.most ?? mostRows;
  const database = new Database(join(dataDir, 'refusals.sqlite'), { timeout: 1000 });
  database.pragma('journal_mode = WAL');
  // The last second of a trail may be lost with the power; the log's writes are not to wait for it.
  database.pragma('synchronous = NORMAL');
  database.exec(`CREATE TABLE IF NOT EXISTS refusals (id INTEGER PRIMARY KEY, time TEXT NOT NULL, endpoint TEXT NOT NULL, code TEXT NOT NULL, actor TEXT NOT NULL, request_id TEXT NOT NULL, address TEXT NOT NULL) STRICT`);
  const insert = database.prepare<[string, string, string, string, string, string]>('INSERT INTO refusals (time, endpoint, code, actor, request_id, address) VALUES (?, ?, ?, ?, ?, ?)');
  const trim = database.prepare<[number]>('DELETE FROM refusals WHERE id <= (SELECT max(id) FROM refusals) - ?');
  const select = database.prepare<[number], Refusal>('SELECT time, endpoint, code, actor, request_id AS requestId, address FROM refusals ORDER BY id DESC LIMIT ?');

  const write = database.transaction((rows: readonly Refusal[]) => {
    for (const row of rows) insert.run(row.time, row.endpoint, row.code, row.actor, row.requestId, row.address);
    trim.run(most);
  });
  let waiting: Refusal[] = [];
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
    record({ endpoint, code, caller, requestId, address }) {
      waiting.push({ time: new Date(clock.now()).toISOString(), endpoint, code, actor: actorOf(caller), requestId, address: createHmac('sha256', addressKey).update(address).digest('base64url').slice(0, 16) });
      watch();
      if (waiting.length >= mostWaiting) flush();
    },
    latest(limit) {
      flush();
      return select.all(limit);
    },
    close() {
      clearInterval(timer);
      flush();
      database.close();
    },
  };
};
