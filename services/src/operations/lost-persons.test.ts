import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getMatch, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { getOperationsStatus, startRebuild } from '@courtledger/contracts/operations/operations.api';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { correctPlayer, getPlayer } from '@courtledger/contracts/player/player.api';
import { addPlayerToTeam } from '@courtledger/contracts/team/team.api';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import type { Config } from '../platform/config.ts';
import { temporaryPrefix } from '../platform/durable-file.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { readModelFiles } from '../platform/store-read-model-files.ts';
import { ask } from '../platform/testing/toy-gate.ts';
import { openSite, playerForm, season, testConfig, type Season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { verbContext } from '../testing/verb-context.ts';
import { makeBackup } from './backup.ts';
import { drillBackup } from './drill.ts';
import { restoreBackup } from './restore.ts';
import { pruneSetAside } from './set-aside.ts';
import { newKey } from './verbs/new-key.verb.ts';
import { statusLines } from './verbs/status.verb.ts';

/** Keys of persons that an operator gave up: the persons are shown as erased, everywhere alike, and everything goes on. */

const folder = siteFolder();
const { open } = folder;

const sqlite = { kind: 'sqlite' } as const;
const giveUpAt = async (dataDir: string, store: Config['store'], ...more: readonly string[]): Promise<readonly [code: number, lines: readonly string[]]> => {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const context = verbContext({ config: testConfig(dataDir, { store }), terminal: { out: say, note: say } });
  return [await newKey.run(context, ['persons.sqlite', ...more]), lines];
};
const giveUp = async (dataDir: string, ...more: readonly string[]): ReturnType<typeof giveUpAt> => giveUpAt(dataDir, sqlite, ...more);
const removeKeys = (dataDir: string): void => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, 'keys', `persons.sqlite${suffix}`), { force: true });
};
const played = async (site: Site): Promise<Season & { readonly playerId: string }> => {
  const place = await season(site);
  const playerId = place.teams[0].players[0] ?? '';
  await site.call(recordStatIncrement, { token: place.token, params: { id: place.matchId }, json: { entryId: 'one', playerId, points: 12 } });
  return { ...place, playerId };
};
const namesOf = async (site: Site, { matchId, playerId }: Season & { readonly playerId: string }): Promise<readonly unknown[]> => [
  (await site.call(getPlayer, { params: { id: playerId } })).name,
  ...(await site.call(getMatch, { params: { id: matchId } })).player_stats.map(({ name, points }) => [name, points]),
];
const verified = async (site: Site, token: string): Promise<string | undefined> => {
  await site.call(startRebuild, { token, json: { verifyOnly: true } });
  return (await site.opened.operations.jobs.ended())?.state;
};
const parkedIn = async (site: Site, token: string): Promise<number> => (await site.call(getOperationsStatus, { token })).readModel.parked.length;

it('an empty file of keys is none, and one that is damaged is named: by the start, and by who would make it', async () => {
  const data = folder.path('data');
  const first = await open(data);
  await played(first);
  await first.app.close(2000);
  removeKeys(data);
  const file = join(data, 'keys', 'persons.sqlite');
  writeFileSync(file, 'no database, but long enough to be one'.repeat(100));
  const said = new RegExp(`^${file} cannot be read \\(file is not a database\\): bring it back from a backup`);
  await expect(open(data)).rejects.toThrow(said);
  await expect(giveUp(data)).rejects.toThrow(said);
  writeFileSync(file, '');
  await expect(open(data)).rejects.toThrow('new-key persons.sqlite --yes');
  expect((await giveUp(data))[1][1]).toMatch(/^12 persons are in the log and have no key/);
  expect((await giveUp(data, '--yes'))[0]).toBe(0);
  await open(data);
});

