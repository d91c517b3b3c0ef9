import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { createAdmin, listAdmins, logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { uuidForm } from '@courtledger/contracts/kernel/ids';
import { problem } from '@courtledger/contracts/kernel/problem';
import { appointCoach, registerTeam } from '@courtledger/contracts/team/team.api';
import { createTournament, listTournaments } from '@courtledger/contracts/tournament/tournament.api';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp, type App } from '../app.ts';
import { sampleEvent } from '../event-log/testing/sample-event.ts';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import { cookieOf, loggedInAdmin, openSite, picture, superAdminPassword, tournamentForm, testConfig, type Site } from '../testing/site.ts';
import { silentLogger } from './testing/silent-logger.ts';
import { ask } from './testing/toy-gate.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  // In reverse: what was opened last goes first.
  for (const close of closers.splice(0).toReversed()) await close();
});
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'courtledger-store-'));
  closers.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
};
/** A new folder with the keys of an installation: what a further gateway is given. */
const gatewayOf = (dataDir: string): string => {
  const path = folder();
  cpSync(join(dataDir, 'keys'), join(path, 'keys'), { recursive: true });
  return path;
};
/** The same with one folder of keys for both, as gateways have that work at the same time. */
const besideGatewayOf = (dataDir: string): string => {
  const path = folder();
  symlinkSync(join(dataDir, 'keys'), join(path, 'keys'));
  return path;
};
const makeAdmin = async (site: Site, name: string): Promise<void> => {
  const { token } = await site.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
  await site.call(createAdmin, { token, json: { username: name, password: 'copper-meadow-71', email: `${name}@example.org`, phoneNumber: '9800000001' } });
};
const admins = async (site: Site): Promise<string[]> => {
  const { token } = await site.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
  return (await site.call(listAdmins, { token })).map(({ username }) => username);
};

describe('a gateway before its event store', () => {
  it('serves the whole read model that it has, is not ready, and catches up by itself once the store answers', async () => {
    const standIn = await EventStoreStandIn.start();
    closers.push(async () => standIn.close());
    const change = { dataDir: folder(), store: { kind: 'eventstoredb', url: standIn.url } } as const;
    const before = await openSite(change);
    await makeAdmin(before, 'Asha');
    await before.close();
    const other = await openSite({ store: change.store, dataDir: gatewayOf(change.dataDir) });
    await makeAdmin(other, 'Bina');
    await other.close();
    await standIn.stop();

    const site = await openSite(change);
    closers.push(async () => site.close());
    expect(await admins(site)).toEqual(['Asha']);
    const ready = await ask(site.port, 'GET', '/readyz');
    expect([ready.status, ready.json()]).toMatchObject([
      503,
      { status: 'not-ready', checks: { log: 'failing', readModel: 'ok', projections: 'ok' }, writes: false },
    ]);
    const { token } = await site.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
    expect(
      (
        await site.send(createAdmin, {
          token,
          json: { username: 'Chandra', password: 'copper-meadow-71', email: 'chandra@example.org', phoneNumber: '9800000001' },
        })
      ).status,
    ).toBe(503);
    await standIn.startAgain({ rememberIds: false });
    await expect.poll(async () => (await ask(site.port, 'GET', '/readyz')).status, { timeout: 30_000 }).toBe(200);
    expect(await admins(site)).toEqual(['Asha', 'Bina']);
  }, 60_000);

  it('says that it is starting, and answers once the store does', async () => {
    const standIn = await EventStoreStandIn.start();
    closers.push(async () => standIn.close());
    await standIn.stop();
    const asked = Promise.withResolvers<void>();
    const app: App = createApp({
      config: testConfig(folder(), { store: { kind: 'eventstoredb', url: standIn.url } }),
      logger: { ...silentLogger, warn: () => asked.resolve() },
    });
    closers.push(async () => app.close(1000));
    const port = await app.listen();
    const opening = app.open();
    await asked.promise;
    expect((await ask(port, 'GET', '/healthz')).status).toBe(200);
    const [ready, read] = [await ask(port, 'GET', '/readyz'), await ask(port, 'GET', '/api/tournaments')];
    expect([ready.status, ready.json()]).toEqual([
      503,
      {
        status: 'not-ready',
        checks: { log: 'failing', readModel: 'failing', projections: 'failing' },
        writes: false,
        reason: 'The server is starting: the event log does not answer',
      },
    ]);
    expect([read.status, read.headers['retry-after'], read.headers['content-type']]).toEqual([503, '2', 'application/problem+json; charset=utf-8']);
    expect(problem.parse(read.json()).instance).toMatch(uuidForm);
    await standIn.startAgain({ rememberIds: false });
    await opening;
    expect((await ask(port, 'GET', '/readyz')).status).toBe(200);
    expect((await ask(port, 'GET', '/api/tournaments')).json()).toEqual({ allTournaments: [], upcomingTournaments: [] });
  });

  it('can be stopped while it waits', async () => {
    const standIn = await EventStoreStandIn.start();
    closers.push(async () => standIn.close());
    await standIn.stop();
    const asked = Promise.withResolvers<void>();
    const app = createApp({
      config: testConfig(folder(), { store: { kind: 'eventstoredb', url: standIn.url } }),
      logger: { ...silentLogger, warn: () => asked.resolve() },
    });
    await app.listen();
    const outcome = app.open().then(
      () => 'opened',
      (error: unknown) => (error instanceof Error ? error.name : 'failed'),
    );
    await asked.promise;
    await app.close(1000);
    expect(await outcome).toBe('AbortError');
  });

  it('opens nothing any more when it is stopped while the store is silent, with a read model that it could serve', async () => {
    const standIn = await EventStoreStandIn.start();
    closers.push(async () => standIn.close());
    const config = testConfig(folder(), { store: { kind: 'eventstoredb', url: standIn.url } });
    const before = await openSite(config);
    await makeAdmin(before, 'Asha');
    await before.close();
    // Whoever is connected from now on is the start that is stopped.
    standIn.cutConnections();
    await expect.poll(() => standIn.connections).toBe(0);
    standIn.silence();
    const app = createApp({ config, logger: silentLogger });
    const outcome = app.open().then(
      () => 'opened',
      (error: unknown) => (error instanceof Error ? error.message : 'failed'),
    );
    await expect.poll(() => standIn.connections).toBe(1);
    await app.close(1000);
    expect(await outcome).toBe('The server was stopped');
  }, 60_000);
});

