import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { siteFolder } from '../testing/site-folder.ts';
import { season } from '../testing/site.ts';
import { verifyBackup } from './backup-manifest.ts';
import { makeBackup } from './backup.ts';
import { missingFiles, missingFilesNote } from './missing-files.ts';
import { restore } from './verbs/restore.verb.ts';

const folder = siteFolder();
const { signal } = new AbortController();

it.each(['sqlite', 'memory'] as const)('a backup (%s) of an installation that has lost pictures or documents is told by what it lacks, and stays as it is', async (kind) => {
  const data = folder.path('data');
  const site = await folder.open(data, { kind });
  await season(site);
  const back = async (name: string): Promise<string> => {
    const path = folder.path(name);
    await makeBackup({ dataDir: data, kind, store: site.opened.store, now: Date.parse('2026-11-21T10:00:00Z') }, path);
    return path;
  };
  expect(await missingFiles(await back('whole'), signal)).toEqual([]);
  // A smaller size of a picture is not what the log names.
  const lost = ['documents', 'media'].map((name) => `${name}/${readdirSync(join(data, name)).find((file) => /^[\w-]{36}$|^[\w-]{24}\.(?:jpg|png)$/.test(file)) ?? ''}`);
  for (const path of lost) rmSync(join(data, path));
  const backup = await back('lacking');
  const missing = await missingFiles(backup, signal);
  expect(missing).toEqual(lost);
  const notes: string[] = [];
  const terminal = { out: () => {}, note: (line: string) => void notes.push(line), progress: () => {} };
  const config = { ...site.config, store: { kind: 'sqlite' as const }, dataDir: folder.path('new') };
  expect(await restore.run({ config, terminal, reach: async () => Promise.reject(new Error('a server was asked')), interrupted: signal }, [backup])).toBe(0);
  expect([notes.at(-1), await missingFilesNote(folder.path('whole'), signal)]).toEqual([`2 files that the log refers to are missing from ${backup}, for example ${lost[0] ?? ''}: look for them in an older backup.`, undefined]);
  expect(await missingFilesNote(folder.path('nowhere'), signal)).toContain('is not known: ');
  // Neither more files nor others than before.
  await verifyBackup(backup);
}, 30_000);
