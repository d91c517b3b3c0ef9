import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { getOperationsStatus } from '@courtledger/contracts/operations/operations.api';
import { correctPlayer, getPlayer } from '@courtledger/contracts/player/player.api';
import { expect, it, onTestFinished } from 'vitest';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import { openErasureLedger, readErasures } from '../platform/erasure-ledger.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { openSite, season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';

/** A log that went back to before an erasure: the fact is recorded in it again, of persons whom it knows. */

const folder = siteFolder();
const told = async (site: Site): Promise<readonly unknown[]> =>
  (await site.opened.store.log.readAll('start', 10_000))
    .filter(({ type }) => type === 'PersonErased')
    .map(({ stream, data, metadata }) => [stream, (data as { readonly personId: string }).personId, metadata.actor.id]);
/** An erasure that ended, of somebody of whom this log never heard. */
const eraseStranger = (data: string): void => {
  const vault = openPersonVault(data);
  vault.destroy('stranger');
  vault.close();
  const ledger = openErasureLedger(data);
  ledger.begin({ personId: 'stranger', kind: 'player', reason: 'Asked for it', time: '2026-01-01T00:00:00.000Z' });
  ledger.finish('stranger');
};

it('is made up for by the start that makes the read model of an older past of EventStoreDB, once', async () => {
  const file = folder.path('store.jsonl');
  const data = folder.path('data');
  const standIn = await EventStoreStandIn.start({ file });
  onTestFinished(async () => standIn.close());
  const open = async (): Promise<Site> =>
    folder.keep(await openSite({ store: { kind: 'eventstoredb', url: standIn.url }, dataDir: data }, { background: false }));
  const first = await open();
  const { superToken, teams } = await season(first);
  const personId = teams[0].players[0] ?? '';
  const before = readFileSync(file, 'utf8');
  expect((await first.send(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' } })).json()).toEqual({
    personId,
    kind: 'player',
    already: false,
  });
  // Its fact may be projected yet or not.
  expect((await first.call(getOperationsStatus, { token: superToken })).pendingErasures).toEqual([]);
  const facts = await told(first);
  expect(facts).toMatchObject([[expect.stringMatching(/^audit-/), personId, 'root']]);
  await first.app.close(2000);
  eraseStranger(data);

  await standIn.stop();
  writeFileSync(file, before);
  await standIn.startAgain({ rememberIds: false });
  const site = await open();
  expect([
    await told(site),
    (await site.call(getPlayer, { params: { id: personId } })).name,
    (await site.call(getOperationsStatus, { token: superToken })).pendingErasures,
  ]).toEqual([facts, 'Former player', []]);
  // What the other past had may be all that is left of it.
  expect(readdirSync(data).filter((name) => name.endsWith('.other-log-1'))).toEqual(['read-model-1.sqlite.other-log-1']);
  expect((await site.send(erasePerson, { token: superToken, json: { personId, reason: 'Again' } })).json()).toEqual({
    personId,
    kind: 'player',
    already: true,
  });
  await site.app.close(2000);
  expect(await told(await open())).toEqual(facts);
}, 60_000);

it('is made up for by the start on an older file, be the read model as old or made anew', async () => {
  const data = folder.path('data');
  const log = join(data, 'event-log.sqlite');
  const first = await folder.open(data);
  const { superToken, teams, token } = await season(first);
  const personId = teams[0].players[0] ?? '';
  await first.call(correctPlayer, { token, params: { id: personId }, form: { name: 'Zyxcanary' } });
  await first.app.close(2000);
  expect(existsSync(`${log}-wal`)).toBe(false);
  copyFileSync(log, folder.path('older.sqlite'));
  copyFileSync(join(data, 'read-model-1.sqlite'), folder.path('read-model.sqlite'));
  const second = await folder.open(data);
  await second.call(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' } });
  const facts = await told(second);
  await second.app.close(2000);

  copyFileSync(folder.path('older.sqlite'), log);
  // The one shows the person, the other does not.
  for (const readModel of ['old', 'made anew']) {
    for (const name of readdirSync(data)) if (name.startsWith('read-model')) rmSync(join(data, name));
    if (readModel === 'old') copyFileSync(folder.path('read-model.sqlite'), join(data, 'read-model-1.sqlite'));
    const site = await folder.open(data);
    expect([readModel, await told(site), (await site.call(getPlayer, { params: { id: personId } })).name]).toEqual([readModel, facts, 'Former player']);
    expect(readErasures(readFileSync(join(data, 'erasures.jsonl'), 'utf8'))).toMatchObject([{ personId, finished: true }]);
    await site.app.close(2000);
    expect(readFileSync(join(data, 'read-model-1.sqlite')).includes('Zyxcanary')).toBe(false);
    copyFileSync(folder.path('older.sqlite'), log);
  }
}, 60_000);
