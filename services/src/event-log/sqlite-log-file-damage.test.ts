import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogUnavailable } from './event-log.ts';
import { isDamagedFile } from './sqlite-connection.ts';
import { sampleEvent } from './testing/sample-event.ts';
import { SqliteLogFile } from './sqlite-log-file.ts';
import { appendOf, logFileOfEachTest, wholeReport } from './testing/log-file-of-each-test.ts';

const its = logFileOfEachTest();
const { filled, openFile, tamper } = its;

/** What is thrown, without its cause, or given. */
const failureOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof LogUnavailable ? new LogUnavailable(error.message) : error;
  }
};

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

  it.each(['data = NULL', 'salt = NULL'])('takes a person for erased whose data and salt are gone, and not where only %s', (change) => {
    filled(10).close();
    tamper(`UPDATE events SET ${change} WHERE position = 6`);
    expect(wholeReport(openFile().file).firstBreak).toEqual({ position: 6n, reason: 'data or salt is missing' });
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
    const connection = new Database(its.path);
    const page = connection.prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'events_by_stream'").pluck().get() ?? 0;
    const size = Number(connection.pragma('page_size', { simple: true }));
    connection.close();
    const bytes = readFileSync(its.path);
    bytes.write('x', bytes.indexOf('match-3', (page - 1) * size));
    writeFileSync(its.path, bytes);
    const report = wholeReport(openFile().file);
    expect(report.firstBreak?.position).toBe(0n);
    expect(report.firstBreak?.reason).toContain('integrity check');
  });

  it('shows a page of references that says that it is one of events, and gives nobody the rows that SQLite makes of it for ever', () => {
    filled(300).close();
    const connection = new Database(its.path);
    const root = connection.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").pluck().get() ?? 0;
    connection.close();
    const bytes = readFileSync(its.path);
    const type = (root - 1) * 4096;
    expect(bytes[type]).toBe(5);
    bytes[type] = 13;
    writeFileSync(its.path, bytes);
    const { file } = openFile();
    expect(file.damage).toEqual({ position: 0n, reason: 'an event stands at position 0, before the first one' });
    const failure = failureOf(() => file.reader.readAll('start', 100));
    expect([isDamagedFile(failure), String(failure)]).toEqual([true, 'SqliteError: the positions do not rise (0 after 0)']);
  });

  it('gives no page that does not go on from where it was asked for, or in which a position does not rise', () => {
    const log = filled(9);
    const rows: unknown[][] = [];
    const all = vi.spyOn(Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1')) as Database.Statement, 'all').mockImplementation(() => rows);
    onTestFinished(() => all.mockRestore());
    const read = (...positions: readonly number[]): unknown => {
      rows.splice(0, rows.length, ...positions.map((position) => [position, 'match-1', 0, 'id', 'Type', 1, 'time', '{}', '{}']));
      return failureOf(() => log.reader.readAll(4n, 10).map(({ position }) => position));
    };
    expect([read(), read(5, 6, 9), ...[read(4, 5), read(5, 5), read(5, 7, 6), read(3)].map(String)]).toEqual([
      [],
      [5n, 6n, 9n],
      ...['4 after 4', '5 after 5', '6 after 7', '3 after 4'].map((found) => `SqliteError: the positions do not rise (${found})`),
    ]);
  });

  it.each([
    ['it is no page of a database', 100, 0, 'database disk image is malformed'],
    ['it does not describe the table of events any more', 4000, 0, 'database disk image is malformed'],
    ['its tables are described in a format that there is not', 47, 5, 'unsupported file format'],
  ])('is not looked for in a file whose first page SQLite can make nothing of (%s): that is told to be damaged', (_, place, value, reason) => {
    filled(300).close();
    const bytes = readFileSync(its.path);
    bytes[place] = value;
    writeFileSync(its.path, bytes);
    expect(failureOf(() => new SqliteLogFile({ path: its.path }))).toEqual(
      new LogUnavailable(`The event log ${its.path} is damaged: ${reason}. Restore a backup.`),
    );
  });

  it.each([
    [
      'an event before the first one',
      "INSERT INTO events SELECT -5, stream, 7, 'f', type, version, time, data, metadata, salt, digest, hash FROM events WHERE position = 2",
      'an event stands at position -5, before the first one',
    ],
    [
      'an event at position 0',
      "INSERT INTO events SELECT 0, stream, 7, 'f', type, version, time, data, metadata, salt, digest, hash FROM events WHERE position = 2",
      'an event stands at position 0, before the first one',
    ],
    [
      'a trigger',
      'CREATE TRIGGER swallow BEFORE INSERT ON events BEGIN SELECT raise(ignore); END',
      "the file has a trigger, swallow, which is none of the log's",
    ],
  ])('shows %s: in a walk of a log that is open, and at the next opening, also where it is on record, until it is gone', (_, sql, reason) => {
    const log = filled(9);
    tamper(sql);
    const found = { position: 0n, reason };
    expect([log.refusal, wholeReport(log)]).toEqual([undefined, { events: 0, erased: 0, firstBreak: found }]);
    expect(log.refusal).toBe(`The event log is damaged at position 0: ${reason}. Restore a backup.`);
    log.close();
    const again = new SqliteLogFile({ path: its.path });
    its.opened.push(again);
    expect(again.damage).toEqual(found);
    expect(() => again.append([appendOf('match-1', 'any')])).toThrow(LogUnavailable);
    again.close();
    tamper('DROP TRIGGER IF EXISTS swallow; DELETE FROM events WHERE position < 1');
    const mended = new SqliteLogFile({ path: its.path, recordedBreak: found });
    its.opened.push(mended);
    expect([mended.damage, wholeReport(mended)]).toEqual([undefined, { events: 9, erased: 0 }]);
  });

  it.each([
    [
      'its end',
      'DELETE FROM events WHERE position > 6',
      { position: 7n, reason: 'the log ends before position 9, which was acknowledged: events are missing', seen: 9n },
    ],
    [
      'its end, and the number of the last one',
      'DELETE FROM events WHERE position > 6; UPDATE sqlite_sequence SET seq = 6',
      { position: 7n, reason: 'the log ends before position 9, which was acknowledged: events are missing', seen: 9n },
    ],
    [
      'everything',
      'DELETE FROM events; DELETE FROM sqlite_sequence',
      { position: 1n, reason: 'the log ends before position 9, which was acknowledged: events are missing', seen: 9n },
    ],
  ])('shows that an open log has lost %s: to whoever writes, to a look every few seconds and to a walk, and remembers it', (_, sql, found) => {
    const meets: readonly ((log: SqliteLogFile) => unknown)[] = [
      (log) =>
        expect(() => log.append([appendOf('match-1', 'any')])).toThrow(
          new LogUnavailable(`The event log is damaged at position ${String(found.position)}: ${found.reason}. Restore a backup.`),
        ),
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
      const again = new SqliteLogFile({ path: its.path, recordedBreak: found });
      its.opened.push(again);
      expect(again.damage).toMatchObject({ position: found.position });
      again.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(its.path + suffix, { force: true });
    }
  });

  it('shows that the end of an open log is another one than was acknowledged, though its chain is whole', () => {
    const log = filled(9);
    const copy = `${its.path}.copy`;
    const other = new SqliteLogFile({ path: copy });
    its.opened.push(other);
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
    const other = new SqliteLogFile({ path: its.path });
    its.opened.push(other);
    other.append([appendOf('match-1', 'any')]);
    expect(log.append([appendOf('match-1', 'any')])).toMatchObject([{ kind: 'stored', position: 5 }]);
    expect([log.refusal, wholeReport(log)]).toEqual([undefined, { events: 5, erased: 0 }]);
  });

  it('verifies only the last events at open, the rest on demand, and refuses writes from then on', () => {
    filled(10).close();
    tamper("UPDATE events SET time = 'x' WHERE position = 3");
    const file = new SqliteLogFile({ path: its.path, verifyAtOpen: 4 });
    its.opened.push(file);
    file.append([appendOf('match-new', 'no-stream')]);
    expect(wholeReport(file).firstBreak?.position).toBe(3n);
    expect(() => file.append([appendOf('match-newer', 'no-stream')])).toThrow(LogUnavailable);
    const walk = file.startWalk(5n);
    expect(walk.step(100)).toBe(true);
    expect(walk.report).toEqual({ events: 7, erased: 0 });
  });

  it.each([
    [1, undefined],
    [2, 2n],
  ] as const)('verifies the last ten thousand events at open, where nothing else is said: a change at position %i of 10,001', (position, found) => {
    filled(10_001).close();
    tamper(`UPDATE events SET time = 'x' WHERE position = ${position}`);
    expect(openFile().file.damage?.position).toBe(found);
  });

  it.each(['before it is opened', 'under whoever has it open'])(
    'shows a schema that was altered %s, of which SQLite still gives every event to whoever repairs it',
    (moment) => {
      const made = filled(5);
      made.checkpoint();
      if (moment === 'before it is opened') made.close();
      const bytes = readFileSync(its.path);
      bytes.write('events_by_ie', bytes.indexOf('events_by_id'));
      writeFileSync(its.path, bytes);
      const log = moment === 'before it is opened' ? new SqliteLogFile({ path: its.path }) : made;
      its.opened.push(log);
      const firstBreak = { position: 0n, reason: 'SQLite cannot use it: malformed database schema (events_by_ie)' };
      expect(wholeReport(log)).toEqual({ events: 5, erased: 0, firstBreak });
      expect(log.damage).toEqual(firstBreak);
      expect(() => log.append([appendOf('match-new', 'no-stream')])).toThrow(LogUnavailable);
    },
  );

  it('gives up, and blames nobody, when its connection is closed', () => {
    const file = filled(10);
    const walk = file.startWalk(1n);
    expect(walk.step(3)).toBe(false);
    file.close();
    expect(() => walk.step(3)).toThrow(LogUnavailable);
    expect(walk.report.firstBreak).toBeUndefined();
  });
});

