import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogUnavailable } from './event-log.ts';
import { assertSqliteVersion, expectWritableFiles, openLogConnection, UnsafeSqlite } from './sqlite-connection.ts';
import { SqliteLogFile } from './sqlite-log-file.ts';
import { asNobody, folderForAll } from './testing/as-nobody.ts';
import { sqliteError } from './testing/failing-connection.ts';
import { appendOf, logFileOfEachTest } from './testing/log-file-of-each-test.ts';

const its = logFileOfEachTest(folderForAll);
const { filled, openFile, tamper } = its;

describe('connections', () => {
  it('are at synchronous=FULL, WAL and secure_delete, whoever comes first', () => {
    const connections = [openLogConnection(its.path), openLogConnection(its.path), openLogConnection(its.path, { readonly: true })];
    connections[0]?.close();
    connections[0] = openLogConnection(its.path);
    expect(connections.map((connection) => ['synchronous', 'journal_mode', 'secure_delete'].map((name) => connection.pragma(name, { simple: true })))).toEqual(
      connections.map(() => [2, 'wal', 1]),
    );
    for (const connection of connections) connection.close();
  });

  it('write the write-ahead log back in short turns, and cut one that had grown', () => {
    const connection = openLogConnection(its.path);
    expect(['wal_autocheckpoint', 'journal_size_limit'].map((name) => connection.pragma(name, { simple: true }))).toEqual([500, 33_554_432]);
    connection.close();
  });

  it.each([
    ['synchronous = FULL', 'PRAGMA synchronous is 1, not 2'],
    ['secure_delete = ON', 'PRAGMA secure_delete is 0, not 1'],
  ])('are refused where %s did not take', (setting, refusal) => {
    openLogConnection(its.path).close();
    // oxlint-disable-next-line typescript/unbound-method -- it is called on the connection that was asked
    const { pragma } = Database.prototype;
    const library = vi.spyOn(Database.prototype, 'pragma').mockImplementation(function asIfIgnored(this: Database.Database, ...asked) {
      return asked[0] === setting ? undefined : pragma.apply(this, asked);
    });
    onTestFinished(() => library.mockRestore());
    expect(() => openLogConnection(its.path)).toThrow(new UnsafeSqlite(refusal));
  });

  it('are refused where there can be no write-ahead log', () => {
    expect(() => openLogConnection(':memory:')).toThrow(new UnsafeSqlite('PRAGMA journal_mode is memory, not wal'));
  });

  it('refuse a SQLite older than 3.51.3', () => {
    for (const version of ['3.51.2', '3.50.9', '2.99.99', '', 'unknown']) expect(() => assertSqliteVersion(version)).toThrow(UnsafeSqlite);
    for (const version of ['3.51.3', '3.51.10', '3.52.0', '4.0.0']) expect(() => assertSqliteVersion(version)).not.toThrow();
  });

  it('refuse a file that is no database, as a log that is unavailable', () => {
    tamper('CREATE TABLE other (a)');
    const bytes = readFileSync(its.path);
    expect(bytes.subarray(0, 6).toString()).toBe('SQLite');
    expect(() => new SqliteLogFile({ path: import.meta.filename })).toThrow(LogUnavailable);
  });
});

const unwritable = (file: string): LogUnavailable =>
  new LogUnavailable(`Nothing may be written in ${file}: look at who owns it, and what its mode and its disk allow.`);
const refusalOf = (work: () => unknown): unknown =>
  asNobody(() => {
    try {
      return work();
    } catch (error) {
      // Only what is said: the cause is the system's.
      return error instanceof LogUnavailable ? new LogUnavailable(error.message) : error;
    }
  });

it('a file that this user may not open is named in words', () => {
  filled(1).close();
  chmodSync(its.path, 0o000);
  expect(refusalOf(() => openLogConnection(its.path, { readonly: true }))).toEqual(
    new LogUnavailable(
      `The event log ${its.path} cannot be opened: look at who owns it, at its mode, and whether its disk takes new files (it may be full, or read-only).`,
    ),
  );
});

it('a disk too full for what stands beside a file is named in words', () => {
  filled(1).close();
  const script = `import { openLogConnection } from ${JSON.stringify(new URL('sqlite-connection.ts', import.meta.url).href)}; try { openLogConnection(process.argv[1]); } catch ({ name, message }) { console.log(name, message); }`;
  // One block takes the beginning of a write-ahead log's index, and not the whole of it.
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath, '--input-type=module', '--eval', script, its.path], {
    encoding: 'utf8',
  });
  expect(stdout).toBe(`LogUnavailable The event log ${its.path} cannot be opened: no space is left on the disk.\n`);
});

describe('a file that may not be written', () => {
  it('is found by a start before anything opens the log, by the name of the file, and nothing is left beside it', () => {
    filled(1).close();
    chmodSync(its.path, 0o444);
    expect([refusalOf(() => expectWritableFiles(its.path)), readdirSync(dirname(its.path))]).toEqual([unwritable(its.path), ['event-log.sqlite']]);
    chmodSync(its.path, 0o666);
    for (const suffix of ['-wal', '-shm']) {
      writeFileSync(its.path + suffix, '', { mode: 0o444 });
      expect(refusalOf(() => expectWritableFiles(its.path))).toEqual(unwritable(its.path + suffix));
      rmSync(its.path + suffix);
    }
    expect(refusalOf(() => expectWritableFiles(its.path))).toBeUndefined();
    expect(expectWritableFiles(join(dirname(its.path), 'none.sqlite'))).toBeUndefined();
  });

  it.each(['WAL', 'DELETE'])('is refused at the opening, where SQLite would go on without writing (%s)', (mode) => {
    filled(1).close();
    tamper(`PRAGMA journal_mode = ${mode}`);
    chmodSync(its.path, 0o444);
    expect(refusalOf(() => openFile())).toEqual(unwritable(`${its.path}, or in its -wal or -shm`));
  });

  it('is told apart from one whose header names a format of later times, of which SQLite says the same', () => {
    filled(1).close();
    chmodSync(its.path, 0o666);
    const bytes = readFileSync(its.path);
    bytes[18] = 10;
    writeFileSync(its.path, bytes);
    const open = (): unknown => refusalOf(() => openLogConnection(its.path));
    const said = 'its header names formats that there are not (10 to write, 2 to read)';
    expect(open()).toEqual(new LogUnavailable(`The event log ${its.path} is damaged: ${said}. Restore a backup.`));
    // Whoever may not write hears of that first.
    chmodSync(its.path, 0o444);
    expect(open()).toEqual(unwritable(`${its.path}, or in its -wal or -shm`));
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
