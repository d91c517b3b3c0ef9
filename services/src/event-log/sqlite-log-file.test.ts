import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogUnavailable, UnknownOutcome } from './event-log.ts';
import { sampleEvent } from './event-log.contract.ts';
import { prepareEvents } from './prepare-append.ts';
import { assertSqliteVersion, expectWritableFiles, openLogConnection, UnsafeSqlite } from './sqlite-connection.ts';
import type { BatchedAppend } from './log-inserts.ts';
import { SqliteLogFile } from './sqlite-log-file.ts';
import { asNobody, folderForAll } from './testing/as-nobody.ts';
import { failingConnections, sqliteError, type FaultPlan } from './testing/failing-connection.ts';
import { temporaryFolder } from './testing/log-files.ts';

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
const open: SqliteLogFile[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.path('event-log.sqlite');
});
afterEach(() => {
  for (const file of open.splice(0)) file.close();
  folder.remove();
});

const openFile = (plan?: FaultPlan): { readonly file: SqliteLogFile; readonly statements: readonly string[] } => {
  const { connect, statements } = failingConnections(plan ?? {});
  const file = new SqliteLogFile({ path, connect });
  open.push(file);
  return { file, statements };
};
const appendOf = (stream: string, expected: BatchedAppend['expected'], ...events: readonly ReturnType<typeof sampleEvent>[]): BatchedAppend => ({
  stream,
  expected,
  events: prepareEvents(stream, events.length === 0 ? [sampleEvent()] : events),
});
const filled = (count: number): SqliteLogFile => {
  const { file } = openFile();
  file.append(Array.from({ length: count }, (_, index) => appendOf(index % 3 === 2 ? `person-${index}` : `match-${index}`, 'no-stream', sampleEvent({ text: `payload ${index}` }))));
  return file;
};
const wholeReport = (file: SqliteLogFile) => {
  const walk = file.startWalk(1n);
  while (!walk.step(7));
  file.concludeWalk(walk.report);
  return walk.report;
};
const tamper = (sql: string): void => {
  const connection = new Database(path);
  connection.exec(sql);
  connection.close();
};

describe('connections', () => {
  it('are at synchronous=FULL, WAL and secure_delete, whoever comes first', () => {
    const connections = [openLogConnection(path), openLogConnection(path), openLogConnection(path, { readonly: true })];
    connections[0]?.close();
    connections[0] = openLogConnection(path);
    expect(connections.map((connection) => ['synchronous', 'journal_mode', 'secure_delete'].map((name) => connection.pragma(name, { simple: true })))).toEqual(
      connections.map(() => [2, 'wal', 1]),
    );
    for (const connection of connections) connection.close();
  });

  it('refuse a SQLite older than 3.51.3', () => {
    for (const version of ['3.51.2', '3.50.9', '2.99.99', '', 'unknown']) expect(() => assertSqliteVersion(version)).toThrow(UnsafeSqlite);
    for (const version of ['3.51.3', '3.51.10', '3.52.0', '4.0.0']) expect(() => assertSqliteVersion(version)).not.toThrow();
  });

  it('refuse a file that is no database, as a log that is unavailable', () => {
    tamper('CREATE TABLE other (a)');
    const bytes = readFileSync(path);
    expect(bytes.subarray(0, 6).toString()).toBe('SQLite');
    expect(() => new SqliteLogFile({ path: import.meta.filename })).toThrow(LogUnavailable);
  });
});

const unwritable = (file: string): LogUnavailable => new LogUnavailable(`Nothing may be written in ${file}: look at who owns it, and what its mode and its disk allow.`);
const refusalOf = (work: () => unknown): unknown =>
  asNobody(() => {
    try {
      return work();
    } catch (error) {
      // Only what is said: the cause is the system's.
      return error instanceof LogUnavailable ? new LogUnavailable(error.message) : error;
    }
  });

