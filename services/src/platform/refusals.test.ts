import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { FolderRefused } from './folders.ts';
import { openRefusals, refusalsBetween, type Refusal, type Refusals } from './refusals.ts';
import { movableClock, temporaryFolder, type MovableClock } from './testing/gate-fixtures.ts';

type Trail = { readonly refusals: Refusals; readonly clock: MovableClock; readonly alarms: number[]; readonly folder: string };
const failed = (error: unknown): void => {
  throw error as Error;
};
const trail = (most?: number): Trail => {
  const folder = temporaryFolder();
  const clock = movableClock();
  const alarms: number[] = [];
  const refusals = openRefusals(folder, {
    clock,
    addressKey: Buffer.alloc(32, 5),
    alarm: (count) => alarms.push(count),
    failed,
    ...(most !== undefined && { most }),
  });
  onTestFinished(() => {
    refusals.close();
  });
  return { refusals, clock, alarms, folder };
};
const refusal = { endpoint: 'logInAdmin', code: 'unauthenticated', caller: undefined, requestId: 'r1', address: '192.0.2.77', subjects: [] } as const;
/** Whose refusals are each kept. */
const known = { ...refusal, caller: { role: 'superadmin', id: 'root', name: 'root', jti: '', expires: 1 } } as const;
const latest = (refusals: Refusals): readonly Refusal[] => [...refusals.find({})];
/** Rows of visitors, and of those who register teams. */
const strangersIn = (refusals: Refusals): readonly number[] =>
  ['visitor', 'registrant'].map((role) => latest(refusals).filter(({ actor }) => actor.startsWith(role)).length);

test('a refusal says when, what, who and from which network, and nothing that was sent', () => {
  const { refusals, folder } = trail();
  refusals.record(refusal);
  refusals.record({ ...refusal, endpoint: 'createAdmin', code: 'forbidden', caller: { role: 'admin', id: 'a1', name: 'Asha Secret', jti: 'j', expires: 1 } });
  refusals.record({ ...refusal, caller: { role: 'registrant', teamId: 't1' } });
  const rows = latest(refusals);
  const told = { time: '2026-11-01T06:00:00.000Z', requestId: 'r1' };
  expect(rows.map(({ time, endpoint, code, actor, actorName, requestId }) => ({ time, endpoint, code, actor, actorName, requestId }))).toEqual([
    { ...told, endpoint: 'logInAdmin', code: 'unauthenticated', actor: 'registrant:t1', actorName: 'Team registration' },
    { ...told, endpoint: 'createAdmin', code: 'forbidden', actor: 'admin:a1', actorName: '' },
    { ...told, endpoint: 'logInAdmin', code: 'unauthenticated', actor: 'visitor', actorName: 'Visitor' },
  ]);
  expect(new Set(rows.map(({ address }) => address)).size).toBe(1);
  const stored = ['refusals.sqlite', 'refusals.sqlite-wal'].map((name) => readFileSync(join(folder, name), 'latin1')).join('');
  expect(stored).toContain('createAdmin');
  expect(stored).not.toMatch(/192\.0\.2\.77|Asha/);
});

test('the table never grows beyond its cap', () => {
  const { refusals } = trail(100);
  for (let index = 0; index < 2500; index += 1) refusals.record({ ...known, requestId: `r${index}` });
  const rows = latest(refusals);
  expect([rows.length, rows[0]?.requestId, rows.at(-1)?.requestId]).toEqual([100, 'r2499', 'r2400']);
});

test('nobody pushes out what others were refused: the oldest go of whoever has the most', () => {
  const { refusals } = trail(10);
  const by = (id: string, requestId: string): void => refusals.record({ ...known, caller: { ...known.caller, id }, code: 'forbidden', requestId });
  const kept = (): string[] => latest(refusals).map(({ actor, requestId }) => `${actor.slice('superadmin:'.length)} ${requestId}`);
  for (const one of ['1', '2', '3', '4']) by('one', one);
  for (const id of ['two', 'three']) by(id, '1');
  for (let number = 1; number <= 30; number += 1) by('flood', String(number));
  expect(kept()).toEqual(['flood 30', 'flood 29', 'flood 28', 'flood 27', 'three 1', 'two 1', 'one 4', 'one 3', 'one 2', 'one 1']);
  for (const [id, requestId] of [
    ['flood', '31'],
    ['four', '1'],
  ] as const) {
    by(id, requestId);
    refusals.flush();
  }
  // Of two who have as many, what is older.
  expect(kept()).toEqual(['four 1', 'flood 31', 'flood 30', 'flood 29', 'flood 28', 'three 1', 'two 1', 'one 4', 'one 3', 'one 2']);
});

