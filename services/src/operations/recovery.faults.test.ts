import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import { getMatch, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { getLogEvent, getOperationsStatus, listLogEvents, replayParkedStreams, startRebuild } from '@courtledger/contracts/operations/operations.api';
import { getSeasonFile } from '@courtledger/contracts/tournament/season.api';
import { dumpReadModel } from '@courtledger/projections/kernel/dump';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runSeed, seededRandom } from '../event-log/testing/random.ts';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { ask } from '../platform/testing/toy-gate.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { openSite, season, type Season, type Site } from '../testing/site.ts';
import { makeBackup } from './backup.ts';
import { drillBackup } from './drill.ts';
import { writeAheadAlarmBytes } from './node-status.ts';
import { createOperations } from './operations.ts';

const full = process.env['FAULTS'] === 'full';

const folder = siteFolder();
const open = async (): Promise<{ readonly site: Site; readonly place: Season }> => {
  const site = await folder.open(folder.path('data'));
  return { site, place: await season(site) };
};
const score = async (site: Site, { token, matchId, teams }: Season, entryId: string): Promise<number> =>
  (await site.send(recordStatIncrement, { token, params: { id: matchId }, json: { entryId, playerId: teams[0].players[0] ?? '', points: 1 } })).status;

describe('a backup (R17)', () => {
  const drills = full ? 30 : 2;
  it(`that is made under load is restored, rebuilt and compared in each of ${drills} drills, and has everything that was acknowledged before it began`, async () => {
    const { site, place } = await open();
    const random = seededRandom(runSeed('drills'));
    const load = { stopping: false, acknowledged: 0, refused: 0 };
    const writer = async (index: number): Promise<void> => {
      for (let entry = 0; !load.stopping; entry += 1) {
        if ((await score(site, place, `drill-${index}-${entry}`)) === 201) load.acknowledged += 1;
        else load.refused += 1;
      }
    };
    const writing = Promise.all([writer(0), writer(1), writer(2), writer(3)]);
    const results: unknown[] = [];
    try {
      for (let drill = 0; drill < drills; drill += 1) {
        await new Promise((resolve) => setTimeout(resolve, random() * 100));
        const acknowledged = BigInt(await site.events());
        const path = folder.path(`backup-${drill}`);
        const manifest = await makeBackup({ dataDir: site.config.dataDir, kind: 'sqlite', store: site.opened.store, now: Date.now() }, path);
        const report = await drillBackup(path, { now: Date.now(), place: folder.path(`drill-${drill}`), live: site.config });
        results.push([
          BigInt(manifest.log.head) >= acknowledged,
          report.events === manifest.log.events,
          report.head === manifest.log.head,
          report.seconds < 600,
          typeof report.live,
        ]);
      }
    } finally {
      load.stopping = true;
      await writing;
    }
    expect(results).toEqual(Array.from({ length: drills }, () => [true, true, true, true, 'object']));
    expect([load.acknowledged > drills, load.refused]).toEqual([true, 0]);
  }, 600_000);

  it('of the last moment, drilled after the stop, gives the read model that was live', async () => {
    const { site, place } = await open();
    for (let entry = 0; entry < 20; entry += 1) await score(site, place, `entry-${entry}`);
    const path = folder.path('backup');
    await makeBackup({ dataDir: site.config.dataDir, kind: 'sqlite', store: site.opened.store, now: Date.now() }, path);
    const { readModel } = await drillBackup(path, { now: Date.now(), place: folder.path('drill') });
    const live = join(site.config.dataDir, liveReadModel(site.config.dataDir));
    await site.app.close(2000);
    expect(readModel).toBe(dumpReadModel(live).sha256);
  }, 60_000);
});

