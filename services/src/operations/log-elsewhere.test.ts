import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import type { Config } from '../platform/config.ts';
import { openSite, registeredTeam, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { openOperationsState } from './operations-state.ts';
import { OperatorError } from './operator-error.ts';
import type { Verb } from './verb.ts';
import { exportVerb } from './verbs/export.verb.ts';
import { importVerb } from './verbs/import.verb.ts';
import { newKey } from './verbs/new-key.verb.ts';

/** EVENTSTORE_URL was forgotten. */

const folder = siteFolder();
const open = async (store: Config['store']): Promise<Site> => folder.keep(await openSite({ store, dataDir: folder.path('data') }, { background: false }));
const inFile = { kind: 'sqlite' } as const;
const state = () => openOperationsState(folder.path('data')).get();

it('a start and a tool without the address of the log say so, and leave no empty log and no record of damage; a log that is brought into the folder is opened', async () => {
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  const elsewhere = { kind: 'eventstoredb', url: standIn.url } as const;
  const data = folder.path('data');
  const site = await open(elsewhere);
  await registeredTeam(site, 'Butwal Bolts', 1);
  const run = async (store: Config['store'], verb: Verb, ...args: readonly string[]): Promise<number> =>
    verb.run({ config: { ...site.config, store }, terminal: { out: () => {}, note: () => {}, progress: () => {} }, interrupted: new AbortController().signal, reach: async () => Promise.reject(new Error('no server is asked')) }, args);
  const events = await site.events();
  await site.app.close(2000);
  const said = new OperatorError(`EVENTSTORE_URL is not set, and the log of ${data} was in EventStoreDB at its last start; there is none in a file. Set EVENTSTORE_URL as it was then. When the log is to be in a file from now on, "import" or "restore" brings it there.`);
  const path = join(data, 'event-log.sqlite');
  const refused = async (): Promise<void> => {
    await expect(open(inFile)).rejects.toThrow(said);
    await expect(run(inFile, exportVerb, join(data, 'out.jsonl'))).rejects.toThrow(said);
  };
  await refused();
  for (const key of ['persons.sqlite', 'email.key']) {
    const keyPath = join(data, 'keys', key);
    renameSync(keyPath, `${keyPath}.away`);
    for (const more of [[], ['--yes']]) await expect(run(inFile, newKey, key, ...more)).rejects.toThrow(said);
    expect(existsSync(keyPath)).toBe(false);
    renameSync(`${keyPath}.away`, keyPath);
  }
  expect([existsSync(path), state().damage]).toEqual([false, undefined]);
  // Left by a start of an earlier release, or of something else.
  writeFileSync(path, '');
  await refused();
  const empty = new Database(path);
  empty.exec('CREATE TABLE events (position INTEGER)');
  empty.close();
  await refused();

  const again = await open(elsewhere);
  expect([await again.events(), state().logElsewhere]).toEqual([events, true]);
  await again.app.close(2000);
  const file = join(data, 'log.jsonl');
  expect(await run(elsewhere, exportVerb, file)).toBe(0);
  const imported = new Database(path);
  imported.exec('DROP TABLE events');
  imported.close();
  expect(await run(inFile, importVerb, file)).toBe(0);
  const here = await open(inFile);
  expect([await here.events(), state().logElsewhere, state().damage]).toEqual([events, undefined, undefined]);
}, 60_000);

it('a log in a file that is lost is called so as ever', async () => {
  const site = await open(inFile);
  await registeredTeam(site, 'Butwal Bolts', 1);
  await site.app.close(2000);
  const database = new Database(join(folder.path('data'), 'event-log.sqlite'));
  database.exec('DELETE FROM events');
  database.close();
  const again = await open(inFile);
  expect([again.opened.store.refusal()?.startsWith('The event log is damaged at position 1'), state().damage?.position]).toEqual([true, '1']);
}, 60_000);