test('those who register teams, however many, push out nothing of what visitors were refused, as failed logins; nor do those that an earlier release kept', () => {
  const { refusals, clock, folder } = trail(10);
  const fill = (to: Refusals): void => {
    for (let minute = 1; minute <= 20; minute += 1) {
      to.record({ ...refusal, caller: { role: 'registrant', teamId: `t${minute}` } });
      to.record({ ...refusal, subjects: [{ kind: 'admin', id: 'a1' }] });
      clock.advance(60_000);
    }
  };
  fill(refusals);
  expect(strangersIn(refusals)).toEqual([10, 10]);
  const table = new Database(join(folder, 'refusals.sqlite'));
  table.exec("UPDATE refusals SET rights = 2 WHERE actor LIKE 'registrant%'");
  table.close();
  const next = openRefusals(folder, { clock, addressKey: Buffer.alloc(32, 5), alarm: () => undefined, failed, most: 10 });
  onTestFinished(() => {
    next.close();
  });
  fill(next);
  expect(strangersIn(next)).toEqual([10, 10]);
});

test('a refusal tells what it was about and why; what concerns fields neither pushes out what concerns rights nor raises the alarm', () => {
  const { refusals, clock, alarms } = trail(100);
  const subjects = [
    { kind: 'match', id: 'm1' },
    { kind: 'player', id: 'p1' },
  ] as const;
  refusals.record({ ...known, requestId: 'attack' });
  clock.advance(1000);
  for (let index = 0; index < 600; index += 1)
    refusals.record({
      ...refusal,
      endpoint: 'recordStatIncrement',
      code: 'conflict',
      subjects,
      message: 'This entry is reversed already',
      caller: { role: 'superadmin', id: 'operator', name: 'Operator', jti: '', expires: 1 },
    });
  const [newest] = latest(refusals);
  expect([newest?.subjects, newest?.message, newest?.actor, newest?.actorName, alarms]).toEqual([
    subjects,
    'This entry is reversed already',
    'operator',
    'Operator',
    [],
  ]);
  expect([latest(refusals).length, latest(refusals).at(-1)?.requestId]).toEqual([101, 'attack']);
  const ids = latest(refusals).map(({ id }) => id);
  expect([...refusals.find({ before: latest(refusals)[3] })].map(({ id }) => id)).toEqual(ids.slice(4));
  expect([...refusals.find({ to: '2026-11-01T06:00:00.500Z' })].map(({ requestId }) => requestId)).toEqual(['attack']);
  expect([...refusals.find({ from: '2026-11-01T06:00:00.500Z' })]).toHaveLength(100);
});