describe('a file that may not be written', () => {
  beforeEach(() => {
    folder.remove();
    folder = folderForAll();
    path = folder.path('event-log.sqlite');
  });

  it('is found by a start before anything opens the log, by the name of the file, and nothing is left beside it', () => {
    filled(1).close();
    chmodSync(path, 0o444);
    expect([refusalOf(() => expectWritableFiles(path)), readdirSync(dirname(path))]).toEqual([unwritable(path), ['event-log.sqlite']]);
    chmodSync(path, 0o666);
    for (const suffix of ['-wal', '-shm']) {
      writeFileSync(path + suffix, '', { mode: 0o444 });
      expect(refusalOf(() => expectWritableFiles(path))).toEqual(unwritable(path + suffix));
      rmSync(path + suffix);
    }
    expect(refusalOf(() => expectWritableFiles(path))).toBeUndefined();
    expect(expectWritableFiles(folder.path('none.sqlite'))).toBeUndefined();
  });

  it.each(['WAL', 'DELETE'])('is refused at the opening, where SQLite would go on without writing (%s)', (mode) => {
    filled(1).close();
    tamper(`PRAGMA journal_mode = ${mode}`);
    chmodSync(path, 0o444);
    expect(refusalOf(() => openFile())).toEqual(unwritable(`${path}, or in its -wal or -shm`));
  });

  it('is told as the reason why nothing is written from the first append that it refuses, and takes appends again when it may be written', () => {
    let failing = true;
    const { file } = openFile({
      before: (sql) => {
        if (sql === 'BEGIN IMMEDIATE' && failing) throw sqliteError('SQLITE_READONLY_DBMOVED');
      },
      open: (count) => {
        if (count > 0 && failing) throw sqliteError('SQLITE_READONLY');
      },
    });
    expect(() => file.append([appendOf('match-1', 'no-stream')])).toThrow('Nothing was stored: injected SQLITE_READONLY_DBMOVED');
    expect(file.refusal).toBe('A write failed (injected SQLITE_READONLY_DBMOVED); the event log is being opened again');
    expect([file.recover(), file.isRecoverable, file.refusal]).toEqual([false, true, 'The event log cannot be opened again: injected SQLITE_READONLY']);
    failing = false;
    expect([file.recover(), file.refusal]).toEqual([true, undefined]);
    expect(file.append([appendOf('match-1', 'no-stream')])).toHaveLength(1);
  });
});

describe('a batch', () => {
  it('is one transaction, in which a conflict touches nobody else', () => {
    const { file, statements } = openFile();
    const before = statements.length;
    const outcomes = file.append([appendOf('match-1', 'no-stream'), appendOf('match-2', 4), appendOf('match-1', 'no-stream'), appendOf('match-1', 0), appendOf('match-3', 'any')]);
    expect(outcomes).toEqual([
      { kind: 'stored', revision: 0, position: 1, repeated: false },
      { kind: 'wrong-revision', actual: 'no-stream' },
      { kind: 'wrong-revision', actual: 0 },
      { kind: 'stored', revision: 1, position: 2, repeated: false },
      { kind: 'stored', revision: 0, position: 3, repeated: false },
    ]);
    expect(statements.slice(before)).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
  });

  it('refuses an id that another stream holds, alone', () => {
    const { file } = openFile();
    const event = sampleEvent();
    file.append([appendOf('match-1', 'no-stream', event)]);
    const outcomes = file.append([appendOf('match-2', 'no-stream'), appendOf('match-3', 'no-stream', sampleEvent(), event), appendOf('match-1', 0, event), appendOf('match-4', 'no-stream')]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['stored', 'unacceptable', 'unacceptable', 'stored']);
    expect(file.reader.readAll('start', 10).map((stored) => stored.stream)).toEqual(['match-1', 'match-2', 'match-4']);
    expect(wholeReport(file)).toEqual({ events: 3, erased: 0 });
  });

  it('sees a repeat within itself', () => {
    const { file } = openFile();
    const event = sampleEvent();
    expect(file.append([appendOf('match-1', 'no-stream', event), appendOf('match-1', 'no-stream', event), appendOf('match-1', 'any', event)])).toEqual([
      { kind: 'stored', revision: 0, position: 1, repeated: false },
      { kind: 'stored', revision: 0, position: 1, repeated: true },
      { kind: 'stored', revision: 0, position: 1, repeated: true },
    ]);
  });
});

