import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { listAudit, erasePerson } from '@courtledger/contracts/operations/audit.api';
import { getOperationsStatus, startRebuild, getRebuild } from '@courtledger/contracts/operations/operations.api';
import { getMatch, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { correctPlayer, getPlayer, getPlayerDocument, listPlayers } from '@courtledger/contracts/player/player.api';
import { addPlayerToTeam } from '@courtledger/contracts/team/team.api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { openSite, pdf, picture, playerForm, season, superAdminPassword, type Site } from '../testing/site.ts';
import { makeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';
import { pruneSetAside } from './set-aside.ts';

let folder = '';
let dataDir = '';
let site: Site | undefined;
const written: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'courtledger-erasure-'));
  dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  written.length = 0;
});
afterEach(async () => {
  await site?.close();
  site = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const canaries = { name: 'Zyxcanary Qwpmarker', phone: '9876501234', document: 'canary-document-body-7f3a' };
const open = async (): Promise<Site> => {
  const logger = createLogger('debug', {
    write(line: string) {
      written.push(line);
    },
    flush() {
      // Nothing is held back.
    },
  });
  site = await openSite({ dataDir, store: { kind: 'sqlite' } }, { logger });
  return site;
};

/** Files below a folder in which a text stands, as UTF-8 or UTF-16. */
const holding = (text: string, below = dataDir): string[] =>
  readdirSync(below, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    return bytes.includes(Buffer.from(text)) || bytes.includes(Buffer.from(text, 'utf16le')) ? [entry.name] : [];
  });

const superLogIn = async (at: Site): Promise<string> => (await at.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } })).token;

const withCanary = async (running: Site) => {
  const played = await season(running);
  const { token } = played;
  const [{ teamId }] = played.teams;
  const body = Buffer.concat([pdf, Buffer.from(canaries.document)]);
  const { _id: playerId } = await running.call(addPlayerToTeam, {
    token,
    form: { ...(await playerForm(teamId, 44)), name: canaries.name, mobileNumber: canaries.phone, document: body },
  });
  await running.call(recordStatIncrement, { token, params: { id: played.matchId }, json: { entryId: 'canary', playerId, points: 9 } });
  // A second photo and name: nothing older may stay either.
  await running.call(correctPlayer, { token, params: { id: playerId }, form: { name: `${canaries.name} Junior`, image: await picture('#010203') } });
  return { ...played, playerId };
};

it('leaves nothing of an erased person: log, read models, write-ahead logs, media, documents, logs (S32)', { timeout: 60_000 }, async () => {
  const running = await open();
  const { token, superToken, playerId, matchId } = await withCanary(running);
  const image = (await running.call(getPlayer, { params: { id: playerId } })).image;
  // A rebuild leaves the read model before it for switching back.
  await running.call(startRebuild, { token: superToken, json: {} });
  await expect.poll(async () => (await running.call(getRebuild, { token: superToken })).job?.state, { timeout: 20_000 }).toBe('switched');
  expect(holding(canaries.name).length).toBeGreaterThan(0);
  const media = readdirSync(join(dataDir, 'media')).length;
  const documents = readdirSync(join(dataDir, 'documents')).length;
  const erased = await running.send(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } });
  expect([erased.status, erased.json()]).toStrictEqual([200, { personId: playerId, kind: 'player', already: false }]);

  for (const text of Object.values(canaries)) expect([text, holding(text)]).toStrictEqual([text, []]);
  // Both photos in two sizes, and the document.
  expect(readdirSync(join(dataDir, 'media'))).toHaveLength(media - 4);
  expect(readdirSync(join(dataDir, 'documents'))).toHaveLength(documents - 1);
  expect((await fetch(`http://127.0.0.1:${String(running.port)}${image}`)).status).toBe(404);
  expect((await running.send(getPlayerDocument, { token, params: { id: playerId } })).status).toBe(404);
  expect((await running.call(getMatch, { params: { id: matchId } })).player_stats).toMatchObject([
    { player_id: playerId, name: 'Former player', image: '', points: 9 },
  ]);
  expect(JSON.stringify(await running.call(listPlayers, { token }))).not.toContain(canaries.phone);
  expect(written.filter((line) => Object.values(canaries).some((text) => line.includes(text)))).toStrictEqual([]);
  expect((await running.call(listAudit, { token, query: { player: playerId } })).lines[0]).toMatchObject({
    type: 'PersonErased',
    reason: 'Asked for it',
    actor: { role: 'superadmin' },
  });

  expect((await running.send(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Again' } })).json()).toStrictEqual({
    personId: playerId,
    kind: 'player',
    already: true,
  });
  expect((await running.send(erasePerson, { token: superToken, json: { personId: 'nobody', reason: 'Who?' } })).status).toBe(404);
  expect((await running.send(erasePerson, { token, json: { personId: playerId, reason: 'Not mine to do' } })).status).toBe(403);
  await running.close();
  for (const text of Object.values(canaries)) expect([text, holding(text)]).toStrictEqual([text, []]);
  await open();
  expect(await site?.call(getPlayer, { params: { id: playerId } })).toMatchObject({ name: 'Former player', image: '', total_points: 9 });
});