describe('a gateway that loses its event store', () => {
  it('is not ready from then on, answers reads, and is ready again when the store is back', async () => {
    const standIn = await EventStoreStandIn.start();
    closers.push(async () => standIn.close());
    let lost = Promise.withResolvers<void>();
    const app: App = createApp({
      config: testConfig(folder(), { store: { kind: 'eventstoredb', url: standIn.url } }),
      logger: { ...silentLogger, warn: () => lost.resolve() },
    });
    closers.push(async () => app.close(1000));
    const port = await app.listen();
    const { store } = await app.open();
    expect((await ask(port, 'GET', '/readyz')).status).toBe(200);
    await standIn.stop();
    for (let ready = 200; ready === 200; ready = (await ask(port, 'GET', '/readyz')).status) {
      await lost.promise;
      lost = Promise.withResolvers();
    }
    expect((await ask(port, 'GET', '/readyz')).json()).toEqual({
      status: 'not-ready',
      checks: { log: 'failing', readModel: 'ok', projections: 'ok' },
      writes: false,
      reason: 'The event log does not answer: no connection can be made (ECONNREFUSED)',
    });
    expect((await ask(port, 'GET', '/api/tournaments')).status).toBe(200);
    expect((await ask(port, 'GET', '/metrics')).text).toMatch(/^courtledger_ready 0$/m);
    await standIn.startAgain({ rememberIds: false });
    await store.log.append('probe-1', 'any', [sampleEvent()]);
    expect((await ask(port, 'GET', '/readyz')).status).toBe(200);
  });
});

describe('two gateways on one event store', () => {
  it('show each other’s writes', async () => {
    const standIn = await EventStoreStandIn.start();
    closers.push(async () => standIn.close());
    const store = { kind: 'eventstoredb', url: standIn.url } as const;
    const first = await openSite({ store });
    closers.push(first.close);
    await makeAdmin(first, 'asha');
    const second = await openSite({ store, dataDir: gatewayOf(first.config.dataDir) });
    closers.push(second.close);
    expect(await admins(second)).toEqual(['asha']);
    const { token } = await second.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
    const made = await second.send(createAdmin, {
      token,
      json: { username: 'bina', password: 'copper-meadow-71', email: 'bina@example.org', phoneNumber: '9800000001' },
    });
    const position = String(made.headers['x-commit-position']);
    const { token: firstToken } = await first.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
    const seen = await first.call(listAdmins, { token: firstToken, headers: { 'x-min-position': position } });
    expect(seen.map(({ username }) => username)).toEqual(['asha', 'bina']);
  });
});

