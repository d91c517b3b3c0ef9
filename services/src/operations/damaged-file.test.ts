import { mkdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getMatch, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { SqliteLogFile } from '../event-log/sqlite-log-file.ts';
import { appendOf } from '../event-log/testing/log-file-of-each-test.ts';
import { suiteEvent } from '../event-log/testing/sample-event.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { season, testConfig } from '../testing/site.ts';
import { verbContext } from '../testing/verb-context.ts';
import { tellable } from './expected-errors.ts';
import { missingKeysHere } from './required-keys.ts';
import { exportVerb } from './verbs/export.verb.ts';
import { newKey } from './verbs/new-key.verb.ts';

const folder = siteFolder();
const told = async (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => tellable(error),
  );

it.each([
  ['is no database', (path: string) => writeFileSync(path, 'garbage\n'), 'file is not a database'],
  ['was cut off', (path: string) => truncateSync(path, 20_000), 'database disk image is malformed'],
] as const)(
  'a log file that %s is named by every tool that looks into it, and by a start that cannot go on, whatever has become of the keys',
  async (what, damage, reason) => {
    const data = folder.path('data');
    const site = await folder.open(data);
    await season(site);
    await site.app.close(2000);
    const path = join(data, 'event-log.sqlite');
    damage(path);
    const config = testConfig(data, { store: { kind: 'sqlite' } });
    const context = verbContext({ config });
    const said = `The event log ${path} is damaged: ${reason}. Restore a backup.`;
    const all = async () => [
      await told(folder.open(data).then(async ({ app }) => app.close(2000))),
      await told(newKey.run(context, ['persons.sqlite'])),
      await told(exportVerb.run(context, [folder.path('lines.jsonl')])),
    ];
    // What is left of a file that was cut off is read, see below.
    expect(await all()).toEqual([what === 'was cut off' ? undefined : said, said, said]);
    const keys = join(data, 'keys');
    rmSync(join(keys, 'email.key'));
    expect([await told(missingKeysHere(config)), ...(await all())]).toEqual([said, said, said, said]);
    renameSync(keys, `${keys}.away`);
    writeFileSync(keys, '');
    expect([await told(missingKeysHere(config)), ...(await all())]).toEqual([said, said, said, said]);
  },
);

it.each([
  ['the page by which its events are found', 'ORDER BY pageno'],
  ['a page of its first events', "AND pagetype = 'leaf' ORDER BY path"],
])('a log in which %s is damaged keeps no site from being read: the position is named, and no key is blamed', async (_, which) => {
  const data = folder.path('data');
  const first = await folder.open(data);
  const { matchId, token } = await season(first);
  await first.app.close(2000);
  const path = join(data, 'event-log.sqlite');
  const database = new Database(path);
  const page = database.prepare<[], number>(`SELECT pageno FROM dbstat WHERE name = 'events' ${which} LIMIT 1`).pluck().get() ?? 0;
  const size = Number(database.pragma('page_size', { simple: true }));
  database.close();
  const bytes = readFileSync(path);
  expect(page).toBeGreaterThan(1);
  writeFileSync(path, bytes.fill(0, (page - 1) * size, page * size));
  const config = testConfig(data, { store: { kind: 'sqlite' } });
  const context = verbContext({ config });
  const said = `The event log ${path} is damaged: database disk image is malformed. Restore a backup.`;
  expect([await told(newKey.run(context, ['persons.sqlite'])), await told(exportVerb.run(context, [folder.path('lines.jsonl')]))]).toEqual([said, said]);
  // The second one knows of the break from its record.
  for (let start = 0; start < 2; start += 1) {
    const site = await folder.open(data);
    const { status, message } = await site.refused(recordStatIncrement, {
      token,
      params: { id: matchId },
      json: { entryId: 'one', playerId: 'somebody', points: 2 },
    });
    expect([site.app.readiness(), (await site.call(getMatch, { params: { id: matchId } }))._id, status, message]).toMatchObject([
      { status: 'not-ready', checks: { log: 'failing' }, writes: false, reason: 'The log is damaged at position 1' },
      matchId,
      503,
      'Nothing can be recorded at the moment. Please try again shortly.',
    ]);
    await site.app.close(2000);
  }
});

it('a log whose page of references says that it is one of events keeps no site from being read, and no tool from ending', async () => {
  const data = folder.path('data');
  const first = await folder.open(data);
  const { matchId, token } = await season(first);
  await first.app.close(2000);
  const path = join(data, 'event-log.sqlite');
  const log = new SqliteLogFile({ path });
  log.append(Array.from({ length: 300 }, (_, index) => appendOf(`order-${String(index)}`, 'no-stream', suiteEvent())));
  log.close();
  const database = new Database(path);
  const page = database.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").pluck().get() ?? 0;
  database.close();
  const bytes = readFileSync(path);
  expect(bytes[(page - 1) * 4096]).toBe(5);
  bytes[(page - 1) * 4096] = 13;
  writeFileSync(path, bytes);
  const context = verbContext({ config: testConfig(data, { store: { kind: 'sqlite' } }) });
  expect(await told(exportVerb.run(context, [folder.path('lines.jsonl')]))).toBe(
    'Broken at position 1: the log ends before position 332: events are missing. Nothing was exported. "verify-log" tells more; restore a backup from before.',
  );
  for (let start = 0; start < 2; start += 1) {
    const site = await folder.open(data);
    const { status } = await site.refused(recordStatIncrement, { token, params: { id: matchId }, json: { entryId: 'one', playerId: 'somebody', points: 2 } });
    expect([site.app.readiness(), (await site.call(getMatch, { params: { id: matchId } }))._id, status]).toMatchObject([
      { status: 'not-ready', checks: { log: 'failing' }, writes: false, reason: 'The log is damaged at position 0' },
      matchId,
      503,
    ]);
    await site.app.close(2000);
  }
});

it.each([
  ['by a page', (size: number) => size - 4096],
  ['to a half', (size: number) => size / 2],
  ['in the midst of a page', (size: number) => size - 6000],
])('a log that was cut off %s keeps no site from being read: the first position that is missing is named, and nothing is written into it', async (_, cut) => {
  const data = folder.path('data');
  const first = await folder.open(data);
  const { matchId, token } = await season(first);
  await first.app.close(2000);
  const path = join(data, 'event-log.sqlite');
  const database = new Database(path);
  const leaves = database
    .prepare<[], { readonly pageno: number; readonly ncell: number }>(
      "SELECT pageno, ncell FROM dbstat WHERE name = 'events' AND pagetype = 'leaf' ORDER BY path",
    )
    .all();
  database.close();
  const size = cut(statSync(path).size);
  truncateSync(path, size);
  const lost = leaves.findIndex(({ pageno }) => pageno * 4096 > size);
  const position = leaves.slice(0, lost).reduce((sum, { ncell }) => sum + ncell, 1);
  expect(lost).toBeGreaterThan(-1);
  for (let start = 0; start < 2; start += 1) {
    const site = await folder.open(data);
    const { status } = await site.refused(recordStatIncrement, { token, params: { id: matchId }, json: { entryId: 'one', playerId: 'somebody', points: 2 } });
    expect([site.app.readiness(), (await site.call(getMatch, { params: { id: matchId } }))._id, status]).toMatchObject([
      { status: 'not-ready', checks: { log: 'failing' }, writes: false, reason: `The log is damaged at position ${String(position)}` },
      matchId,
      503,
    ]);
    await site.app.close(2000);
    expect(statSync(path).size).toBe(Math.floor(size));
  }
});

it('an empty file is no log to be exported', async () => {
  const data = folder.path('data');
  const site = await folder.open(data);
  await site.app.close(2000);
  truncateSync(join(data, 'event-log.sqlite'), 0);
  const context = verbContext({ config: testConfig(data, { store: { kind: 'sqlite' } }) });
  await expect(exportVerb.run(context, [folder.path('lines.jsonl')])).rejects.toThrow(`There is no log in ${data}`);
});

it('a folder in the place of the log is called what it is', async () => {
  const data = folder.path('data');
  const site = await folder.open(data);
  await site.app.close(2000);
  const path = join(data, 'event-log.sqlite');
  rmSync(path);
  mkdirSync(join(path, 'something'), { recursive: true });
  const context = verbContext({ config: testConfig(data, { store: { kind: 'sqlite' } }) });
  await expect(exportVerb.run(context, [folder.path('lines.jsonl')])).rejects.toThrow(`${path}: a folder, not a file`);
});