test('what a page of an audit asks is found by time, without a scan or a sort, also when the clock was set back', () => {
  const { refusals, clock, folder } = trail();
  for (const [step, requestId] of [
    [0, 'first'],
    [5000, 'ahead'],
    [-3000, 'set back'],
    [1000, 'last'],
  ] as const) {
    clock.advance(step);
    refusals.record({ ...known, requestId });
  }
  const all = latest(refusals);
  expect(all.map(({ requestId }) => requestId)).toEqual(['ahead', 'last', 'set back', 'first']);
  // From any of them on, as pages do, and from one that is there no more.
  expect(all.map((before) => [...refusals.find({ before })].map(({ requestId }) => requestId))).toEqual([
    ['last', 'set back', 'first'],
    ['set back', 'first'],
    ['first'],
    [],
  ]);
  expect(
    [...refusals.find({ before: { time: '2026-11-01T06:00:04.000Z', id: 99 }, to: '2026-11-01T06:00:02.500Z' })].map(({ requestId }) => requestId),
  ).toEqual(['set back', 'first']);
  const database = new Database(join(folder, 'refusals.sqlite'), { readonly: true });
  const plan = database
    .prepare<[string, string, number], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${refusalsBetween}`)
    .all('', '~', 1)
    .map(({ detail }) => detail);
  database.close();
  expect(plan).toEqual(['SEARCH refusals USING INDEX refusals_by_time (time>? AND time<?)']);
});

test('a table of an earlier release is read on', () => {
  const folder = temporaryFolder();
  const old = new Database(join(folder, 'refusals.sqlite'));
  old.exec(
    'CREATE TABLE refusals (id INTEGER PRIMARY KEY, time TEXT NOT NULL, endpoint TEXT NOT NULL, code TEXT NOT NULL, actor TEXT NOT NULL, request_id TEXT NOT NULL, address TEXT NOT NULL) STRICT',
  );
  old.exec("INSERT INTO refusals VALUES (7, '2026-10-31T00:00:00.000Z', 'logInAdmin', 'unauthenticated', 'visitor', 'old', 'a')");
  old.close();
  const refusals = openRefusals(folder, { clock: movableClock(), addressKey: Buffer.alloc(32, 5), alarm: () => undefined, failed });
  onTestFinished(() => {
    refusals.close();
  });
  refusals.record(refusal);
  expect(latest(refusals).map(({ id, requestId, subjects, message }) => [id, requestId, subjects, message])).toEqual([
    [8, 'r1', [], ''],
    [7, 'old', [], ''],
  ]);
});

test('what strangers are refused is kept once a minute, and ten different ones; the rest is counted, and pushes nothing out', () => {
  const { refusals, clock, alarms } = trail(100);
  const rows = (): readonly (readonly [endpoint: string, actor: string, count: number])[] =>
    latest(refusals)
      .map(({ endpoint, actor, count }) => [endpoint, actor, count] as const)
      .toReversed();
  for (let index = 0; index < 150; index += 1) refusals.record({ ...known, endpoint: 'createAdmin' });
  for (let index = 0; index < 4000; index += 1) refusals.record(refusal);
  const theirs = (): ReturnType<typeof rows> => rows().filter(([, actor]) => !actor.startsWith('superadmin'));
  expect(theirs()).toEqual([['logInAdmin', 'visitor', 4000]]);
  // Counted further once it is stored.
  for (let index = 0; index < 4000; index += 1) refusals.record({ ...refusal, address: `192.0.2.${String(index)}` });
  const nine = Array.from({ length: 9 }, () => ['logInAdmin', 'visitor', 1] as const);
  expect(theirs().map(([endpoint, actor, count]) => [endpoint, actor, count])).toEqual([['logInAdmin', 'visitor', 4001], ...nine, ['', 'visitor', 3990]]);
  // What others meet meanwhile is seen: one who registers, and an account that is tried, once whatever the address.
  refusals.record({ ...refusal, endpoint: 'addPlayerToTeam', code: 'invalid', caller: { role: 'registrant', teamId: 't1' } });
  for (const address of ['198.51.100.1', '198.51.100.2']) refusals.record({ ...refusal, address, subjects: [{ kind: 'admin', id: 'a1' }] });
  expect(theirs().slice(11)).toEqual([
    ['addPlayerToTeam', 'registrant:t1', 1],
    ['logInAdmin', 'visitor', 2],
  ]);
  clock.advance(60_000);
  refusals.record(refusal);
  expect(theirs().slice(13)).toEqual([['logInAdmin', 'visitor', 1]]);
  for (let minute = 0; minute < 200; minute += 1) {
    clock.advance(60_000);
    refusals.record(refusal);
  }
  expect([rows().filter(([, actor]) => actor === 'superadmin:root').length, theirs().filter(([, actor]) => actor === 'visitor').length, alarms]).toEqual([
    100,
    100,
    [20],
  ]);
});

test('twenty within a minute raise the alarm, once a minute (S27)', () => {
  const { refusals, clock, alarms } = trail();
  const refuse = (count: number): void => {
    for (let index = 0; index < count; index += 1) refusals.record(refusal);
  };
  refuse(19);
  clock.advance(60_000);
  refuse(19);
  expect(alarms).toEqual([]);
  refuse(1);
  refuse(500);
  expect(alarms).toEqual([20]);
  clock.advance(60_000);
  refuse(20);
  expect(alarms).toEqual([20, 20]);
});

test('a file that is damaged is named, with what to do: nothing is counted in its place', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'refusals.sqlite');
  writeFileSync(path, 'not a database');
  expect(() => openRefusals(folder, { clock: movableClock(), addressKey: Buffer.alloc(32, 5), alarm: () => {}, failed })).toThrow(
    new FolderRefused(
      `DATA_DIR: ${path} is damaged (file is not a database). Move it away, and the next start begins a new one: what was refused before is in the backups then, and in no audit`,
    ),
  );
  expect(readFileSync(path, 'utf8')).toBe('not a database');
});