describe('a poison event (R11)', () => {
  const bad: readonly (readonly [name: string, type: string, data: unknown])[] = [
    ['an unknown type', 'PlayerTeleported', { playerId: 'x' }],
    [
      'a handler that throws',
      'StatEntryReversed',
      { matchId: 'nowhere', entryId: 'e', targetEntryId: 'no such entry', playerId: 'p', teamId: 't', points: 0, assists: 0, rebounds: 0, reason: 'none' },
    ],
    ['data that are no fact', 'StatIncrementRecorded', 'not an object'],
  ];
  it.each(bad)(
    '%s parks its stream only; the rest goes on, health tells, a rebuild stops loudly, and after the fix a replay gives equality',
    async (_, type, data) => {
      const { site, place } = await open();
      const { superToken } = place;
      const { log } = site.opened.store;
      const stream = `match-${randomUUID()}`;
      const metadata = {
        commandId: 'c',
        correlationId: 'c',
        causationId: 'c',
        actor: { role: 'system', id: 's', name: 'S' } as const,
        time: '2026-11-21T10:00:00.000Z',
        schemaVersion: 1,
      };
      const poison = await log.append(stream, 'no-stream', [{ id: randomUUID(), type, data, metadata }]);
      expect(await score(site, place, 'after-the-poison')).toBe(201);
      // The rest is up to date at once: the answer to the write says so, and shows it.
      expect((await site.call(getMatch, { params: { id: place.matchId } })).player_stats.map(({ points }) => points)).toEqual([1]);
      const status = await site.call(getOperationsStatus, { token: superToken });
      expect(status.readModel.parked.map((parked) => [parked.stream, parked.events, parked.position, parked.type])).toEqual([
        [stream, 1, poison.position.toString(), type],
      ]);
      expect(status.readModel.lagEvents).toBe(0);
      const ready = await ask(site.port, 'GET', '/readyz');
      expect([ready.status, readyAnswer.parse(ready.json()).checks]).toEqual([200, { log: 'ok', readModel: 'ok', projections: 'failing' }]);
      expect((await ask(site.port, 'GET', '/metrics')).text).toContain('courtledger_parked_streams 1');
      expect(await site.call(replayParkedStreams, { token: superToken })).toEqual({ replayed: 0, parked: 1 });
      // It is read as a person reads the log, with the reason.
      const position = poison.position.toString();
      const told = await site.call(getLogEvent, { token: superToken, params: { position } });
      expect([
        told.stream,
        told.revision,
        told.type,
        told.what.startsWith('Parked: it cannot be applied, '),
        Object.hasOwn(told, 'data'),
        told.version,
        told.metadata,
      ]).toEqual([stream, 0, type, true, false, 1, metadata]);
      const listed = async (query: Readonly<Record<string, string>>) =>
        (await site.call(listLogEvents, { token: superToken, query })).events.map((event) => event.position);
      const after = String(await site.opened.store.log.head());
      expect([
        await listed({ limit: '2' }),
        await listed({ stream }),
        await listed({ match: stream.replace('match-', '') }),
        await listed({ after: String(poison.position - 1n), limit: '1' }),
        await listed({ type: 'MatchAssigned', limit: '5' }),
      ]).toEqual([[position, after], [position], [position], [position], [expect.any(String)]]);
      // A match of which nothing can be read may be of this tournament.
      const unsigned = await site.refused(getSeasonFile, { params: { id: place.tournamentId } });
      expect([unsigned.status, unsigned.message]).toEqual([503, `A fact in ${stream} cannot be read: results that may rest on it are not signed.`]);
      await site.call(startRebuild, { token: superToken, json: {} });
      const job = await site.opened.operations.jobs.ended();
      expect([job?.state, job?.error?.includes(`position ${poison.position}`)]).toEqual(['failed', true]);
      expect(await score(site, place, 'after-the-rebuild')).toBe(201);

      // The fix: a release that can read it. Here the event is made one that this release reads, which comes to the same.
      await site.app.close(2000);
      const database = new Database(join(site.config.dataDir, 'event-log.sqlite'));
      database.prepare("UPDATE events SET type = 'DocumentViewed', data = ? WHERE stream = ?").run(JSON.stringify({ playerId: 'p', documentId: 'd' }), stream);
      database.close();
      const again = folder.keep(await openSite({ store: { kind: 'sqlite' }, dataDir: site.config.dataDir, logLevel: 'silent' }, { background: false }));
      // Counted on after a restart, before anything is recorded.
      expect([(await again.opened.store.projector('parked', undefined)).length, again.opened.store.projected().parked]).toEqual([1, 1]);
      expect((await ask(again.port, 'GET', '/metrics')).text).toContain('courtledger_parked_streams 1');
      expect(await again.opened.store.projector('replay-parked', undefined)).toEqual({ replayed: 1, parked: 0 });
      again.opened.operations.jobs.start(true);
      expect((await again.opened.operations.jobs.ended())?.state).toBe('equal');
    },
    60_000,
  );
});