it('keys of persons that were given up: live, rebuilt, verified, backed up, drilled and restored the same, and new persons are recorded', async () => {
  const data = folder.path('data');
  const first = await open(data);
  const place = await played(first);
  const { superToken, token, playerId, teams } = place;
  const erased = teams[1].players[0] ?? '';
  await first.call(erasePerson, { token: superToken, json: { personId: erased, reason: 'Asked for it' } });
  const before = folder.path('before');
  await makeBackup({ dataDir: data, kind: 'sqlite', store: first.opened.store, now: Date.now() }, before);
  await first.app.close(2000);
  removeKeys(data);

  const [refused, told] = await giveUp(data);
  // Eight players of whom one was erased, two coaches, two contacts.
  expect([refused, told[1], existsSync(join(data, 'keys', 'persons.sqlite')), readModelFiles(data)]).toEqual([
    2,
    expect.stringMatching(/^11 persons are in the log and have no key\. From the next start on/),
    false,
    ['read-model-1.sqlite'],
  ]);
  const [done, lines] = await giveUp(data, '--yes');
  expect([
    done,
    readModelFiles(data),
    existsSync(join(data, 'read-model-1.sqlite.lost-keys-1')),
    existsSync(join(data, 'folds', 'file-references')),
    lines.at(-2),
  ]).toEqual([0, [], true, false, `${join(data, 'keys', 'persons.sqlite')} was made.`]);
  await expect(giveUp(data, '--yes')).rejects.toThrow('is there: it is never replaced');
  expect(readdirSync(join(data, 'keys')).filter((name) => name.startsWith('.'))).toEqual([]);

  const site = await open(data);
  const former = ['Former player', ['Former player', 12]];
  expect([(await ask(site.port, 'GET', '/readyz')).status, await parkedIn(site, superToken), await namesOf(site, place)]).toEqual([200, 0, former]);
  expect([
    await verified(site, superToken),
    (await site.refused(correctPlayer, { token, params: { id: playerId }, form: { name: 'Somebody' } })).status,
  ]).toEqual(['equal', 409]);
  const { _id: newcomer } = await site.call(addPlayerToTeam, { token, form: { ...(await playerForm(teams[0].teamId, 44)), name: 'Maya Thapa' } });
  await site.call(startRebuild, { token: superToken, json: {} });
  expect([
    (await site.opened.operations.jobs.ended())?.state,
    await namesOf(site, place),
    (await site.call(getPlayer, { params: { id: newcomer } })).name,
  ]).toEqual(['switched', former, 'Maya Thapa']);

  const backup = folder.path('backup');
  await makeBackup({ dataDir: data, kind: 'sqlite', store: site.opened.store, now: Date.now() }, backup);
  expect((await drillBackup(backup, { now: Date.now(), place: folder.path('drill'), live: { dataDir: data, store: { kind: 'sqlite' } } })).live).toMatchObject({
    position: String(await site.events()),
  });
  // A backup that still has the keys shows them in what it restores, and that is no difference.
  const old = await drillBackup(before, { now: Date.now(), place: folder.path('drill of before'), live: { dataDir: data, store: { kind: 'sqlite' } } });
  expect(old.live).toMatchObject({ position: String(await site.events()), forgotten: 11 });
  // To be erased on top of it is possible, and takes what was set aside.
  expect(await site.call(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } })).toEqual({
    personId: playerId,
    kind: 'player',
    already: false,
    filesUnknown: true,
  });
  expect([existsSync(join(data, 'read-model-1.sqlite.lost-keys-1')), await verified(site, superToken)]).toEqual([false, 'equal']);
  await site.app.close(2000);

  const other = folder.path('other');
  await restoreBackup({ folder: backup, dataDir: other, now: Date.now() });
  const restored = await open(other);
  expect([
    await parkedIn(restored, superToken),
    await namesOf(restored, place),
    (await restored.call(getPlayer, { params: { id: newcomer } })).name,
    await verified(restored, superToken),
  ]).toEqual([0, former, 'Maya Thapa', 'equal']);
}, 60_000);

it('keys that were given up and are back: the next start makes the read model anew with the names', async () => {
  const data = folder.path('data');
  const first = await open(data);
  const place = await played(first);
  const names = await namesOf(first, place);
  await first.app.close(2000);
  const [keys, away] = [join(data, 'keys', 'persons.sqlite'), folder.path('away')];
  renameSync(keys, away);
  expect((await giveUp(data, '--yes'))[0]).toBe(0);
  const without = await open(data);
  expect(await namesOf(without, place)).toEqual(['Former player', ['Former player', 12]]);
  await without.app.close(2000);
  cpSync(away, keys);
  const back = folder.keep(await openSite({ store: sqlite, dataDir: data }));
  const { jobs } = back.opened.operations;
  await expect.poll(async () => (await jobs.ended())?.state).toBe('switched');
  expect([await namesOf(back, place), await verified(back, place.superToken)]).toEqual([names, 'equal']);
}, 60_000);

it('a key that is missing stays an error until it is given up, also when the file of keys is there', async () => {
  const data = folder.path('data');
  const first = await open(data);
  const place = await played(first);
  const { superToken, playerId } = place;
  await first.app.close(2000);
  const keys = new Database(join(data, 'keys', 'persons.sqlite'));
  keys.prepare('DELETE FROM persons WHERE person_id = ?').run(playerId);
  keys.close();
  rmSync(join(data, 'read-model-1.sqlite'));
  const broken = await open(data);
  expect([(await ask(broken.port, 'GET', '/readyz')).json(), await parkedIn(broken, superToken), await verified(broken, superToken)]).toMatchObject([
    { writes: false, reason: 'Keys of persons are missing', checks: { projections: 'failing' } },
    1,
    'failed',
  ]);
  expect((await broken.call(getOperationsStatus, { token: superToken })).keys).toMatch(/^1 person of the log is not in /);
  // Not while a server has the file open.
  expect((await giveUp(data))[1].slice(0, 2)).toEqual([
    `${join(data, 'keys', 'persons.sqlite')} is there, without the keys of everybody in the log; those that are in it stay.`,
    expect.stringMatching(/^1 person is in the log and has no key\./),
  ]);
  await expect(giveUp(data, '--yes')).rejects.toThrow('A CourtLedger server or another tool is running');
  await broken.app.close(2000);
  expect((await giveUp(data, '--yes'))[0]).toBe(0);
  const vault = openPersonVault(data);
  expect([vault.state(playerId), vault.state(place.teams[0].players[1] ?? '')]).toEqual(['destroyed', 'active']);
  vault.close();
  const mended = await open(data);
  expect([
    (await ask(mended.port, 'GET', '/readyz')).status,
    await parkedIn(mended, superToken),
    await namesOf(mended, place),
    await verified(mended, superToken),
  ]).toEqual([200, 0, ['Former player', ['Former player', 12]], 'equal']);
  expect((await mended.call(getPlayer, { params: { id: place.teams[0].players[1] ?? '' } })).name).toBe('Player 2');
  // The last place with the name is told of, and does not stay for ever.
  const aside = 'read-model-1.sqlite.lost-keys-1';
  const status = await mended.call(getOperationsStatus, { token: superToken });
  expect([status.setAside, statusLines(status).find((line) => line.startsWith('set aside'))]).toEqual([
    [aside],
    `set aside     ${aside}: a read model that is used no more, the last place with the names of persons whose keys were given up; the next erasure removes it; goes after 30 days`,
  ]);
  const day = 86_400_000;
  expect([pruneSetAside(data, Date.now() + 29 * day), pruneSetAside(data, Date.now() + 31 * day), existsSync(join(data, aside))]).toEqual([[], [aside], false]);
}, 60_000);

