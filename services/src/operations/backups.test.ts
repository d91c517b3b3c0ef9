import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createAdmin, logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { getBackup, getOperationsStatus } from '@courtledger/contracts/operations/operations.api';
import type { BackupRun } from '@courtledger/contracts/operations/operations.answers';
import { createTournament } from '@courtledger/contracts/tournament/tournament.api';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { ask } from '../platform/testing/toy-gate.ts';
import { loggedInAdmin, openSite, superAdminPassword, tournamentForm, type Site } from '../testing/site.ts';
import { readManifest, verifyBackup } from './backup-manifest.ts';
import { Backups, type BackupsDeps } from './backups.ts';
import { openOperationsState } from './operations-state.ts';
import { restoreBackup } from './restore.ts';
import { statusLines } from './verbs/status.verb.ts';

let folder: ReturnType<typeof temporaryFolder>;
let site: Site | undefined;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await site?.close();
  site = undefined;
  folder.remove();
});

const minute = 60_000;
/** A clock that tests turn; it begins at noon in Kathmandu, so that a few hours are one day. */
const turned = () => {
  const time = { now: Date.parse('2026-11-21T06:15:00Z'), monotonic: 0 };
  return {
    clock: { now: () => time.now, monotonic: () => time.monotonic },
    pass(minutes: number): void {
      time.now += minutes * minute;
      time.monotonic += minutes * minute;
    },
    setBack(minutes: number): void {
      time.now -= minutes * minute;
    },
  };
};
type Turned = ReturnType<typeof turned>;

const open = async (time: Turned, to = folder.path('backups')): Promise<Site> => {
  site = await openSite(
    { store: { kind: 'sqlite' }, dataDir: folder.path('data'), backups: { minutes: 15, folder: to } },
    { clock: time.clock, background: false },
  );
  return site;
};
/** Time passes, the server looks at its work, and what it began is ended. */
const look = async (at: Site, time: Turned, minutes: number): Promise<BackupRun | undefined> => {
  const { operations } = at.opened;
  const before = operations.backups.latest;
  time.pass(minutes);
  await operations.turn();
  const after = await operations.backups.ended();
  return after === before ? undefined : after;
};
/** An account and a tournament with its pictures. */
const begin = async (at: Site): Promise<void> => {
  const { token } = await loggedInAdmin(at);
  await at.call(createTournament, { token, form: await tournamentForm('Cup') });
};
/** A server that has seen its first changes, and has begun to wait. @param to the folder of its backups */
const openWaiting = async (to?: string): Promise<{ readonly time: Turned; readonly at: Site }> => {
  const time = turned();
  const at = await open(time, to);
  await begin(at);
  await look(at, time, 0.5);
  return { time, at };
};
/** Sessions end with the hours that pass. */
const logIn = async (at: Site): Promise<string> => (await at.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } })).token;
const change = async (at: Site, name: string): Promise<void> => {
  await at.call(createAdmin, {
    token: await logIn(at),
    json: { username: name, password: 'copper-meadow-71', email: `${name}@example.org`, phoneNumber: '9800000001' },
  });
};
/** What status says that the backups hold. */
const heldIn = async ({ opened: { operations } }: Site): Promise<readonly unknown[]> =>
  statusLines(await operations.status())
    .filter((line) => line.includes(' kept in '))
    .map((line) => line.split('; ')[1]);
const gauges = async (at: Site): Promise<readonly string[]> =>
  (await ask(at.port, 'GET', '/metrics')).text.match(/^courtledger_(?:backup_alarm|unsaved_seconds|last_backup_age_seconds) .*$/gm) ?? [];

