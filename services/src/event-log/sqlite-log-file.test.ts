import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { LogUnavailable, UnknownOutcome } from './event-log.ts';
import { sampleEvent } from './testing/sample-event.ts';
import { openLogConnection } from './sqlite-connection.ts';
import { SqliteLogFile } from './sqlite-log-file.ts';
import { failingConnections, sqliteError } from './testing/failing-connection.ts';
import { appendOf, logFileOfEachTest, wholeReport } from './testing/log-file-of-each-test.ts';

const its = logFileOfEachTest();
const { filled, openFile, tamper } = its;

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
    expect(file.refusal).toContain('position 2: the log ends before position 2, which was acknowledged: events are missing');
  });

  it('stays closed to writes while a reader keeps what was not synced from being written anew', () => {
    let failing = false;
    const { connect } = failingConnections({
      before: (sql) => {
        if (sql === 'COMMIT' && failing) throw sqliteError('SQLITE_IOERR_FSYNC');
      },
    });
    const file = new SqliteLogFile({
      path: its.path,
      connect(path) {
        const connection = connect(path);
        connection.pragma('busy_timeout = 0');
        return connection;
      },
    });
    its.opened.push(file);
    file.append([appendOf('match-1', 'no-stream')]);
    const reader = openLogConnection(its.path, { readonly: true });
    const reading = reader.prepare('SELECT * FROM events').iterate();
    reading.next();
    failing = true;
    expect(() => file.append([appendOf('match-2', 'no-stream')])).toThrow(UnknownOutcome);
    expect([file.recover(), file.refusal]).toEqual([false, 'The event log cannot be opened again: a reader holds the write-ahead log']);
    reading.return?.();
    expect([file.recover(), file.refusal]).toEqual([true, undefined]);
    reader.close();
  });

  it('refuses writes for good when an earlier event is another one after the file was opened again', () => {
    let failing = false;
    const { file } = openFile({
      before: (sql) => {
        if (sql === 'COMMIT' && failing) throw sqliteError('SQLITE_IOERR_FSYNC');
      },
      open: (count) => {
        if (count > 0) tamper("UPDATE events SET data = '{}' WHERE position = 1");
      },
    });
    file.append([appendOf('match-1', 'no-stream'), appendOf('match-2', 'no-stream')]);
    failing = true;
    expect(() => file.append([appendOf('match-3', 'no-stream')])).toThrow(UnknownOutcome);
    expect([file.recover(), file.isRecoverable, file.damage]).toEqual([false, false, { position: 1n, reason: 'the data does not match its digest' }]);
  });

  it('that has no room for the end of a commit stored nothing of it', () => {
    let failing = true;
    const { file } = openFile({
      before: (sql) => {
        if (sql === 'COMMIT' && failing) throw sqliteError('SQLITE_FULL');
      },
    });
    expect(() => file.append([appendOf('match-1', 'no-stream')])).toThrow(new LogUnavailable('Nothing was stored: injected SQLITE_FULL'));
    expect(file.refusal).toBeUndefined();
    failing = false;
    expect(file.append([appendOf('match-1', 'no-stream')])).toEqual([{ kind: 'stored', revision: 0, position: 1, repeated: false }]);
  });

  it('that is full fails cleanly and works again with space', () => {
    const { connect } = failingConnections({});
    let connection: Database.Database | undefined;
    const file = new SqliteLogFile({
      path: its.path,
      connect: (of) => {
        connection = connect(of);
        return connection;
      },
    });
    its.opened.push(file);
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

describe('erasure', () => {
  it('leaves no byte of the content in any file and the chain whole', () => {
    const { file } = openFile();
    const marker = 'Canary Tamrakar 9801234567';
    file.append([
      appendOf('person-1', 'no-stream', sampleEvent({ name: marker }), sampleEvent({ name: marker, photo: 'y'.repeat(9000) })),
      appendOf('match-1', 'no-stream'),
    ]);
    const holdsMarker = (): readonly string[] => readdirSync(dirname(its.path)).filter((name) => readFileSync(join(dirname(its.path), name)).includes(marker));
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
    const reader = openLogConnection(its.path, { readonly: true });
    const reading = reader.prepare('SELECT * FROM events').iterate();
    reading.next();
    file.deleteStream('person-1');
    expect(readFileSync(`${its.path}-wal`).includes(marker)).toBe(true);
    reading.return?.();
    file.maintain();
    expect(readFileSync(`${its.path}-wal`).includes(marker)).toBe(false);
    expect(readFileSync(its.path).includes(marker)).toBe(false);
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

it('waits for no reader when it cuts the write-ahead log by itself, and for other writers as before', () => {
  const connection = openLogConnection(its.path);
  const pragma = connection.pragma.bind(connection);
  const wait = (): unknown => pragma('busy_timeout', { simple: true });
  const waits: unknown[] = [];
  vi.spyOn(connection, 'pragma').mockImplementation((source, options) => {
    if (source.startsWith('wal_checkpoint')) waits.push(wait());
    return pragma(source, options);
  });
  const file = new SqliteLogFile({ path: its.path, connect: () => connection });
  its.opened.push(file);
  file.append([appendOf('person-1', 'no-stream')]);
  file.deleteStream('person-1');
  expect([waits, wait()]).toEqual([[0], 5000]);
});

it('cuts a write-ahead log that a long reader let grow, once the reader is gone', () => {
  const { file } = openFile();
  const reader = openLogConnection(its.path, { readonly: true });
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