it('the same where the log is in EventStoreDB, which gives facts of persons also after an erasure', async () => {
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  const store = { kind: 'eventstoredb', url: standIn.url } as const;
  const data = folder.path('data');
  const first = await open(data, store);
  const place = await played(first);
  const { superToken, teams } = place;
  await first.call(erasePerson, { token: superToken, json: { personId: teams[1].players[0] ?? '', reason: 'Asked for it' } });
  await first.app.close(2000);
  removeKeys(data);
  await expect(open(data, store)).rejects.toThrow('keys/persons.sqlite (without it, names, photos');
  const [code, lines] = await giveUpAt(data, store, '--yes');
  expect([code, lines[1]]).toEqual([0, expect.stringMatching(/^11 persons are in the log and have no key\./)]);
  const site = await open(data, store);
  expect([await parkedIn(site, superToken), await namesOf(site, place), await verified(site, superToken)]).toEqual([
    0,
    ['Former player', ['Former player', 12]],
    'equal',
  ]);
}, 60_000);

it('keys that are taken away under a running server: nobody is registered, which readiness and status say, until they are back; results are recorded all the while', async () => {
  const data = folder.path('data');
  const site = await open(data);
  const {
    superToken,
    token,
    matchId,
    teams: [team],
  } = await played(site);
  const told = async (): Promise<unknown> => [
    (await ask(site.port, 'GET', '/readyz')).json(),
    (await site.call(getOperationsStatus, { token: superToken })).keys,
  ];
  const ready = { status: 'ready', writes: true, reason: null };
  expect(await told()).toMatchObject([ready, null]);
  renameSync(join(data, 'keys'), join(data, 'away'));
  expect(await told()).toMatchObject([
    { status: 'not-ready', writes: false, reason: 'Keys of persons are missing' },
    `${join(data, 'keys', 'persons.sqlite')} is not there any more, or is another file than this server opened: nobody is registered, corrected or erased until it is back in its place, or the server was restarted with the right one`,
  ]);
  for (const number of [51, 52, 53, 54]) {
    // Four of them: once every other one was taken.
    expect((await site.refused(addPlayerToTeam, { token, form: await playerForm(team.teamId, number) })).status).toBe(503);
  }
  // Nothing of an erasure is begun either: what is destroyed first would be gone, and the key would come back.
  const [playerId = ''] = team.players;
  const media = () => readdirSync(join(data, 'media')).filter((name) => !name.startsWith(temporaryPrefix));
  const before = media();
  expect([
    (await site.refused(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } })).message,
    media(),
    existsSync(join(data, 'erasures.jsonl')),
  ]).toEqual([expect.stringMatching(/^Nothing was erased: .*persons\.sqlite is not there any more/), before, false]);
  await site.call(recordStatIncrement, { token, params: { id: matchId }, json: { entryId: 'meanwhile', playerId: team.players[0] ?? '', points: 2 } });
  // Nor is a backup made, which would count as one of all keys, with an older copy of them in their place.
  cpSync(join(data, 'away'), join(data, 'keys'), { recursive: true });
  const { backups } = site.opened.operations;
  backups.start();
  const run = await backups.ended();
  expect([run?.state, run?.error?.includes('persons.sqlite is not there any more, or is another file')]).toEqual(['failed', true]);
  rmSync(join(data, 'keys'), { recursive: true });
  renameSync(join(data, 'away'), join(data, 'keys'));
  expect(await told()).toMatchObject([ready, null]);
  const { _id: newcomer } = await site.call(addPlayerToTeam, { token, form: await playerForm(team.teamId, 55) });
  await site.call(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } });
  await site.app.close(2000);
  const again = await open(data);
  expect([(await again.call(getPlayer, { params: { id: newcomer } }))._id, await verified(again, superToken)]).toEqual([newcomer, 'equal']);
}, 60_000);
