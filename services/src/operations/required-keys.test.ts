import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAdmin, logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { getMatch } from '@courtledger/contracts/match/match.api';
import { getOperationsStatus } from '@courtledger/contracts/operations/operations.api';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openSqliteEventLog } from '../event-log/sqlite-event-log.ts';
import { KeyRefused, lostWithKey } from '../platform/key-file.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { ask } from '../platform/testing/toy-gate.ts';
import { loggedInAdmin, season, superAdminPassword, testConfig, type Site } from '../testing/site.ts';
import { verbContext } from '../testing/verb-context.ts';
import { tellable } from './expected-errors.ts';
import { importLog } from './log-lines-import.ts';
import { exportLog } from './log-lines.ts';
import { missingKeys, requiredKeys } from './required-keys.ts';
import { restoreBackup } from './restore.ts';
import { importVerb } from './verbs/import.verb.ts';
import { newKey } from './verbs/new-key.verb.ts';

const folder = siteFolder();
const { open } = folder;
const refusalOf = async (dataDir: string): Promise<unknown> =>
  open(dataDir).then(
    () => undefined,
    (error: unknown) => error,
  );
const run = async (verb: typeof newKey, args: readonly string[], dataDir: string): Promise<readonly [code: number, lines: readonly string[]]> => {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const code = await verb.run(verbContext({ config: testConfig(dataDir, { store: { kind: 'sqlite' } }), terminal: { out: say, note: say } }), args);
  return [code, lines];
};

it('a start refuses to make a key that the log needs, says which and what to do, and goes on when it is back or was made on purpose', async () => {
  const data = folder.path('data');
  const site = await open(data);
  const { superToken } = await season(site);
  await site.app.close(2000);
  for (const { file } of requiredKeys) {
    const path = join(data, 'keys', file);
    renameSync(path, `${path}.away`);
    const refusal = await refusalOf(data);
    expect([file, refusal instanceof KeyRefused, tellable(refusal)?.includes(path), existsSync(path)]).toEqual([file, true, true, false]);
    renameSync(`${path}.away`, path);
  }
  rmSync(join(data, 'keys', 'season.pem'));
  expect([(await run(newKey, ['season.pem'], data))[0], (await run(newKey, ['season.pem', '--yes'], data))[0]]).toEqual([2, 0]);
  const key = readFileSync(join(data, 'keys', 'season.pem'), 'utf8');
  await expect(run(newKey, ['season.pem', '--yes'], data)).rejects.toThrow('is there: it is never replaced');
  // A file that is there and is no key: start and verb say the same way out, and neither takes nor replaces it.
  const ofAnotherKind = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  for (const [file, what, content = 'ten bytes.'] of [
    ['email.key', 'should hold 32 bytes and holds 10'],
    ['season.pem', 'holds no Ed25519 key'],
    ['season.pem', 'holds no Ed25519 key', ofAnotherKind],
    ['address.key', 'should hold 32 bytes and holds 10'],
    ['persons.sqlite', 'cannot be read (file is not a database)'],
  ] as const) {
    const path = join(data, 'keys', file);
    renameSync(path, `${path}.away`);
    writeFileSync(path, content);
    const beside =
      file === 'persons.sqlite' ? ' (what stands beside it as persons.sqlite-wal or persons.sqlite-shm is of another copy, and goes away first)' : '';
    const said = `${path} ${what}: bring it back from a backup${beside}. Only when it is lost for good: move the file away, and npm run ops -- new-key ${file} (${lostWithKey[file]})`;
    expect([
      tellable(await refusalOf(data)),
      await run(newKey, [file, '--yes'], data).catch((error: unknown) => tellable(error)),
      readFileSync(path, 'utf8'),
    ]).toEqual([said, said, content]);
    renameSync(`${path}.away`, path);
  }
  const again = await open(data);
  expect(readFileSync(join(data, 'keys', 'season.pem'), 'utf8')).toBe(key);
  // The claim of an address still protects it.
  const taken = { username: 'second', password: 'copper-meadow-71', email: 'asha@example.org', phoneNumber: '9800000001' };
  const first = await again.send(createAdmin, { token: superToken, json: taken });
  expect([first.status, (await again.send(createAdmin, { token: superToken, json: { ...taken, username: 'third' } })).status].at(-1)).toBe(409);
  await again.app.close(2000);
  // Keys of persons that are lost for good: their details are gone, the site is not.
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(data, 'keys', `persons.sqlite${suffix}`), { force: true });
  expect((await run(newKey, ['persons.sqlite', '--yes'], data))[0]).toBe(0);
  expect((await ask((await open(data)).port, 'GET', '/readyz')).status).toBe(200);
});

