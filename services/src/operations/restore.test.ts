import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { getOperationsStatus } from '@courtledger/contracts/operations/operations.api';
import type { OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import { expect, it, onTestFinished } from 'vitest';
import { asNobody, folderForAll } from '../event-log/testing/as-nobody.ts';
import { callOps } from '../testing/command-line.ts';
import { loggedInAdmin, openSite, registeredTeam, superAdminPassword, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { filesBelow, hashFile, manifestName, readManifest } from './backup-manifest.ts';
import { openConfiguredLog } from './configured-log.ts';
import { openOperationsState } from './operations-state.ts';
import { OperatorError } from './operator-error.ts';
import { restoreBackup } from './restore.ts';
import { putInPlace } from './restore-journal.ts';
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
    for (const asked of [
      async () => open(data),
      async () => restoreOf(folder.path('backup'), data),
      async () => openConfiguredLog({ store: { kind: 'sqlite' }, dataDir: data }),
    ]) {
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
    lastVerification: {
      state: 'broken',
      startedAt: '2026-11-21T10:00:00.000Z',
      endedAt: '2026-11-21T10:00:01.000Z',
      events: 1,
      erased: 0,
      position: '1',
      head: '2',
      ratePerSecond: 0,
      secondsLeft: null,
      firstBreak: { position: '1', reason: 'The hash does not fit' },
      error: null,
    },
  });
  for (const place of [data, folder.path('new')]) {
    await restoreOf(backup, place);
    expect(openOperationsState(place).get()).toEqual({
      logAddresses: { 'a file of this folder': expect.any(String) as string },
      lastBackup: {
        state: 'done',
        startedAt: createdAt,
        endedAt: createdAt,
        folder: backup,
        head: log.head,
        events: log.events,
        files: files.length,
        bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        error: null,
      },
    });
    // Before anybody has opened it: a copy that was never written to is read as well.
    const exported = await openConfiguredLog({ store: { kind: 'sqlite' }, dataDir: place });
    expect(String(await exported.head())).toBe(log.head);
    await exported.close();
    const status = await statusOf(place);
    expect([
      status.lastBackup?.folder,
      status.backups.newest?.folder,
      status.lastVerification?.firstBreak ?? null,
      statusLines(status).filter((line) => line.includes('NONE YET')),
    ]).toEqual([backup, backup, null, []]);
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

it('a backup that DATA_DIR names by mistake is opened by nobody, and can be restored ever after', async () => {
  const site = await open(folder.path('data'));
  await loggedInAdmin(site);
  const [backup, exported] = [await backUp(site, folder.path('backup')), folder.path('exported')];
  await site.app.close(2000);
  const place = { dataDir: backup, folder: folder.path('.') };
  expect((await callOps(['export', exported], { ...place, dataDir: folder.path('data') })).code).toBe(0);
  const refusal = `DATA_DIR: ${backup} is a backup, and would be none any more if anything were opened in it. DATA_DIR says where the installation is; "npm run ops -- restore ${backup}" puts the backup there. A copy of it that is to be worked in as it is goes without its manifest.json.`;
  await expect(open(backup)).rejects.toThrow(new OperatorError(refusal));
  for (const args of [
    ['status'],
    ['export', folder.path('another')],
    ['restore', backup],
    ['drill', backup],
    ['import', exported],
    ['new-key', 'season.pem'],
  ]) {
    const { code, said } = await callOps(args, place);
    expect([args[0], code, said]).toEqual([args[0], 1, `${refusal}\n`]);
  }
  const inside = { ...place, dataDir: join(backup, 'in it'), environment: { BACKUP_DIR: folder.path('backups') } };
  const insideRefusal = `DATA_DIR: ${inside.dataDir} is inside the backup ${backup}, which would be none any more if anything were put there. Name a folder of its own.`;
  for (const args of [['restore', backup], ['import', exported], ['status']]) {
    const { code, said } = await callOps(args, inside);
    expect([args[0], code, said]).toEqual([args[0], 1, `${insideRefusal}\n`]);
  }
  // Erasures are noted beside the backups: in one they would be what does not belong to it.
  for (const named of [backup, join(backup, 'in it')]) {
    const { code, said } = await callOps(['status'], { ...place, dataDir: folder.path('data'), environment: { BACKUP_DIR: named } });
    expect([code, said]).toEqual([
      1,
      `BACKUP_DIR names ${backup} or a folder in it: that is a backup, and would be none any more if anything were put there. Name the folder in which backups stand.\n`,
    ]);
  }
  // A file that is made there would be none of its own as well.
  expect(await callOps(['export', join(backup, 'log.jsonl')], { ...place, dataDir: folder.path('data') })).toEqual({
    code: 1,
    out: '',
    said: `${join(backup, 'log.jsonl')} is inside the backup ${backup}, which would be none any more if anything were put there. Name a file elsewhere.\n`,
  });
  // In one that an earlier release was let into somebody has worked since.
  const copied = { ...place, dataDir: folder.path('copied') };
  cpSync(backup, copied.dataDir, { recursive: true });
  writeFileSync(join(copied.dataDir, 'event-log.sqlite.lock'), '');
  const another = ['export', folder.path('another')];
  expect(await callOps(another, copied)).toEqual({
    code: 1,
    out: '',
    said: `${join(copied.dataDir, 'event-log.sqlite')} was opened by no server or tool since it was put there (PRAGMA journal_mode is delete, not wal): run "npm run ops -- status" first, which opens all of the installation, and try again.\n`,
  });
  expect([(await callOps(['status'], copied)).code, (await callOps(another, copied)).code]).toEqual([0, 0]);
  expect(await callOps(['export', join(copied.dataDir, 'log.jsonl')], copied)).toMatchObject({ code: 0 });
  expect(await callOps(['backup', join(copied.dataDir, 'backups', 'own')], copied)).toMatchObject({ code: 0 });
  // So it is of an installation that one was let into: its own lock tells.
  const within = folder.path('second/in it');
  cpSync(backup, dirname(within), { recursive: true });
  put(join(within, 'event-log.sqlite.lock'), '');
  await restoreOf(backup, within);
  expect(lastIn(within)).toBe(backup);
  await restoreOf(backup, folder.path('new'));
  expect(lastIn(folder.path('new'))).toBe(backup);
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
  writeFileSync(
    join(data, 'restore.json'),
    JSON.stringify({
      staged: '.restore-x',
      aside: 'before-restore-x',
      names: ['event-log.sqlite', 'operations.json', 'keys', 'media', 'documents', 'person-keys.made'],
    }),
  );
  // What it goes on with is no backup: only what was begun is ended.
  await expect(restoreOf(folder.path('nothing'), data)).rejects.toThrow('is no backup');
  expect([existsSync(staged), readFileSync(join(data, 'operations.json'), 'utf8'), existsSync(join(data, 'keys', 'persons.sqlite'))]).toEqual([
    false,
    state,
    true,
  ]);
}, 60_000);

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const below = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .map((entry) =>
      `${relative(path, join(entry.parentPath, entry.name))} ${entry.isSymbolicLink() ? `-> ${readlinkSync(join(entry.parentPath, entry.name))}` : entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'utf8') : ''}`.trimEnd(),
    )
    .toSorted();

it('a folder that a link leads to is replaced where it is, but for what belongs to its disk, and a link that leads nowhere goes aside', async () => {
  const data = folder.path('data');
  const [disk, gone] = [folder.path('other disk'), folder.path('gone')];
  put(join(disk, 'a'), 'old');
  put(join(disk, 'only old'), 'old');
  put(join(disk, 'lost+found', '#1'), 'of the disk');
  for (const path of ['.restore-x/event-log.sqlite', '.restore-x/keys/a', '.restore-x/media/b', 'documents/c'])
    put(join(data, path), path.startsWith('.') ? 'new' : 'old');
  symlinkSync('../other disk', join(data, 'keys'));
  for (const name of ['media', 'event-log.sqlite']) symlinkSync(join(gone, name), join(data, name));
  putInPlace(data, { staged: '.restore-x', aside: 'before-restore-x', names: ['event-log.sqlite', 'keys', 'media'] });
  expect([below(disk), await filesBelow(disk), readlinkSync(join(data, 'keys'))]).toEqual([
    ['a new', 'lost+found', 'lost+found/#1 of the disk'],
    ['a'],
    '../other disk',
  ]);
  rmSync(join(data, 'keys'));
  expect(below(data)).toEqual([
    'before-restore-x',
    'before-restore-x/documents',
    'before-restore-x/documents/c old',
    `before-restore-x/event-log.sqlite -> ${join(gone, 'event-log.sqlite')}`,
    'before-restore-x/keys',
    'before-restore-x/keys/a old',
    'before-restore-x/keys/only old old',
    `before-restore-x/media -> ${join(gone, 'media')}`,
    'event-log.sqlite new',
    'media',
    'media/b new',
  ]);
});

it('a folder on a disk of its own is replaced also by somebody who may not look into what the disk has at its root', () => {
  const place = folderForAll();
  onTestFinished(place.remove);
  const [data, disk] = [place.path('data'), place.path('disk')];
  asNobody(() => {
    for (const path of ['.restore-x/event-log.sqlite', '.restore-x/keys/a']) put(join(data, path), 'new');
    put(join(disk, 'a'), 'old');
    symlinkSync('nowhere', join(disk, 'link'));
    symlinkSync(disk, join(data, 'keys'));
  });
  mkdirSync(join(disk, 'lost+found'), { mode: 0 });
  asNobody(() => {
    putInPlace(data, { staged: '.restore-x', aside: 'before-restore-x', names: ['event-log.sqlite', 'keys'] });
  });
  expect([readFileSync(join(data, 'keys', 'a'), 'utf8'), readdirSync(disk), readdirSync(data)]).toEqual([
    'new',
    ['a', 'lost+found'],
    ['before-restore-x', 'event-log.sqlite', 'keys'],
  ]);
});

it.each(['EBUSY', 'EXDEV', 'EACCES'])('a folder that is mounted, of which the system says %s, is replaced where it is', (code) => {
  const data = folder.path('data');
  for (const path of ['.restore-x/event-log.sqlite', '.restore-x/media/a', 'media/b']) put(join(data, path), path);
  const rename: typeof renameSync = (from, to) => {
    if (from === join(data, 'media')) throw Object.assign(new Error('mounted'), { code });
    renameSync(from, to);
  };
  putInPlace(data, { staged: '.restore-x', aside: 'before-restore-x', names: ['event-log.sqlite', 'media'] }, rename);
  expect(below(data)).toEqual([
    'before-restore-x',
    'before-restore-x/media',
    'before-restore-x/media/b media/b',
    'event-log.sqlite .restore-x/event-log.sqlite',
    'media',
    'media/a .restore-x/media/a',
  ]);
});

it('nothing is replaced where there is no room to keep what stands on another disk now', async () => {
  const data = folder.path('data');
  const site = await open(data);
  const backup = await backUp(site, folder.path('backup'));
  await site.app.close(2000);
  const [media, disk] = [join(data, 'media'), folder.path('disk')];
  renameSync(media, disk);
  symlinkSync(disk, media);
  put(join(disk, 'a'), 'x'.repeat(1000));
  const before = readdirSync(data);
  const restoring = async (free: number) => restoreBackup({ folder: backup, dataDir: data, now: Date.now(), diskOf: () => ({ device: 1, free }) });
  await expect(restoring(999)).rejects.toThrow(
    new OperatorError(
      `There is no room in ${data}, where a restore keeps what was there before: what stands in ${media}, on another disk, takes 1 MB, and 0 MB are free beside the copy of the backup. Nothing was replaced.`,
    ),
  );
  expect(readdirSync(data)).toEqual(before);
  await restoring(1000);
}, 60_000);

it.each([
  ['another disk', 2, 'gone'],
  ['a link to its own disk', 1, 'kept in DATA_DIR'],
])(
  'nothing is replaced where there is no room on %s for what the backup brings there',
  async (_name, device, becomes) => {
    const data = folder.path('data');
    const site = await open(data);
    const [media, disk] = [join(data, 'media'), folder.path('disk')];
    put(join(media, 'b'), 'x'.repeat(2000));
    const backup = await backUp(site, folder.path('backup'));
    await site.app.close(2000);
    mkdirSync(disk);
    rmSync(media, { recursive: true });
    symlinkSync(disk, media);
    put(join(disk, 'a'), 'x'.repeat(1000));
    const before = readdirSync(data);
    // What was there before is kept in DATA_DIR: of its own disk nothing becomes free.
    const enough = device === 1 ? 2000 : 1000;
    const restoring = async (free: number) =>
      restoreBackup({
        folder: backup,
        dataDir: data,
        now: Date.now(),
        diskOf: (asked) => (asked === media ? { device, free } : { device: 1, free: Math.max(free, 1000) }),
      });
    await expect(restoring(enough - 1)).rejects.toThrow(
      new OperatorError(
        `There is no room in ${media} for what the backup brings there: that takes 1 MB, and that disk has 0 MB once what is there now is ${becomes.replace('DATA_DIR', data)}. Nothing was replaced.`,
      ),
    );
    expect([readdirSync(data), readdirSync(disk)]).toEqual([before, ['a']]);
    await restoring(enough);
    expect(readdirSync(disk)).toEqual(['b']);
  },
  60_000,
);

it('a backup in which an earlier release took along what a disk has at its root is restored without that', async () => {
  const site = await open(folder.path('data'));
  const backup = await backUp(site, folder.path('backup'));
  await site.app.close(2000);
  const ofDisk = 'media/lost+found/#12';
  put(join(backup, ofDisk), 'of the disk');
  const manifest = JSON.parse(readFileSync(join(backup, manifestName), 'utf8')) as { readonly files: object[] };
  manifest.files.push({ path: ofDisk, bytes: 11, sha256: await hashFile(join(backup, ofDisk)) });
  writeFileSync(join(backup, manifestName), JSON.stringify(manifest));
  await restoreOf(backup, folder.path('new'));
  expect([existsSync(join(backup, ofDisk)), existsSync(folder.path('new/media/lost+found')), lastIn(folder.path('new'))]).toEqual([true, false, backup]);
});

it('a backup of what a restore gave up does not stay when somebody was erased who is in it, though that has an earlier position (S32)', async () => {
  const data = folder.path('data');
  const site = await open(data);
  const {
    players: [erased = ''],
  } = await registeredTeam(site, 'Lumbini Lions');
  const backup = await backUp(site, folder.path('backup'));
  await registeredTeam(site, 'Given Up');
  site.opened.operations.backups.start();
  const givenUp = basename((await site.opened.operations.backups.ended())?.folder ?? '');
  await site.app.close(2000);
  await restoreOf(backup, data);
  const time = { offset: 0 };
  const again = folder.keep(
    await openSite(
      { store: { kind: 'sqlite' }, dataDir: data },
      { background: false, clock: { now: () => Date.now() + time.offset, monotonic: () => performance.now() } },
    ),
  );
  const { backups } = again.opened.operations;
  const inAMonth = (): readonly string[] => {
    time.offset = 31 * 24 * 3600 * 1000;
    const removed = backups.prune();
    time.offset = 0;
    return removed;
  };
  expect(inAMonth()).toEqual([]);
  const { token } = await again.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
  await again.call(erasePerson, { token, json: { personId: erased, reason: 'Asked for it' } });
  expect(inAMonth()).toEqual([givenUp]);
}, 60_000);