describe('a server backs itself up', () => {
  it('within its window of a change, and never while nothing changes', async () => {
    const time = turned();
    const at = await open(time);
    await begin(at);
    expect(await look(at, time, 0.5)).toBeUndefined();
    expect(await look(at, time, 9)).toBeUndefined();
    const first = await look(at, time, 1);
    expect([first?.state, first?.error, first?.events, basename(first?.folder ?? '')]).toEqual([
      'done',
      null,
      await at.events(),
      'auto-2026-11-21T06-25-30-000Z',
    ]);
    await verifyBackup(first?.folder ?? '');
    // A day without a change: the nightly work goes on, and nothing is copied.
    for (let hours = 0; hours < 4; hours += 1) expect(await look(at, time, 60)).toBeUndefined();
    await change(at, 'renamed-once');
    expect(await look(at, time, 0.5)).toBeUndefined();
    const { backups } = await at.call(getOperationsStatus, { token: await logIn(at) });
    expect([backups.windowMinutes, backups.kept, backups.newest?.folder, backups.overdue, backups.failure]).toEqual([15, 1, first?.folder, false, null]);
    // Counted from the change, not from the first look after it.
    expect(await look(at, time, 9)).toBeUndefined();
    const second = await look(at, time, 0.5);
    expect([second?.state, second?.events]).toEqual(['done', await at.events()]);
    expect(await gauges(at)).toEqual(['courtledger_last_backup_age_seconds 0', 'courtledger_unsaved_seconds 0', 'courtledger_backup_alarm 0']);
    expect((await at.call(getOperationsStatus, { token: await logIn(at) })).backups).toEqual({
      folder: folder.path('backups'),
      windowMinutes: 15,
      kept: 2,
      newest: { folder: second?.folder, madeAt: second?.startedAt, head: second?.head },
      unsavedSeconds: null,
      overdue: false,
      failure: null,
      failedAt: null,
    });
  }, 60_000);

  it('and tells of one that was made elsewhere alike in status and metrics, as long as it stands there; the change still waits for one of its own', async () => {
    const { time, at } = await openWaiting();
    // Refused a moment before, which is soon enough to be in it.
    await at.refused(createAdmin, { json: {} });
    at.opened.operations.backups.start(folder.path('elsewhere'));
    const made = await at.opened.operations.backups.ended();
    const refusals = new Database(folder.path('elsewhere/refusals.sqlite'), { readonly: true });
    expect(refusals.prepare('SELECT endpoint FROM refusals').pluck().all()).toEqual(['createAdmin']);
    refusals.close();
    await look(at, time, 1);
    const status = await at.call(getOperationsStatus, { token: await logIn(at) });
    expect([status.backups.newest, status.backups.kept, status.lastBackup]).toEqual([
      { folder: folder.path('elsewhere'), madeAt: made?.startedAt, head: made?.head },
      0,
      made,
    ]);
    expect(statusLines(status).find((line) => line.startsWith('backup'))).toContain(`head ${made?.head ?? ''}, ${folder.path('elsewhere')}`);
    expect(await gauges(at)).toEqual(['courtledger_last_backup_age_seconds 60', 'courtledger_unsaved_seconds 90', 'courtledger_backup_alarm 0']);
    // What a drill backs up for itself is gone when it ends.
    at.opened.operations.backups.start(join(folder.path('data'), '.drill-2026-11-21T06-15-00-000Z-0123456789ab', 'backup'));
    expect((await at.opened.operations.backups.ended())?.state).toBe('done');
    expect((await at.call(getOperationsStatus, { token: await logIn(at) })).backups.newest?.folder).toBe(folder.path('elsewhere'));
    // And what it could not back up is no last run: whoever made it is told, and nobody else.
    const failing = join(folder.path('data'), '.drill-2026-11-21T06-15-00-000Z-0123456789ab', 'backup');
    mkdirSync(failing, { recursive: true });
    at.opened.operations.backups.start(failing);
    expect([(await at.opened.operations.backups.ended())?.state, at.opened.operations.backups.latest?.folder]).toEqual(['failed', failing]);
    const after = await at.call(getOperationsStatus, { token: await logIn(at) });
    expect([
      after.lastBackup,
      statusLines(after).filter((line) => line.includes('last run')),
      (await at.call(getBackup, { token: await logIn(at) })).backup,
    ]).toEqual([made, [], made]);
    rmSync(folder.path('elsewhere'), { recursive: true });
    expect([(await gauges(at))[0], (await at.call(getOperationsStatus, { token: await logIn(at) })).backups.newest]).toEqual([
      'courtledger_last_backup_age_seconds Nan',
      null,
    ]);
  }, 60_000);

  it('by links to the files of the same day, each folder whole by itself; the first of a day is a copy of everything', async () => {
    const { time, at } = await openWaiting();
    const folderAfter = async (name: string): Promise<string> => {
      await change(at, name);
      await look(at, time, 0.5);
      return (await look(at, time, 15))?.folder ?? '';
    };
    const first = (await look(at, time, 15))?.folder ?? '';
    const second = await folderAfter('renamed-once');
    const events = await at.events();
    time.pass(24 * 60);
    const third = await folderAfter('renamed-twice');
    const photo = readManifest(first).files.find(({ path }) => path.startsWith('media/'))?.path ?? '';
    const inodes = (path: string): readonly number[] => [first, second, third].map((backup) => statSync(join(backup, path)).ino);
    const [a, b, c] = inodes(photo);
    expect([a === b, b === c]).toEqual([true, false]);
    expect(new Set(inodes('keys/persons.sqlite')).size).toBe(3);
    expect(new Set(inodes('event-log.sqlite')).size).toBe(3);
    // The chain was walked from where the first one ended; the whole of it is what the manifest says.
    expect([(await verifyBackup(second)).log.events, (await verifyBackup(third)).log.events]).toEqual([events, await at.events()]);
    // The one that others link to may go.
    rmSync(first, { recursive: true });
    await verifyBackup(second);
  }, 60_000);

  it('and tells when it cannot, goes on working, and does it when it can', async () => {
    // Where the folder should be is a file.
    writeFileSync(folder.path('taken'), '');
    const { time, at } = await openWaiting(folder.path('taken/backups'));
    const failed = await look(at, time, 10);
    expect([failed?.state, failed?.error?.includes('is not a folder')]).toEqual(['failed', true]);
    // Not again at once, but soon.
    expect(await look(at, time, 0.5)).toBeUndefined();
    expect((await look(at, time, 0.5))?.state).toBe('failed');
    await look(at, time, 6);
    const { backups } = await at.call(getOperationsStatus, { token: await logIn(at) });
    expect([backups.overdue, backups.failure?.includes('is not a folder'), backups.newest]).toEqual([true, true, null]);
    expect(backups.failedAt).toBe((await at.call(getBackup, { token: await logIn(at) })).backup?.endedAt);
    expect(await gauges(at)).toEqual(['courtledger_last_backup_age_seconds Nan', 'courtledger_unsaved_seconds 1050', 'courtledger_backup_alarm 1']);
    await change(at, 'still-works');
    rmSync(folder.path('taken'));
    expect((await look(at, time, 5))?.state).toBe('done');
    expect((await gauges(at)).at(-1)).toBe('courtledger_backup_alarm 0');
  }, 60_000);

  it('and tells from the start on that nothing can be made in its folder, until it can', async () => {
    writeFileSync(folder.path('taken'), '');
    const time = turned();
    site = await openSite(
      { store: { kind: 'sqlite' }, dataDir: folder.path('data'), backups: { minutes: 15, folder: folder.path('taken/backups') } },
      { clock: time.clock },
    );
    const { backups } = site.opened.operations;
    expect([backups.health().failure, backups.health().failedAt]).toEqual([
      `${folder.path('taken/backups')} cannot be used: ${folder.path('taken')} is not a folder`,
      null,
    ]);
    rmSync(folder.path('taken'));
    await look(site, time, 0.5);
    expect([backups.health().failure, existsSync(folder.path('taken'))]).toEqual([null, false]);
  }, 60_000);

  it('and tells everything else as well where its folder is none: status, metrics and the alarm', async () => {
    writeFileSync(folder.path('taken'), '');
    const { time, at } = await openWaiting(folder.path('taken'));
    const told = async () => (await at.call(getOperationsStatus, { token: await logIn(at) })).backups;
    expect(await told()).toMatchObject({
      kept: 0,
      newest: null,
      failure: `${folder.path('taken')} cannot be read: ENOTDIR: not a directory, scandir '${folder.path('taken')}'`,
    });
    expect([at.opened.operations.backups.removeCutOff(), at.opened.operations.backups.prune()]).toEqual([[], []]);
    expect((await look(at, time, 10))?.state).toBe('failed');
    await look(at, time, 7);
    expect([(await told()).overdue, (await gauges(at)).at(-1)]).toEqual([true, 'courtledger_backup_alarm 1']);
    rmSync(folder.path('taken'));
    expect([(await look(at, time, 5))?.state, (await told()).failure]).toEqual(['done', null]);
  }, 60_000);

  it('counts the waiting over restarts, whatever the clock says', async () => {
    const { time, at: first } = await openWaiting();
    await first.close();
    // Nothing was ever backed up: eight minutes of the first process and two of the second.
    time.pass(8);
    const second = await open(time);
    expect(await look(second, time, 0.5)).toBeUndefined();
    const made = await look(second, time, 1.5);
    expect([made?.state, made?.events]).toEqual(['done', await second.events()]);
    await second.close();
    const third = await open(time);
    // All of it is in the backup.
    expect(await look(third, time, 60)).toBeUndefined();
    await change(third, 'renamed-once');
    await third.close();
    // Set back before the backup: nothing is taken for saved that is not.
    time.setBack(300);
    const fourth = await open(time);
    expect(await look(fourth, time, 0.5)).toBeUndefined();
    expect((await look(fourth, time, 10))?.state).toBe('done');
  }, 60_000);

  it('and one that was made while the clock was ahead hides none that came after it: what those hold does not wait', async () => {
    const { time, at } = await openWaiting();
    time.setBack(-400 * 24 * 60);
    const ahead = await look(at, time, 10);
    expect([ahead?.state, basename(ahead?.folder ?? '')]).toEqual(['done', expect.stringMatching(/^auto-2027-12/)]);
    time.setBack(400 * 24 * 60);
    await change(at, 'set-right');
    await look(at, time, 0.5);
    const made = await look(at, time, 10);
    expect([made?.state, made?.events, basename(made?.folder ?? '')]).toEqual(['done', await at.events(), expect.stringMatching(/^auto-2026-11/)]);
    expect([await look(at, time, 0.5), await look(at, time, 30), await heldIn(at)]).toEqual([undefined, undefined, ['everything is in it']]);
    const { backups } = await at.call(getOperationsStatus, { token: await logIn(at) });
    expect([backups.newest?.folder, backups.unsavedSeconds]).toEqual([made?.folder, null]);
    // Nor is every one of them a copy of everything: what never changes is linked from the one before, of the same day.
    await change(at, 'once-more');
    await look(at, time, 0.5);
    const { folder: later = '' } = (await look(at, time, 10)) ?? {};
    const [picture = ''] = readdirSync(join(later, 'media'));
    expect(statSync(join(later, 'media', picture)).ino).toBe(statSync(join(made?.folder ?? '', 'media', picture)).ino);
  }, 60_000);

  it('and the waiting begins with the oldest change that is in no backup, not with the backup before it', async () => {
    const { time, at: first } = await openWaiting();
    expect((await look(first, time, 10))?.state).toBe('done');
    time.pass(300);
    await change(first, 'came-late');
    time.pass(1);
    await change(first, 'came-later');
    await first.close();
    time.pass(2);
    const second = await open(time);
    expect((await second.call(getOperationsStatus, { token: await logIn(second) })).backups).toMatchObject({ unsavedSeconds: 180, overdue: false });
    expect((await gauges(second)).slice(1)).toEqual(['courtledger_unsaved_seconds 180', 'courtledger_backup_alarm 0']);
    expect(await look(second, time, 6.5)).toBeUndefined();
    expect((await look(second, time, 0.5))?.state).toBe('done');
  }, 60_000);

  it('also when a restore gave the position of the newest backup to another event', async () => {
    const { time, at: first } = await openWaiting();
    const { folder: older = '' } = (await look(first, time, 10)) ?? {};
    await change(first, 'was-lost');
    await look(first, time, 0.5);
    const newer = await look(first, time, 10);
    await first.close();
    await restoreBackup({ folder: older, dataDir: folder.path('data'), now: time.clock.now() });
    const second = await open(time);
    await change(second, 'came-since');
    // The same position, and not the event that is in the newest one.
    expect(String(await second.events())).toBe(newer?.head);
    await second.close();
    const third = await open(time);
    expect((await third.call(getOperationsStatus, { token: await logIn(third) })).backups.unsavedSeconds).not.toBeNull();
    const made = await look(third, time, 10);
    expect([made?.state, readManifest(made?.folder ?? '').log.chainHead === readManifest(newer?.folder ?? '').log.chainHead]).toEqual(['done', false]);
  }, 60_000);

  it('and a start removes what a kill left of one, as does whoever looks later, and nothing else: another gateway may be making one', async () => {
    const time = turned();
    const others = ['mine.partial', '2026-11-21.partial', 'auto-2026-11-21T06-25-30-000Z.partial.old'];
    const young = ['auto-2026-11-21T05-25-30-000Z.partial', '2026-11-21T06-25-30-000Z.partial'];
    for (const name of ['auto-2026-11-21T05-14-59-000Z.partial', '2026-11-20T06-25-30-000Z.partial', '2027-11-20T06-25-30-000Z.partial', ...young, ...others])
      mkdirSync(folder.path(`backups/${name}/keys`), { recursive: true });
    const at = await open(time);
    await at.opened.operations.turn();
    const { backups } = at.opened.operations;
    expect(readdirSync(folder.path('backups')).toSorted()).toEqual([...young, ...others].toSorted());
    expect(backups.prune()).toEqual([]);
    time.pass(20);
    expect(backups.prune()).toEqual(['auto-2026-11-21T05-25-30-000Z.partial']);
    time.pass(60);
    await at.opened.operations.turn();
    expect(readdirSync(folder.path('backups')).toSorted()).toEqual(others.toSorted());
  }, 60_000);

  it('where the log is in EventStoreDB as well: as JSON lines, and not again while nothing changes', async () => {
    const time = turned();
    const standIn = await EventStoreStandIn.start();
    const at = await openSite(
      { store: { kind: 'eventstoredb', url: standIn.url }, dataDir: folder.path('data'), backups: { minutes: 15, folder: folder.path('backups') } },
      { clock: time.clock, background: false },
    );
    site = at;
    try {
      await begin(at);
      await look(at, time, 0.5);
      const made = await look(at, time, 10);
      expect([made?.state, made?.error, made?.events, (await verifyBackup(made?.folder ?? '')).log.kind]).toEqual([
        'done',
        null,
        await at.events(),
        'json-lines',
      ]);
      expect(await look(at, time, 60)).toBeUndefined();
      await change(at, 'renamed-once');
      await look(at, time, 0.5);
      expect((await look(at, time, 10))?.events).toBe(await at.events());
      time.pass(300);
      await change(at, 'came-late');
      await at.close();
      time.pass(2);
      // The store does not have to answer for it.
      site = await openSite({ ...at.config }, { clock: time.clock, background: false });
      expect(site.opened.operations.backups.health().unsavedSeconds).toBe(120);
    } finally {
      await site.close();
      await standIn.close();
    }
  }, 60_000);

  it('also after one was asked for where nothing can be made, or into a file: those fail at once', async () => {
    const time = turned();
    const at = await open(time);
    await begin(at);
    const { backups } = at.opened.operations;
    for (const [to, why] of [
      ['/proc/nope', 'nothing can be made in /proc'],
      [`${import.meta.filename}/in`, `${import.meta.filename} is not a folder`],
    ] as const) {
      backups.start(to);
      expect([(await backups.ended())?.state, backups.latest?.error]).toEqual(['failed', `${to} cannot be used: ${why}`]);
    }
    await look(at, time, 0.5);
    expect((await look(at, time, 11))?.state).toBe('done');
  }, 60_000);

  it('counts what stands in its folder, whoever made it there or removed it, and what it was asked to put there saves what was recorded', async () => {
    const { time, at } = await openWaiting();
    const { backups } = at.opened.operations;
    const kept = (): readonly unknown[] => [backups.health().kept, basename(backups.health().newest?.folder ?? ''), backups.health().unsavedSeconds];
    expect(kept()).toEqual([0, '', 30]);
    backups.start(folder.path('backups/mine'));
    expect((await backups.ended())?.state).toBe('done');
    expect(kept()).toEqual([1, 'mine', null]);
    // The operator's mistake is no reason for an alarm.
    backups.start(folder.path('backups/mine'));
    expect([(await backups.ended())?.state, backups.health().failure]).toEqual(['failed', null]);
    time.pass(1);
    await change(at, 'bina');
    expect(kept()).toEqual([1, 'mine', 0]);
    cpSync(folder.path('backups/mine'), folder.path('backups/copied'), { recursive: true });
    writeFileSync(folder.path('backups/notes.txt'), 'not a backup');
    expect(backups.health().kept).toBe(2);
    rmSync(folder.path('backups/copied'), { recursive: true });
    rmSync(folder.path('backups/mine'), { recursive: true });
    // What was in them is in none any more: the whole log.
    expect(kept()).toEqual([0, '', 90]);
    // Another one under the same name.
    backups.start(folder.path('backups/mine'));
    const again = await backups.ended();
    expect([again?.state, backups.health().newest?.head, kept()]).toEqual(['done', again?.head, [1, 'mine', null]]);
  }, 60_000);

  it('and says of a log that is known to be damaged neither that they hold everything nor that nothing is recorded', async () => {
    const at = await open(turned());
    await begin(at);
    at.opened.operations.backups.start();
    await at.opened.operations.backups.ended();
    expect(await heldIn(at)).toEqual(['everything is in it']);
    await at.app.close(2000);
    rmSync(folder.path('data/event-log.sqlite'));
    expect(await heldIn(await open(turned()))).toEqual(['NONE IS MADE OF THIS LOG: The log is damaged at position 1']);
  }, 60_000);

  it('leaves nothing half when it is stopped in the midst', async () => {
    const time = turned();
    const at = await open(time);
    await begin(at);
    const { backups } = at.opened.operations;
    backups.start();
    await backups.close();
    expect([backups.latest?.state, existsSync(folder.path('backups')) ? readdirSync(folder.path('backups')) : []]).toEqual(['failed', []]);
  }, 60_000);
});