describe('a gateway that has not read what another one has recorded', () => {
  it('goes on with a registration that was begun there', async () => {
    const standIn = await EventStoreStandIn.start();
    closers.push(async () => standIn.close());
    const store = { kind: 'eventstoredb', url: standIn.url } as const;
    const first = await openSite({ store });
    closers.push(first.close);
    const second = await openSite({ store, dataDir: besideGatewayOf(first.config.dataDir) });
    closers.push(second.close);
    standIn.faults.withholdLive = true;
    const begun = await first.send(registerTeam, { form: { name: 'Lynx', origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: await picture() } });
    const { _id: teamId } = registerTeam.response.parse(begun.json());
    expect(second.opened.store.reads.position()).toBe(0n);
    const coach = { teamId, coachname: 'Bikash Gurung', coachphoneNumber: '9822222222', contact_number_2: '9833333333', coachImage: await picture() };
    const [team, stranger] = [
      await second.call(appointCoach, { cookie: cookieOf(begun), form: coach }),
      await second.send(appointCoach, { cookie: cookieOf(begun).replace(/.$/, '~'), form: coach }),
    ];
    expect([team.coach.name, stranger.status]).toEqual(['Bikash Gurung', 401]);
  });

  it('does not say that its read model is up to date when that cannot move', async () => {
    const standIn = await EventStoreStandIn.start();
    closers.push(async () => standIn.close());
    const store = { kind: 'eventstoredb', url: standIn.url } as const;
    const first = await openSite({ store });
    closers.push(first.close);
    const second = await openSite({ store, dataDir: gatewayOf(first.config.dataDir) });
    closers.push(second.close);
    const database = new Database(join(second.config.dataDir, 'read-model-1.sqlite'), { timeout: 5000 });
    database.exec("CREATE TRIGGER stuck BEFORE UPDATE ON checkpoint BEGIN SELECT raise(ABORT, 'stuck'); END");
    database.close();
    await makeAdmin(first, 'asha');
    await expect.poll(() => second.opened.store.projected().error).toBe('stuck');
    const { head, reads } = second.opened.store;
    expect([reads.position(), head()]).toEqual([0n, (await first.opened.store.log.readAll('start', 1))[0]?.position]);
    expect((await ask(second.port, 'GET', '/metrics')).text).toMatch(new RegExp(`^courtledger_read_model_lag ${head().toString()}$`, 'm'));
  });
});

describe('a restart of the log worker', () => {
  it('that sets a damaged read model aside is followed by what is read, at once and from then on', async () => {
    const workers: Worker[] = [];
    const note = (worker: Worker): void => void workers.push(worker);
    process.on('worker', note);
    closers.push(() => process.off('worker', note));
    const site = await openSite({ store: { kind: 'sqlite' }, dataDir: folder() }, { background: false });
    closers.push(site.close);
    await makeAdmin(site, 'asha');
    // Damage that the next opening finds, and that is read until then. The answer stands ready before.
    const database = new Database(join(site.config.dataDir, 'read-model-1.sqlite'), { timeout: 5000 });
    database.exec("UPDATE admins SET answer = replace(answer, 'asha', 'nobody'); UPDATE read_model SET value = 'damaged' WHERE key = 'version'");
    database.close();
    expect(await admins(site)).toEqual(['nobody']);
    const switched = Promise.withResolvers<void>();
    site.opened.store.onSwitched(switched.resolve);
    await workers[0]?.terminate();
    await switched.promise;
    expect((await site.opened.store.projector('report', undefined)).state).toBe('outdated');
    expect(await admins(site)).toEqual(['asha']);
    await makeAdmin(site, 'bina');
    expect(await admins(site)).toEqual(['asha', 'bina']);
  }, 30_000);
});

