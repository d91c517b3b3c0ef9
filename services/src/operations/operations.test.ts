import { logInAdmin } from '@courtledger/contracts/admin/admin.api';
import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { recordStatIncrement, getMatch } from '@courtledger/contracts/match/match.api';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import type { ReadModelJob } from '@courtledger/contracts/operations/operations.answers';
import {
  backUp,
  cancelRebuild,
  getBackup,
  getLogEvent,
  getLogVerification,
  getOperationsStatus,
  getRebuild,
  listLogEvents,
  replayParkedStreams,
  startRebuild,
  switchBackReadModel,
  verifyLog,
} from '@courtledger/contracts/operations/operations.api';
import { listTeams } from '@courtledger/contracts/team/team.api';
import { getStandings } from '@courtledger/contracts/tournament/tournament.api';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import { dumpReadModel } from '@courtledger/projections/kernel/dump';
import { sealReadModel } from '@courtledger/projections/kernel/file-seal';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import type { Config } from '../platform/config.ts';
import { liveReadModel, readModelFiles } from '../platform/store-read-model-files.ts';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { ask } from '../platform/testing/toy-gate.ts';
import { openSite, season, type Season, type Site } from '../testing/site.ts';
import { statusLines } from './verbs/status.verb.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  // The site goes before its event store.
  for (const close of closers.splice(0).toReversed()) await close();
});

const stores: readonly { readonly name: string; readonly open: () => Promise<Config['store']> }[] = [
  { name: 'memory', open: async () => ({ kind: 'memory' }) },
  { name: 'SQLite', open: async () => ({ kind: 'sqlite' }) },
  {
    name: 'EventStoreDB (its stand-in)',
    async open() {
      const standIn = await EventStoreStandIn.start();
      closers.push(async () => standIn.close());
      return { kind: 'eventstoredb', url: standIn.url };
    },
  },
];

const open = async (store: Config['store']): Promise<{ readonly site: Site; readonly place: Season }> => {
  const site = await openSite({ store });
  closers.push(site.close);
  return { site, place: await season(site) };
};

const ended = async (site: Site): Promise<ReadModelJob> => {
  const job = await site.opened.operations.jobs.ended();
  if (job === undefined) throw new Error('No job has run');
  return job;
};
const score = async (site: Site, { matchId, token, teams }: Season, entryId: string, points: number): Promise<void> => {
  await site.call(recordStatIncrement, { token, params: { id: matchId }, json: { entryId, playerId: teams[0].players[0] ?? '', points } });
};

