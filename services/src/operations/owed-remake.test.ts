import { join } from 'node:path';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import { recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { cancelRebuild, getOperationsStatus, startRebuild, switchBackReadModel } from '@courtledger/contracts/operations/operations.api';
import { getSeasonFile } from '@courtledger/contracts/tournament/season.api';
import { getStandings } from '@courtledger/contracts/tournament/tournament.api';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { systemClock } from '../app.ts';
import { liveReadModel, readModelFiles } from '../platform/store-read-model-files.ts';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { ask } from '../platform/testing/toy-gate.ts';
import { openSite, season, type Season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { openOperationsState, type StateFile } from './operations-state.ts';
import { ReadModelJobs } from './read-model-jobs.ts';
import { statusLines } from './verbs/status.verb.ts';

/** The debt that a log leaves which was damaged and is whole: the read model may be of the damaged one until another takes its place. */

const folder = siteFolder();
const open = async (): Promise<Site> => folder.keep(await openSite({ store: { kind: 'sqlite' }, dataDir: folder.path('data') }, { background: false }));
const record = (): ReturnType<StateFile['get']> => openOperationsState(folder.path('data')).get();
const readiness = async (site: Site): Promise<readonly unknown[]> => {
  const reply = await ask(site.port, 'GET', '/readyz');
  const { writes, reason } = readyAnswer.parse(reply.json());
  return [reply.status, writes, reason];
};
const pointsOf = async (site: Site, { tournamentId }: Season): Promise<string | undefined> =>
  /"pointsFor":([1-9]\d*)/.exec((await site.send(getStandings, { params: { id: tournamentId } })).text)?.[1];
const ended = async (site: Site): Promise<string | undefined> => (await site.opened.operations.jobs.ended())?.state;
const owed = 'The read model may show what the log said while it was damaged at position 9: a rebuild or a restart of the server makes it anew';
const backThere = `${owed}. There is no switching back: the earlier ones may show the same`;

/** A site with 12 points, as a process leaves it that was killed right after the walk that found its log whole. */
const indebted = async (): Promise<{ readonly site: Site; readonly place: Season }> => {
  const first = await open();
  const place = await season(first);
  await first.call(recordStatIncrement, {
    token: place.token,
    params: { id: place.matchId },
    json: { entryId: 'one', playerId: place.teams[0].players[0] ?? '', points: 12 },
  });
  await first.call(startRebuild, { token: place.superToken, json: {} });
  expect(await ended(first)).toBe('switched');
  await first.app.close(2000);
  openOperationsState(folder.path('data')).change({ owedRemake: { position: '9' } });
  return { site: await open(), place };
};

it('stays when the rebuild is stopped, is told everywhere, lets nothing else become live and nothing be signed, and is paid by the next start, after which there is nothing to go back to', async () => {
  const { site, place } = await indebted();
  const { token, superToken: admin } = place;
  const { dataDir } = site.config;
  const database = new Database(join(dataDir, liveReadModel(dataDir)), { timeout: 5000 });
  database.exec(`UPDATE standings SET answer = replace(answer, '"pointsFor":12', '"pointsFor":21')`);
  database.close();
  expect([readModelFiles(dataDir), await pointsOf(site, place)]).toEqual([['read-model-1.sqlite', 'read-model-2.sqlite'], '21']);

  site.opened.operations.jobs.resume();
  expect((await readiness(site))[2]).toBe(owed.replace('a rebuild or a restart of the server makes it anew', 'it is being made anew'));
  await site.call(cancelRebuild, { token: admin });
  expect([await ended(site), record().owedRemake?.position, record().pendingRebuild]).toEqual(['cancelled', '9', undefined]);

  expect(await readiness(site)).toEqual([503, true, owed]);
  const told = await site.call(getOperationsStatus, { token: admin });
  expect(told.readModel.doubt).toBe(owed);
  expect(statusLines(told).filter((text) => /^read model|WRONG|up to date/.test(text))).toEqual([
    expect.stringMatching(/^read model +\S+ at \d+, MAY BE WRONG, \S+ events\/s$/),
    `              MAY BE WRONG: ${owed}`,
  ]);
  expect(await site.refused(switchBackReadModel, { token: admin })).toMatchObject({ status: 409, message: backThere });
  expect(await site.refused(getSeasonFile, { params: { id: place.tournamentId } })).toMatchObject({
    status: 503,
    message: `${owed}. Until then nothing of it is signed.`,
  });
  // Facts are decided on streams: they go on, and so do reads.
  expect(
    (
      await site.send(recordStatIncrement, {
        token,
        params: { id: place.matchId },
        json: { entryId: 'two', playerId: place.teams[0].players[0] ?? '', points: 1 },
      })
    ).status,
  ).toBe(201);

  await site.app.close(2000);
  const next = await open();
  expect(await readiness(next)).toEqual([503, true, owed]);
  next.opened.operations.jobs.resume();
  expect([await ended(next), record().owedRemake, record().previousReadModel, readModelFiles(dataDir), await pointsOf(next, place)]).toEqual([
    'switched',
    undefined,
    undefined,
    ['read-model-3.sqlite'],
    '13',
  ]);
  expect(await readiness(next)).toEqual([200, true, null]);
  expect(await next.refused(switchBackReadModel, { token: admin })).toMatchObject({ status: 409, message: 'There is no earlier read model to switch back to' });
  expect((await next.send(getSeasonFile, { params: { id: place.tournamentId } })).text).toContain('"pointsFor":13');
}, 60_000);

it('is paid by what an operator rebuilds; a rebuild that was begun before is not put in place, and the one that is owed follows it; one that was put in place and not noted is paid', async () => {
  const { site } = await indebted();
  const { dataDir } = site.config;
  const state = openOperationsState(dataDir);
  const jobs = new ReadModelJobs({
    dataDir,
    logPath: join(dataDir, 'event-log.sqlite'),
    store: site.opened.store,
    state,
    hidden: () => [],
    damage: () => undefined,
    look: async () => {},
    clock: systemClock,
    logger: silentLogger,
    newId: () => 'job',
  });
  jobs.start(false);
  expect([(await jobs.ended())?.state, state.get().owedRemake, jobs.previous, jobs.doubt]).toEqual(['switched', undefined, undefined, undefined]);

  jobs.start(false);
  state.change({ owedRemake: { position: '9' } });
  jobs.remake();
  const early = await jobs.ended();
  expect([early?.state, early?.error, liveReadModel(dataDir)]).toEqual([
    'failed',
    'It was begun before the log was put right at position 9: another one is made',
    'read-model-3.sqlite',
  ]);
  const made = await jobs.ended();
  expect([made?.state, made?.file === liveReadModel(dataDir), state.get().owedRemake, readModelFiles(dataDir)]).toEqual([
    'switched',
    true,
    undefined,
    [made?.file],
  ]);

  state.change({ owedRemake: { position: '9', file: liveReadModel(dataDir) } });
  expect(jobs.doubt).toBeUndefined();
  jobs.resume();
  expect([jobs.job, state.get().owedRemake]).toEqual([made, undefined]);
}, 60_000);
