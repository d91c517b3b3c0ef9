import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getMatch, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { getPlayerDocument } from '@courtledger/contracts/player/player.api';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { LogInUse } from '../event-log/log-lock.ts';
import { systemClock } from '../app.ts';
import { openErasureLedger } from '../platform/erasure-ledger.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { openRefusals } from '../platform/refusals.ts';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { loggedInAdmin, openSite, registeredTeam, season, testConfig, type Season, type Site } from '../testing/site.ts';
import { verbContext } from '../testing/verb-context.ts';
import { BackupDamaged, filesBelow, readManifest, verifyBackup } from './backup-manifest.ts';
import { makeBackup } from './backup.ts';
import { drillBackup } from './drill.ts';
import { installationOf } from './installation.ts';
import { missingFiles } from './missing-files.ts';
import { restoreBackup } from './restore.ts';
import { restore } from './verbs/restore.verb.ts';
import { expectNothingUnfinished } from './unfinished.ts';
import { setAsideFolders } from './set-aside.ts';

const folder = siteFolder();

const now = Date.parse('2026-11-21T10:00:00Z');
const { open } = folder;
const back = async (site: Site, name: string): Promise<string> => {
  const path = folder.path(name);
  await makeBackup({ dataDir: site.config.dataDir, kind: site.config.store.kind, store: site.opened.store, now }, path);
  return path;
};
/** Something to back up. */
const begin = async (site: Site): Promise<void> => void (await loggedInAdmin(site));
const score = async (site: Site, { matchId, token, teams }: Season, entryId: string, points: number): Promise<void> => {
  await site.call(recordStatIncrement, { token, params: { id: matchId }, json: { entryId, playerId: teams[0].players[0] ?? '', points } });
};
const points = async (site: Site, { matchId }: Season): Promise<number[]> =>
  (await site.call(getMatch, { params: { id: matchId } })).player_stats.map((line) => line.points);