describe.each(stores)('on $name', ({ open: openStore }) => {
  it('a rebuild equals the live read model and takes its place; the old one can be switched back to, up to date', async () => {
    const { site, place } = await open(await openStore());
    const { superToken } = place;
    const { dataDir } = site.config;
    await score(site, place, 'one', 3);

    const begun = await site.call(startRebuild, { token: superToken, json: {} });
    expect([begun.job?.kind, begun.job?.state, begun.job?.file, begun.job?.resumed]).toEqual(['rebuild', 'running', 'read-model-2.sqlite', false]);
    const job = await ended(site);
    expect([job.state, job.phase, job.error, job.diff?.equal, liveReadModel(dataDir)]).toEqual(['switched', 'ended', null, true, 'read-model-2.sqlite']);
    expect(job.events).toBe(await site.events());
    expect((await site.call(getRebuild, { token: superToken })).job).toEqual(job);
    const status = await site.call(getOperationsStatus, { token: superToken });
    expect(status.readModel.files.map(({ file, role }) => [file, role])).toEqual([
      ['read-model-1.sqlite', 'previous'],
      ['read-model-2.sqlite', 'live'],
    ]);

    // Both answers and projection go on in the new file.
    await score(site, place, 'two', 4);
    expect((await site.call(getMatch, { params: { id: place.matchId } })).player_stats.map(({ points }) => points)).toEqual([7]);
    await site.call(switchBackReadModel, { token: superToken });
    expect([(await ended(site)).state, liveReadModel(dataDir)]).toEqual(['switched', 'read-model-1.sqlite']);
    expect((await site.call(getMatch, { params: { id: place.matchId } })).player_stats.map(({ points }) => points)).toEqual([7]);
    await score(site, place, 'three', 5);
    expect((await site.call(getMatch, { params: { id: place.matchId } })).player_stats.map(({ points }) => points)).toEqual([12]);
  }, 60_000);

  it('a verification finds what was changed by hand, says where, and leaves no file; a rebuild heals it at the same position', async () => {
    const { site, place } = await open(await openStore());
    const { superToken, tournamentId } = place;
    const { dataDir } = site.config;
    await score(site, place, 'one', 3);
    await site.call(startRebuild, { token: superToken, json: { verifyOnly: true } });
    expect([(await ended(site)).state, readModelFiles(dataDir)]).toEqual(['equal', ['read-model-1.sqlite']]);

    // An answer that is kept ready must not outlive the file that it came from.
    const whole = await site.send(getStandings, { params: { id: tournamentId } });
    const database = new Database(join(dataDir, liveReadModel(dataDir)), { timeout: 5000 });
    database.exec('UPDATE standings SET answer = replace(answer, \'"pointsFor":3\', \'"pointsFor":300\')');
    database.close();
    await site.call(startRebuild, { token: superToken, json: { verifyOnly: true } });
    const found = await ended(site);
    expect([
      found.state,
      found.diff?.tables.filter(({ differing }) => differing > 0).map(({ name, differing }) => [name, differing]),
      readModelFiles(dataDir),
    ]).toEqual(['different', [['standings', 1]], ['read-model-1.sqlite']]);
    const [sample] = found.diff?.tables.find(({ name }) => name === 'standings')?.samples ?? [];
    expect([sample?.key, sample?.live, sample?.next]).toEqual([tournamentId, '300', '3']);

    await site.call(startRebuild, { token: superToken, json: {} });
    expect([(await ended(site)).state, (await ended(site)).diff?.equal]).toEqual(['switched', false]);
    expect((await site.send(getStandings, { params: { id: tournamentId } })).text).toBe(whole.text);
  }, 60_000);

  it('tells its state, and shows events by position, stream, type, actor, match and time', async () => {
    const { site, place } = await open(await openStore());
    const { superToken, matchId } = place;
    await score(site, place, 'one', 3);
    const status = await site.call(getOperationsStatus, { token: superToken });
    const { position } = status.readModel;
    expect([status.log.head, status.log.refusal, status.readModel.lagEvents, status.readModel.parked, status.lastBackup, status.job]).toEqual([
      position,
      null,
      0,
      [],
      null,
      null,
    ]);
    // The size of a log that is elsewhere is nobody's here.
    expect([status.sizes.media > 0, status.sizes.readModels > 0, status.sizes.log === null]).toEqual([true, true, status.store !== 'sqlite']);

    const entry = await site.call(listLogEvents, { token: superToken, query: { match: matchId } });
    expect([entry.events.map(({ type }) => type), entry.next]).toEqual([['MatchAssigned', 'StatIncrementRecorded'], null]);
    const [assigned, recorded] = entry.events;
    expect([recorded?.position, recorded?.stream]).toEqual([position, `match-${matchId}`]);
    expect(await site.call(getLogEvent, { token: superToken, params: { position } })).toEqual({ ...recorded, damage: null });
    expect((await site.refused(getLogEvent, { token: superToken, params: { position: '0' } })).status).toBe(404);
    expect((await site.call(listLogEvents, { token: superToken, query: { after: assigned?.position ?? '' } })).events).toEqual([recorded]);
    expect((await site.call(listLogEvents, { token: superToken, query: { stream: `match-${matchId}`, limit: '1' } })).events).toEqual([recorded]);
    expect((await site.call(listLogEvents, { token: superToken, query: { actor: 'Asha Rai', type: 'MatchAssigned' } })).events).toEqual([assigned]);
    expect((await site.call(listLogEvents, { token: superToken, query: { since: '2199-01-01T00:00:00Z' } })).events).toEqual([]);
    // A day alone is all of it.
    const day = kathmanduDay(Date.parse((await site.call(listLogEvents, { token: superToken, query: { limit: '1' } })).events[0]?.time ?? ''));
    expect((await site.call(listLogEvents, { token: superToken, query: { since: day, until: day, limit: '1' } })).events).toHaveLength(1);
    expect(
      (await site.call(listLogEvents, { token: superToken, query: { until: kathmanduDay(Date.parse(`${day}T00:00Z`) - 24 * 3600 * 1000) } })).events,
    ).toEqual([]);
    expect((await site.refused(listLogEvents, { token: superToken, query: { since: 'soon' } })).status).toBe(400);
    // Page by page back to the first event: each once, none missing.
    const all: string[] = [];
    let before: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listPage>> = await listPage(site, superToken, before);
      all.unshift(...page.events.map((event) => event.position));
      before = page.next;
    } while (before !== null);
    expect(all).toEqual((await site.opened.store.log.readAll('start', 10_000)).map((event) => event.position.toString()));
    const text =
      JSON.stringify(await listPage(site, superToken, null)) + JSON.stringify(await site.call(listLogEvents, { token: superToken, query: { limit: '999' } }));
    expect([text.includes('$argon2'), /capabilityHash|passwordHash|sealed/.test(text)]).toEqual([false, false]);
  }, 60_000);
});

