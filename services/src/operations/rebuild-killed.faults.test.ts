import { getMatch, recordMatchStats } from '@courtledger/contracts/match/match.api';
import type { ReadModelJob } from '@courtledger/contracts/operations/operations.answers';
import { getRebuild, startRebuild } from '@courtledger/contracts/operations/operations.api';
import { getStandings } from '@courtledger/contracts/tournament/tournament.api';
import { afterEach, expect, it } from 'vitest';
import { runSeed, seededRandom } from '../event-log/testing/random.ts';
import { inspectDead, scratchFolder } from '../faults/testing/dead-data.ts';
import { readModelFiles } from '../platform/store-read-model-files.ts';
import { startServer, type ServerProcess } from '../testing/server-process.ts';
import { apiOn, season, superAdminPassword, type Api } from '../testing/site.ts';

const full = process.env['FAULTS'] === 'full';
const kills = full ? 20 : 3;
/** Calls of eight lines each. */
const calls = full ? 2000 : 40;

const running: ServerProcess[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.child.kill('SIGKILL');
    await server.ended;
  }
});

const line = (playerId: string): object => ({ playerId, points: 1, assists: 1, rebounds: 1, notplayed: 'played' });

/** Looks until the rebuild that runs has ended; null when this process had none. */
const endOfRebuild = async (api: Api, token: string): Promise<ReadModelJob | null> => {
  for (;;) {
    const { job } = await api.call(getRebuild, { token });
    if (job?.state !== 'running') return job;
  }
};

it(`serves a correct read model after each of ${kills} kills at random points of a rebuild`, async () => {
  using folder = scratchFolder();
  const dataDir = folder.path;
  const random = seededRandom(runSeed('killed rebuild'));
  const start = async (): Promise<{ readonly server: ServerProcess; readonly api: Api }> => {
    const server = startServer({ DATA_DIR: dataDir, SUPERADMIN_ID: 'root', SUPERADMIN_PASSWORD: superAdminPassword, RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
    running.push(server);
    return { server, api: apiOn(await server.ready) };
  };

  let { server, api } = await start();
  const place = await season(api);
  const { token, superToken, matchId, tournamentId, teams } = place;
  for (let call = 0; call < calls; call += 1)
    await api.call(recordMatchStats, { token, json: { matchId, team1Players: teams[0].players.map(line), team2Players: teams[1].players.map(line) } });
  const reads = async (): Promise<readonly string[]> =>
    Promise.all(
      [api.send(getMatch, { params: { id: matchId } }), api.send(getStandings, { params: { id: tournamentId } })].map(async (reply) => (await reply).text),
    );
  const answers = await reads();
  const began = performance.now();
  await api.call(startRebuild, { token: superToken, json: {} });
  expect((await endOfRebuild(api, superToken))?.state).toBe('switched');
  const duration = performance.now() - began;

  const resumed: unknown[] = [];
  const ends: unknown[] = [];
  // A kill within a rebuild there must have been: on a machine that stalls, all of them may come after the end.
  for (let kill = 0; kill < kills || (!resumed.includes(true) && kill < kills + 20); kill += 1) {
    const found = (await api.call(getRebuild, { token: superToken })).job;
    if (found?.state !== 'running') await api.call(startRebuild, { token: superToken, json: {} });
    // The wait is the fault itself: a kill at any moment from the first to the last of the rebuild. The first comes at once: on a machine
    // whose load has gone since the measurement, all others may come after the end.
    if (kill > 0) await new Promise((resolve) => setTimeout(resolve, random() * duration));
    server.child.kill('SIGKILL');
    expect((await server.ended).signal).toBe('SIGKILL');
    const { events, live, rebuilt } = await inspectDead(dataDir);
    expect([kill, live]).toEqual([kill, rebuilt]);
    expect(live.position).toBe(String(events.length));

    ({ server, api } = await start());
    expect([kill, await reads()]).toEqual([kill, answers]);
    const job = (await api.call(getRebuild, { token: superToken })).job;
    resumed.push(job?.resumed);
    // Every other time the rebuild that was taken up may end; else the next kill meets it.
    if (kill % 2 === 1 || job === null) continue;
    const ended = await endOfRebuild(api, superToken);
    ends.push([ended?.state, ended?.diff?.equal]);
  }
  expect(ends).toEqual(ends.map(() => ['switched', true]));
  await endOfRebuild(api, superToken);
  expect(await reads()).toEqual(answers);
  // A kill within a rebuild is not forgotten by the next start.
  expect(resumed.filter((one) => one === true).length).toBeGreaterThan(0);
  await api.call(startRebuild, { token: superToken, json: { verifyOnly: true } });
  expect((await endOfRebuild(api, superToken))?.state).toBe('equal');
  // Nothing half made is left lying about.
  expect(readModelFiles(dataDir).length).toBeLessThanOrEqual(2);
}, 600_000);