it('a log that was just restored, and never opened for writing, says which key is missing', async () => {
  const data = folder.path('data');
  const site = await open(data);
  await season(site);
  await site.app.close(2000);
  const log = new Database(join(data, 'event-log.sqlite'));
  log.pragma('journal_mode = DELETE');
  log.close();
  rmSync(join(data, 'keys', 'email.key'));
  expect(missingKeys(data).map(({ file }) => file)).toEqual(['email.key']);
}, 60_000);

it('an empty log needs no key, and a log that was imported without its keys gets none by a start', async () => {
  const data = folder.path('data');
  const site = await open(data);
  rmSync(join(data, 'keys', 'season.pem'));
  expect(missingKeys(data)).toEqual([]);
  await season(site);
  const lines = folder.path('log.jsonl');
  await exportLog(site.opened.store.log, lines);
  await site.app.close(2000);
  const other = folder.path('other');
  const [code, said] = await run(importVerb, [lines], other);
  expect([code, [join(other, 'keys', 'persons.sqlite'), 'after an import copy keys'].every((text) => said.some((line) => line.includes(text)))]).toEqual([
    0,
    true,
  ]);
  expect([tellable(await refusalOf(other))?.split('\n').length, existsSync(join(other, 'keys'))]).toEqual([7, false]);
  // Whoever accepts the loss says so for each.
  for (const { file } of requiredKeys) expect((await run(newKey, [file, '--yes'], other))[0]).toBe(0);
  expect(missingKeys(other)).toEqual([]);
  const log = openSqliteEventLog({ path: folder.path('empty.sqlite') });
  expect((await importLog(lines, log)).events).toBe(await (await open(other)).events());
  await log.close();
}, 60_000);

const parkedIn = async (site: Site, token: string): Promise<number> => (await site.call(getOperationsStatus, { token })).readModel.parked.length;
const swapLogs = (one: string, other: string): void => {
  for (const [from, to] of [
    [one, `${one}.x`],
    [other, one],
    [`${one}.x`, other],
  ] as const)
    renameSync(from, to);
};

it('a start refuses keys of persons that belong to another log, touches nothing, and goes on with the right ones or when the others were given up', async () => {
  const [data, other] = [folder.path('data'), folder.path('other')];
  const [site, stranger] = [await open(data), await open(other)];
  await season(site);
  const { matchId } = await season(stranger);
  await site.app.close(2000);
  await stranger.app.close(2000);
  const [ours, theirs] = [join(data, 'event-log.sqlite'), join(other, 'event-log.sqlite')];
  swapLogs(ours, theirs);
  const keys = join(data, 'keys', 'persons.sqlite');
  const before = readdirSync(data).filter((name) => name.startsWith('read-model'));
  const refusal = await refusalOf(data);
  expect([refusal instanceof KeyRefused, missingKeys(data).map(({ file }) => file), readdirSync(data).filter((name) => name.startsWith('read-model'))]).toEqual(
    [true, ['persons.sqlite'], before],
  );
  expect(tellable(refusal)?.split('\n')).toEqual([
    `The log in ${data} needs keys that are not there, and no start makes new ones for it:`,
    expect.stringMatching(new RegExp(String.raw`^  ${keys} \(it is there, and knows none of the first persons of the log`)),
    expect.stringMatching(/^Bring the folder keys that belongs to this log/),
    expect.stringMatching(/^Bring the folder keys of the newest backup, or all of it by a restore/),
    expect.stringMatching(/new-key persons\.sqlite --yes$/),
  ]);
  // A file without a table, as a copy that was cut off leaves it, knows nobody either.
  const files = readdirSync(join(data, 'keys')).filter((name) => name.startsWith('persons.sqlite'));
  const away = folder.path('away');
  mkdirSync(away);
  for (const name of files) renameSync(join(data, 'keys', name), join(away, name));
  writeFileSync(keys, '');
  expect([missingKeys(data).map(({ file }) => file), await refusalOf(data)]).toEqual([['persons.sqlite'], expect.any(KeyRefused)]);
  for (const suffix of ['', '-wal', '-shm']) rmSync(keys + suffix, { force: true });
  for (const name of files) renameSync(join(away, name), join(data, 'keys', name));
  // With the log that they belong to they are the right ones.
  swapLogs(ours, theirs);
  const home = await open(data);
  expect((await ask(home.port, 'GET', '/readyz')).status).toBe(200);
  await home.app.close(2000);
  // The deliberate way out.
  swapLogs(ours, theirs);
  expect([(await run(newKey, ['persons.sqlite'], data))[0], (await run(newKey, ['persons.sqlite', '--yes'], data))[0], missingKeys(data)]).toEqual([2, 0, []]);
  const given = await open(data);
  const { token: superToken } = await given.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
  expect([await parkedIn(given, superToken), (await given.call(getMatch, { params: { id: matchId } }))._id]).toEqual([0, matchId]);
}, 60_000);