it('who may call is asked of the read model that answers: a switch at the same position counts at once', async () => {
  const { site, place } = await open({ kind: 'sqlite' });
  const { dataDir } = site.config;
  // A token that nobody has used: what was read of an account is not read again before accounts change.
  const { token } = await site.call(logInAdmin, { json: { email: 'asha@example.org', password: 'copper-meadow-71' } });
  const call = async (): Promise<number> => (await site.send(listTeams, { token })).status;
  // A damaged file has lost the account.
  const database = new Database(join(dataDir, liveReadModel(dataDir)), { timeout: 5000 });
  expect(database.prepare('DELETE FROM admins').run().changes).toBe(1);
  database.close();
  expect([await call(), await call()]).toEqual([401, 401]);
  const position = site.opened.store.reads.position();
  await site.call(startRebuild, { token: place.superToken, json: {} });
  expect((await ended(site)).state).toBe('switched');
  expect([await call(), site.opened.store.reads.position()]).toEqual([200, position]);
}, 60_000);

const listPage = async (site: Site, token: string, before: string | null) =>
  site.call(listLogEvents, { token, query: { limit: '7', ...(before !== null && { before }) } });

describe('refusals', () => {
  it('one job at a time, nothing to cancel, nothing to switch back to, no chain where the log has none', async () => {
    const { site, place } = await open({ kind: 'memory' });
    const token = place.superToken;
    expect((await site.refused(cancelRebuild, { token })).message).toBe('No rebuild is running');
    expect((await site.refused(switchBackReadModel, { token })).message).toBe('There is no earlier read model to switch back to');
    expect((await site.refused(verifyLog, { token })).status).toBe(409);
    expect((await site.refused(backUp, { token, json: { to: '/tmp/elsewhere' } })).status).toBe(403);
    await site.call(startRebuild, { token, json: {} });
    expect((await site.refused(startRebuild, { token, json: {} })).message).toBe('A rebuild of the read model is running');
    const cancelled = await site.call(cancelRebuild, { token });
    expect([cancelled.job?.state, liveReadModel(site.config.dataDir), readModelFiles(site.config.dataDir)]).toEqual([
      'cancelled',
      'read-model-1.sqlite',
      ['read-model-1.sqlite'],
    ]);
    expect(await site.call(replayParkedStreams, { token })).toEqual({ replayed: 0, parked: 0 });
  }, 30_000);
});