it('an event that was parked and is erased meanwhile is parked no more', async () => {
  const { site } = await open();
  const { log, projector } = site.opened.store;
  const personId = randomUUID();
  // Sealed under a key that is not there: it cannot be opened.
  const metadata = {
    commandId: 'c',
    correlationId: 'c',
    causationId: 'c',
    actor: { role: 'system', id: 's', name: 'S' } as const,
    time: '2026-11-21T10:00:00.000Z',
    schemaVersion: 1,
  };
  await log.append(`person-${personId}`, 'no-stream', [
    { id: randomUUID(), type: 'PersonDetailsRecorded', data: { personId, kind: 'coach', teamId: null, sealed: 'AAAA' }, metadata },
  ]);
  expect((await projector('parked', undefined)).map(({ stream }) => stream)).toEqual([`person-${personId}`]);
  await log.deleteStream(`person-${personId}`);
  expect(await projector('replay-parked', undefined)).toEqual({ replayed: 1, parked: 0 });
  site.opened.operations.jobs.start(true);
  expect((await site.opened.operations.jobs.ended())?.state).toBe('equal');
}, 60_000);

describe('a write-ahead log that a reader keeps open (R16)', () => {
  it(`is ${full ? 'below 64 MB within 10 s of the end of a reader of 60 s' : 'cut within 10 s of the end of a reader'}, and meanwhile writes go on`, async () => {
    const { site, place } = await open();
    const wal = (): number => site.opened.operations.writeAheadBytes() ?? Number.NaN;
    const reader = new Database(join(site.config.dataDir, 'event-log.sqlite'), { readonly: true });
    reader.exec('BEGIN');
    const seen = reader.prepare('SELECT count(*) FROM events').pluck().get();
    const until = performance.now() + (full ? 60_000 : 0);
    let entry = 0;
    const bulk = 'x'.repeat(500);
    const event = () => ({
      id: randomUUID(),
      type: 'DocumentViewed',
      data: { playerId: bulk, documentId: bulk },
      metadata: {
        commandId: 'c',
        correlationId: 'c',
        causationId: 'c',
        actor: { role: 'system', id: 's', name: 'S' } as const,
        time: '2026-11-21T10:00:00.000Z',
        schemaVersion: 1,
      },
    });
    do {
      // Large facts until there is enough to keep, then the ordinary ones as they come.
      if (wal() < 34_000_000) await site.opened.store.log.append(`audit-${entry}`, 'no-stream', Array.from({ length: 500 }, event));
      expect(await score(site, place, `long-${entry}`)).toBe(201);
      entry += 1;
    } while (performance.now() < until || wal() < 34_000_000);
    expect([reader.prepare('SELECT count(*) FROM events').pluck().get(), wal() > 33_554_432]).toEqual([seen, true]);
    const grown = wal();
    reader.exec('COMMIT');
    reader.close();
    const ended = performance.now();
    while (wal() >= Math.min(grown, 64_000_000) && performance.now() - ended < 10_000) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(wal()).toBeLessThan(Math.min(grown, 64_000_000));
    expect(await score(site, place, 'afterwards')).toBe(201);
  }, 300_000);

  it('is an alarm at 256 MB: in the status, the metrics and the log of the server', async () => {
    const { site, place } = await open();
    const said: (readonly [string, number | undefined])[] = [];
    const time = { now: Date.now(), monotonic: 0 };
    const size = { bytes: writeAheadAlarmBytes - 1 };
    const { store } = site.opened;
    const administration = store.administration === undefined ? undefined : { ...store.administration, health: () => ({ walBytes: size.bytes }) };
    const operations = createOperations({
      config: site.config,
      store: { ...store, administration },
      clock: { now: () => time.now, monotonic: () => time.monotonic },
      newId: randomUUID,
      beforeBackup: () => {},
      vault: { refusal: () => undefined, settle: () => undefined, state: () => 'absent' },
      isStale: () => false,
      missingFiles: async () => [],
      erasures: { persons: () => [], hidden: () => [], waitFor: () => undefined, finish: async () => 0 },
      logger: { ...silentLogger, warn: (event, fields) => void said.push([event, fields?.count]) },
    });
    await operations.turn();
    time.monotonic += 30_000;
    await operations.turn();
    expect([said, (await operations.status()).log.writeAheadAlarm]).toEqual([[], false]);
    size.bytes += 1;
    time.monotonic += 30_000;
    await operations.turn();
    expect([said, (await operations.status()).log.writeAheadAlarm]).toEqual([
      [['the write-ahead log is very large: a reader keeps it open', writeAheadAlarmBytes]],
      true,
    ]);
    await operations.close();
    expect((await ask(site.port, 'GET', '/metrics')).text).toMatch(/courtledger_log_write_ahead_alarm 0\n/);
    expect(await score(site, place, 'still')).toBe(201);
  }, 60_000);
});
