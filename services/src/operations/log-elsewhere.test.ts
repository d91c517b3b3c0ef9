import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import type { Config } from '../platform/config.ts';
import { foldPath, otherLogNote } from '../platform/kept-fold.ts';
import type { Logger } from '../platform/logger.ts';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { openSite, registeredTeam, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { verbContext } from '../testing/verb-context.ts';
import { broughtTo, noteLogPlace } from './log-elsewhere.ts';
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
const runsIn =
  (site: Site) =>
  async (store: Config['store'], verb: Verb, ...args: readonly string[]): Promise<number> =>
    verb.run(verbContext({ config: { ...site.config, store } }), args);
const state = () => openOperationsState(folder.path('data')).get();

it('a start and a tool without the address of the log say so, and leave no empty log and no record of damage; a log that is brought into the folder is opened', async () => {
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  const elsewhere = { kind: 'eventstoredb', url: standIn.url } as const;
  const data = folder.path('data');
  const site = await open(elsewhere);
  await registeredTeam(site, 'Butwal Bolts', 1);
  const run = runsIn(site);
  const events = await site.events();
  await site.app.close(2000);
  const said = new OperatorError(
    `EVENTSTORE_URL is not set, and the log of ${data} was last in EventStoreDB; there is none in a file. Set EVENTSTORE_URL as it was then. When the log is to be in a file from now on, "import" or "restore" brings it there.`,
  );
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

it('a file that a move has left behind is not served for the log, until it is said that it is meant; an import says so as well', async () => {
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  const elsewhere = { kind: 'eventstoredb', url: standIn.url } as const;
  const data = folder.path('data');
  const site = await open(inFile);
  await registeredTeam(site, 'Butwal Bolts', 1);
  const own = await site.events();
  await site.app.close(2000);
  const run = runsIn(site);
  const file = join(data, 'log.jsonl');
  await run(inFile, exportVerb, file);
  expect(await run(elsewhere, importVerb, file)).toBe(0);
  const said = new OperatorError(
    `EVENTSTORE_URL is not set, and the log of ${data} was last in EventStoreDB; event-log.sqlite there has nothing of what was recorded in EventStoreDB since. Set EVENTSTORE_URL as it was then. When the log is to be in a file from now on, "import" or "restore" brings it there; when this file is to count as it is, set EVENTSTORE_URL=none.`,
  );
  // From the import on, and after the first start as well.
  await expect(open(inFile)).rejects.toThrow(said);
  // Back again, with nothing to bring, and there again.
  expect(await run(inFile, importVerb, file)).toBe(0);
  const home = await open(inFile);
  expect(await home.events()).toBe(own);
  await home.app.close(2000);
  expect(await run(elsewhere, importVerb, file)).toBe(0);
  await expect(open(inFile)).rejects.toThrow(said);
  const there = await open(elsewhere);
  await registeredTeam(there, 'Dharan Dukes', 1);
  await there.app.close(2000);
  await expect(open(inFile)).rejects.toThrow(said);
  await expect(run(inFile, exportVerb, join(data, 'other.jsonl'))).rejects.toThrow(said);
  const meant = await open({ kind: 'sqlite', isMeant: true });
  expect([state().logElsewhere, await meant.events()]).toEqual([undefined, own]);
  await meant.app.close(2000);
  expect(await (await open(inFile)).events()).toBe(own);
}, 60_000);

it('an address at which nobody has answered yet is not where the log was: without it the file is served as before', async () => {
  const data = folder.path('data');
  const site = await open(inFile);
  await registeredTeam(site, 'Butwal Bolts', 1);
  const own = await site.events();
  await site.app.close(2000);
  const mistyped = await open({ kind: 'eventstoredb', url: 'esdb://127.0.0.1:1?tls=false' });
  expect(mistyped.opened.store.refusal()).toContain('ECONNREFUSED');
  await mistyped.app.close(2000);
  const back = await open(inFile);
  expect([await back.events(), Object.keys(openOperationsState(data).get().logAddresses ?? {})]).toEqual([own, ['a file of this folder']]);
}, 60_000);

it('an address at which a folder has not been is strange for a day, and one with another log; the first of a folder is only where it brought keys along, and one to which the log was brought is not', () => {
  const data = folder.path('place');
  mkdirSync(data);
  const day = 86_400_000;
  const warned: string[] = [];
  const logger: Logger = { ...silentLogger, warn: (event) => void warned.push(event) };
  const names = new Map<string, Set<number>>();
  const note = (url: string, now: number, isOther = false, hadKeys = true): number => {
    // As a start leaves it that was killed as well.
    if (isOther) writeFileSync(otherLogNote(data), '');
    const { strangeUntil, name } = noteLogPlace({ dataDir: data, store: url === '' ? inFile : { kind: 'eventstoredb', url } }, { logger, now, hadKeys });
    names.set(name, (names.get(name) ?? new Set()).add(strangeUntil));
    return strangeUntil;
  };
  const fold = foldPath(data, 'file-references');
  const withFold = (): void => {
    mkdirSync(join(data, 'folds'), { recursive: true });
    writeFileSync(fold, 'kept');
  };
  withFold();
  expect([note('', 1000), note('', 5000), statSync(fold).size]).toEqual([1000, 1000, 4]);
  expect([note('esdb://u:secret@one:2113', 10_000), note('esdb://u:changed@one:2113', 20_000), statSync(fold).size]).toEqual([10_000 + day, 10_000 + day, 0]);
  withFold();
  // Back again: known, and as strange as ever where another log answers.
  expect([note('', 30_000), warned, statSync(fold).size]).toEqual([1000, ['the log is in a file now, and was last in EventStoreDB'], 4]);
  expect([note('', 40_000, true), note('', 50_000)]).toEqual([40_000 + day, 40_000 + day]);
  // What the read model was made of there is no reason to doubt this one.
  expect([note('esdb://one:2113', 60_000, true), note('', 70_000, true)]).toEqual([10_000 + day, 40_000 + day]);
  expect(readFileSync(join(data, 'operations.json'), 'utf8')).not.toContain('secret');
  const begin = (): void => rmSync(join(data, 'operations.json'));
  expect(existsSync(otherLogNote(data))).toBe(false);
  begin();
  expect(note('esdb://one:2113', 60_000, false, false)).toBe(60_000);
  begin();
  expect(note('esdb://one:2113', 60_000)).toBe(60_000 + day);
  openOperationsState(data).change(broughtTo('esdb://two:2113', 70_000));
  expect([note('esdb://u:secret@two:2113', 80_000), note('esdb://one:2113', 90_000)]).toEqual([70_000, 90_000 + day]);
  // The same name is never of two acquaintances: with another folder, or with another log at that address.
  expect([...names.values()].every((known) => known.size === 1)).toBe(true);
  expect([...names.keys()].join('\n')).not.toContain('secret');
});

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