it('the status tells where log and read model were at one moment, whatever is recorded before it is told', async () => {
  const { site, place } = await open({ kind: 'sqlite' });
  const { store, operations } = site.opened;
  const head = store.reads.position();
  const { projector } = store;
  vi.spyOn(store, 'projector').mockImplementationOnce(async (name, argument) => {
    await score(site, place, 'meanwhile', 1);
    return projector(name, argument);
  });
  const { log, readModel } = await operations.status();
  expect([log.head, readModel.position, readModel.lagEvents, store.reads.position()]).toEqual([String(head), String(head), 0, head + 1n]);
});

it('the status is told also while the event store does not answer', async () => {
  const standIn = await EventStoreStandIn.start();
  const { site, place } = await open({ kind: 'eventstoredb', url: standIn.url });
  const { readModel } = await site.call(getOperationsStatus, { token: place.superToken });
  await standIn.close();
  const status = await site.call(getOperationsStatus, { token: place.superToken });
  expect([status.log.head, status.log.refusal, status.readModel.position]).toEqual([
    readModel.position,
    'The event log does not answer: no connection can be made (ECONNREFUSED)',
    readModel.position,
  ]);
  expect([status.readModel.lagUnknown?.reason, Number.isNaN(Date.parse(status.readModel.lagUnknown?.asOf ?? ''))]).toEqual([status.log.refusal, false]);
  // A command's own position is known before it is projected: the read model is behind that, whatever was measured before.
  const behind = vi.spyOn(site.opened.store, 'head').mockReturnValue(BigInt(readModel.position) + 1n);
  const now = await site.call(getOperationsStatus, { token: place.superToken });
  behind.mockRestore();
  expect([now.readModel.lagUnknown?.asOf, statusLines(now).find((line) => line.startsWith('read model'))]).toEqual([
    null,
    expect.stringMatching(/, how far behind is unknown, /),
  ]);
  expect((await site.send(getMatch, { params: { id: place.matchId } })).status).toBe(200);
  const unknown = await site.send(listLogEvents, { token: place.superToken, query: { stream: 'match-nowhere' } });
  expect([unknown.status, JSON.parse(unknown.text)]).toEqual([
    503,
    expect.objectContaining({ message: 'The event log does not answer: whether there is such a stream is not known now' }),
  ]);
}, 60_000);