it('an automatic backup does not begin where it would fill the disk; one that is asked for does as it is told', async () => {
  const dataDir = folder.path('data');
  const at = await openSite({ store: { kind: 'sqlite' }, dataDir });
  site = at;
  await begin(at);
  const time = turned();
  const space = { needed: 700_000_000, unchanging: 300_000_000, free: 900_000_000 };
  const errors: string[] = [];
  const deps: BackupsDeps = {
    dataDir,
    kind: 'sqlite',
    store: at.opened.store,
    state: openOperationsState(folder.path('.')),
    clock: time.clock,
    folder: folder.path('backups'),
    windowMinutes: 15,
    damage: () => undefined,
    keysRefusal: () => undefined,
    isErasedSince: () => false,
    look: async () => {},
    hashAt: () => undefined,
    logName: () => undefined,
    timeAfter: () => undefined,
    head: at.opened.store.head,
    beforeCopy: () => {},
    logger: { ...silentLogger, error: (event) => void errors.push(event) },
    room: async () => space,
  };
  const backups = new Backups(deps);
  const watch = async (minutes: number): Promise<BackupRun | undefined> => {
    time.pass(minutes);
    backups.watch();
    return backups.ended();
  };
  await watch(0);
  expect((await watch(10))?.error).toBe(`There is no room for a backup in ${folder.path('backups')}: 900 MB are free`);
  expect((await watch(6))?.state).toBe('failed');
  expect(errors).toEqual(['the backup failed', 'what was recorded is in no backup yet', 'the backup failed']);
  backups.start();
  expect((await backups.ended())?.state).toBe('done');
  expect(backups.health().failure).toBeNull();
}, 30_000);

