import { randomUUID } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import { getOperationsStatus, startRebuild } from '@courtledger/contracts/operations/operations.api';
import { registerTeam } from '@courtledger/contracts/team/team.api';
import { expect, it, onTestFinished } from 'vitest';
import { EventStoreStandIn } from './event-log/testing/eventstoredb-stand-in.ts';
import { createFileUpkeep, referencesVersion, type References } from './file-upkeep.ts';
import { createHousekeeping } from './housekeeping.ts';
import { openOperationsState } from './operations/operations-state.ts';
import { createCommandHandler } from './platform/command-handler.ts';
import { openDocumentStore } from './platform/documents.ts';
import { createEventIds } from './platform/event-ids.ts';
import { unfinishedVersion } from './platform/half-finished.ts';
import { foldPath, keepFold } from './platform/kept-fold.ts';
import { serverKey } from './platform/key-file.ts';
import { openMediaStore } from './platform/media.ts';
import { openPersonVault } from './platform/person-vault.ts';
import { ask } from './platform/testing/toy-gate.ts';
import { openSite, picture, season, type Site } from './testing/site.ts';
import { siteFolder } from './testing/site-folder.ts';

/** Another program writes into the same EventStoreDB: nothing stops for it. */

const folder = siteFolder();
const day = 24 * 3600 * 1000;

type Shared = { readonly open: () => Promise<Site>; readonly write: (stream: string, type: string, metadata: object) => void };
const shared = async (): Promise<Shared> => {
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  return {
    open: async () => folder.keep(await openSite({ store: { kind: 'eventstoredb', url: standIn.url }, dataDir: folder.path('data') }, { background: false })),
    write: (stream, type, metadata) =>
      void standIn.store.append(stream, 'any', [
        { id: randomUUID(), type, contentType: 'application/json', data: Buffer.from('{"total":7}'), metadata: Buffer.from(JSON.stringify(metadata)) },
      ]),
  };
};
/** Of a stream whose name no store of ours reads, too. */
const orders = ({ write }: Shared): void => {
  for (const stream of ['order-1', 'x'.repeat(201), 'orders\u0007']) write(stream, 'OrderPlaced', { user: 'a' });
};
const caughtUp = async ({ opened: { store } }: Site): Promise<void> => {
  const head = await store.log.head();
  expect(await store.reads.waitFor(head === 'start' ? 0n : head, 30_000)).toBe(true);
};
const readiness = async (site: Site): Promise<readonly [number, unknown]> => {
  const reply = await ask(site.port, 'GET', '/readyz');
  return [reply.status, readyAnswer.parse(reply.json()).checks['projections']];
};

it('is ready, verifies and rebuilds beside them, and knows its read model again at the next start', async () => {
  const place = await shared();
  // What comes first tells one log from another.
  orders(place);
  const site = await place.open();
  const { superToken } = await season(site);
  orders(place);
  await caughtUp(site);
  const rebuilt = async (json: object): Promise<unknown> => {
    await site.call(startRebuild, { token: superToken, json });
    const job = await site.opened.operations.jobs.ended();
    return [job?.state, job?.error];
  };
  expect([
    await readiness(site),
    await rebuilt({ verifyOnly: true }),
    await rebuilt({}),
    (await site.call(getOperationsStatus, { token: superToken })).readModel.parked,
  ]).toEqual([[200, 'ok'], ['equal', null], ['switched', null], []]);
  await site.app.close(2000);
  const again = await place.open();
  expect([await again.opened.store.projector('report', undefined), await readiness(again)]).toEqual([
    { file: 'read-model-2.sqlite', state: 'good', setAside: undefined, ofOtherLog: [], rebuilt: 0, rebuildFailure: undefined },
    [200, 'ok'],
  ]);
}, 60_000);

