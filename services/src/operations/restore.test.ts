import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { getOperationsStatus } from '@courtledger/contracts/operations/operations.api';
import type { OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import { expect, it } from 'vitest';
import { loggedInAdmin, superAdminPassword, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { readManifest } from './backup-manifest.ts';
import { openConfiguredLog } from './configured-log.ts';
import { openOperationsState } from './operations-state.ts';
import { restoreBackup } from './restore.ts';
import { statusLines } from './verbs/status.verb.ts';

/** What an installation knows of its backups after a restore. */

const folder = siteFolder();
const { open } = folder;

const backUp = async (site: Site, to: string): Promise<string> => {
  site.opened.operations.backups.start(to);
  expect((await site.opened.operations.backups.ended())?.state).toBe('done');
  return to;
};
const restoreOf = async (backup: string, dataDir: string): Promise<void> => void (await restoreBackup({ folder: backup, dataDir, now: Date.now() }));
const lastIn = (dataDir: string): string | undefined => openOperationsState(dataDir).get().lastBackup?.folder;
const statusOf = async (dataDir: string): Promise<OperationsStatus> => {
  const site = await open(dataDir);
  const { token } = await site.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
  const status = await site.call(getOperationsStatus, { token });
  await site.app.close(2000);
  return status;
};

it('what says that a restore has not ended, and cannot be read, keeps everybody out and is named', async () => {
  const data = folder.path('data');
  await (await open(data)).close();
  for (const text of ['', '{}', '"']) {
    writeFileSync(join(data, 'restore.json'), text);
    for (const asked of [async () => open(data), async () => restoreOf(folder.path('backup'), data), async () => openConfiguredLog({ store: { kind: 'sqlite' }, dataDir: data })]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await expect(asked()).rejects.toThrow(`${join(data, 'restore.json')} cannot be read. It is there while a restore into ${data} has not ended`);
    }
  }
}, 60_000);

it('the last backup is known after a restore, on the same machine and on a new one, and nothing of what was found in the log before', async () => {
  const data = folder.path('data');
  const site = await open(data);
  await loggedInAdmin(site);
  const backup = await backUp(site, folder.path('backup'));
  await site.app.close(2000);
  const { createdAt, log, files } = readManifest(backup);
  openOperationsState(data).change({
    lastVerification: { state: 'broken', startedAt: '2026-11-21T10:00:00.000Z', endedAt: '2026-11-21T10:00:01.000Z', events: 1, erased: 0, position: '1', head: '2', ratePerSecond: 0, secondsLeft: null, firstBreak: { position: '1', reason: 'The hash does not fit' }, error: null },
  });
  for (const place of [data, folder.path('new')]) {
    // oxlint-disable-next-line no-await-in-loop -- one place after another
    await restoreOf(backup, place);
    expect(openOperationsState(place).get()).toEqual({ logAddresses: { 'a file of this folder': expect.any(String) as string }, lastBackup: { state: 'done', startedAt: createdAt, endedAt: createdAt, folder: backup, head: log.head, events: log.events, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), error: null } });
    // Before anybody has opened it: a copy that was never written to is read as well.
    // oxlint-disable-next-line no-await-in-loop -- as above
    const exported = await openConfiguredLog({ store: { kind: 'sqlite' }, dataDir: place });
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(String(await exported.head())).toBe(log.head);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await exported.close();
    // oxlint-disable-next-line no-await-in-loop -- as above
    const status = await statusOf(place);
    expect([status.lastBackup?.folder, status.backups.newest?.folder, status.lastVerification?.firstBreak ?? null, statusLines(status).filter((line) => line.includes('NONE YET'))]).toEqual([backup, backup, null, []]);
  }
}, 60_000);

it('a newer backup of the same installation stays the last one as long as it is there, and another installation’s does not count', async () => {
  const data = folder.path('data');
  const site = await open(data);
  await loggedInAdmin(site);
  const older = await backUp(site, folder.path('older'));
  const newer = await backUp(site, folder.path('newer'));
  const stranger = await open(folder.path('other'));
  await backUp(stranger, folder.path('of another'));
  await site.app.close(2000);
  await stranger.app.close(2000);
  await restoreOf(older, data);
  expect(lastIn(data)).toBe(newer);
  await restoreOf(older, folder.path('other'));
  expect(lastIn(folder.path('other'))).toBe(older);
  rmSync(newer, { recursive: true });
  await restoreOf(older, data);
  expect(lastIn(data)).toBe(older);
}, 60_000);

it('a restore that was cut off after it had put the last backup in place keeps it there', async () => {
  const data = folder.path('data');
  const site = await open(data);
  await loggedInAdmin(site);
  const backup = await backUp(site, folder.path('backup'));
  await site.app.close(2000);
  // As a crash leaves it: of what was staged only the log is still to come.
  const staged = join(data, '.restore-x');
  mkdirSync(staged);
  mkdirSync(join(data, 'before-restore-x'));
  renameSync(join(data, 'operations.json'), join(data, 'before-restore-x', 'operations.json'));
  const state = '{"lastBackup":null}';
  writeFileSync(join(data, 'operations.json'), state);
  writeFileSync(join(staged, 'event-log.sqlite'), readFileSync(join(backup, 'event-log.sqlite')));
  writeFileSync(join(data, 'restore.json'), JSON.stringify({ staged: '.restore-x', aside: 'before-restore-x', names: ['event-log.sqlite', 'operations.json', 'keys', 'media', 'documents', 'person-keys.made'] }));
  // What it goes on with is no backup: only what was begun is ended.
  await expect(restoreOf(folder.path('nothing'), data)).rejects.toThrow('is no backup');
  expect([existsSync(staged), readFileSync(join(data, 'operations.json'), 'utf8'), existsSync(join(data, 'keys', 'persons.sqlite'))]).toEqual([false, state, true]);
}, 60_000);
