import { existsSync, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { correctPlayer } from '@courtledger/contracts/player/player.api';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openErasureLedger } from '../platform/erasure-ledger.ts';
import { cardOf } from '../platform/media.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { picture, season, type Season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { readManifest, verifyBackup, type BackupManifest } from './backup-manifest.ts';
import { makeBackup, type BackupSource } from './backup.ts';
import { missingFiles } from './missing-files.ts';
import { restoreBackup } from './restore.ts';

/** Whoever is erased while a backup is made, or whose erasure is pending, leaves neither key nor file in it. */

const folder = siteFolder();
const { open } = folder;
const now = Date.parse('2026-11-21T10:00:00Z');
const back = async (site: Site, name: string, more: Partial<BackupSource> = {}): Promise<BackupManifest> =>
  makeBackup({ dataDir: site.config.dataDir, kind: site.config.store.kind, store: site.opened.store, now, ...more }, folder.path(name));

/** Where the files of a person stand, below the data directory: two photos in both sizes, and the document. */
const filesOf = async (site: Site, personId: string): Promise<readonly string[]> => {
  const vault = openPersonVault(site.config.dataDir, { readonly: true });
  const facts = (await site.opened.store.log.readStream(`person-${personId}`)) ?? [];
  const details = facts.map(({ data }) => vault.open(personId, (data as { readonly sealed: string }).sealed));
  vault.close();
  const named = details.flatMap((one) => [one?.photo, one?.photo && cardOf(one.photo), one?.document && `/documents/${one.document.documentId}`]);
  return [...new Set(named)].filter((path) => path !== undefined).map((path) => path.slice(1));
};
const played = async (site: Site): Promise<Season & { readonly personId: string; readonly files: readonly string[] }> => {
  const place = await season(site);
  const personId = place.teams[0].players[0] ?? '';
  await site.call(correctPlayer, { token: place.token, params: { id: personId }, form: { image: await picture('#010203') } });
  const files = await filesOf(site, personId);
  expect([files.length, files.filter((path) => !existsSync(join(site.config.dataDir, path)))]).toEqual([5, []]);
  return { ...place, personId, files };
};
/** What a backup has of a person: the key, the files on the disk, those in the manifest, and whether it is what it says and lacks nothing. */
const had = async (name: string, personId: string, files: readonly string[]): Promise<readonly unknown[]> => {
  const keys = openPersonVault(folder.path(name), { readonly: true });
  const state = keys.state(personId);
  keys.close();
  const listed = new Set((await verifyBackup(folder.path(name))).files.map(({ path }) => path));
  const missing = await missingFiles(folder.path(name), new AbortController().signal);
  return [state, files.filter((path) => existsSync(folder.path(`${name}/${path}`))), files.filter((path) => listed.has(path)), missing.paths];
};
const photoAnswers = async (site: Site, files: readonly string[]): Promise<readonly number[]> =>
  Promise.all(files.filter((path) => path.startsWith('media/')).map(async (path) => (await fetch(`http://127.0.0.1:${String(site.port)}/${path}`)).status));

it.each(['sqlite', 'memory'] as const)(
  'files that were copied before the erasure began are not in it (log in %s)',
  async (kind) => {
    const data = folder.path('data');
    const site = await open(data, { kind });
    const { personId, files } = await played(site);
    const vault = openPersonVault(data);
    const { signal } = new AbortController();
    let isErased = false;
    // As an erasure does it: noted, then the files, then the key. The photos are copied, and documents are what comes next.
    signal.throwIfAborted = () => {
      if (isErased || !existsSync(folder.path('backup.partial/documents'))) return;
      isErased = true;
      openErasureLedger(data).begin({ personId, kind: 'player', reason: 'Asked for it', time: '2026-11-21T10:00:00.000Z' });
      for (const path of files) rmSync(join(data, path));
      vault.destroy(personId);
    };
    await back(site, 'backup', { signal });
    vault.close();
    expect([isErased, await had('backup', personId, files)]).toEqual([true, ['destroyed', [], [], []]]);

    await restoreBackup({ folder: folder.path('backup'), dataDir: folder.path('new'), now });
    const restored = await open(folder.path('new'));
    expect(await photoAnswers(restored, files)).toEqual([404, 404, 404, 404]);
  },
  60_000,
);

it.each(['sqlite', 'memory'] as const)(
  'nor those that a pending erasure could not remove; the backup before keeps its own (log in %s)',
  async (kind) => {
    const data = folder.path('data');
    const site = await open(data, { kind });
    const { superToken, personId, files } = await played(site);
    const manifest = await back(site, 'before');
    const { unlink } = fs;
    const spy = vi.spyOn(fs, 'unlink').mockImplementation(async (path) => {
      if (String(path).startsWith(join(data, 'media'))) throw Object.assign(new Error('EPERM: unlink'), { code: 'EPERM', syscall: 'unlink' });
      await unlink(path);
    });
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    const refusal = await site.refused(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' } });
    expect([refusal.status, await photoAnswers(site, files)]).toEqual([503, [200, 200, 200, 200]]);
    await back(site, 'backup', { before: { folder: folder.path('before'), manifest } });
    expect(await had('backup', personId, files)).toEqual(['destroyed', [], [], []]);
    expect(await had('before', personId, files)).toEqual(['active', files, files, []]);
    expect(readManifest(folder.path('before'))).toEqual(manifest);

    await restoreBackup({ folder: folder.path('backup'), dataDir: folder.path('new'), now });
    const restored = await open(folder.path('new'));
    expect(await photoAnswers(restored, files)).toEqual([404, 404, 404, 404]);
  },
  60_000,
);

it('whose details cannot be opened keeps the key, which names the files, and nobody else does', async () => {
  const data = folder.path('data');
  const site = await open(data);
  const { personId, files, teams } = await played(site);
  const other = teams[0].players[1] ?? '';
  const database = new Database(join(data, 'keys', 'persons.sqlite'));
  database.prepare('UPDATE persons SET key = randomblob(32) WHERE person_id = ?').run(personId);
  database.close();
  for (const id of [personId, other]) openErasureLedger(data).begin({ personId: id, kind: 'player', reason: 'Asked for it', time: '2026-11-21T10:00:00.000Z' });
  const othersFiles = await filesOf(site, other);
  await back(site, 'backup');
  const keys = openPersonVault(folder.path('backup'), { readonly: true });
  expect([keys.state(personId), keys.state(other)]).toEqual(['active', 'destroyed']);
  keys.close();
  const present = [...files, ...othersFiles].filter((path) => existsSync(folder.path(`backup/${path}`)));
  expect(present).toEqual(files);
}, 60_000);