describe('a backup', () => {
  it('holds log, keys, media and documents with their hashes, and can be restored as it was at that moment', async () => {
    const data = folder.path('data');
    const site = await open(data);
    const place = await season(site);
    await score(site, place, 'before', 3);
    const events = await site.events();
    const backup = await back(site, 'backup');
    const manifest = await verifyBackup(backup);
    expect([manifest.log.kind, manifest.log.events, manifest.log.head, manifest.createdAt]).toEqual([
      'sqlite',
      events,
      String(events),
      '2026-11-21T10:00:00.000Z',
    ]);
    const paths = manifest.files.map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('documents/'))).toHaveLength(8);
    expect([
      paths.includes('keys/persons.sqlite'),
      paths.includes('keys/jwt.key'),
      paths.includes('person-keys.made'),
      paths.some((path) => path.startsWith('media/')),
      paths.filter((path) => path.includes('refusals')),
    ]).toEqual([true, true, true, true, ['refusals.sqlite']]);
    await score(site, place, 'after', 4);
    expect(await points(site, place)).toEqual([7]);

    // Refused as long as somebody owns the log; nothing is touched.
    await expect(restoreBackup({ folder: backup, dataDir: data, now })).rejects.toThrow(LogInUse);
    await site.app.close(2000);
    mkdirSync(join(data, 'folds'), { recursive: true });
    writeFileSync(join(data, 'folds', 'of-the-log-before'), 'x');
    const { aside = '' } = await restoreBackup({ folder: backup, dataDir: data, now });
    expect(existsSync(join(data, 'folds'))).toBe(false);
    expect(await filesBelow(aside)).toEqual(
      expect.arrayContaining(['event-log.sqlite', 'folds/of-the-log-before', 'keys/persons.sqlite', 'read-model-1.sqlite']),
    );
    const again = await open(data);
    expect([await again.events(), await points(again, place)]).toEqual([events, [3]]);
    // Sessions, keys and documents are those of the backup too.
    await score(again, place, 'after-the-restore', 5);
    expect(await points(again, place)).toEqual([8]);
    const document = await again.send(getPlayerDocument, { token: place.token, params: { id: place.teams[0].players[0] ?? '' } });
    expect([document.status, document.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
  }, 60_000);

  it('that is made while somebody is erased holds that too: no file is missing from it, and the key is not in it', async () => {
    const data = folder.path('data');
    const site = await open(data);
    const {
      teams: [
        {
          players: [personId = ''],
        },
      ],
    } = await season(site);
    const vault = openPersonVault(data);
    const backup = folder.path('backup');
    const [fact] = (await site.opened.store.log.readStream(`person-${personId}`)) ?? [];
    const { photo = '', document } = vault.open(personId, String((fact?.data as { readonly sealed: string } | undefined)?.sealed)) ?? {};
    const { signal } = new AbortController();
    let isErased = false;
    // As an erasure does it: noted, then the files, then the key.
    signal.throwIfAborted = () => {
      if (isErased || !existsSync(join(`${backup}.partial`, 'keys', 'season.pem')) || !existsSync(join(`${backup}.partial`, 'media'))) return;
      isErased = true;
      openErasureLedger(data).begin({ personId, kind: 'player', reason: 'Asked for it', time: '2026-11-21T10:00:00.000Z' });
      for (const path of [photo, join('documents', document?.documentId ?? '')]) rmSync(join(data, path));
      vault.destroy(personId);
    };
    await makeBackup({ dataDir: data, kind: 'sqlite', store: site.opened.store, now, signal }, backup);
    const keys = openPersonVault(backup, { readonly: true });
    expect([isErased, keys.state(personId)]).toEqual([true, 'destroyed']);
    keys.close();
    vault.close();
    expect(await missingFiles(backup, new AbortController().signal)).toEqual({ paths: [], unreadable: undefined, withoutKey: 0 });
    expect((await drillBackup(backup, { now, place: folder.path('drill') })).events).toBe(await site.events());
  });

  it('is none when somebody removed what was copied while it was made, nor when its place is taken', async () => {
    const site = await open(folder.path('data'));
    await season(site);
    const {
      config: { dataDir },
      opened: { store },
    } = site;
    const backup = folder.path('backup');
    const removingAt = (isDue: () => boolean): AbortSignal => {
      const { signal } = new AbortController();
      let isRemoved = false;
      signal.throwIfAborted = () => {
        if (isRemoved || !isDue()) return;
        isRemoved = true;
        rmSync(`${backup}.partial`, { recursive: true });
      };
      return signal;
    };
    const partly = (name: string) => existsSync(join(`${backup}.partial`, name));
    // While pictures are copied, and while what was copied is hashed: as a gateway that takes it for cut off, or a disk that is taken away.
    for (const isDue of [() => partly('media'), () => partly('refusals.sqlite') || partly('person-keys.made')]) {
      await expect(makeBackup({ dataDir, kind: 'sqlite', store, now, signal: removingAt(isDue) }, backup)).rejects.toThrow(/^(?:Somebody removed|ENOENT)/);
      expect([existsSync(backup), existsSync(`${backup}.partial`)]).toEqual([false, false]);
    }
    mkdirSync(`${backup}.partial`);
    writeFileSync(`${backup}.partial/mine`, 'of somebody');
    await expect(makeBackup({ dataDir, kind: 'sqlite', store, now }, backup)).rejects.toThrow(
      new BackupDamaged(
        `${backup}.partial is there: a backup is being made in it, or one that was cut off has left it. Remove it when none is being made, and try again`,
      ),
    );
    expect([existsSync(backup), readFileSync(`${backup}.partial/mine`, 'utf8')]).toEqual([false, 'of somebody']);
  }, 60_000);

  it('that nobody may write is restored as an installation that its owner may', async () => {
    const site = await open(folder.path('data'));
    await begin(site);
    openErasureLedger(site.config.dataDir).begin({ personId: 'gone', kind: 'player', reason: 'Asked for it', time: '2026-11-21T10:00:00.000Z' });
    const backup = await back(site, 'backup');
    for (const path of await filesBelow(backup)) chmodSync(join(backup, path), 0o444);
    await restoreBackup({ folder: backup, dataDir: folder.path('new'), now });
    const modes = (await filesBelow(folder.path('new'))).map((path) => [path, statSync(folder.path(`new/${path}`)).mode & 0o600]);
    expect([modes.length > 5, modes.filter(([, mode]) => mode !== 0o600)]).toEqual([true, []]);
  }, 60_000);

  it('of a log that is elsewhere is a file of JSON lines, and is restored into a log of our own', async () => {
    const site = await open(folder.path('data'), { kind: 'memory' });
    const place = await season(site);
    await score(site, place, 'one', 3);
    const backup = await back(site, 'backup');
    const { log } = await verifyBackup(backup);
    expect([log.kind, log.events, log.file]).toEqual(['json-lines', await site.events(), 'event-log.jsonl']);
    await restoreBackup({ folder: backup, dataDir: folder.path('new'), now });
    const again = await open(folder.path('new'));
    expect([await again.events(), await points(again, place)]).toEqual([log.events, [3]]);
  }, 60_000);

  it('is refused when a byte, a file or the manifest is not what was written, and nothing is replaced', async () => {
    const site = await open(folder.path('data'));
    await season(site);
    const backup = await back(site, 'backup');
    await site.app.close(2000);
    const before = await filesBelow(folder.path('data'));
    const manifest = readManifest(backup);
    const log = join(backup, manifest.log.file);
    const whole = readFileSync(log);
    const damages: readonly (readonly [name: string, text: string, damage: () => void, mend: () => void])[] = [
      [
        'a flipped byte of the log',
        'event-log.sqlite is not what was backed up',
        () => writeFileSync(log, Buffer.concat([whole.subarray(0, 9000), Buffer.from([(whole[9000] ?? 0) ^ 1]), whole.subarray(9001)])),
        () => writeFileSync(log, whole),
      ],
      [
        'a missing key',
        'keys/jwt.key is missing',
        () => rmSync(join(backup, 'keys/jwt.key')),
        () => writeFileSync(join(backup, 'keys/jwt.key'), readFileSync(join(folder.path('data'), 'keys/jwt.key'))),
      ],
      ['a strange file', 'strange does not belong', () => writeFileSync(join(backup, 'strange'), 'x'), () => rmSync(join(backup, 'strange'))],
      [
        'a shorter chain',
        'does not end where it ended',
        () => writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, log: { ...manifest.log, head: '1' } })),
        () => writeFileSync(join(backup, 'manifest.json'), JSON.stringify(manifest)),
      ],
      [
        'no manifest',
        'is no backup',
        () => rmSync(join(backup, 'manifest.json')),
        () => writeFileSync(join(backup, 'manifest.json'), JSON.stringify(manifest)),
      ],
    ];
    for (const [name, text, damage, mend] of damages) {
      damage();
      const refusal = await restoreBackup({ folder: backup, dataDir: folder.path('data'), now }).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect([name, refusal instanceof BackupDamaged, refusal instanceof Error && refusal.message.includes(text)]).toEqual([name, true, true]);
      // Nor does it leave a folder where there was none.
      await expect(restoreBackup({ folder: backup, dataDir: folder.path('nowhere'), now })).rejects.toThrow(text);
      expect([name, existsSync(folder.path('nowhere'))]).toEqual([name, false]);
      mend();
    }
    expect(await filesBelow(folder.path('data'))).toEqual(before);
    await verifyBackup(backup);
  }, 60_000);

  it('never takes an erasure back: the lines that stand in the installation stay, those of the backup are added', async () => {
    const data = folder.path('data');
    const site = await open(data);
    await season(site);
    appendFileSync(join(data, 'erasures.jsonl'), '{"personId":"old"}\n');
    const backup = await back(site, 'backup');
    await site.app.close(2000);
    writeFileSync(join(data, 'erasures.jsonl'), '{"personId":"new"}\n');
    await restoreBackup({ folder: backup, dataDir: data, now });
    expect(
      readFileSync(join(data, 'erasures.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    ).toEqual(['{"personId":"new"}', '{"personId":"old"}']);
  }, 60_000);
});

const refusedIn = (dataDir: string): number => {
  const refusals = openRefusals(dataDir, { clock: systemClock, addressKey: Buffer.alloc(32), alarm: () => {}, failed: () => {} });
  const found = [...refusals.find({})].filter(({ endpoint }) => endpoint === 'recordStatIncrement').length;
  refusals.close();
  return found;
};
it('carries what was refused: a new machine has it after a restore, the same one keeps what came since, and a backup without it is restored as well', async () => {
  const data = folder.path('data');
  const site = await open(data);
  const { token } = await loggedInAdmin(site);
  const refuse = async (): Promise<void> =>
    void (await site.refused(recordStatIncrement, { token, params: { id: 'nowhere' }, json: { entryId: 'x', playerId: 'y', points: 1 } }));
  await refuse();
  await site.app.close(2000);
  const again = await open(data);
  const backup = await back(again, 'backup');
  await again.app.close(2000);
  const since = new Database(join(data, 'refusals.sqlite'));
  since.exec(
    "INSERT INTO refusals (time, endpoint, code, actor, request_id, address) VALUES ('2026-11-21T10:00:00.000Z', 'recordStatIncrement', 'conflict', 'visitor', 'r', 'a')",
  );
  since.close();
  // Where nothing was, nothing is set aside, and no empty folder says otherwise.
  const { aside } = await restoreBackup({ folder: backup, dataDir: folder.path('new'), now });
  expect([aside, setAsideFolders(folder.path('new'))]).toEqual([undefined, []]);
  expect((await restoreBackup({ folder: backup, dataDir: data, now })).aside).toBe(join(data, setAsideFolders(data)[0] ?? ''));
  expect([refusedIn(folder.path('new')), refusedIn(data)]).toEqual([1, 2]);
  // As an earlier release made it.
  const manifest = readManifest(backup);
  rmSync(join(backup, 'refusals.sqlite'));
  writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, files: manifest.files.filter(({ path }) => path !== 'refusals.sqlite') }));
  await restoreBackup({ folder: backup, dataDir: folder.path('new'), now: now + 1000 });
  await restoreBackup({ folder: backup, dataDir: folder.path('third'), now });
  expect([refusedIn(folder.path('new')), existsSync(folder.path('third/refusals.sqlite'))]).toEqual([1, false]);
}, 60_000);