describe('a failing disk', () => {
  it.each(['before', 'after'] as const)('leaves the outcome unknown when COMMIT fails (%s it took effect), and the retry yields one event', (when) => {
    let failing = false;
    const { file } = openFile({
      [when]: (sql: string) => {
        if (sql === 'COMMIT' && failing) throw sqliteError('SQLITE_IOERR_FSYNC');
      },
    });
    file.append([appendOf('match-0', 'no-stream')]);
    failing = true;
    const batch = [appendOf('match-1', 'no-stream'), appendOf('match-2', 'no-stream')];
    expect(() => file.append(batch)).toThrow(UnknownOutcome);
    failing = false;
    // Nothing is written on the connection that failed.
    expect(() => file.append(batch)).toThrow(LogUnavailable);
    expect(file.refusal).toContain('SQLITE_IOERR_FSYNC');
    expect(file.recover()).toBe(true);
    const outcomes = file.append(batch);
    expect(outcomes).toEqual([
      { kind: 'stored', revision: 0, position: 2, repeated: when === 'after' },
      { kind: 'stored', revision: 0, position: 3, repeated: when === 'after' },
    ]);
    expect(wholeReport(file)).toEqual({ events: 3, erased: 0 });
  });

  it('stays closed to writes until the file opens again', () => {
    let failing = true;
    const { file } = openFile({
      before: (sql) => {
        if (sql === 'COMMIT' && failing) throw sqliteError('SQLITE_IOERR_WRITE');
      },
      open: (count) => {
        if (count > 0 && failing) throw sqliteError('SQLITE_CANTOPEN');
      },
    });
    expect(() => file.append([appendOf('match-1', 'no-stream')])).toThrow(UnknownOutcome);
    expect(file.recover()).toBe(false);
    expect(file.isRecoverable).toBe(true);
    expect(() => file.append([appendOf('match-1', 'no-stream')])).toThrow(LogUnavailable);
    failing = false;
    expect(file.recover()).toBe(true);
    expect(file.append([appendOf('match-1', 'no-stream')])).toHaveLength(1);
  });

  it('refuses writes for good when an acknowledged event is missing after the file was opened again', () => {
    let failing = false;
    const { file } = openFile({
      before: (sql) => {
        if (sql === 'COMMIT' && failing) throw sqliteError('SQLITE_IOERR_FSYNC');
      },
      open: (count) => {
        if (count > 0) tamper("DELETE FROM events WHERE position = 2; UPDATE sqlite_sequence SET seq = 1 WHERE name = 'events'");
      },
    });
    file.append([appendOf('match-1', 'no-stream'), appendOf('match-2', 'no-stream')]);
    failing = true;
    expect(() => file.append([appendOf('match-3', 'no-stream')])).toThrow(UnknownOutcome);
    expect(file.recover()).toBe(false);
    expect(file.isRecoverable).toBe(false);
    expect(file.refusal).toContain('position 2: an acknowledged event is missing');
  });

  it('that is full fails cleanly and works again with space', () => {
    const { connect } = failingConnections({});
    let connection: Database.Database | undefined;
    const file = new SqliteLogFile({
      path,
      connect: (of) => {
        connection = connect(of);
        return connection;
      },
    });
    open.push(file);
    file.append([appendOf('match-1', 'no-stream')]);
    const pages = Number(connection?.pragma('page_count', { simple: true }));
    connection?.pragma(`max_page_count = ${pages + 2}`);
    const large = appendOf('match-2', 'no-stream', sampleEvent('x'.repeat(100_000)));
    expect(() => file.append([large])).toThrow(LogUnavailable);
    expect(file.refusal).toBeUndefined();
    expect(file.reader.readAll('start', 10)).toHaveLength(1);
    connection?.pragma('max_page_count = 1000000');
    expect(file.append([large])).toEqual([{ kind: 'stored', revision: 0, position: 2, repeated: false }]);
    expect(wholeReport(file)).toEqual({ events: 2, erased: 0 });
  });
});