it('stays erased when a backup from before the erasure is restored (S33)', { timeout: 60_000 }, async () => {
  const running = await open();
  const { superToken, playerId, token } = await withCanary(running);
  const backup = join(folder, 'backup');
  await makeBackup({ dataDir, kind: 'sqlite', store: running.opened.store, now: Date.now() }, backup);
  await running.call(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } });
  await running.close();
  site = undefined;
  const { aside = '' } = await restoreBackup({ folder: backup, dataDir, now: Date.now() });
  expect(existsSync(join(aside, 'event-log.sqlite'))).toBe(true);
  const restored = await open();
  expect(await restored.call(getPlayer, { params: { id: playerId } })).toMatchObject({ name: 'Former player', image: '', total_points: 9 });
  for (const text of Object.values(canaries)) expect([text, holding(text)]).toStrictEqual([text, []]);
  const { lines } = await restored.call(listAudit, { token, query: { player: playerId, type: 'PersonErased' } });
  expect(lines).toMatchObject([{ reason: 'Asked for it', actor: { role: 'superadmin', id: 'root' } }]);
  await restored.close();
  // Once more without a restore: nothing is done twice.
  const second = await open();
  const events = await second.events();
  await second.close();
  expect(await (await open()).events()).toBe(events);
});

it(
  'stays erased when the backup is restored into an empty folder: the ledger beside the backups knows, also of what could not be written at once',
  { timeout: 60_000 },
  async () => {
    const running = await open();
    const { superToken, playerId } = await withCanary(running);
    const backups = running.config.backups.folder;
    const backup = join(backups, 'from-before');
    mkdirSync(backups);
    await makeBackup({ dataDir, kind: 'sqlite', store: running.opened.store, now: Date.now() }, backup);
    // A folder in the way: the erasure goes on, and the next start makes up for it.
    mkdirSync(join(backups, 'erasures.jsonl'));
    await running.call(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } });
    expect(written.some((line) => line.includes('erasures are not noted beside the backups'))).toBe(true);
    await running.close();
    rmSync(join(backups, 'erasures.jsonl'), { recursive: true });
    await (await open()).close();
    site = undefined;
    const other = `${JSON.stringify({ personId: 'of-another', kind: 'player', reason: 'x', time: '2026-11-21T10:00:00.000Z', owner: 'another' })}\n`;
    appendFileSync(join(backups, 'erasures.jsonl'), other);
    renameSync(backups, join(folder, 'elsewhere'));
    dataDir = join(folder, 'new');
    await restoreBackup({ folder: join(folder, 'elsewhere/from-before'), dataDir, now: Date.now() });
    expect(readFileSync(join(dataDir, 'erasures.jsonl'), 'utf8')).not.toContain('of-another');
    const restored = await open();
    expect(await restored.call(getPlayer, { params: { id: playerId } })).toMatchObject({ name: 'Former player', image: '' });
    for (const text of Object.values(canaries)) expect([text, holding(text)]).toStrictEqual([text, []]);
  },
);

it('reaches what a restore set aside: names, photos, documents and the key; its facts stay', { timeout: 60_000 }, async () => {
  const running = await open();
  const { playerId } = await withCanary(running);
  const backup = join(folder, 'backup');
  await makeBackup({ dataDir, kind: 'sqlite', store: running.opened.store, now: Date.now() }, backup);
  await running.close();
  site = undefined;
  const { aside = '' } = await restoreBackup({ folder: backup, dataDir, now: Date.now() });
  const held = (name: string): number => readdirSync(join(aside, name)).length;
  const [media, documents] = [held('media'), held('documents')];
  expect(holding(canaries.name, aside).length).toBeGreaterThan(0);
  const restored = await open();
  const superToken = await superLogIn(restored);
  expect((await restored.call(getOperationsStatus, { token: superToken })).setAside).toStrictEqual([basename(aside)]);
  await restored.call(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } });
  for (const text of Object.values(canaries)) expect([text, holding(text)]).toStrictEqual([text, []]);
  expect([held('media'), held('documents'), existsSync(join(aside, 'event-log.sqlite'))]).toStrictEqual([media - 4, documents - 1, true]);
  const vault = openPersonVault(aside);
  expect(vault.state(playerId)).toBe('destroyed');
  vault.close();
  const day = 24 * 3_600_000;
  expect(pruneSetAside(dataDir, Date.now() + 29 * day)).toStrictEqual([]);
  expect([pruneSetAside(dataDir, Date.now() + 31 * day), existsSync(aside)]).toStrictEqual([[basename(aside)], false]);
});

it('does not start without the keys of persons, instead of making new ones (S33)', async () => {
  const running = await open();
  await withCanary(running);
  await running.close();
  site = undefined;
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, 'keys', `persons.sqlite${suffix}`), { force: true });
  await expect(openSite({ dataDir, store: { kind: 'sqlite' } })).rejects.toThrow(
    `${join(dataDir, 'keys', 'persons.sqlite')} (without it, names, photos and documents of everybody in the log stay unreadable for good)`,
  );
});