describe('the log on SQLite', () => {
  it('is verified in the background at the start, and on demand', async () => {
    const { site, place } = await open({ kind: 'sqlite' });
    const token = place.superToken;
    await site.opened.operations.verifications.ended();
    expect((await site.call(getLogVerification, { token })).verification?.state).toBe('whole');
    await site.call(verifyLog, { token });
    const found = await site.opened.operations.verifications.ended();
    expect([found?.state, found?.events, found?.firstBreak]).toEqual(['whole', await site.events(), null]);
  }, 30_000);

  it('refuses writes after a break that a verification found, names the position, and is read on', async () => {
    const { site, place } = await open({ kind: 'sqlite' });
    const token = place.superToken;
    await site.opened.operations.verifications.ended();
    const database = new Database(join(site.config.dataDir, 'event-log.sqlite'), { timeout: 5000 });
    database.exec(
      "UPDATE events SET data = replace(data, 'Pokhara Lynx', 'Pokhara Link') WHERE position = (SELECT min(position) FROM events WHERE type = 'TeamRegistered')",
    );
    const position = String(database.prepare("SELECT min(position) FROM events WHERE type = 'TeamRegistered'").pluck().get());
    database.close();
    await site.call(verifyLog, { token });
    const found = await site.opened.operations.verifications.ended();
    expect([found?.state, found?.firstBreak]).toEqual(['broken', { position, reason: 'the data does not match its digest' }]);
    expect(
      (
        await site.refused(recordStatIncrement, {
          token: place.token,
          params: { id: place.matchId },
          json: { entryId: 'x', playerId: place.teams[0].players[0] ?? '', points: 1 },
        })
      ).status,
    ).toBe(503);
    expect((await site.send(getMatch, { params: { id: place.matchId } })).status).toBe(200);
    expect((await site.call(getOperationsStatus, { token })).log.refusal).toContain(`position ${position}`);
    // Whoever sends commands sends them elsewhere; reads go on (below).
    const ready = await ask(site.port, 'GET', '/readyz');
    expect([ready.status, readyAnswer.parse(ready.json())]).toEqual([
      503,
      {
        status: 'not-ready',
        checks: { log: 'failing', readModel: 'ok', projections: 'ok' },
        writes: false,
        reason: `The log is damaged at position ${position}`,
      },
    ]);
  }, 30_000);

  it('is backed up into a folder of the installation, and the status tells of it', async () => {
    const { site, place } = await open({ kind: 'sqlite' });
    const token = place.superToken;
    await site.call(backUp, { token, json: {} });
    const made = await site.opened.operations.backups.ended();
    expect([made?.state, made?.error, made?.events]).toEqual(['done', null, await site.events()]);
    expect((await site.call(getBackup, { token })).backup).toEqual(made);
    expect((await site.call(getOperationsStatus, { token })).lastBackup).toEqual(made);
    expect(readdirSync(join(site.config.dataDir, 'backups'))).toHaveLength(1);
    const { sizes } = await site.call(getOperationsStatus, { token });
    const { text } = await ask(site.port, 'GET', '/metrics');
    expect([
      sizes.media > 0,
      text.includes(`courtledger_size_bytes{part="media"} ${String(sizes.media)}\n`),
      text.includes(`courtledger_size_bytes{part="documents"} ${String(sizes.documents)}\n`),
    ]).toEqual([true, true, true]);
    expect(text.match(/^courtledger_(?:size_bytes\{part="\w+"\}|free_disk_bytes|read_model_events_per_second) \d+/gm)).toHaveLength(8);
  }, 30_000);
});

it('the sizes of log, read models and refusals are those of now, also just after somebody has asked', async () => {
  const { site, place } = await open({ kind: 'sqlite' });
  const { operations } = site.opened;
  const before = await operations.status();
  await score(site, place, 'one', 3);
  const { sizes } = await operations.status();
  const names = readdirSync(site.config.dataDir);
  const sumOf = (prefix: string): number =>
    names.filter((name) => name.startsWith(prefix)).reduce((sum, name) => sum + statSync(join(site.config.dataDir, name)).size, 0);
  expect({ log: sizes.log, readModels: sizes.readModels, refusals: sizes.refusals }).toEqual({
    log: sumOf('event-log.sqlite'),
    readModels: sumOf('read-model-'),
    refusals: sumOf('refusals.sqlite'),
  });
  expect(sizes.log).toBeGreaterThan(before.sizes.log ?? 0);
}, 30_000);

it('backups that the server keeps go after 30 days; others are left alone', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'courtledger-'));
  closers.push(async () => rmSync(dataDir, { recursive: true, force: true }));
  const time = { offset: 0 };
  const site = await openSite(
    { store: { kind: 'sqlite' }, dataDir },
    { clock: { now: () => Date.now() + time.offset, monotonic: () => performance.now() }, background: false },
  );
  closers.push(site.close);
  const { backups } = site.opened.operations;
  backups.start();
  const made = await backups.ended();
  mkdirSync(join(dataDir, 'backups', 'of-somebody-else'));
  mkdirSync(join(dataDir, 'backups', 'of-somebody-else.partial'));
  mkdirSync(join(dataDir, 'backups', 'auto-2026-11-21T06-25-30-000Z.partial'));
  const day = 24 * 3600 * 1000;
  time.offset = 30 * day - 60_000;
  expect(backups.prune()).toEqual(['auto-2026-11-21T06-25-30-000Z.partial']);
  time.offset = 30 * day + 60_000;
  backups.start();
  const later = await backups.ended();
  expect([made?.state, later?.state, backups.prune()]).toEqual(['done', 'done', [basename(made?.folder ?? '')]]);
  expect(readdirSync(join(dataDir, 'backups')).toSorted()).toEqual([basename(later?.folder ?? ''), 'of-somebody-else', 'of-somebody-else.partial'].toSorted());
}, 30_000);