describe('the hash chain', () => {
  it.each([
    ['stream', "stream = 'match-x'"],
    ['revision', 'revision = 9'],
    ['id', "id = 'x'"],
    ['type', "type = 'MatchCancelled'"],
    ['version', 'version = 2'],
    ['time', "time = '2026-11-01T10:00:00.001Z'"],
    ['data', `data = '{"text":"payload 9"}'`],
    ['metadata', "metadata = replace(metadata, 'system', 'System')"],
    ['salt', "salt = 'ab'"],
    ['digest', "digest = replace(digest, substr(digest, 1, 1), 'x')"],
    ['hash', 'hash = digest'],
    ['blanked data', 'data = NULL, salt = NULL'],
  ])('shows a changed %s, refuses writes and goes on reading', (_, change) => {
    filled(10).close();
    tamper(`UPDATE events SET ${change} WHERE position = 5`);
    const { file } = openFile();
    expect(file.refusal).toContain('damaged at position 5');
    expect(wholeReport(file)).toMatchObject({ events: 4, firstBreak: { position: 5n } });
    expect(() => file.append([appendOf('match-new', 'no-stream')])).toThrow(LogUnavailable);
    expect(file.recover()).toBe(false);
    expect(file.reader.readAll('start', 100)).toHaveLength(10);
  });

  it.each([
    ['in the middle', 'position = 5', 5n],
    ['at the start', 'position <= 2', 1n],
    ['at the end', 'position >= 9', 9n],
    ['everywhere', 'true', 1n],
  ])('shows events missing %s', (_, where, position) => {
    filled(10).close();
    tamper(`DELETE FROM events WHERE ${where}`);
    expect(wholeReport(openFile().file).firstBreak?.position).toBe(position);
  });

  it('shows an index that disagrees with the events', () => {
    filled(10).close();
    const connection = new Database(path);
    const page = connection.prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'events_by_stream'").pluck().get() ?? 0;
    const size = Number(connection.pragma('page_size', { simple: true }));
    connection.close();
    const bytes = readFileSync(path);
    bytes.write('x', bytes.indexOf('match-3', (page - 1) * size));
    writeFileSync(path, bytes);
    const report = wholeReport(openFile().file);
    expect(report.firstBreak?.position).toBe(0n);
    expect(report.firstBreak?.reason).toContain('integrity check');
  });

  it.each([
    ['an event before the first one', 'INSERT INTO events SELECT -5, stream, 7, \'f\', type, version, time, data, metadata, salt, digest, hash FROM events WHERE position = 2', 'an event stands at position -5, before the first one'],
    ['an event at position 0', 'INSERT INTO events SELECT 0, stream, 7, \'f\', type, version, time, data, metadata, salt, digest, hash FROM events WHERE position = 2', 'an event stands at position 0, before the first one'],
    ['a trigger', 'CREATE TRIGGER swallow BEFORE INSERT ON events BEGIN SELECT raise(ignore); END', "the file has a trigger, swallow, which is none of the log's"],
  ])('shows %s: in a walk of a log that is open, and at the next opening, also where it is on record, until it is gone', (_, sql, reason) => {
    const log = filled(9);
    tamper(sql);
    const found = { position: 0n, reason };
    expect([log.refusal, wholeReport(log)]).toEqual([undefined, { events: 0, erased: 0, firstBreak: found }]);
    expect(log.refusal).toBe(`The event log is damaged at position 0: ${reason}. Restore a backup.`);
    log.close();
    const again = new SqliteLogFile({ path });
    open.push(again);
    expect(again.damage).toEqual(found);
    expect(() => again.append([appendOf('match-1', 'any')])).toThrow(LogUnavailable);
    again.close();
    tamper('DROP TRIGGER IF EXISTS swallow; DELETE FROM events WHERE position < 1');
    const mended = new SqliteLogFile({ path, recordedBreak: found });
    open.push(mended);
    expect([mended.damage, wholeReport(mended)]).toEqual([undefined, { events: 9, erased: 0 }]);
  });

  it.each([
    ['its end', 'DELETE FROM events WHERE position > 6', { position: 7n, reason: 'the log ends before position 9, which was acknowledged: events are missing', seen: 9n }],
    ['its end, and the number of the last one', "DELETE FROM events WHERE position > 6; UPDATE sqlite_sequence SET seq = 6", { position: 7n, reason: 'the log ends before position 9, which was acknowledged: events are missing', seen: 9n }],
    ['everything', 'DELETE FROM events; DELETE FROM sqlite_sequence', { position: 1n, reason: 'the log ends before position 9, which was acknowledged: events are missing', seen: 9n }],
  ])('shows that an open log has lost %s: to whoever writes, to a look every few seconds and to a walk, and remembers it', (_, sql, found) => {
    const meets: readonly ((log: SqliteLogFile) => unknown)[] = [
      (log) => expect(() => log.append([appendOf('match-1', 'any')])).toThrow(new LogUnavailable(`The event log is damaged at position ${String(found.position)}: ${found.reason}. Restore a backup.`)),
      (log) => log.maintain(),
      (log) => wholeReport(log),
    ];
    for (const meet of meets) {
      const log = filled(9);
      tamper(sql);
      meet(log);
      expect(log.damage).toMatchObject({ position: found.position });
      expect(() => log.append([appendOf('match-1', 'any')])).toThrow(LogUnavailable);
      log.close();
      const again = new SqliteLogFile({ path, recordedBreak: found });
      open.push(again);
      expect(again.damage).toMatchObject({ position: found.position });
      again.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    }
  });

  it('shows that the end of an open log is another one than was acknowledged, though its chain is whole', () => {
    const log = filled(9);
    const copy = `${path}.copy`;
    const other = new SqliteLogFile({ path: copy });
    open.push(other);
    other.append(Array.from({ length: 9 }, (_, index) => appendOf(`match-${index}`, 'no-stream', sampleEvent({ text: 'made anew' }))));
    other.close();
    tamper(`ATTACH '${copy}' AS made; DELETE FROM events; INSERT INTO events SELECT * FROM made.events`);
    const found = { position: 9n, reason: 'the event is not the one that was acknowledged' };
    expect(wholeReport(log)).toEqual({ events: 8, erased: 0, firstBreak: found });
    expect(() => log.append([appendOf('match-1', 'any')])).toThrow(LogUnavailable);
    expect(log.damage).toEqual(found);
  });

  it('goes on from what somebody else has appended', () => {
    const log = filled(3);
    const other = new SqliteLogFile({ path });
    open.push(other);
    other.append([appendOf('match-1', 'any')]);
    expect(log.append([appendOf('match-1', 'any')])).toMatchObject([{ kind: 'stored', position: 5 }]);
    expect([log.refusal, wholeReport(log)]).toEqual([undefined, { events: 5, erased: 0 }]);
  });

  it.each([['-wal'], ['-shm']])('keeps what was recorded where somebody removes %s under it, writes nothing more, and does so again after it was opened anew', (suffix) => {
    const log = filled(9);
    rmSync(path + suffix);
    const removed = `Somebody removed what belongs to the event log ${path} while it is open (-wal, -shm). What was recorded is in the file: restart the server`;
    expect(() => log.append([appendOf('match-1', 'any')])).toThrow(new LogUnavailable(`${removed}.`));
    expect(() => log.startWalk(1n)).toThrow(new LogUnavailable(removed));
    expect([log.damage, log.isRecoverable, log.reader.readAll('start', 100).length]).toEqual([undefined, false, 9]);
    // As after a kill: nothing of the process that had it open is left.
    const killed = `${path}.killed`;
    writeFileSync(killed, readFileSync(path));
    const again = new SqliteLogFile({ path: killed });
    open.push(again);
    expect([again.refusal, wholeReport(again)]).toEqual([undefined, { events: 9, erased: 0 }]);
    log.close();
    const { file } = openFile();
    expect([file.append([appendOf('match-1', 'any')]), file.refusal]).toMatchObject([[{ kind: 'stored', position: 10 }], undefined]);
  });

  it('acknowledges nothing that the file does not take', () => {
    const log = filled(3);
    tamper('CREATE TRIGGER swallow BEFORE INSERT ON events BEGIN SELECT raise(ignore); END');
    expect(() => log.append([appendOf('match-1', 'any')])).toThrow(new LogUnavailable('Nothing was stored: the file does not take the event'));
    tamper('DROP TRIGGER swallow');
    expect(log.append([appendOf('match-1', 'any')])).toMatchObject([{ kind: 'stored', position: 4 }]);
  });

  it('verifies only the last events at open, the rest on demand, and refuses writes from then on', () => {
    filled(10).close();
    tamper("UPDATE events SET time = 'x' WHERE position = 3");
    const file = new SqliteLogFile({ path, verifyAtOpen: 4 });
    open.push(file);
    file.append([appendOf('match-new', 'no-stream')]);
    expect(wholeReport(file).firstBreak?.position).toBe(3n);
    expect(() => file.append([appendOf('match-newer', 'no-stream')])).toThrow(LogUnavailable);
    const walk = file.startWalk(5n);
    expect(walk.step(100)).toBe(true);
    expect(walk.report).toEqual({ events: 7, erased: 0 });
  });

  it('gives up, and blames nobody, when its connection is closed', () => {
    const file = filled(10);
    const walk = file.startWalk(1n);
    expect(walk.step(3)).toBe(false);
    file.close();
    expect(() => walk.step(3)).toThrow(LogUnavailable);
    expect(walk.report.firstBreak).toBeUndefined();
  });
});