const makeAt = async (from: Site, to: string, minutes: number): Promise<void> =>
  void (await makeBackup({ dataDir: from.config.dataDir, kind: 'sqlite', store: from.opened.store, now: now + minutes * 60_000 }, to));
const erased = (personId: string): string => `{"personId":"${personId}"}\n`;
it('a restore on a new machine learns of later erasures from newer backups of the same installation beside it, and of no other', async () => {
  const data = folder.path('data');
  const site = await open(data);
  await begin(site);
  const backups = {
    old: folder.path('backups/old'),
    newer: folder.path('backups/newer'),
    damaged: folder.path('backups/damaged'),
    stranger: folder.path('backups/stranger'),
  };
  mkdirSync(folder.path('backups'));
  await makeAt(site, backups.old, 0);
  appendFileSync(join(data, 'erasures.jsonl'), erased('later'));
  await makeAt(site, backups.newer, 10);
  await makeAt(site, backups.damaged, 20);
  writeFileSync(join(backups.damaged, 'erasures.jsonl'), erased('forged'));
  const stranger = await open(folder.path('other'));
  await begin(stranger);
  appendFileSync(folder.path('other/erasures.jsonl'), erased('of-another-installation'));
  await makeAt(stranger, backups.stranger, 30);
  mkdirSync(folder.path('backups/auto-cut.partial'));
  const lines = async (backup: string, name: string, ownBackups?: string): Promise<readonly string[]> => {
    await restoreBackup({ folder: backup, dataDir: folder.path(name), now, backups: ownBackups });
    return existsSync(folder.path(`${name}/erasures.jsonl`))
      ? readFileSync(folder.path(`${name}/erasures.jsonl`), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : [];
  };
  expect(await lines(backups.old, 'new-machine')).toEqual([erased('later').trim()]);
  expect(await lines(backups.newer, 'another-one')).toEqual([erased('later').trim()]);
  // One that was kept by hand somewhere else: what stands in BACKUP_DIR is asked as well, a newer backup and the ledger beside it.
  cpSync(backups.old, folder.path('stick/old'), { recursive: true });
  const owner = installationOf(data);
  writeFileSync(
    folder.path('backups/erasures.jsonl'),
    `${JSON.stringify({ personId: 'latest', owner })}\n${JSON.stringify({ personId: 'of-another', owner: 'x' })}\n`,
  );
  expect([await lines(folder.path('stick/old'), 'alone'), await lines(folder.path('stick/old'), 'with-backups', folder.path('backups'))]).toEqual([
    [],
    [JSON.stringify({ personId: 'latest', owner }), erased('later').trim()],
  ]);
}, 60_000);

const told = async (dataDir: string, backup: string): Promise<string> => {
  const lines: string[] = [];
  await restore.run(verbContext({ config: testConfig(dataDir, { store: { kind: 'sqlite' } }), terminal: { out: (line) => void lines.push(line) } }), [backup]);
  return lines.find((line) => line.startsWith('Restored'))?.replace(/^.*?Z\. /, '') ?? '';
};

describe('a restore that is cut off', () => {
  it('is ended by the next, which tells where stands what was there before the first of them, however often that is', async () => {
    const data = folder.path('data');
    const site = await open(data);
    await begin(site);
    const backup = await back(site, 'backup');
    await site.app.close(2000);
    /** As a kill leaves it that comes before anything was moved: all is staged, and on record. */
    const cutOff = async (at: number): Promise<void> => {
      const killed = new Error('killed');
      await expect(
        restoreBackup({
          folder: backup,
          dataDir: data,
          now: at,
          onStep(step) {
            if (step === 'Putting it in place') throw killed;
          },
        }),
      ).rejects.toBe(killed);
    };
    const last = (): string => join(data, setAsideFolders(data).at(-1) ?? '');
    await cutOff(now);
    await cutOff(now + 1000);
    const first = last();
    expect(await told(data, backup)).toBe(`What was there before is in ${first}; what a restore that was cut off had brought is in ${last()}.`);
    expect(setAsideFolders(data).map((name) => existsSync(join(data, name, 'read-model-1.sqlite')))).toEqual([true, false, false]);
    expect(await told(data, backup)).toBe(`What was there before is in ${last()}.`);
  }, 60_000);

  it('while it copies leaves nothing for ever: the next start and the next restore take what it had staged', async () => {
    const data = folder.path('data');
    const site = await open(data);
    await begin(site);
    const backup = await back(site, 'backup');
    await site.app.close(2000);
    const events = readManifest(backup).log.events;
    // As kill -9 leaves it: no journal yet, and the keys are there.
    const staged = join(data, '.restore-2026-11-20T10-00-00-000Z');
    const killed = (): void => {
      mkdirSync(join(staged, 'keys'), { recursive: true });
      writeFileSync(join(staged, 'keys', 'persons.sqlite'), readFileSync(join(backup, 'keys', 'persons.sqlite')));
    };
    killed();
    const again = await open(data);
    expect([existsSync(staged), await again.events()]).toEqual([false, events]);
    await again.app.close(2000);
    killed();
    await restoreBackup({ folder: backup, dataDir: data, now });
    expect(existsSync(staged)).toBe(false);
  }, 60_000);

  it('is stopped by whoever asks before anything is replaced, and leaves nothing', async () => {
    const data = folder.path('data');
    const site = await open(data);
    await begin(site);
    const backup = await back(site, 'backup');
    await site.app.close(2000);
    const before = await filesBelow(data);
    for (const at of ['Verifying the backup', 'Copying it']) {
      const stop = new AbortController();
      await expect(
        restoreBackup({
          folder: backup,
          dataDir: data,
          now,
          signal: stop.signal,
          onStep: (step) => void (step === at && stop.abort(new Error(`Stopped: ${at}`))),
        }),
      ).rejects.toThrow(`Stopped: ${at}`);
      expect(readdirSync(data).filter((name) => name.startsWith('.restore'))).toEqual([]);
    }
    expect(await filesBelow(data)).toEqual(before);
  }, 60_000);

  it('keeps the folder closed until it is ended, whichever step it came to', async () => {
    const data = folder.path('data');
    const site = await open(data);
    const place = await season(site);
    const backup = await back(site, 'backup');
    const events = await site.events();
    await score(site, place, 'later', 2);
    await site.app.close(2000);
    // As a crash leaves it: the keys are in place already, log and media are not.
    const staged = join(data, '.restore-x');
    const aside = join(data, 'before-restore-x');
    mkdirSync(staged);
    mkdirSync(aside);
    for (const { path } of readManifest(backup).files) {
      if (path.startsWith('keys/')) continue;
      mkdirSync(join(staged, path, '..'), { recursive: true });
      writeFileSync(join(staged, path), readFileSync(join(backup, path)));
    }
    writeFileSync(
      join(data, 'restore.json'),
      JSON.stringify({ staged: '.restore-x', aside: 'before-restore-x', names: ['documents', 'event-log.sqlite', 'keys', 'media', 'person-keys.made'] }),
    );
    expect(() => expectNothingUnfinished({ dataDir: data, store: { kind: 'sqlite' } })).toThrow('has not ended');
    await expect(openSite({ store: { kind: 'sqlite' }, dataDir: data })).rejects.toThrow('has not ended');
    const second = join(data, 'before-restore-2026-11-21T10-00-00-000Z');
    expect(await restoreBackup({ folder: backup, dataDir: data, now })).toMatchObject({ aside, cutOff: second });
    expect(() => expectNothingUnfinished({ dataDir: data, store: { kind: 'sqlite' } })).not.toThrow();
    expect([existsSync(staged), readdirSync(aside).includes('event-log.sqlite')]).toEqual([false, true]);
    const again = await open(data);
    expect(await again.events()).toBe(events);
  }, 60_000);
});

it('a drill restores, rebuilds and compares, and finds what is missing', async () => {
  const site = await open(folder.path('data'));
  const place = await season(site);
  await score(site, place, 'one', 3);
  const backup = await back(site, 'backup');
  const report = await drillBackup(backup, { now, place: folder.path('first') });
  expect([report.events, report.head]).toEqual([await site.events(), String(await site.events())]);
  expect(report.live).toBe('there is no installation on this machine');
  // Beside the live one, at its position: what came since, also persons whose keys are not in the backup, is applied first.
  await score(site, place, 'two', 4);
  const live = site.config;
  await registeredTeam(site, 'Newcomers', 1);
  await site.opened.store.reads.waitFor(BigInt(await site.events()), 30_000);
  const compared = await drillBackup(backup, { now, place: folder.path('compared'), live });
  expect(compared.live).toMatchObject({ position: String(await site.events()) });
  expect(compared.readModel).toBe(report.readModel);
  const database = new Database(join(live.dataDir, liveReadModel(live.dataDir)), { timeout: 5000 });
  database.exec('UPDATE stat_lines SET points = 9 WHERE points = 7');
  database.close();
  await expect(drillBackup(backup, { now, place: folder.path('different'), live })).rejects.toThrow(/NOT the live one\.\n(?:.*\n)*.*9 -> 7/);
  const stranger = await open(folder.path('other'));
  await begin(stranger);
  expect((await drillBackup(backup, { now, place: folder.path('elsewhere'), live: stranger.config })).live).toBe(
    'the installation that it was made of is not on this machine',
  );
  // A photo that the manifest does not know of: the backup is whole by its hashes, and yet not what the facts need.
  const manifest = readManifest(backup);
  const photos = manifest.files.filter(({ path }) => path.startsWith('media/') && !path.includes('-card'));
  for (const { path } of photos) rmSync(join(backup, path));
  writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, files: manifest.files.filter((file) => !photos.includes(file)) }));
  await expect(drillBackup(backup, { now, place: folder.path('second') })).rejects.toThrow('is missing from the backup');
}, 60_000);