const exchangeable = ['email.key', 'season.pem', 'address.key'];
/** Copies keys of one installation over those of another. */
const bring = (from: string, to: string, files: readonly string[] = exchangeable): void => {
  for (const file of files) cpSync(join(from, 'keys', file), join(to, 'keys', file));
};
/** Two closed installations with an account each, and a copy of the first one's keys. */
const twoInstallations = async (): Promise<{ readonly data: string; readonly other: string; readonly kept: string }> => {
  const [data, other, kept] = [folder.path('data'), folder.path('other'), folder.path('kept')];
  const sites = [await open(data), await open(other)];
  for (const site of sites) {
    await loggedInAdmin(site);
    await site.app.close(2000);
  }
  cpSync(join(data, 'keys'), join(kept, 'keys'), { recursive: true });
  return { data, other, kept };
};
const startsOn = async (dataDir: string): Promise<unknown> => {
  const site = await open(dataDir);
  const { status } = await ask(site.port, 'GET', '/readyz');
  await site.app.close(2000);
  return status;
};

it('a start refuses a key of another installation already after the first run, and goes on with the right one or when it is taken on purpose', async () => {
  const { data, other, kept } = await twoInstallations();
  for (const file of exchangeable) {
    bring(other, data, [file]);
    expect(missingKeys(data).map((key) => key.file)).toEqual([file]);
    bring(kept, data);
  }
  bring(other, data);
  expect(tellable(await refusalOf(data))?.split('\n')).toEqual([
    `The log in ${data} needs keys that are not there, and no start makes new ones for it:`,
    ...exchangeable.map((file): unknown =>
      expect.stringContaining(`${join(data, 'keys', file)} (it is there, and is not the one that this log was kept with; without that one, `),
    ),
    expect.stringMatching(/^Bring the folder keys that belongs to this log/),
    expect.stringMatching(/^Bring the folder keys of the newest backup, or all of it by a restore/),
    expect.stringMatching(
      /^Only when a key is lost for good, or the one that is there is to be taken: .+ new-key email\.key\|season\.pem\|address\.key --yes$/,
    ),
  ]);
  bring(kept, data);
  expect(await startsOn(data)).toBe(200);
  // On purpose: it stays as it is, and from then on the other one is a stranger.
  bring(other, data, ['email.key']);
  const taken = readFileSync(join(data, 'keys', 'email.key'));
  expect([(await run(newKey, ['email.key'], data))[0], missingKeys(data).length, (await run(newKey, ['email.key', '--yes'], data))[0]]).toEqual([2, 1, 0]);
  // At once, not only at the next start.
  bring(kept, data, ['email.key']);
  expect(missingKeys(data).map(({ file }) => file)).toEqual(['email.key']);
  bring(other, data, ['email.key']);
  expect([await startsOn(data), readFileSync(join(data, 'keys', 'email.key')).equals(taken)]).toEqual([200, true]);
  bring(kept, data, ['email.key']);
  expect(await refusalOf(data)).toBeInstanceOf(KeyRefused);
  // As it was left by a release that noted nothing.
  rmSync(join(data, 'operations.json'));
  expect(await startsOn(data)).toBe(200);
  expect(readFileSync(join(data, 'operations.json'), 'utf8')).not.toContain(readFileSync(join(data, 'keys', 'email.key')).toString('hex'));
  bring(other, data, ['email.key']);
  expect(await refusalOf(data)).toBeInstanceOf(KeyRefused);
}, 60_000);

