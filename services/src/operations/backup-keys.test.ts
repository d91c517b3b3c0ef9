import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getOperationsStatus } from '@courtledger/contracts/operations/operations.api';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { correctPlayer } from '@courtledger/contracts/player/player.api';
import { addPlayerToTeam, getTeam } from '@courtledger/contracts/team/team.api';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import { KeyRefused, lostWithKey } from '../platform/key-file.ts';
import { readModelFiles } from '../platform/store-read-model-files.ts';
import { ask } from '../platform/testing/toy-gate.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { loggedInAdmin, playerForm, season, type Site } from '../testing/site.ts';
import { BackupDamaged, filesBelow, manifestName, readManifest } from './backup-manifest.ts';
import { makeBackup } from './backup.ts';
import { drillBackup } from './drill.ts';
import { giveUpLostPersons } from './lost-persons.ts';
import { missingFiles, missingFilesNote } from './missing-files.ts';
import { restoreBackup } from './restore.ts';

const folder = siteFolder();
const { open } = folder;
const now = Date.parse('2026-11-21T10:00:00Z');

const back = async ({ config, opened }: Site, name: string): Promise<string> => {
  await makeBackup({ dataDir: config.dataDir, kind: config.store.kind, store: opened.store, now }, folder.path(name));
  return folder.path(name);
};
const lost = (file: keyof typeof lostWithKey): string => `${file} (without it, ${lostWithKey[file]})`;
const refusedKeys = (dataDir: string, list: string): KeyRefused =>
  new KeyRefused(
    `The log needs keys that are not in ${join(dataDir, 'keys')}: ${list}. Bring them back; when they are lost for good, the next start says what to do.`,
  );
/** As an earlier release made it, which took whatever keys were there. */
const withoutKey = (backup: string, file: string): void => {
  const manifest = readManifest(backup);
  rmSync(join(backup, 'keys', file));
  writeFileSync(join(backup, manifestName), JSON.stringify({ ...manifest, files: manifest.files.filter(({ path }) => path !== `keys/${file}`) }));
};
const errorOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const startsOn = async (dataDir: string): Promise<unknown> => (await ask((await open(dataDir)).port, 'GET', '/readyz')).status;

it('no backup is made, asked for or by the server itself, while a key is away that the log needs: it fails, names it, and leaves nothing', async () => {
  const data = folder.path('data');
  const site = await open(data);
  await season(site);
  renameSync(join(data, 'keys'), join(data, 'away'));
  expect(await errorOf(back(site, 'backup'))).toEqual(
    refusedKeys(data, [lost('persons.sqlite'), lost('email.key'), lost('season.pem'), lost('address.key')].join('; ')),
  );
  renameSync(join(data, 'away'), join(data, 'keys'));
  renameSync(join(data, 'keys', 'season.pem'), join(data, 'season.pem'));
  const { backups } = site.opened.operations;
  backups.start();
  const failed = await backups.ended();
  const alarm = async (): Promise<string | undefined> => /^courtledger_backup_alarm .*$/m.exec((await ask(site.port, 'GET', '/metrics')).text)?.[0];
  const reason = refusedKeys(data, lost('season.pem')).message;
  expect([
    failed?.state,
    failed?.error,
    backups.health().failure,
    await alarm(),
    readdirSync(site.config.backups.folder),
    existsSync(folder.path('backup')),
  ]).toEqual(['failed', reason, reason, 'courtledger_backup_alarm 1', [], false]);
  renameSync(join(data, 'season.pem'), join(data, 'keys', 'season.pem'));
  backups.start();
  expect([(await backups.ended())?.state, backups.health().failure, await alarm()]).toEqual(['done', null, 'courtledger_backup_alarm 0']);
}, 60_000);