describe('erasure', () => {
  it('leaves no byte of the content in any file and the chain whole', () => {
    const { file } = openFile();
    const marker = 'Canary Tamrakar 9801234567';
    file.append([appendOf('person-1', 'no-stream', sampleEvent({ name: marker }), sampleEvent({ name: marker, photo: 'y'.repeat(9000) })), appendOf('match-1', 'no-stream')]);
    const holdsMarker = (): readonly string[] => readdirSync(dirname(path)).filter((name) => readFileSync(join(dirname(path), name)).includes(marker));
    expect(holdsMarker()).not.toEqual([]);
    file.deleteStream('person-1');
    expect(holdsMarker()).toEqual([]);
    expect(wholeReport(file)).toEqual({ events: 3, erased: 2, untold: [{ personId: '1', position: 1n }] });
    file.append([appendOf('audit-2026-11', 'no-stream', sampleEvent({ personId: '1' }, 'PersonErased'))]);
    expect(wholeReport(file)).toEqual({ events: 4, erased: 2 });
    expect(file.reader.readAll('start', 3).map((event) => [event.stream, event.data, event.metadata.actor.id])).toEqual([
      ['person-1', undefined, 'contract'],
      ['person-1', undefined, 'contract'],
      ['match-1', { points: 2 }, 'contract'],
    ]);
  });

  it('comes to the write-ahead log as soon as a reader lets it', () => {
    const { file } = openFile();
    const marker = 'Canary Tamrakar';
    file.append([appendOf('person-1', 'no-stream', sampleEvent({ name: marker }))]);
    const reader = openLogConnection(path, { readonly: true });
    const reading = reader.prepare('SELECT * FROM events').iterate();
    reading.next();
    file.deleteStream('person-1');
    expect(readFileSync(`${path}-wal`).includes(marker)).toBe(true);
    reading.return?.();
    file.maintain();
    expect(readFileSync(`${path}-wal`).includes(marker)).toBe(false);
    expect(readFileSync(path).includes(marker)).toBe(false);
    reader.close();
  });

  it('keeps metadata under the chain', () => {
    const file = filled(3);
    file.deleteStream('person-2');
    file.close();
    tamper("UPDATE events SET metadata = replace(metadata, 'system', 'System') WHERE position = 3");
    expect(wholeReport(openFile().file).firstBreak?.position).toBe(3n);
  });
});