it('of backups that were asked for the newest stays however old it is, unless somebody was erased since (S32)', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'courtledger-'));
  closers.push(async () => rmSync(dataDir, { recursive: true, force: true }));
  const time = { offset: 0 };
  const removed: unknown[] = [];
  const site = await openSite(
    { store: { kind: 'sqlite' }, dataDir },
    {
      clock: { now: () => Date.now() + time.offset, monotonic: () => performance.now() },
      background: false,
      logger: { ...silentLogger, info: (event, fields) => void (event === 'a backup was removed' && removed.push(fields?.reason)) },
    },
  );
  closers.push(site.close);
  const place = await season(site);
  const { backups } = site.opened.operations;
  const names: string[] = [];
  for (const offset of [0, 1000]) {
    time.offset = offset;
    backups.start();
    names.push(basename((await backups.ended())?.folder ?? ''));
  }
  time.offset = 31 * 24 * 3600 * 1000;
  expect([backups.prune(), backups.prune(), backups.health().kept]).toEqual([[names[0]], [], 1]);
  time.offset = 1000;
  await site.call(erasePerson, { token: place.superToken, json: { personId: place.teams[0].players[0] ?? '', reason: 'Asked for it' } });
  time.offset = 31 * 24 * 3600 * 1000;
  expect([backups.prune(), backups.health().kept, removed]).toEqual([[names[1]], 0, names]);
}, 30_000);

it('a file of other projections is set aside at the start and made anew before the site answers ready', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'courtledger-'));
  closers.push(async () => rmSync(dataDir, { recursive: true, force: true }));
  const first = await openSite({ store: { kind: 'sqlite' }, dataDir });
  const place = await season(first);
  await score(first, place, 'one', 3);
  const answer = (await first.send(getStandings, { params: { id: place.tournamentId } })).text;
  await first.app.close(2000);
  const path = join(dataDir, liveReadModel(dataDir));
  const before = dumpReadModel(path);
  const database = new Database(path);
  database.exec("UPDATE read_model SET value = 'of an earlier release' WHERE key = 'version'");
  database.close();
  // As an orderly stop of that release leaves it.
  sealReadModel(path);
  const second = await openSite({ store: { kind: 'sqlite' }, dataDir });
  closers.push(second.close);
  const report = await second.opened.store.projector('report', undefined);
  expect([report.state, report.rebuilt]).toEqual(['outdated', await second.events()]);
  expect((await second.send(getStandings, { params: { id: place.tournamentId } })).text).toBe(answer);
  await second.app.close(2000);
  expect(dumpReadModel(path)).toEqual(before);
}, 60_000);

it('a rebuild that was cut off is taken up by the next start, and the read model is the same', async () => {
  const { site, place } = await open({ kind: 'sqlite' });
  await score(site, place, 'one', 3);
  const { dataDir } = site.config;
  site.opened.operations.jobs.start(false);
  // Stopped in its midst, as a stop of the server does.
  await site.opened.operations.jobs.close();
  const before = site.opened.operations.jobs.job;
  await site.app.close(2000);
  const dump = dumpReadModel(join(dataDir, liveReadModel(dataDir)));
  const again = await openSite({ store: { kind: 'sqlite' }, dataDir });
  closers.push(again.close);
  const job = await again.opened.operations.jobs.ended();
  expect([before?.state, job?.id, job?.resumed, job?.state, job?.diff?.equal]).toEqual(['cancelled', before?.id, true, 'switched', true]);
  await again.app.close(2000);
  expect(dumpReadModel(join(dataDir, liveReadModel(dataDir))).tables).toEqual(dump.tables);
}, 60_000);