it('a key that was exchanged under a running server, and keys of persons that know nobody of the log, are not those that it needs; persons who were given up are known', async () => {
  const data = folder.path('data');
  const site = await open(data);
  await season(site);
  // Which keys belong to the log is noted by then.
  await site.app.close(2000);
  const again = await open(data);
  const path = join(data, 'keys', 'season.pem');
  const kept = readFileSync(path);
  writeFileSync(path, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  expect(await errorOf(back(again, 'backup'))).toEqual(
    refusedKeys(data, `season.pem (it is there, and is not the one that this log was kept with; without that one, ${lostWithKey['season.pem']})`),
  );
  writeFileSync(path, kept);
  const edit = (sql: string): void => {
    const keys = new Database(join(data, 'keys', 'persons.sqlite'));
    keys.exec(sql);
    keys.close();
  };
  edit('UPDATE persons SET key = NULL');
  await back(again, 'given up');
  edit('DELETE FROM persons');
  expect(await errorOf(back(again, 'backup'))).toEqual(
    refusedKeys(
      data,
      `persons.sqlite (it is there, and knows none of the first persons of the log, as keys of another log do; without those of this log, ${lostWithKey['persons.sqlite']})`,
    ),
  );
}, 60_000);

it('a backup of an earlier release that lacks a key is neither restored nor drilled, and nothing is replaced; the way out that is named gives an installation', async () => {
  const data = folder.path('data');
  const site = await open(data);
  await season(site);
  const backup = await back(site, 'backup');
  await site.app.close(2000);
  withoutKey(backup, 'season.pem');
  const before = await filesBelow(data);
  const refusal = new BackupDamaged(
    `${backup} lacks keys that its log needs: ${lost('season.pem')}. Nothing was restored: take another backup. Only where there is none, and the keys are elsewhere or lost for good: copy what is in the backup, without its manifest.json, into a new, empty DATA_DIR, put the keys into its folder keys, and start the server there, which says what is still missing.`,
  );
  expect(await errorOf(restoreBackup({ folder: backup, dataDir: data, now }))).toEqual(refusal);
  expect(await errorOf(drillBackup(backup, { now, place: folder.path('drill') }))).toEqual(refusal);
  expect(await filesBelow(data)).toEqual(before);
  const other = folder.path('other');
  cpSync(backup, other, { recursive: true });
  rmSync(join(other, manifestName));
  expect(await errorOf(open(other))).toBeInstanceOf(KeyRefused);
  cpSync(join(data, 'keys', 'season.pem'), join(other, 'keys', 'season.pem'));
  expect(await startsOn(other)).toBe(200);
}, 60_000);

it('a backup that never had a key, because its log does not need it, is made and restored as ever', async () => {
  const data = folder.path('data');
  const site = await open(data);
  await loggedInAdmin(site);
  rmSync(join(data, 'keys', 'season.pem'));
  const backup = await back(site, 'backup');
  await site.app.close(2000);
  const restored = folder.path('restored');
  await restoreBackup({ folder: backup, dataDir: restored, now });
  expect([existsSync(join(restored, 'keys', 'season.pem')), await startsOn(restored)]).toEqual([false, 200]);
}, 60_000);

it('of a log in EventStoreDB the same is told by its lines', async () => {
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  const data = folder.path('data');
  const site = await open(data, { kind: 'eventstoredb', url: standIn.url });
  await season(site);
  const backup = await back(site, 'backup');
  renameSync(join(data, 'keys', 'email.key'), join(data, 'email.key'));
  expect(await errorOf(back(site, 'another'))).toEqual(refusedKeys(data, lost('email.key')));
  withoutKey(backup, 'email.key');
  expect(await errorOf(restoreBackup({ folder: backup, dataDir: folder.path('restored'), now }))).toEqual(
    new BackupDamaged(
      `${backup} lacks keys that its log needs: ${lost('email.key')}. Nothing was restored: take another backup. Only where there is none, and the keys are elsewhere or lost for good: bring ${join(backup, 'event-log.jsonl')} into an empty log by "import", copy everything else that is in the backup into DATA_DIR, put the keys into its folder keys, and start the server, which says what is still missing.`,
    ),
  );
}, 60_000);

it.each(['sqlite', 'eventstoredb'] as const)(
  'keys of persons that are an older copy (%s) are not those of all: a start says so, and no backup is made, until the right file is back or they are given up',
  async (kind) => {
    const standIn = await EventStoreStandIn.start();
    onTestFinished(async () => standIn.close());
    const store = kind === 'sqlite' ? ({ kind } as const) : { kind, url: standIn.url };
    const data = folder.path('data');
    const path = join(data, 'keys', 'persons.sqlite');
    const site = await open(data, store);
    const { token, superToken, teams } = await season(site);
    await site.app.close(2000);
    const [older, newer] = [folder.path('older'), folder.path('newer')];
    cpSync(path, older);
    const later = await open(data, store);
    for (const number of [51, 52]) {
      await later.call(addPlayerToTeam, { token, form: await playerForm(teams[0].teamId, number) });
    }
    const whole = await back(later, 'whole');
    await later.app.close(2000);
    cpSync(path, newer);
    cpSync(older, path);
    const media = readdirSync(join(data, 'media'));

    const text = `2 persons of the log are not in ${path}, as in an older copy of it: nobody is registered, corrected or erased, and no backup is made. Stop the server, bring the right file back (what stands beside this one as -wal or -shm goes away first), and start it. Only when it is lost for good: npm run ops -- new-key persons.sqlite`;
    const behind = await open(data, store);
    const keysOf = async (at: Site): Promise<string | null> => (await at.call(getOperationsStatus, { token: superToken })).keys;
    expect([await keysOf(behind), await errorOf(back(behind, 'backup')), existsSync(folder.path('backup'))]).toEqual([text, new KeyRefused(text), false]);
    const { backups } = behind.opened.operations;
    backups.start();
    expect([(await backups.ended())?.error, backups.health().failure]).toEqual([text, text]);
    // What was made now would be in neither file once the right one is back.
    const [, unknown = ''] = (await behind.call(getTeam, { params: { id: teams[0].teamId } })).players.map(({ _id }) => _id).toReversed();
    const statuses = [
      await behind.send(addPlayerToTeam, { token, form: await playerForm(teams[0].teamId, 53) }),
      await behind.send(correctPlayer, { token, params: { id: unknown }, form: { name: 'Somebody' } }),
      await behind.send(erasePerson, { token: superToken, json: { personId: unknown, reason: 'Asked for it' } }),
      await ask(behind.port, 'GET', '/readyz'),
    ].map(({ status }) => status);
    expect([statuses, media.filter((name) => !existsSync(join(data, 'media', name))), existsSync(join(data, 'erasures.jsonl'))]).toEqual([
      [503, 503, 503, 503],
      [],
      false,
    ]);
    await behind.app.close(2000);
    // The same where the read model is made with them: those whose facts are parked are counted as well.
    for (const name of readModelFiles(data)) rmSync(join(data, name));
    const remade = await open(data, store);
    expect([await keysOf(remade), (await remade.call(getOperationsStatus, { token: superToken })).readModel.parked.length]).toEqual([text, 2]);
    await remade.app.close(2000);

    cpSync(newer, path);
    const right = await open(data, store);
    await back(right, 'right');
    expect(await keysOf(right)).toBeNull();
    await right.app.close(2000);

    // As an earlier release made it, which took whatever keys were there.
    cpSync(older, join(whole, 'keys', 'persons.sqlite'));
    expect(await missingFiles(whole, new AbortController().signal)).toMatchObject({ withoutKey: 2 });
    expect(await missingFilesNote(whole, new AbortController().signal)).toContain(`2 persons have no key in ${whole}: `);

    cpSync(older, path);
    await giveUpLostPersons({ dataDir: data, store });
    const given = await open(data, store);
    await back(given, 'given up');
    expect(await keysOf(given)).toBeNull();
  },
  60_000,
);