it('keys that go with their log are no strangers: a copied folder, a restore, an import, another log put in its place by hand', async () => {
  const { data, other, kept } = await twoInstallations();
  cpSync(data, folder.path('copied'), { recursive: true });
  expect(await startsOn(folder.path('copied'))).toBe(200);
  // A backup from before a key was given up: what is noted now says nothing about its keys.
  const site = await open(data);
  site.opened.operations.backups.start(folder.path('backup'));
  expect((await site.opened.operations.backups.ended())?.state).toBe('done');
  await site.app.close(2000);
  rmSync(join(data, 'keys', 'email.key'));
  expect([(await run(newKey, ['email.key', '--yes'], data))[0], await startsOn(data), missingKeys(data)]).toEqual([0, 200, []]);
  await restoreBackup({ folder: folder.path('backup'), dataDir: data, now: Date.now() });
  expect([readFileSync(join(data, 'keys', 'email.key')).equals(readFileSync(join(kept, 'keys', 'email.key'))), await startsOn(data)]).toEqual([true, 200]);
  // An import into a folder that has noted other keys for the same log.
  const lines = folder.path('log.jsonl');
  const again = await open(data);
  await exportLog(again.opened.store.log, lines);
  await again.app.close(2000);
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(data, `event-log.sqlite${suffix}`), { force: true });
  bring(other, data);
  expect((await run(importVerb, [lines], data))[0]).toBe(0);
  expect([missingKeys(data), await startsOn(data)]).toEqual([[], 200]);
  // By hand: log and keys of another installation, and everything else stays.
  for (const name of ['event-log.sqlite', 'keys']) {
    rmSync(join(data, name), { recursive: true });
    cpSync(join(other, name), join(data, name), { recursive: true });
  }
  // Not those that are noted for the log before.
  bring(kept, data);
  expect(await startsOn(data)).toBe(200);
}, 60_000);

it('a key that the log does not need yet may be lost and made anew by a start', async () => {
  const data = folder.path('data');
  const site = await open(data);
  await loggedInAdmin(site);
  await site.app.close(2000);
  rmSync(join(data, 'keys', 'season.pem'));
  expect([await startsOn(data), await startsOn(data), missingKeys(data)]).toEqual([200, 200, []]);
}, 60_000);

it('a start goes on where the keys know some of the first persons, or where these were all erased', async () => {
  const data = folder.path('data');
  const site = await open(data);
  const { teams } = await season(site);
  await site.app.close(2000);
  const edit = (sql: string, ...values: readonly string[]): number => {
    const database = new Database(join(data, 'keys', 'persons.sqlite'));
    try {
      return database.prepare(sql).run(...values).changes;
    } finally {
      database.close();
    }
  };
  // Of everybody but one the key is missing: that is for each of them to be seen, not for a start to refuse.
  const [kept = ''] = teams[1].players;
  expect(edit('DELETE FROM persons WHERE person_id <> ?', kept)).toBeGreaterThan(5);
  expect(missingKeys(data)).toEqual([]);
  // Somebody whose key is destroyed is known as well.
  edit('UPDATE persons SET key = NULL');
  expect(missingKeys(data)).toEqual([]);
  edit('DELETE FROM persons');
  expect(missingKeys(data).map(({ file }) => file)).toEqual(['persons.sqlite']);
  // What was blanked needs no key.
  const log = new Database(join(data, 'event-log.sqlite'));
  log.prepare("UPDATE events SET data = NULL WHERE type = 'PersonDetailsRecorded'").run();
  log.close();
  expect(missingKeys(data)).toEqual([]);
}, 60_000);
