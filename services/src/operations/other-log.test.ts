import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import { getOperationsStatus, startRebuild, switchBackReadModel } from '@courtledger/contracts/operations/operations.api';
import { getStandings } from '@courtledger/contracts/tournament/tournament.api';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { createApp, type AppOptions } from '../app.ts';
import { inUseText, LogInUse } from '../event-log/log-lock.ts';
import { LogUnavailable } from '../event-log/event-log.ts';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import type { Config } from '../platform/config.ts';
import { KeyRefused } from '../platform/key-file.ts';
import type { Logger } from '../platform/logger.ts';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { ask as get } from '../platform/testing/toy-gate.ts';
import { loggedInAdmin, openSite, season, superAdminPassword, testConfig, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { verbContext } from '../testing/verb-context.ts';
import { ask } from './ask.ts';
import { ControlRefusal } from './control-client.ts';
import { tellable } from './expected-errors.ts';
import { OperatorError } from './operator-error.ts';
import { reach } from './reach.ts';
import { requiredKeys } from './required-keys.ts';
import type { Verb } from './verb.ts';
import { exportVerb } from './verbs/export.verb.ts';
import { importVerb } from './verbs/import.verb.ts';
import { newKey } from './verbs/new-key.verb.ts';

/** A DATA_DIR and the log that belongs to it: in a file, in EventStoreDB, and from the one to the other. */

const folder = siteFolder();
const sqlite = { kind: 'sqlite' } as const;

const serve = async (): Promise<{ readonly standIn: EventStoreStandIn; readonly store: Config['store'] }> => {
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  return { standIn, store: { kind: 'eventstoredb', url: standIn.url } };
};
const open = async (dataDir: string, store: Config['store'], more: Partial<AppOptions> = {}): Promise<Site> =>
  folder.keep(await openSite({ store, dataDir }, { background: false, ...more }));
const run = async (verb: Verb, dataDir: string, store: Config['store'], ...args: string[]): Promise<readonly [code: number, said: string]> => {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const code = await verb.run(verbContext({ config: testConfig(dataDir, { store }), terminal: { out: say, note: say } }), args);
  return [code, lines.join('\n')];
};
/** A season in a file, closed, and the same in EventStoreDB, brought there by export and import. */
const moved = async (
  dataDir: string,
  store: Config['store'],
): Promise<{ readonly tournamentId: string; readonly superToken: string; readonly standings: unknown; readonly said: string }> => {
  const site = await open(dataDir, sqlite);
  const { tournamentId, superToken } = await season(site);
  const standings = await site.call(getStandings, { params: { id: tournamentId } });
  // A switch-back target of this log as well.
  await site.call(startRebuild, { token: superToken, json: {} });
  expect((await site.opened.operations.jobs.ended())?.state).toBe('switched');
  await site.app.close(2000);
  const lines = folder.path('log.jsonl');
  await run(exportVerb, dataDir, sqlite, lines);
  const [code, said] = await run(importVerb, folder.path('empty'), store, lines);
  expect(code).toBe(0);
  return { tournamentId, superToken, standings, said };
};
const heard = (): { readonly logger: Logger; readonly warned: string[] } => {
  const warned: string[] = [];
  return { warned, logger: { ...silentLogger, warn: (event, fields) => void warned.push(`${event}: ${String(fields?.reason)}`) } };
};
const readiness = async (port: number): Promise<readonly unknown[]> => {
  const reply = await get(port, 'GET', '/readyz');
  return [reply.status, readyAnswer.parse(reply.json()).reason];
};

it('read models that were made of another log are set aside at the start, with the reason, and made anew: to EventStoreDB and back', async () => {
  const { store } = await serve();
  const data = folder.path('data');
  const { tournamentId, superToken, standings } = await moved(data, store);
  const there = heard();
  // What was folded of the log before goes first: an older copy of it would fit.
  const folds = () => ['file-references', 'half-finished'].map((name) => statSync(join(data, 'folds', name), { throwIfNoEntry: false })?.size === 0);
  const foldsThen: unknown[] = [folds()];
  const site = await open(data, store, {
    logger: {
      ...there.logger,
      warn: (event, fields) => {
        there.logger.warn(event, fields);
        foldsThen.push(folds());
      },
    },
  });
  expect(foldsThen).toEqual([
    [false, false],
    [true, true],
    [true, true],
  ]);
  expect([await readiness(site.port), await site.call(getStandings, { params: { id: tournamentId } })]).toEqual([[200, null], standings]);
  expect(there.warned.filter((line) => line.includes('another log'))).toEqual(
    [1, 2].map((number) =>
      expect.stringMatching(
        new RegExp(`^a read model was set aside: read-model-${String(number)}\\.sqlite was made of another log: the log begins with other facts`),
      ),
    ),
  );
  expect((await site.call(getOperationsStatus, { token: superToken })).setAside).toEqual([
    'read-model-1.sqlite.other-log-1',
    'read-model-2.sqlite.other-log-1',
  ]);
  expect((await site.refused(switchBackReadModel, { token: superToken, json: {} })).message).toBe('There is no earlier read model to switch back to');
  await site.app.close(2000);

  const back = heard();
  const home = await open(data, { kind: 'sqlite', isMeant: true }, { logger: back.logger });
  // Not a damaged log: the one that the read model in between was made of is longer, and another one.
  expect([
    await readiness(home.port),
    await home.call(getStandings, { params: { id: tournamentId } }),
    back.warned.filter((line) => line.includes('another log')).length,
  ]).toEqual([[200, null], standings, 1]);
  await home.app.close(2000);
  const again = heard();
  await open(data, sqlite, { logger: again.logger });
  expect(again.warned.filter((line) => line.includes('set aside'))).toEqual([]);
}, 120_000);

it('a first fact that was changed in the file is a damaged log and not another one: the read model stays', async () => {
  const data = folder.path('data');
  const site = await open(data, sqlite);
  await season(site);
  await site.app.close(2000);
  const database = new Database(join(data, 'event-log.sqlite'));
  expect(database.prepare('UPDATE events SET metadata = replace(metadata, \'"time":"20\', \'"time":"19\') WHERE position = 1').run().changes).toBe(1);
  database.close();
  const damaged = await open(data, sqlite);
  const report = await damaged.opened.store.projector('report', undefined);
  expect([report.state, report.ofOtherLog, await readiness(damaged.port)]).toEqual(['good', [], [503, 'The log is damaged at position 1']]);
}, 60_000);

it('a read model that is served while its event store is away, and turns out to be another log’s, ends the process with the reason', async () => {
  const { standIn, store } = await serve();
  const data = folder.path('data');
  const { tournamentId, standings } = await moved(data, store);
  await standIn.stop();
  const fatal = Promise.withResolvers<Error>();
  const site = await open(data, store, { onFatal: fatal.resolve });
  expect(await site.call(getStandings, { params: { id: tournamentId } })).toEqual(standings);
  await standIn.startAgain({ rememberIds: false });
  expect((await fatal.promise).message).toMatch(/^read-model-2\.sqlite was made of another log than the one that answers: the log begins with other facts/);
  expect((await readiness(site.port))[0]).toBe(503);
}, 60_000);

it('a start makes no key that a log in EventStoreDB needs: it is told by the log, else by the read model, and waits where neither tells', async () => {
  const { standIn, store } = await serve();
  const data = folder.path('data');
  const { said } = await moved(data, store);
  const empty = folder.path('empty');
  // The import says so already, and so does every verb that would open the product.
  for (const { file } of requiredKeys) expect(said).toContain(join(empty, 'keys', file));
  await expect(open(empty, store)).rejects.toThrow(KeyRefused);
  await expect(reach(testConfig(empty, { store }), { mustExist: true })).rejects.toThrow(/^The log in EventStoreDB needs keys that are not there/);
  expect(existsSync(join(empty, 'keys'))).toBe(false);
  await expect(reach(testConfig(folder.path('nowhere'), { store: (await serve()).store }), { mustExist: true })).rejects.toThrow(OperatorError);

  // The log is away: the read model knows enough.
  const site = await open(data, store);
  await site.app.close(2000);
  const known = folder.path('known');
  mkdirSync(known);
  for (const name of readdirSync(data)) if (name.startsWith('read-model')) cpSync(join(data, name), join(known, name));
  await standIn.stop();
  await expect(open(known, store)).rejects.toThrow(join(known, 'keys', 'persons.sqlite'));
  // And a folder that knows nothing waits, without a key, until the log tells.
  const asked = Promise.withResolvers<void>();
  const app = createApp({ config: testConfig(empty, { store }), logger: { ...silentLogger, warn: () => asked.resolve() } });
  onTestFinished(async () => app.close(1000));
  const port = await app.listen();
  const opening = app.open().then(
    () => 'opened',
    (error: unknown) => error,
  );
  await asked.promise;
  expect([await readiness(port), existsSync(join(empty, 'keys'))]).toEqual([[503, 'The server is starting: the event log does not answer'], false]);
  await standIn.startAgain({ rememberIds: false });
  expect([await opening, existsSync(join(empty, 'keys'))]).toEqual([expect.any(KeyRefused), false]);

  // The deliberate way out.
  for (const { file } of requiredKeys) expect((await run(newKey, empty, store, file, '--yes'))[0]).toBe(0);
  expect(await readiness((await open(empty, store)).port)).toEqual([200, null]);
}, 120_000);

it('a start with keys of persons of another log than the one in EventStoreDB is refused, and goes on when they were given up', async () => {
  const { store } = await serve();
  await moved(folder.path('data'), store);
  const other = folder.path('other');
  const stranger = await open(other, sqlite);
  await season(stranger);
  await stranger.app.close(2000);
  await expect(open(other, store)).rejects.toThrow(
    /^The log in EventStoreDB needs keys that are not there[^]+it is there, and knows none of the first persons[^]+new-key persons\.sqlite --yes$/,
  );
  expect((await run(newKey, other, store, 'persons.sqlite', '--yes'))[0]).toBe(0);
  const site = await open(other, store);
  expect(await readiness(site.port)).toEqual([200, null]);
}, 120_000);

it('a start with another key of e-mails than the log in EventStoreDB was kept with is refused; another gateway with the same keys is not', async () => {
  const { store } = await serve();
  const [data, gateway] = [folder.path('data'), folder.path('gateway')];
  await moved(data, store);
  const stranger = await open(folder.path('other'), sqlite);
  await stranger.app.close(2000);
  mkdirSync(gateway);
  cpSync(join(data, 'keys'), join(gateway, 'keys'), { recursive: true });
  const second = await open(gateway, store);
  await second.app.close(2000);
  for (const dataDir of [data, gateway]) {
    cpSync(join(folder.path('other'), 'keys', 'email.key'), join(dataDir, 'keys', 'email.key'));
    await expect(open(dataDir, store)).rejects.toThrow(
      /^The log in EventStoreDB needs keys that are not there[^]+email\.key \(it is there, and is not the one that this log was kept with; without that one, an address[^]+Bring the folder keys[^]+new-key email\.key --yes$/,
    );
  }
  // As where a key was made anew on the other gateway, and copied.
  expect((await run(newKey, gateway, store, 'email.key', '--yes'))[0]).toBe(0);
  expect(await readiness((await open(gateway, store)).port)).toEqual([200, null]);
}, 120_000);

it('DATA_DIR has one process also where the log is in EventStoreDB and the server still starts: operators are told what it waits for', async () => {
  const { standIn, store } = await serve();
  await standIn.stop();
  const config = testConfig(folder.path('data'), { store });
  const asked = Promise.withResolvers<void>();
  const app = createApp({ config, logger: { ...silentLogger, warn: () => asked.resolve() } });
  onTestFinished(async () => app.close(1000));
  const opening = app.open();
  await asked.promise;
  const second = createApp({ config, logger: silentLogger });
  await expect(second.open()).rejects.toThrow(LogInUse);
  await second.close(0);
  // The second one has taken nothing away from the first.
  const { client, own } = await reach(config, { mustExist: true });
  const refusal: unknown = await ask(client, getOperationsStatus).catch((error: unknown) => error);
  expect([own, refusal instanceof ControlRefusal && [refusal.status, refusal.message]]).toEqual([
    false,
    [503, expect.stringMatching(/^CourtLedger is starting: the event log does not answer \(.+\)\. Try again soon\.$/)],
  ]);
  const inUse: unknown = await run(importVerb, config.dataDir, store, import.meta.filename).catch((error: unknown) => error);
  expect([inUse instanceof LogInUse, tellable(inUse)]).toEqual([true, inUseText(config.dataDir)]);
  await standIn.startAgain({ rememberIds: false });
  await opening;
  expect((await ask(client, getOperationsStatus)).log.refusal).toBeNull();
  // A silent event store: nobody who opens the product himself waits for it.
  await app.close(1000);
  for (const name of readdirSync(config.dataDir)) if (name.startsWith('read-model')) rmSync(join(config.dataDir, name));
  await standIn.stop();
  await expect(reach(config, { mustExist: true })).rejects.toThrow(LogUnavailable);
}, 60_000);

it('a tool that opens the product says that another log answers than the read model was made of, as a server would in its log', async () => {
  const { store } = await serve();
  const data = folder.path('data');
  const site = await open(data, store);
  await loggedInAdmin(site);
  await site.app.close(2000);
  const warned: string[] = [];
  // Wrong by a letter, say: an empty one.
  const reached = await reach(testConfig(data, { store: (await serve()).store }), { mustExist: true, warn: (line) => void warned.push(line) });
  await reached.close();
  expect(warned).toEqual([
    expect.stringMatching(
      /^Warning: a read model was set aside: read-model-1\.sqlite was made of another log: the log ends at position 0, and the read model has reached \d+$/,
    ),
  ]);
}, 60_000);

it.each(['sqlite', 'eventstoredb'] as const)(
  'a backup of the log whose place an import took (%s) is not told of as one of the log that stands there; when its own is back it is',
  async (kind) => {
    const data = folder.path('data');
    const lines = folder.path('own.jsonl');
    const others = folder.path('others.jsonl');
    const watched = async (at: Config['store']): Promise<Site> =>
      folder.keep(await openSite({ store: at, dataDir: data, backups: { minutes: 15, folder: folder.path('backups') } }, { background: false }));
    const other = await open(folder.path('other'), sqlite);
    await loggedInAdmin(other);
    await other.app.close(2000);
    await run(exportVerb, folder.path('other'), sqlite, others);
    let store: Config['store'] = kind === 'sqlite' ? sqlite : (await serve()).store;
    const first = await watched(store);
    await loggedInAdmin(first);
    const { backups } = first.opened.operations;
    backups.start();
    const made = await backups.ended();
    expect(made?.state).toBe('done');
    await first.app.close(2000);
    await run(exportVerb, data, store, lines);

    const told: unknown[] = [];
    for (const file of [others, lines]) {
      for (const name of readdirSync(data)) if (name.startsWith('event-log.sqlite')) rmSync(join(data, name));
      if (kind === 'eventstoredb') ({ store } = await serve());
      await run(importVerb, data, store, file);
      const site = await watched(store);
      const { token } = await site.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
      const {
        lastBackup,
        backups: { newest, unsavedSeconds, kept },
      } = await site.call(getOperationsStatus, { token });
      told.push([lastBackup?.folder, newest?.folder, kept, unsavedSeconds === null]);
      await site.app.close(2000);
    }
    expect(told).toEqual([
      [undefined, undefined, 1, false],
      [made?.folder, made?.folder, 1, true],
    ]);
  },
  60_000,
);