it('a disk that is full while a backup is made is told in a sentence, as by every verb', async () => {
  const dataDir = folder.path('data');
  const at = await openSite({ store: { kind: 'sqlite' }, dataDir });
  site = at;
  const { administration } = at.opened.store;
  if (administration === undefined) throw new Error('The log is in a file');
  const full = Object.assign(new Error("ENOSPC: no space left on device, copyfile 'a' -> 'b'"), { code: 'ENOSPC', syscall: 'copyfile', path: 'a', dest: 'b' });
  vi.spyOn(administration, 'backup').mockRejectedValueOnce(full);
  const { backups } = at.opened.operations;
  backups.start();
  expect([(await backups.ended())?.error, backups.health().failure]).toEqual(['b: no space is left on the disk', 'b: no space is left on the disk']);
});

it('what was recorded while no backups were made is backed up at the first look, which raises no alarm', async () => {
  const dataDir = folder.path('data');
  site = await openSite({ store: { kind: 'sqlite' }, dataDir });
  await begin(site);
  const time = turned();
  const errors: string[] = [];
  const state = openOperationsState(folder.path('.'));
  const { store } = site.opened;
  const backups = new Backups({
    dataDir,
    kind: 'sqlite',
    store,
    state,
    clock: time.clock,
    folder: folder.path('backups'),
    windowMinutes: 15,
    damage: () => undefined,
    keysRefusal: () => undefined,
    isErasedSince: () => false,
    look: async () => {},
    hashAt: () => undefined,
    logName: () => undefined,
    timeAfter: () => new Date(time.clock.now() - 90 * minute).toISOString(),
    head: store.head,
    beforeCopy: () => {},
    logger: { ...silentLogger, error: (event) => void errors.push(event) },
    room: async () => ({ needed: 0, unchanging: 0, free: 900_000_000 }),
  });
  expect(backups.health().overdue).toBe(true);
  backups.watch();
  expect([(await backups.ended())?.state, errors]).toEqual(['done', []]);
  await backups.close();
});