const reopened = (position: bigint): SqliteLogFile => {
  const file = new SqliteLogFile({ path: its.path, verifyAtOpen: 2, recordedBreak: { position, reason: 'as it was found' } });
  its.opened.push(file);
  return file;
};

describe('a break on record', () => {
  it('refuses writes and erasures from the opening on where the fact still does not fit, though it is not among the last events', () => {
    filled(9).close();
    tamper("UPDATE events SET data = replace(data, 'payload 3', 'payload X') WHERE position = 4");
    const forgetful = new SqliteLogFile({ path: its.path, verifyAtOpen: 2 });
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
    [
      'the end, of which only the record knows',
      "DELETE FROM events WHERE position = 9; UPDATE sqlite_sequence SET seq = 8 WHERE name = 'events'",
      9n,
      'as it was found',
    ],
  ])('is found again at its place: %s', (_, sql, position, reason) => {
    filled(9).close();
    tamper(sql);
    expect(reopened(position).damage).toEqual({ position, reason });
  });

  it('is found again in the structure of the file: an index that is another one', () => {
    filled(9).close();
    const connection = new Database(its.path);
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
    expect([file.refusal, file.damage?.isMended]).toEqual([
      'Position 3 of the log was damaged and fits now: a restart of the server takes writes again.',
      true,
    ]);
    expect(() => file.append([appendOf('match-9', 'no-stream')])).toThrow(LogUnavailable);
    file.concludeWalk(broken);
    expect(file.refusal).toBe(damaged);
    // Met anew while a walk was beyond the place.
    file.concludeWalk({ events: 5, erased: 1 }, known);
    expect(file.refusal).toBe(damaged);
  });
});
