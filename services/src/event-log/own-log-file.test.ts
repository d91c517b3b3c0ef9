import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LogUnavailable } from './event-log.ts';
import { SqliteLogFile } from './sqlite-log-file.ts';
import { appendOf, logFileOfEachTest, wholeReport } from './testing/log-file-of-each-test.ts';

const its = logFileOfEachTest();
const { filled, tamper } = its;

const reopened = (path: string): SqliteLogFile => {
  const file = new SqliteLogFile({ path });
  its.opened.push(file);
  return file;
};

describe('the file of an open log', () => {
  it.each([
    ['removed', [''], 'the file is gone'],
    ['removed with all that belongs to it', ['', '-wal', '-shm'], 'the file is gone'],
  ] as const)('takes nothing from the next batch on where somebody has %s, and brings what was recorded to safety', (_, suffixes, reason) => {
    const log = filled(9);
    log.deleteStream('person-5');
    log.append([appendOf('match-1', 'any')]);
    for (const suffix of suffixes) rmSync(its.path + suffix);
    const copy = `${its.path}.rescued-10`;
    const said = `The event log is damaged at position 0: ${reason}. What was recorded is in ${copy}: stop the server, and put that in the place of ${its.path}.`;
    expect(() => log.append([appendOf('match-1', 'any')])).toThrow(new LogUnavailable(said));
    expect([log.refusal, log.damage, log.reader.readAll('start', 100).length]).toEqual([said, { position: 0n, reason }, 10]);
    log.maintain();
    expect(log.refusal).toBe(said);
    log.close();
    for (const suffix of ['-wal', '-shm']) rmSync(its.path + suffix, { force: true });
    renameSync(copy, its.path);
    const again = reopened(its.path);
    expect([again.refusal, wholeReport(again)]).toEqual([undefined, { events: 10, erased: 1, untold: [{ personId: '5', position: 6n }] }]);
    expect(again.append([appendOf('match-1', 'any')])).toMatchObject([{ kind: 'stored', position: 11 }]);
  });

  it('is looked for every few seconds: another one in its place, whoever writes meanwhile', () => {
    const log = filled(9);
    const older = `${its.path}.older`;
    copyFileSync(its.path, older);
    const other = readFileSync(older);
    renameSync(older, its.path);
    log.maintain();
    const copy = `${its.path}.rescued-9`;
    expect(log.refusal).toBe(
      `The event log is damaged at position 0: another file stands in the place of the one that was opened. What was recorded is in ${copy}: stop the server, and put that in the place of ${its.path}.`,
    );
    expect(() => log.append([appendOf('match-1', 'any')])).toThrow(LogUnavailable);
    log.close();
    expect([readFileSync(its.path).equals(other), wholeReport(reopened(copy))]).toEqual([true, { events: 9, erased: 0 }]);
  });

  it('keeps trying to bring what was recorded to safety, and says nothing of a copy that is not there', () => {
    const log = filled(9);
    rmSync(its.path);
    writeFileSync(`${its.path}.rescued-9.partial`, 'of a process that was killed');
    const folder = dirname(its.path);
    renameSync(folder, `${folder}-away`);
    log.maintain();
    expect(log.refusal).toBe('The event log is damaged at position 0: the file is gone. Restore a backup.');
    renameSync(`${folder}-away`, folder);
    log.maintain();
    expect([log.refusal?.includes(`What was recorded is in ${its.path}.rescued-9:`), readdirSync(folder).filter((name) => name.includes('rescued'))]).toEqual([
      true,
      ['event-log.sqlite.rescued-9'],
    ]);
  });

  it('is damaged once it is shorter than it was: somebody cut it off, or wrote an older copy over it', () => {
    const log = filled(9);
    log.checkpoint();
    const older = readFileSync(its.path);
    log.append(Array.from({ length: 200 }, (_, index) => appendOf(`match-more-${String(index)}`, 'no-stream')));
    log.checkpoint();
    log.maintain();
    const { size } = statSync(its.path);
    expect(log.refusal).toBeUndefined();
    writeFileSync(its.path, older);
    log.maintain();
    expect(log.refusal).toBe(
      `The event log is damaged at position 0: the file has ${String(older.length)} bytes, and had ${String(size)}: somebody cut it off or wrote over it. Restore a backup.`,
    );
    expect(existsSync(`${its.path}.rescued-209`)).toBe(false);
  });

  it('stays its own through batches, erasures, copies and what grows and is cut beside it', async () => {
    const log = filled(9);
    for (let round = 0; round < 30; round += 1) {
      log.append(Array.from({ length: 50 }, (_, index) => appendOf(`match-${String(round)}-${String(index)}`, 'no-stream')));
      log.append([appendOf(`person-x${String(round)}`, 'no-stream')]);
      if (round % 5 === 0) log.deleteStream(`person-x${String(round)}`);
      if (round % 7 === 0) log.checkpoint();
      log.maintain();
      expect(log.refusal).toBeUndefined();
    }
    await log.backup(`${its.path}.copy`);
    tamper('PRAGMA wal_checkpoint(TRUNCATE)');
    log.maintain();
    expect([log.refusal, wholeReport(log).events]).toEqual([undefined, 1539]);
  });

  it.each([
    [
      'a trigger',
      'CREATE TRIGGER swallow BEFORE INSERT ON events BEGIN SELECT raise(ignore); END',
      "the file has a trigger, swallow, which is none of the log's",
      true,
    ],
    ['no table of events', 'DROP TABLE events', 'SQLite cannot use it: no such table: events', true],
    // What is only written shows when something is.
    ['a column that has another name', 'ALTER TABLE events RENAME COLUMN salt TO pepper', 'SQLite cannot use it: table events has no column named salt', false],
  ])('refuses for good what it does not take any more, at a look or at the next batch: %s', (_, sql, reason, isSeen) => {
    const said = `The event log is damaged at position 0: ${reason}. Restore a backup.`;
    for (const looks of [true, false]) {
      const log = filled(9);
      tamper(sql);
      if (looks) log.maintain();
      expect(log.refusal).toBe(looks && isSeen ? said : undefined);
      expect(() => log.append([appendOf('match-1', 'any')])).toThrow(LogUnavailable);
      expect([log.refusal, log.isRecoverable]).toEqual([said, false]);
      log.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(its.path + suffix, { force: true });
    }
  });
});