it('cuts a write-ahead log that a long reader let grow, once the reader is gone', () => {
  const { file } = openFile();
  const reader = openLogConnection(path, { readonly: true });
  file.append([appendOf('match-0', 'no-stream')]);
  const reading = reader.prepare('SELECT 1 FROM events').iterate();
  reading.next();
  for (let index = 1; file.walBytes < 40_000_000; index += 1) file.append([appendOf(`match-${index}`, 'no-stream', sampleEvent('x'.repeat(1_000_000)))]);
  file.maintain();
  expect(file.walBytes).toBeGreaterThan(39_000_000);
  reading.return?.();
  file.maintain();
  expect(file.walBytes).toBe(0);
  reader.close();
});

/** The file as it is opened where a break is on record. */
const reopened = (position: bigint): SqliteLogFile => {
  const file = new SqliteLogFile({ path, verifyAtOpen: 2, recordedBreak: { position, reason: 'as it was found' } });
  open.push(file);
  return file;
};

describe('a break on record', () => {
  it('refuses writes and erasures from the opening on where the fact still does not fit, though it is not among the last events', () => {
    filled(9).close();
    tamper("UPDATE events SET data = replace(data, 'payload 3', 'payload X') WHERE position = 4");
    const forgetful = new SqliteLogFile({ path, verifyAtOpen: 2 });
    expect(forgetful.damage).toBeUndefined();
    forgetful.close();
    const file = reopened(4n);
    expect(file.damage).toEqual({ position: 4n, reason: 'the data does not match its digest' });
    expect(() => file.append([appendOf('match-new', 'no-stream')])).toThrow(LogUnavailable);
    expect(() => file.deleteStream('person-5')).toThrow(LogUnavailable);
  });

  it.each([
    ['a hash', "UPDATE events SET hash = 'x' WHERE position = 4", 4n, 'the event does not match its hash'],
    ['an event that is missing', 'DELETE FROM events WHERE position = 4', 4n, 'expected position 4, found 5: events are missing'],
    ['the end, of which the file itself knows', 'DELETE FROM events WHERE position = 9', 9n, 'the log ends before position 9: events are missing'],
    ['the end, of which only the record knows', "DELETE FROM events WHERE position = 9; UPDATE sqlite_sequence SET seq = 8 WHERE name = 'events'", 9n, 'as it was found'],
  ])('is found again at its place: %s', (_, sql, position, reason) => {
    filled(9).close();
    tamper(sql);
    expect(reopened(position).damage).toEqual({ position, reason });
  });

  it('is found again in the structure of the file: an index that is another one', () => {
    filled(9).close();
    const connection = new Database(path);
    connection.unsafeMode();
    connection.exec(`CREATE TABLE other (stream TEXT, revision INTEGER); CREATE UNIQUE INDEX other_index ON other (stream, revision); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'other_index') WHERE name = 'events_by_stream'; DELETE FROM sqlite_schema WHERE name = 'other_index'`);
    connection.close();
    const { damage } = reopened(0n);
    expect([damage?.position, damage?.reason.startsWith("SQLite's integrity check: ")]).toEqual([0n, true]);
  });

  it.each([
    ['what stands there fits again', 9, 4n],
    ['the file is whole again', 9, 0n],
    ['the log is another one, whose end is before it', 3, 9n],
    ['the log is a new one', 0, 1n],
  ])('keeps nothing from being written when %s', (_, count, position) => {
    filled(count).close();
    const file = reopened(position);
    expect([file.damage, file.refusal]).toEqual([undefined, undefined]);
    expect(file.append([appendOf('match-new', 'no-stream')])).toMatchObject([{ kind: 'stored', position: count + 1 }]);
  });
});

