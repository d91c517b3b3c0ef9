import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { erasePerson, getSuperAdminTrace, getTrace } from '@courtledger/contracts/operations/audit.api';
import { getLogEvent, getOperationsStatus, startRebuild, switchBackReadModel, verifyLog } from '@courtledger/contracts/operations/operations.api';
import { getSeasonFile } from '@courtledger/contracts/tournament/season.api';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { liveReadModel, readModelFiles } from '../platform/store-read-model-files.ts';
import type { Site } from '../testing/site.ts';
import { verbContext } from '../testing/verb-context.ts';
import { jobOf, newFolder, open, played, pointsOf, readiness, refusalOf, refusedAt, score } from './testing/played-site.ts';
import { trace as traceVerb } from './verbs/trace.verb.ts';

/** Numbers that somebody changed in the log must not reach a read model, nor be signed. */

/** Makes 21 points of 12, as an editor of files would; gives the position. */
const falsify = (dataDir: string): string => {
  const database = new Database(join(dataDir, 'event-log.sqlite'), { timeout: 5000 });
  const position = database.prepare<[], number>(`SELECT position FROM events WHERE type = 'StatIncrementRecorded' AND data LIKE '%"points":12%'`).pluck().get();
  expect(database.prepare(`UPDATE events SET data = replace(data, '"points":12', '"points":21') WHERE position = ?`).run(position).changes).toBe(1);
  database.close();
  return String(position);
};

