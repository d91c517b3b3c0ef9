import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { dumpReadModel } from './dump.ts';
import { createProjector } from './projector.ts';
import { inspectReadModel, openOrSetAside, openReader } from './read-model.ts';
import { rebuild, RebuildFailed } from './rebuild.ts';
import { allTables } from './schema.ts';
import { RecordedLog } from './testing/recorded-log.ts';
import { scratchFolder } from './testing/scratch.ts';

const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 5, ['t1']);
  log.team('b', 'Bagmati', 5, ['t1']);
  for (let match = 0; match < 20; match += 1) {
    log.match(`m${String(match)}`, 't1', 'a', 'b');
    for (let entry = 0; entry < 30; entry += 1) log.stat(`m${String(match)}`, `${entry % 2 === 0 ? 'a' : 'b'}-p${String((entry % 5) + 1)}`, entry % 4);
  }
  return log;
};

const damages: [string, (path: string) => void][] = [
  [
    'cut in half',
    (path) => {
      truncateSync(path, readFileSync(path).length >> 1);
    },
  ],
  [
    'cut to a page that ends cleanly',
    (path) => {
      truncateSync(path, 4096 * 3);
    },
  ],
  [
    'emptied',
    (path) => {
      writeFileSync(path, '');
    },
  ],
  [
    'overwritten',
    (path) => {
      writeFileSync(path, 'not a database');
    },
  ],
  [
    'grown',
    (path) => {
      appendFileSync(path, Buffer.alloc(4096));
    },
  ],
  [
    'missing a table',
    (path) => {
      damage(path, 'DROP TABLE standings');
    },
  ],
  [
    'missing an index',
    (path) => {
      damage(path, 'DROP INDEX ledger_0');
    },
  ],
  [
    'missing its checkpoint',
    (path) => {
      damage(path, 'DELETE FROM checkpoint');
    },
  ],
];
const damage = (path: string, sql: string): void => {
  const database = new Database(path);
  database.exec(sql);
  database.close();
};

test.each(damages)('a file that is %s is set aside, and built anew from the log is what it was', async (_, spoil) => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('read-model.sqlite');
  const projector = createProjector({ path, openPerson: log.openPerson });
  projector.apply(log.events);
  projector.close();
  const before = dumpReadModel(path);
  expect(openOrSetAside(path)).toEqual({ state: 'good' });
  spoil(path);
  expect(openOrSetAside(path)).toEqual({ state: 'damaged', setAside: `${path}.damaged-1` });
  expect(existsSync(path)).toBe(false);
  expect(existsSync(`${path}.damaged-1`)).toBe(true);
  await rebuild({ path, readPage: log.readPage, openPerson: log.openPerson });
  expect(openOrSetAside(path)).toEqual({ state: 'good' });
  expect(dumpReadModel(path)).toEqual(before);
});

test('every flipped bit of a file that was closed cleanly is found', async () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('read-model.sqlite');
  await rebuild({ path, readPage: log.readPage, openPerson: log.openPerson });
  const whole = readFileSync(path);
  const step = Math.floor(whole.length / 97);
  for (let offset = 0; offset < whole.length; offset += step) {
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(offset) ^ (1 << (offset % 8)), offset);
    writeFileSync(path, flipped);
    expect([offset, inspectReadModel(path, 'full')]).toEqual([offset, 'damaged']);
  }
  writeFileSync(path, whole);
  expect(inspectReadModel(path, 'full')).toBe('good');
});

test('after a crash there is no seal: the file is checked page by page, and goes on from its checkpoint', () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('read-model.sqlite');
  const projector = createProjector({ path, openPerson: log.openPerson });
  projector.apply(log.events.slice(0, 100));
  // What a killed process leaves: the file and its write-ahead log, copied while open.
  const crashed = folder.file('crashed.sqlite');
  for (const suffix of ['', '-wal']) writeFileSync(crashed + suffix, readFileSync(path + suffix));
  projector.apply(log.events);
  projector.close();
  expect(existsSync(`${path}.seal`)).toBe(true);
  expect(openOrSetAside(crashed)).toEqual({ state: 'good' });
  const next = createProjector({ path: crashed, openPerson: log.openPerson });
  expect(next.position).toBe(log.events[99]?.position);
  next.apply(log.events);
  next.close();
  expect(dumpReadModel(crashed)).toEqual(dumpReadModel(path));
});

test('nor is there one where a reader has kept the write-ahead log: what is moved into the file after it is no damage', () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('read-model.sqlite');
  const projector = createProjector({ path, openPerson: log.openPerson });
  projector.apply(log.events.slice(0, 100));
  const reader = new Database(path);
  reader.exec('BEGIN; SELECT * FROM checkpoint');
  projector.apply(log.events);
  projector.close();
  expect(existsSync(`${path}.seal`)).toBe(false);
  reader.close();
  expect([openOrSetAside(path), existsSync(`${path}-wal`)]).toEqual([{ state: 'good' }, false]);
});

test('without a seal a page that an opening does not read is looked at all the same', async () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('read-model.sqlite');
  await rebuild({ path, readPage: log.readPage, openPerson: log.openPerson });
  rmSync(`${path}.seal`);
  expect(inspectReadModel(path, 'full')).toBe('good');
  const database = new Database(path, { readonly: true });
  const page = database.prepare("SELECT rootpage FROM sqlite_master WHERE type = 'index' AND name LIKE 'stat_lines%'").pluck().get() as number;
  const size = database.pragma('page_size', { simple: true }) as number;
  database.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, (page - 1) * size, page * size));
  expect([inspectReadModel(path, 'quick'), openOrSetAside(path)]).toEqual(['good', { state: 'damaged', setAside: `${path}.damaged-1` }]);
});

