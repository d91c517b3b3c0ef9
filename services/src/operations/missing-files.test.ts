import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { expect, it } from 'vitest';
import { sampleEvent } from '../event-log/testing/sample-event.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { season } from '../testing/site.ts';
import { verbContext } from '../testing/verb-context.ts';
import { verifyBackup } from './backup-manifest.ts';
import { makeBackup } from './backup.ts';
import { drillBackup } from './drill.ts';
import { missingFiles, missingFilesNote } from './missing-files.ts';
import { restore } from './verbs/restore.verb.ts';
import { statusLines } from './verbs/status.verb.ts';

const folder = siteFolder();
const { signal } = new AbortController();

it.each(['sqlite', 'memory'] as const)(
  'a backup (%s) of an installation that has lost pictures or documents is told by what it lacks, and stays as it is',
  async (kind) => {
    const data = folder.path('data');
    const site = await folder.open(data, { kind });
    await season(site);
    const back = async (name: string): Promise<string> => {
      const path = folder.path(name);
      await makeBackup({ dataDir: data, kind, store: site.opened.store, now: Date.parse('2026-11-21T10:00:00Z') }, path);
      return path;
    };
    expect(await missingFiles(await back('whole'), signal)).toEqual({ paths: [], unreadable: undefined, withoutKey: 0 });
    // A smaller size of a picture is not what the log names.
    const lost = ['documents', 'media'].map(
      (name) => `${name}/${readdirSync(join(data, name)).find((file) => /^[\w-]{36}$|^[\w-]{24}\.(?:jpg|png)$/.test(file)) ?? ''}`,
    );
    for (const path of lost) rmSync(join(data, path));
    const backup = await back('lacking');
    const missing = await missingFiles(backup, signal);
    expect(missing).toEqual({ paths: lost, unreadable: undefined, withoutKey: 0 });
    const notes: string[] = [];
    const terminal = { note: (line: string) => void notes.push(line) };
    const config = { ...site.config, store: { kind: 'sqlite' as const }, dataDir: folder.path('new') };
    expect(await restore.run(verbContext({ config, terminal, interrupted: signal }), [backup])).toBe(0);
    expect([notes.at(-1), await missingFilesNote(folder.path('whole'), signal)]).toEqual([
      `2 files that the log refers to are missing from ${backup}, for example ${lost[0] ?? ''}: look for them in an older backup.`,
      undefined,
    ]);
    expect(await missingFilesNote(folder.path('nowhere'), signal)).toContain('is not known: ');
    // Neither more files nor others than before.
    await verifyBackup(backup);
  },
  30_000,
);

it('a running server tells of files that are not there, until they are, and of nobody who was erased', async () => {
  const data = folder.path('data');
  const first = await folder.open(data);
  const {
    teams: [
      {
        players: [personId],
      },
    ],
    superToken,
  } = await season(first);
  await first.close();
  const {
    opened: { operations },
    send,
  } = await folder.open(data);
  const told = async (): Promise<string | null> => (await operations.status()).missingFiles;
  const away = folder.path('away');
  renameSync(join(data, 'media'), away);
  await expect.poll(told).toContain('files that the log refers to are missing');
  renameSync(away, join(data, 'media'));
  expect(await told()).toBe(null);
  expect((await send(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' } })).status).toBe(200);
  expect(await told()).toBe(null);
  // Of those that are left.
  const picture = `media/${readdirSync(join(data, 'media')).find((file) => /^[\w-]{24}\.(?:jpg|png)$/.test(file)) ?? ''}`;
  rmSync(join(data, picture));
  const status = await operations.status();
  expect(status.missingFiles).toBe(`1 file that the log refers to is missing from ${data}, for example ${picture}: look for it in a backup`);
  expect(statusLines(status)).toContain(`files         NOT ALL THERE: ${status.missingFiles ?? ''}`);
}, 30_000);

it('a running server tells of a folder that cannot be listed, and all the rest as ever', async () => {
  const data = folder.path('data');
  const {
    opened: { operations },
  } = await folder.open(data);
  const media = join(data, 'media');
  renameSync(media, folder.path('away'));
  writeFileSync(media, '');
  const { missingFiles: told, sizes, log } = await operations.status();
  expect([told, sizes.media, log.refusal]).toEqual([`Files that the log refers to cannot be looked for: ${media}: a part of the path is no folder`, 0, null]);
}, 30_000);

it('what no fact that can be read refers to is not known beside one that cannot: the rest is looked for all the same', async () => {
  const data = folder.path('data');
  const site = await folder.open(data);
  const {
    teams: [
      {
        players: [playerId = ''],
      },
    ],
  } = await season(site);
  const { log } = site.opened.store;
  const last = (await log.readStream(`person-${playerId}`))?.at(-1);
  // It has a key, as whoever a newer release registers.
  const vault = openPersonVault(data);
  vault.seal('someone', {});
  vault.close();
  const { position } = await log.append('person-someone', 'no-stream', [
    { ...sampleEvent(last?.data, 'PersonDetailsRecorded'), metadata: { ...sampleEvent().metadata, schemaVersion: 9 } },
  ]);
  await log.append('note-1', 'no-stream', [sampleEvent({}, 'NoteTaken')]);
  const back = async (name: string): Promise<string> => {
    const path = folder.path(name);
    await makeBackup({ dataDir: data, kind: 'sqlite', store: site.opened.store, now: Date.parse('2026-11-21T10:00:00Z') }, path);
    return path;
  };
  const unknown = (path: string): string =>
    `The fact at position ${position.toString()} of the log cannot be read by this release: whether files that it, or another one that cannot be read, refers to are missing from ${path} is not known.`;
  const whole = await back('whole');
  expect(await missingFilesNote(whole, signal)).toBe(unknown(whole));
  const picture = readdirSync(join(data, 'media')).find((file) => /^[\w-]{24}\.(?:jpg|png)$/.test(file)) ?? '';
  rmSync(join(data, 'media', picture));
  const lacking = await back('lacking');
  expect(await missingFilesNote(lacking, signal)).toBe(
    `1 file that the log refers to is missing from ${lacking}, for example media/${picture}: look for it in an older backup. ${unknown(lacking)}`,
  );
  await expect(drillBackup(whole, { now: 0, place: folder.path('drill') })).rejects.toThrow(
    `The restored log gives no read model: this release cannot read the fact at position ${position.toString()} (PersonDetailsRecorded of person-someone: This release reads PersonDetailsRecorded up to version 1, not 9). A server that has this log parks that stream and goes on with the rest.`,
  );
}, 30_000);