it('notes which keys are its own, however much stands before its first fact', async () => {
  const place = await shared();
  for (let written = 0; written < 600; written += 1) place.write('order-1', 'OrderPlaced', { user: 'a' });
  const site = await place.open();
  await season(site);
  const first = (await site.opened.store.log.readAll('start', 1000)).find(({ type }) => type === 'AdminCreated');
  await site.app.close(2000);
  const { keys } = openOperationsState(site.config.dataDir).get();
  expect([keys?.log, Object.keys(keys?.fingerprints ?? {})]).toEqual([first?.stream, ['email.key', 'season.pem', 'address.key']]);
}, 60_000);

it('closes abandoned registrations, frees their people, removes orphans, and keeps what it has read', async () => {
  const place = await shared();
  orders(place);
  const site = await place.open();
  await season(site);
  const { dataDir } = site.config;
  const before = readdirSync(join(dataDir, 'media'));
  const abandoned = await site.send(registerTeam, { form: { name: 'Ilam Owls', origin: 'Ilam', teamPrimaryNumber: '9811111119', logo: await picture() } });
  expect(abandoned.status).toBe(201);
  orders(place);
  await caughtUp(site);
  const orphan = join(dataDir, 'media', `${'A'.repeat(24)}.png`);
  writeFileSync(orphan, 'a picture');
  let now = Date.now();
  utimesSync(orphan, new Date(now), new Date(now));
  const { log, reads, reader } = site.opened.store;
  const clock = { now: () => now, monotonic: () => performance.now() };
  const newId = createEventIds(clock);
  const vault = openPersonVault(dataDir);
  onTestFinished(() => vault.close());
  const failures: unknown[] = [];
  const deps = {
    log,
    commands: createCommandHandler({ log, projection: reads, newId, soleWriter: false }),
    vault,
    clock,
    newId,
    reader,
    documents: await openDocumentStore(dataDir, vault),
    failed: (error: unknown) => void failures.push(error),
    isWhole: () => true,
  };
  const housekeeping = createHousekeeping({
    ...deps,
    emailKey: serverKey(dataDir, 'email'),
    kept: keepFold(foldPath(dataDir, 'half-finished'), unfinishedVersion, log),
  });
  const upkeep = createFileUpkeep({
    ...deps,
    media: await openMediaStore(dataDir),
    kept: keepFold(foldPath(dataDir, 'file-references'), referencesVersion, log),
  });
  const run = async () => [await housekeeping.run(), await upkeep.run()];
  await run();
  now += 2 * day;
  const nothing = { entries: 0, registrations: 0, persons: 0, emails: 0 };
  // The orphan, and the logo of the registration in its two sizes.
  expect([await run(), readdirSync(join(dataDir, 'media')), failures]).toEqual([
    [
      { ...nothing, registrations: 1, persons: 1 },
      { documents: 0, orphans: 3 },
    ],
    before,
    [],
  ]);
  const fact = (await log.readAll('start', 100)).find(({ version }) => version > 0);
  const [halves, references] = [
    await keepFold(foldPath(dataDir, 'half-finished'), unfinishedVersion, log).load(),
    await keepFold<References>(foldPath(dataDir, 'file-references'), referencesVersion, log).load(),
  ];
  // The log is as old as its first fact.
  expect([halves !== undefined, references?.state.since]).toEqual([true, Date.parse(fact?.time ?? '')]);
}, 60_000);

it('parks what may be a fact all the same: an unknown type in a stream of ours, or with our metadata', async () => {
  const place = await shared();
  const site = await place.open();
  const { superToken, matchId } = await season(site);
  const metadata = (await site.opened.store.log.readStream(`match-${matchId}`))?.[0]?.metadata ?? {};
  place.write(`match-${matchId}`, 'OrderPlaced', { user: 'a' });
  place.write('order-1', 'OrderPlaced', metadata);
  orders(place);
  await caughtUp(site);
  const { parked } = (await site.call(getOperationsStatus, { token: superToken })).readModel;
  expect(parked.map(({ stream }) => stream).toSorted()).toEqual([`match-${matchId}`, 'order-1']);
  expect(await readiness(site)).toEqual([200, 'failing']);
}, 60_000);