describe.each(['memory', 'sqlite'] as const)('an event that cannot be read, on %s', (kind) => {
  it('stops its own stream and nothing else, and is seen', async () => {
    const warned: unknown[] = [];
    const site = await openSite({ store: { kind } }, { logger: { ...silentLogger, warn: (event, fields) => void warned.push([event, fields?.count]) } });
    closers.push(site.close);
    await makeAdmin(site, 'asha');
    const metadata = {
      commandId: 'c',
      correlationId: 'c',
      causationId: 'c',
      actor: { role: 'system', id: 's', name: 's' },
      time: '2026-11-21T00:00:00.000Z',
      schemaVersion: 1,
    } as const;
    const { store } = site.opened;
    await store.log.append('tournament-x', 'no-stream', [{ id: '01900000-0000-7000-8000-000000000001', type: 'FactOfTheFuture', data: {}, metadata }]);
    const { position } = await store.log.append('tournament-y', 'no-stream', [
      { id: '01900000-0000-7000-8000-000000000002', type: 'TournamentCreated', data: {}, metadata: { ...metadata, schemaVersion: 99 } },
    ]);
    expect(await store.reads.waitFor(position, 10_000)).toBe(true);
    expect(store.projected().parked).toBe(2);
    expect(warned.at(-1)).toEqual(['streams are parked: facts could not be projected', 2]);
    expect((await store.projector('parked', undefined)).map(({ stream }) => stream)).toEqual(['tournament-x', 'tournament-y']);
    await makeAdmin(site, 'bina');
    expect(await admins(site)).toEqual(['asha', 'bina']);
    const ready = await ask(site.port, 'GET', '/readyz');
    expect([ready.status, ready.json()]).toEqual([
      200,
      { status: 'ready', checks: { log: 'ok', readModel: 'ok', projections: 'failing' }, writes: true, reason: null },
    ]);
    const metrics = (await ask(site.port, 'GET', '/metrics')).text
      .split('\n')
      .filter((line) => /^courtledger_(?:parked_stream_events|read_model_lag_(?:seconds|events)|projections_info)/.test(line));
    expect(metrics.map((line) => line.replace(/reason=".+"/, 'reason="…"').replace(/version="[^"]+"/, 'version="…"'))).toEqual([
      'courtledger_read_model_lag_seconds 0',
      'courtledger_read_model_lag_events 0',
      'courtledger_projections_info{version="…"} 1',
      'courtledger_parked_stream_events{stream="tournament-x",type="FactOfTheFuture",reason="…"} 1',
      'courtledger_parked_stream_events{stream="tournament-y",type="TournamentCreated",reason="…"} 1',
    ]);
    // Nothing is fixed yet: they stay parked.
    expect(await store.projector('replay-parked', undefined)).toEqual({ replayed: 0, parked: 2 });
  });
});

it('answers that were made while a stream was parked are made anew once it is replayed, though the position stays', async () => {
  const site = await openSite({ store: { kind: 'memory' } }, { background: false });
  closers.push(site.close);
  const changed = (sql: string): void => {
    const database = new Database(join(site.config.dataDir, 'read-model-1.sqlite'), { timeout: 5000 });
    database.exec(sql);
    database.close();
  };
  const { token } = await loggedInAdmin(site);
  changed("CREATE TRIGGER unknown BEFORE INSERT ON tournaments BEGIN SELECT raise(ABORT, 'unknown'); END");
  await site.call(createTournament, { token, form: await tournamentForm('Winter League') });
  const names = async (): Promise<readonly string[]> => (await site.call(listTournaments)).allTournaments.map(({ name }) => name);
  expect([site.opened.store.projected().parked, await names()]).toEqual([1, []]);
  changed('DROP TRIGGER unknown');
  expect(await site.opened.store.projector('replay-parked', undefined)).toEqual({ replayed: 1, parked: 0 });
  expect(await names()).toEqual(['Winter League']);
});

it('as many commands wait for a log in a file as were asked for, and no fewer appends than ever', async () => {
  for (const writeQueue of [2300, 1]) {
    const site = await openSite({ store: { kind: 'sqlite' }, dataDir: folder(), writeQueue });
    closers.push(async () => site.close());
    const outcomes = await Promise.allSettled(
      Array.from({ length: Math.max(writeQueue, 2000) }, async (_, index) =>
        site.opened.store.log.append(`probe-${String(index)}`, 'no-stream', [sampleEvent()]),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  }
}, 60_000);
