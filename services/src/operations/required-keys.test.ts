/* oxlint-disable no-await-in-loop -- one key after another */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createAdmin } from '@courtledger/contracts/admin/admin.api';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openSqliteEventLog } from '../event-log/sqlite-event-log.ts';
import { KeyRefused } from '../platform/key-file.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { ask } from '../platform/testing/toy-gate.ts';
import { season, testConfig } from '../testing/site.ts';
import { tellable } from './expected-errors.ts';
import { exportLog, importLog } from './log-lines.ts';
import { missingKeys, requiredKeys } from './required-keys.ts';
import { importVerb } from './verbs/import.verb.ts';
import { newKey } from './verbs/new-key.verb.ts';

const folder = siteFolder();
const { open } = folder;
const refusalOf = async (dataDir: string): Promise<unknown> => open(dataDir).then(() => undefined, (error: unknown) => error);
const run = async (verb: typeof newKey, args: readonly string[], dataDir: string): Promise<readonly [code: number, lines: readonly string[]]> => {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const code = await verb.run({ config: testConfig(dataDir, { store: { kind: 'sqlite' } }), terminal: { out: say, note: say, progress: () => {} }, reach: async () => Promise.reject(new Error('not needed')), interrupted: new AbortController().signal }, args);
  return [code, lines];
};

it('a start refuses to make a key that the log needs, says which and what to do, and goes on when it is back or was made on purpose', async () => {
  const data = folder.path('data');
  const site = await open(data);
  const { superToken } = await season(site);
  await site.app.close(2000);
  for (const { file } of requiredKeys) {
    const path = join(data, 'keys', file);
    renameSync(path, `${path}.away`);
    const refusal = await refusalOf(data);
    expect([file, refusal instanceof KeyRefused, tellable(refusal)?.includes(path), existsSync(path)]).toEqual([file, true, true, false]);
    renameSync(`${path}.away`, path);
  }
  rmSync(join(data, 'keys', 'season.pem'));
  expect([(await run(newKey, ['season.pem'], data))[0], (await run(newKey, ['season.pem', '--yes'], data))[0]]).toEqual([2, 0]);
  const key = readFileSync(join(data, 'keys', 'season.pem'), 'utf8');
  await expect(run(newKey, ['season.pem', '--yes'], data)).rejects.toThrow('is there: it is never replaced');
  const again = await open(data);
  expect(readFileSync(join(data, 'keys', 'season.pem'), 'utf8')).toBe(key);
  // The claim of an address still protects it.
  const taken = { username: 'second', password: 'copper-meadow-71', email: 'asha@example.org', phoneNumber: '9800000001' };
  const first = await again.send(createAdmin, { token: superToken, json: taken });
  expect([first.status, (await again.send(createAdmin, { token: superToken, json: { ...taken, username: 'third' } })).status].at(-1)).toBe(409);
  await again.app.close(2000);
  // Keys of persons that are lost for good: their details are gone, the site is not.
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(data, 'keys', `persons.sqlite${suffix}`), { force: true });
  expect((await run(newKey, ['persons.sqlite', '--yes'], data))[0]).toBe(0);
  expect((await ask((await open(data)).port, 'GET', '/readyz')).status).toBe(200);
});

it('a log that was just restored, and never opened for writing, says which key is missing', async () => {
  const data = folder.path('data');
  const site = await open(data);
  await season(site);
  await site.app.close(2000);
  const log = new Database(join(data, 'event-log.sqlite'));
  log.pragma('journal_mode = DELETE');
  log.close();
  rmSync(join(data, 'keys', 'email.key'));
  expect(missingKeys(data).map(({ file }) => file)).toEqual(['email.key']);
}, 60_000);

it('an empty log needs no key, and a log that was imported without its keys gets none by a start', async () => {
  const data = folder.path('data');
  const site = await open(data);
  rmSync(join(data, 'keys', 'season.pem'));
  expect(missingKeys(data)).toEqual([]);
  await season(site);
  const lines = folder.path('log.jsonl');
  await exportLog(site.opened.store.log, lines);
  await site.app.close(2000);
  const other = folder.path('other');
  const [code, said] = await run(importVerb, [lines], other);
  expect([code, said.some((line) => line.includes(join(other, 'keys', 'persons.sqlite')) && line.includes('after an import copy keys'))]).toEqual([0, true]);
  expect([tellable(await refusalOf(other))?.split('\n').length, existsSync(join(other, 'keys'))]).toEqual([7, false]);
  // Whoever accepts the loss says so for each.
  for (const { file } of requiredKeys) expect((await run(newKey, [file, '--yes'], other))[0]).toBe(0);
  expect(missingKeys(other)).toEqual([]);
  const log = openSqliteEventLog({ path: folder.path('empty.sqlite') });
  expect((await importLog(lines, log)).events).toBe(await (await open(other)).events());
  await log.close();
}, 60_000);