describe('a break that was put right under the process', () => {
  it('refuses writes for that reason, as long as it is not there again; a walk that began before it was known, or that does not come so far, says nothing of it', () => {
    const file = filled(5);
    const damaged = 'The event log is damaged at position 3: changed. Restore a backup.';
    const broken = { events: 2, erased: 0, firstBreak: { position: 3n, reason: 'changed' } };
    const before = file.damage;
    file.concludeWalk(broken);
    expect(file.refusal).toBe(damaged);
    file.concludeWalk({ events: 5, erased: 1 }, before);
    file.concludeWalk({ events: 2, erased: 0 }, file.damage);
    expect(file.refusal).toBe(damaged);
    const known = file.damage;
    file.concludeWalk({ events: 5, erased: 1 }, known);
    expect([file.refusal, file.damage?.isMended]).toEqual(['Position 3 of the log was damaged and fits now: a restart of the server takes writes again.', true]);
    expect(() => file.append([appendOf('match-9', 'no-stream')])).toThrow(LogUnavailable);
    file.concludeWalk(broken);
    expect(file.refusal).toBe(damaged);
    // Met anew while a walk was beyond the place.
    file.concludeWalk({ events: 5, erased: 1 }, known);
    expect(file.refusal).toBe(damaged);
  });
});