it('a backup inside what is backed up, elsewhere in DATA_DIR or inside another backup is refused', async () => {
  const from = await openSite({ store: { kind: 'sqlite' } });
  try {
    const { dataDir } = from.config;
    const refused = async (to: string, backups?: string): Promise<string> => {
      try {
        await makeBackup({ dataDir, kind: 'sqlite', store: from.opened.store, backups, now }, to);
      } catch (error) {
        if (existsSync(to) || existsSync(`${to}.partial`) || !(error instanceof BackupDamaged)) throw error;
        return error.message;
      }
      return 'made';
    };
    for (const name of ['keys/x', 'media/x', 'documents/x'])
      expect(await refused(join(dataDir, name))).toBe(`${join(dataDir, name)} is inside a folder that is backed up`);
    const [plain, link] = [join(dataDir, 'x1'), folder.path('link')];
    symlinkSync(dataDir, link);
    expect([await refused(plain), await refused(join(link, 'x1')), await refused(join(dataDir, 'before-restore-2026', 'x'))]).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining(`is inside DATA_DIR: a backup there is looked after only in ${join(dataDir, 'backups')}`)),
    );
    expect(await refused(join(dataDir, 'backups'))).toBe(
      `${join(dataDir, 'backups')} is the folder in which the server keeps its backups: name a new one in it`,
    );
    expect(await refused(join(dataDir, 'backups', 'x'), folder.path('elsewhere'))).toContain('is inside DATA_DIR');

    // Nor in another backup, wherever that is: it would not be what its manifest says any more.
    const [own, other] = [join(dataDir, 'backups', 'one'), folder.path('other')];
    expect([await refused(own), await refused(other)]).toEqual(['made', 'made']);
    for (const [to, within] of [
      [join(own, 'media', 'x'), own],
      [join(other, 'inner'), other],
      [join(other, 'a', 'b'), other],
    ] as const)
      expect(await refused(to)).toBe(`${to} is inside the backup ${within}, which would not be what it was`);
    expect([(await verifyBackup(own)).files.length, (await verifyBackup(other)).files.length].every((files) => files > 0)).toBe(true);
    writeFileSync(join(other, 'manifest.json'), 'cut of');
    expect(await refused(join(other, 'inner'))).toContain('is inside the backup');
    // A manifest of something else is none.
    mkdirSync(folder.path('site'));
    writeFileSync(folder.path('site/manifest.json'), '{"name":"A web page"}');
    expect(await refused(folder.path('site/backup'))).toBe('made');
  } finally {
    await from.close();
  }
});