it('details that somebody took out of the log are no erasure: the walk names the place, and ends writes until they are back', async () => {
  const dataDir = newFolder();
  const { site, place } = await played(dataDir);
  const erased = place.teams[0].players[1] ?? '';
  const taken = place.teams[1].players[0] ?? '';
  expect((await site.send(erasePerson, { token: place.superToken, json: { personId: erased, reason: 'Asked for it' } })).status).toBe(200);
  const verified = async (at: Site) => {
    await at.call(verifyLog, { token: place.superToken });
    const { lastVerification } = (await at.opened.operations.verifications.ended(), await at.call(getOperationsStatus, { token: place.superToken }));
    return [lastVerification?.state, lastVerification?.firstBreak];
  };
  expect(await verified(site)).toEqual(['whole', null]);
  const change = <T>(work: (database: Database.Database) => T): T => {
    const database = new Database(join(dataDir, 'event-log.sqlite'), { timeout: 5000 });
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  type Row = { readonly position: number; readonly data: string; readonly salt: string };
  const rows = change((database) =>
    database.prepare<[string], Row>('SELECT position, data, salt FROM events WHERE stream = ? ORDER BY position').all(`person-${taken}`),
  );
  change((database) => database.prepare('UPDATE events SET data = NULL, salt = NULL WHERE stream = ?').run(`person-${taken}`));
  const position = String(rows[0]?.position);
  expect(await verified(site)).toEqual(['broken', { position, reason: `the details of person-${taken} are gone, and nobody has erased them` }]);
  expect([await readiness(site), await refusalOf(site, startRebuild, { token: place.superToken })]).toEqual([[503, false], refusedAt(position)]);
  expect(await verified(site)).toEqual(['broken', expect.objectContaining({ position })]);
  await site.close();
  // Nothing at that place tells: the walk does, at every start.
  const again = await open(dataDir);
  expect([await verified(again), await readiness(again)]).toEqual([
    ['broken', expect.objectContaining({ position })],
    [503, false],
  ]);
  change((database) => {
    const back = database.prepare('UPDATE events SET data = ?, salt = ? WHERE position = ?');
    for (const row of rows) back.run(row.data, row.salt, row.position);
  });
  expect(await verified(again)).toEqual(['whole', null]);
});

it('a log that is known to be damaged is not made a read model of, nor signed; what can be looked at is, and the live one stays', async () => {
  const dataDir = newFolder();
  const { site: first, place } = await played(dataDir);
  await first.app.close(2000);
  const position = falsify(dataDir);

  const site = await open(dataDir);
  const token = place.superToken;
  expect(await readiness(site)).toEqual([503, false]);
  expect(await refusalOf(site, startRebuild, { token, json: {} })).toEqual(refusedAt(position));
  expect(await refusalOf(site, getSeasonFile, { params: { id: place.tournamentId } })).toEqual(refusedAt(position));
  expect([liveReadModel(dataDir), readModelFiles(dataDir), await pointsOf(site, place)]).toEqual(['read-model-1.sqlite', ['read-model-1.sqlite'], [12]]);

  // Nobody is shown what the read model has of it as if the log said so.
  const here = `The log is damaged at position ${position}: the data does not match its digest. What is shown is what the read model has of it; whether that was recorded, a backup tells`;
  const opened = await site.call(getLogEvent, { token, params: { position } });
  expect([opened.damage, opened.data, (await site.call(getLogEvent, { token, params: { position: '1' } })).damage]).toEqual([
    here,
    expect.objectContaining({ points: 12 }),
    null,
  ]);

  // Nor is a number explained as if nothing were wrong: admins are told the place alone.
  const query = { of: 'match-player', stat: 'points', match: place.matchId, player: place.teams[0].players[0] ?? '' };
  const [told, toldAdmin] = [await site.call(getSuperAdminTrace, { token, query }), await site.call(getTrace, { token: place.token, query })];
  expect([told.value, told.damage, toldAdmin.damage]).toEqual([12, here, here.replace(': the data does not match its digest', '')]);
  const lines: string[] = [];
  const client = { call: async () => ({ status: 200, headers: {}, bytes: Buffer.alloc(0), json: (): unknown => toldAdmin }) };
  const terminal = { note: (line: string) => void lines.push(line) };
  const words = ['match-player', 'points', '--match', query.match, '--player', query.player];
  expect([
    await traceVerb.run(verbContext({ config: site.config, terminal, reach: async () => ({ client, own: false, close: async () => {} }) }), words),
    lines,
  ]).toEqual([1, [`${toldAdmin.damage ?? ''}.`]]);

  // Comparing changes nothing, and shows what was changed; that the log is damaged is said with it.
  await site.call(startRebuild, { token, json: { verifyOnly: true } });
  const job = await jobOf(site);
  expect([job.state, job.error]).toEqual([
    'different',
    `The log is damaged at position ${position}: the data does not match its digest. No read model is made of it: restore a backup`,
  ]);
  expect(job.diff?.tables.flatMap(({ samples }) => samples).some(({ live, next }) => live === '12' && next === '21')).toBe(true);
  expect([liveReadModel(dataDir), readModelFiles(dataDir), await pointsOf(site, place)]).toEqual(['read-model-1.sqlite', ['read-model-1.sqlite'], [12]]);
}, 60_000);

it.each([
  ['a comparison that meets it first', true, false],
  ['a comparison on a server that knows', true, true],
  ['a rebuild', false, false],
] as const)(
  'an event at the break that cannot be folded: %s tells the damage and the way out, and nothing that SQLite says',
  async (_, verifyOnly, isKnown) => {
    const dataDir = newFolder();
    const first = await played(dataDir);
    if (isKnown) await first.site.app.close(2000);
    const database = new Database(join(dataDir, 'event-log.sqlite'), { timeout: 5000 });
    const position = database
      .prepare<[], number>(`UPDATE events SET data = replace(data, '"points":12', '"pointz":12') WHERE data LIKE '%"points":12%' RETURNING position`)
      .pluck()
      .get();
    database.close();
    const site = isKnown ? await open(dataDir) : first.site;
    await site.call(startRebuild, { token: first.place.superToken, json: { verifyOnly } });
    const job = await jobOf(site);
    expect([job.state, job.error]).toEqual([
      'failed',
      `The log is damaged at position ${String(position)}: the data does not match its digest. No read model is made of it: restore a backup`,
    ]);
    expect([await pointsOf(site, first.place), await readiness(site)]).toEqual([[12], [503, false]]);
  },
  60_000,
);

it('a rebuild finds damage that nobody knew of by itself, does not switch, and nothing is written from then on', async () => {
  const dataDir = newFolder();
  const { site, place } = await played(dataDir);
  const token = place.superToken;
  // To go back to what was made of a whole log stays possible.
  await site.call(startRebuild, { token, json: {} });
  expect((await jobOf(site)).state).toBe('switched');
  const position = falsify(dataDir);
  expect(await readiness(site)).toEqual([200, true]);

  await site.call(startRebuild, { token, json: {} });
  const job = await jobOf(site);
  expect([job.state, job.error, liveReadModel(dataDir), await pointsOf(site, place)]).toEqual([
    'failed',
    expect.stringContaining(`The log is damaged at position ${position}:`),
    'read-model-2.sqlite',
    [12],
  ]);
  expect(readModelFiles(dataDir)).toEqual(['read-model-1.sqlite', 'read-model-2.sqlite']);
  // The server has looked for itself, and stops writing.
  expect((await site.opened.operations.verifications.ended())?.firstBreak?.position).toBe(position);
  expect(await readiness(site)).toEqual([503, false]);
  expect(
    (
      await site.refused(recordStatIncrement, {
        token: place.token,
        params: { id: place.matchId },
        json: { entryId: 'two', playerId: place.teams[0].players[0] ?? '', points: 1 },
      })
    ).status,
  ).toBe(503);
  expect((await site.call(getOperationsStatus, { token })).log.refusal).toContain(`position ${position}`);

  await site.call(switchBackReadModel, { token });
  expect([(await jobOf(site)).state, liveReadModel(dataDir), await pointsOf(site, place)]).toEqual(['switched', 'read-model-1.sqlite', [12]]);
}, 60_000);

it('a season file is signed only when the chain was walked up to what it tells, in this process', async () => {
  const dataDir = newFolder();
  const { site, place } = await played(dataDir);
  const file = { params: { id: place.tournamentId } };
  expect((await site.send(getSeasonFile, file)).text).toContain('"points":12');
  // What was recorded since then is walked as well.
  await score(site, place, 'two', 1);
  const database = new Database(join(dataDir, 'event-log.sqlite'), { timeout: 5000 });
  const position = String(database.prepare('SELECT max(position) FROM events').pluck().get());
  database.prepare(`UPDATE events SET data = replace(data, '"points":1', '"points":9') WHERE position = ?`).run(position);
  database.close();
  expect(await refusalOf(site, getSeasonFile, file)).toEqual(refusedAt(position));
  expect(await readiness(site)).toEqual([503, false]);
  await site.app.close(2000);

  const other = newFolder();
  const second = await played(other);
  const positionOfOther = falsify(other);
  expect(await refusalOf(second.site, getSeasonFile, { params: { id: second.place.tournamentId } })).toEqual(refusedAt(positionOfOther));
}, 60_000);

it('no file that was signed before is given again once damage is known', async () => {
  const dataDir = newFolder();
  const { site, place } = await played(dataDir);
  const file = { params: { id: place.tournamentId } };
  expect([(await site.send(getSeasonFile, file)).status, (await site.send(getSeasonFile, file)).status]).toEqual([200, 200]);
  const position = falsify(dataDir);
  await site.call(verifyLog, { token: place.superToken });
  await site.opened.operations.verifications.ended();
  expect(await refusalOf(site, getSeasonFile, file)).toEqual(refusedAt(position));
}, 30_000);

it('a start without any read model makes one of what the log says, so that reads go on, and says that the log is damaged', async () => {
  const dataDir = newFolder();
  const { site: first, place } = await played(dataDir);
  await first.app.close(2000);
  falsify(dataDir);
  rmSync(join(dataDir, 'read-model-1.sqlite'));
  const site = await open(dataDir);
  expect([await pointsOf(site, place), await readiness(site)]).toEqual([[21], [503, false]]);
  expect((await site.refused(startRebuild, { token: place.superToken, json: {} })).status).toBe(503);
}, 30_000);

it('a rebuild that was cut off is not ended at a start that finds the log damaged', async () => {
  const dataDir = newFolder();
  const { site: first, place } = await played(dataDir);
  first.opened.operations.jobs.start(false);
  await first.opened.operations.jobs.close();
  await first.app.close(2000);
  const position = falsify(dataDir);
  const site = await open(dataDir, {});
  const job = await jobOf(site);
  expect([job.resumed, job.state, job.error, liveReadModel(dataDir), await pointsOf(site, place)]).toEqual([
    true,
    'failed',
    expect.stringContaining(`The log is damaged at position ${position}:`),
    'read-model-1.sqlite',
    [12],
  ]);
}, 30_000);