test('the file of another version is outdated, not damaged; nothing is nothing', () => {
  using folder = scratchFolder();
  const path = folder.file('read-model.sqlite');
  expect(openOrSetAside(path)).toEqual({ state: 'missing' });
  // What is left of a rebuild that was killed before it had written a page.
  writeFileSync(path, '');
  expect([openOrSetAside(path), existsSync(path)]).toEqual([{ state: 'missing' }, false]);
  // Once more: of the outdated ones only the last stays.
  for (const older of ['older', 'old']) {
    createProjector({ path, openPerson: () => null }).close();
    damage(path, `UPDATE read_model SET value = '${older}'`);
    rmSync(`${path}.seal`);
    expect(openOrSetAside(path)).toEqual({ state: 'outdated', setAside: `${path}.outdated-1` });
  }
  expect(existsSync(`${path}.outdated-2`)).toBe(false);
  const kept = new Database(`${path}.outdated-1`, { readonly: true });
  expect(kept.prepare("SELECT value FROM read_model WHERE key = 'version'").pluck().get()).toBe('old');
  kept.close();
});

test('on a disk so full that a file cannot be opened it stays in its place: nothing is known of what is in it', () => {
  using folder = scratchFolder();
  const path = folder.file('read-model.sqlite');
  createProjector({ path, openPerson: () => null }).close();
  const script = `import { openOrSetAside } from ${JSON.stringify(new URL('read-model.ts', import.meta.url).href)}; try { openOrSetAside(process.argv[1]); } catch ({ code, path }) { console.log(code, path); }`;
  // One block takes the beginning of a write-ahead log's index, and not the whole of it.
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath, '--input-type=module', '--eval', script, path], {
    encoding: 'utf8',
  });
  expect([stdout, existsSync(path)]).toEqual([`SQLITE_IOERR_SHMSIZE ${path}\n`, true]);
  expect(openOrSetAside(path)).toEqual({ state: 'good' });
});

test('a rebuild stops at the first event that cannot be applied, tells which, and leaves no file', async () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('next.sqlite');
  const bad = log.raw('match-m1', 'FromTheFuture', {});
  log.stat('m2', 'a-p1', 1);
  const failure = await rebuild({ path, readPage: log.readPage, openPerson: log.openPerson }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RebuildFailed);
  expect(failure).toMatchObject({ position: bad.position, stream: 'match-m1', type: 'FromTheFuture' });
  expect((failure as Error).message).toContain('FromTheFuture of match-m1');
  expect(existsSync(path)).toBe(false);
});

test('a rebuild tells its progress, can end at a position and can be stopped', async () => {
  using folder = scratchFolder();
  const log = season();
  for (let entry = 0; entry < 1500; entry += 1) log.stat('m3', 'a-p1', 1);
  const path = folder.file('next.sqlite');
  const seen: number[] = [];
  const done = await rebuild({ path, readPage: log.readPage, openPerson: log.openPerson, onProgress: ({ events }) => seen.push(events) });
  expect(done).toEqual({ events: log.events.length, position: log.head });
  expect(seen).toEqual([1000, 2000, log.events.length].filter((count, index, all) => all.indexOf(count) === index && count <= log.events.length));

  const until = log.events[499]?.position ?? 0n;
  expect(await rebuild({ path, readPage: log.readPage, openPerson: log.openPerson, until })).toEqual({ events: 500, position: until });
  const live = folder.file('live.sqlite');
  const projector = createProjector({ path: live, openPerson: log.openPerson });
  projector.apply(log.events.slice(0, 500));
  projector.close();
  expect(dumpReadModel(path)).toEqual(dumpReadModel(live));

  const stop = new AbortController();
  const stopped = rebuild({
    path,
    readPage: log.readPage,
    openPerson: log.openPerson,
    signal: stop.signal,
    onProgress: () => {
      stop.abort(new Error('enough'));
    },
  });
  await expect(stopped).rejects.toThrow('enough');
  expect(existsSync(path)).toBe(false);
});

test('an empty log makes an empty read model', async () => {
  using folder = scratchFolder();
  const path = folder.file('empty.sqlite');
  expect(await rebuild({ path, readPage: () => [], openPerson: () => null })).toEqual({ events: 0, position: 0n });
  const reader = openReader(path);
  expect(reader.position()).toBe(0n);
  reader.close();
  expect(inspectReadModel(path, 'full')).toBe('good');
});

test('reads that belong together see one state', () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('read-model.sqlite');
  const projector = createProjector({ path, openPerson: log.openPerson });
  projector.apply(log.events.slice(0, 50));
  const reader = openReader(path);
  reader.snapshot(() => {
    const before = reader.position();
    projector.apply(log.events);
    expect(reader.position()).toBe(before);
    return undefined;
  });
  expect(reader.position()).toBe(log.head);
  expect(reader.texts('SELECT name FROM sqlite_master WHERE type = ?', 'table').length).toBeGreaterThanOrEqual(allTables.length);
  reader.close();
  projector.close();
});
