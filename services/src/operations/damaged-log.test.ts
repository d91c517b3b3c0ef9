import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import { getMatch, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { erasePerson, getSuperAdminTrace, getTrace } from '@courtledger/contracts/operations/audit.api';
import { getLogEvent, getOperationsStatus, startRebuild, switchBackReadModel, verifyLog } from '@courtledger/contracts/operations/operations.api';
import type { ReadModelJob } from '@courtledger/contracts/operations/operations.answers';
import { getSeasonFile } from '@courtledger/contracts/tournament/season.api';
import Database from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import type { AppOptions } from '../app.ts';
import { liveReadModel, readModelFiles, setReadModelsAside, witnessesIn } from '../platform/store-read-model-files.ts';
import { ask } from '../platform/testing/toy-gate.ts';
import { openSite, season, type Season, type Site } from '../testing/site.ts';
import { verbContext } from '../testing/verb-context.ts';
import { openOperationsState, recordedBreakOf } from './operations-state.ts';
import { exportVerb } from './verbs/export.verb.ts';
import { trace as traceVerb } from './verbs/trace.verb.ts';

/** Numbers that somebody changed in the log must not reach a read model, nor be signed. */

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  // oxlint-disable-next-line no-await-in-loop -- in reverse
  for (const close of closers.splice(0).toReversed()) await close();
});

const newFolder = (): string => {
  const dataDir = mkdtempSync(join(tmpdir(), 'courtledger-damaged-'));
  closers.push(async () => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
};
const open = async (dataDir: string, more: Partial<AppOptions> = { background: false }): Promise<Site> => {
  const site = await openSite({ store: { kind: 'sqlite' }, dataDir }, more);
  closers.push(site.close);
  return site;
};
const score = async (site: Site, { matchId, token, teams }: Season, entryId: string, points: number): Promise<void> => {
  await site.call(recordStatIncrement, { token, params: { id: matchId }, json: { entryId, playerId: teams[0].players[0] ?? '', points } });
};
/** Makes 21 points of 12, as an editor of files would; gives the position. */
const falsify = (dataDir: string): string => {
  const database = new Database(join(dataDir, 'event-log.sqlite'), { timeout: 5000 });
  const position = database.prepare<[], number>(`SELECT position FROM events WHERE type = 'StatIncrementRecorded' AND data LIKE '%"points":12%'`).pluck().get();
  expect(database.prepare(`UPDATE events SET data = replace(data, '"points":12', '"points":21') WHERE position = ?`).run(position).changes).toBe(1);
  database.close();
  return String(position);
};
const jobOf = async (site: Site): Promise<ReadModelJob> => {
  const job = await site.opened.operations.jobs.ended();
  if (job === undefined) throw new Error('No job has run');
  return job;
};
const pointsOf = async (site: Site, { matchId }: Season): Promise<readonly number[]> => (await site.call(getMatch, { params: { id: matchId } })).player_stats.map(({ points }) => points);
const readiness = async (site: Site): Promise<readonly unknown[]> => {
  const reply = await ask(site.port, 'GET', '/readyz');
  return [reply.status, readyAnswer.parse(reply.json()).writes];
};
const refusalOf = async (site: Site, ...call: Parameters<Site['refused']>): Promise<readonly unknown[]> => {
  const { status, message } = await site.refused(...call);
  return [status, message];
};
const refusedAt = (position: string): readonly unknown[] => [503, expect.stringContaining(`The log is damaged at position ${position}:`)];

/** A season with 12 points in its log. */
const played = async (dataDir: string, more?: Partial<AppOptions>): Promise<{ readonly site: Site; readonly place: Season }> => {
  const site = await open(dataDir, more);
  const place = await season(site);
  await score(site, place, 'one', 12);
  return { site, place };
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
  const rows = change((database) => database.prepare<[string], Row>('SELECT position, data, salt FROM events WHERE stream = ? ORDER BY position').all(`person-${taken}`));
  change((database) => database.prepare('UPDATE events SET data = NULL, salt = NULL WHERE stream = ?').run(`person-${taken}`));
  const position = String(rows[0]?.position);
  expect(await verified(site)).toEqual(['broken', { position, reason: `the details of person-${taken} are gone, and nobody has erased them` }]);
  expect([await readiness(site), await refusalOf(site, startRebuild, { token: place.superToken })]).toEqual([[503, false], refusedAt(position)]);
  expect(await verified(site)).toEqual(['broken', expect.objectContaining({ position })]);
  await site.close();
  // Nothing at that place tells: the walk does, at every start.
  const again = await open(dataDir);
  expect([await verified(again), await readiness(again)]).toEqual([['broken', expect.objectContaining({ position })], [503, false]]);
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
  expect([opened.damage, opened.data, (await site.call(getLogEvent, { token, params: { position: '1' } })).damage]).toEqual([here, expect.objectContaining({ points: 12 }), null]);

  // Nor is a number explained as if nothing were wrong: admins are told the place alone.
  const query = { of: 'match-player', stat: 'points', match: place.matchId, player: place.teams[0].players[0] ?? '' };
  const [told, toldAdmin] = [await site.call(getSuperAdminTrace, { token, query }), await site.call(getTrace, { token: place.token, query })];
  expect([told.value, told.damage, toldAdmin.damage]).toEqual([12, here, here.replace(': the data does not match its digest', '')]);
  const lines: string[] = [];
  const client = { call: async () => ({ status: 200, headers: {}, bytes: Buffer.alloc(0), json: (): unknown => toldAdmin }) };
  const terminal = { note: (line: string) => void lines.push(line) };
  const words = ['match-player', 'points', '--match', query.match, '--player', query.player];
  expect([await traceVerb.run(verbContext({ config: site.config, terminal, reach: async () => ({ client, own: false, close: async () => {} }) }), words), lines]).toEqual([1, [`${toldAdmin.damage ?? ''}.`]]);

  // Comparing changes nothing, and shows what was changed; that the log is damaged is said with it.
  await site.call(startRebuild, { token, json: { verifyOnly: true } });
  const job = await jobOf(site);
  expect([job.state, job.error]).toEqual(['different', `The log is damaged at position ${position}: the data does not match its digest. No read model is made of it: restore a backup`]);
  expect(job.diff?.tables.flatMap(({ samples }) => samples).some(({ live, next }) => live === '12' && next === '21')).toBe(true);
  expect([liveReadModel(dataDir), readModelFiles(dataDir), await pointsOf(site, place)]).toEqual(['read-model-1.sqlite', ['read-model-1.sqlite'], [12]]);
}, 60_000);

it.each([['a comparison that meets it first', true, false], ['a comparison on a server that knows', true, true], ['a rebuild', false, false]] as const)('an event at the break that cannot be folded: %s tells the damage and the way out, and nothing that SQLite says', async (_, verifyOnly, isKnown) => {
  const dataDir = newFolder();
  const first = await played(dataDir);
  if (isKnown) await first.site.app.close(2000);
  const database = new Database(join(dataDir, 'event-log.sqlite'), { timeout: 5000 });
  const position = database.prepare<[], number>(`UPDATE events SET data = replace(data, '"points":12', '"pointz":12') WHERE data LIKE '%"points":12%' RETURNING position`).pluck().get();
  database.close();
  const site = isKnown ? await open(dataDir) : first.site;
  await site.call(startRebuild, { token: first.place.superToken, json: { verifyOnly } });
  const job = await jobOf(site);
  expect([job.state, job.error]).toEqual(['failed', `The log is damaged at position ${String(position)}: the data does not match its digest. No read model is made of it: restore a backup`]);
  expect([await pointsOf(site, first.place), await readiness(site)]).toEqual([[12], [503, false]]);
}, 60_000);

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
  expect([job.state, job.error, liveReadModel(dataDir), await pointsOf(site, place)]).toEqual(['failed', expect.stringContaining(`The log is damaged at position ${position}:`), 'read-model-2.sqlite', [12]]);
  expect(readModelFiles(dataDir)).toEqual(['read-model-1.sqlite', 'read-model-2.sqlite']);
  // The server has looked for itself, and stops writing.
  expect((await site.opened.operations.verifications.ended())?.firstBreak?.position).toBe(position);
  expect(await readiness(site)).toEqual([503, false]);
  expect((await site.refused(recordStatIncrement, { token: place.token, params: { id: place.matchId }, json: { entryId: 'two', playerId: place.teams[0].players[0] ?? '', points: 1 } })).status).toBe(503);
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

/** As SQLite leaves it where a page of the write-ahead log of a killed process is damaged. */
const loseEnd = (dataDir: string, position: number | bigint): void => {
  const database = new Database(join(dataDir, 'event-log.sqlite'), { timeout: 5000 });
  database.prepare('DELETE FROM events WHERE position >= ?').run(position);
  database.prepare("UPDATE sqlite_sequence SET seq = ? - 1 WHERE name = 'events'").run(position);
  database.close();
};
const inReadModel = (dataDir: string, sql: string): void => {
  const path = join(dataDir, liveReadModel(dataDir));
  const database = new Database(path);
  database.exec(sql);
  database.close();
  rmSync(`${path}.seal`, { force: true });
};

it('a log whose end is lost is damaged, though what is left of it is whole: the read model has seen more', async () => {
  const dataDir = newFolder();
  const { site: first, place } = await played(dataDir);
  const events = await first.events();
  await first.app.close(2000);
  loseEnd(dataDir, events);
  const missing = refusedAt(String(events));
  for (let start = 0; start < 2; start += 1) {
    // oxlint-disable no-await-in-loop -- one start after another: the second knows no less
    const site = await open(dataDir);
    expect(await readiness(site)).toEqual([503, false]);
    expect(await pointsOf(site, place)).toEqual([12]);
    expect(await refusalOf(site, recordStatIncrement, { token: place.token, params: { id: place.matchId }, json: { entryId: `late-${String(start)}`, playerId: place.teams[0].players[0] ?? '', points: 2 } })).toEqual([503, 'Nothing can be recorded at the moment. Please try again shortly.']);
    expect(await refusalOf(site, startRebuild, { token: place.superToken, json: {} })).toEqual(missing);
    expect(await refusalOf(site, getSeasonFile, { params: { id: place.tournamentId } })).toEqual(missing);
    await site.call(verifyLog, { token: place.superToken });
    expect((await site.opened.operations.verifications.ended())?.state).toBe('broken');
    expect((await site.call(getOperationsStatus, { token: place.superToken })).log.refusal).toContain(`the log ends before position ${String(events)}, which a read model has reached`);
    await site.app.close(2000);
    // oxlint-enable no-await-in-loop
  }
  // What is made anew of the log has not seen more: the record has.
  rmSync(join(dataDir, liveReadModel(dataDir)));
  expect(await readiness(await open(dataDir))).toEqual([503, false]);
});

it.each([
  ['is of another release', 'outdated', (dataDir) => inReadModel(dataDir, "UPDATE read_model SET value = 'another' WHERE key = 'version'")],
  ['is damaged', 'damaged', (dataDir) => inReadModel(dataDir, 'DROP TABLE standings')],
  ['went out of the way with lost keys', 'missing', (dataDir) => void setReadModelsAside(dataDir, 'lost-keys', [liveReadModel(dataDir)])],
] satisfies readonly (readonly [string, string, (dataDir: string) => void])[])('a lost end is seen as well where the read model %s and is made anew of what is left', async (_, state, change) => {
  const dataDir = newFolder();
  const { site: first, place } = await played(dataDir);
  const events = await first.events();
  await first.app.close(2000);
  loseEnd(dataDir, events);
  change(dataDir);
  for (const found of [state, 'good']) {
    // oxlint-disable no-await-in-loop -- one start after another: what was set aside is not asked again, the record is
    const site = await open(dataDir);
    expect([(await site.opened.store.projector('report', undefined)).state, await readiness(site), await pointsOf(site, place)]).toEqual([found, [503, false], []]);
    expect(await refusalOf(site, startRebuild, { token: place.superToken, json: {} })).toEqual(refusedAt(String(events)));
    await site.app.close(2000);
    // oxlint-enable no-await-in-loop
  }
});

it('a lost end is seen at the next start where one was killed that had set the read model aside and had said nothing yet', async () => {
  const dataDir = newFolder();
  const { site: first, place } = await played(dataDir);
  const events = await first.events();
  await first.app.close(2000);
  loseEnd(dataDir, events);
  inReadModel(dataDir, 'DROP TABLE standings');
  // What such a start leaves.
  await (await open(dataDir)).app.close(2000);
  openOperationsState(dataDir).change({ damage: undefined, lastVerification: undefined });
  const site = await open(dataDir);
  expect([(await site.opened.store.projector('report', undefined)).state, await readiness(site)]).toEqual(['good', [503, false]]);
  expect(await refusalOf(site, startRebuild, { token: place.superToken, json: {} })).toEqual(refusedAt(String(events)));
});

it('a log that lost everything stays damaged as long as somebody knows how far it went', async () => {
  const dataDir = newFolder();
  const { site: first } = await played(dataDir);
  const events = await first.events();
  await first.app.close(2000);
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `event-log.sqlite${suffix}`), { force: true });
  inReadModel(dataDir, "UPDATE read_model SET value = 'another' WHERE key = 'version'");
  for (let start = 0; start < 3; start += 1) {
    // oxlint-disable no-await-in-loop -- one start after another
    const site = await open(dataDir);
    expect(await readiness(site)).toEqual([503, false]);
    await site.app.close(2000);
    expect(recordedBreakOf(openOperationsState(dataDir).get())).toEqual({ position: 1n, reason: `the log ends before position ${String(events)}, which a read model has reached: events are missing`, seen: BigInt(events) });
    // Removed after 30 days: the record stays.
    for (const path of witnessesIn(dataDir)) if (!path.endsWith('.sqlite')) rmSync(path);
    // oxlint-enable no-await-in-loop
  }
});

it('a log that has lost its end is not exported as a whole one, by whomever its end was seen', async () => {
  const dataDir = newFolder();
  const { site } = await played(dataDir);
  const events = await site.events();
  await site.app.close(2000);
  const file = join(dataDir, 'log.jsonl');
  const exported = async (): Promise<unknown> =>
    exportVerb.run(verbContext({ config: site.config }), [file]);
  expect([await exported(), existsSync(file)]).toEqual([0, true]);
  rmSync(file);
  loseEnd(dataDir, events);
  const refused = `Broken at position ${String(events)}: the log ends before position ${String(events)}: events are missing. Nothing was exported. "verify-log" tells more; restore a backup from before.`;
  await expect(exported()).rejects.toThrow(refused);
  // By the record alone.
  await (await open(dataDir)).app.close(2000);
  for (const path of witnessesIn(dataDir)) rmSync(path);
  await expect(exported()).rejects.toThrow(refused);
  expect(existsSync(file)).toBe(false);
});

it('a rebuild that was cut off is not ended at a start that finds the log damaged', async () => {
  const dataDir = newFolder();
  const { site: first, place } = await played(dataDir);
  first.opened.operations.jobs.start(false);
  await first.opened.operations.jobs.close();
  await first.app.close(2000);
  const position = falsify(dataDir);
  const site = await open(dataDir, {});
  const job = await jobOf(site);
  expect([job.resumed, job.state, job.error, liveReadModel(dataDir), await pointsOf(site, place)]).toEqual([true, 'failed', expect.stringContaining(`The log is damaged at position ${position}:`), 'read-model-1.sqlite', [12]]);
}, 30_000);

/** Changes the log behind SQLite's back, as a disk or an editor of bytes does: every connection that has the page in its cache goes on seeing what was there. By a process of its own: to close a file drops the locks of whoever else in the process has it open. */
const overwrite = (dataDir: string, from: string, to: string): void => {
  const program = `const fs = require('node:fs'); const [path, from, to] = process.argv.slice(1); const file = fs.openSync(path, 'r+'); const bytes = fs.readFileSync(path);
    const at = []; for (let next = bytes.indexOf(from); next >= 0; next = bytes.indexOf(from, next + 1)) at.push(next);
    for (const place of at) fs.writeSync(file, to, place); fs.closeSync(file); console.log(at.length);`;
  expect(execFileSync(process.execPath, ['-e', program, join(dataDir, 'event-log.sqlite'), from, to], { encoding: 'utf8' })).toBe('1\n');
};
/** A season with 14 points, all of it in the file and in the cache of the log's own connection, one of whose bytes is another since then: they are 15. Gives the position. */
const changedUnderfoot = async (dataDir: string): Promise<{ readonly site: Site; readonly place: Season; readonly position: string }> => {
  const site = await open(dataDir);
  const place = await season(site);
  await score(site, place, 'one', 14);
  const position = String(await site.opened.store.log.head());
  await score(site, place, 'two', 1);
  // In the cache, if it was not before: the chain is walked once, and what is appended hangs on the page.
  site.opened.operations.verifications.start();
  expect((await site.opened.operations.verifications.ended())?.state).toBe('whole');
  await score(site, place, 'three', 1);
  expect(await site.opened.store.administration?.checkpoint()).toEqual({ complete: true });
  overwrite(dataDir, '"points":14', '"points":15');
  return { site, place, position };
};
/** Writes have stopped, everybody is told where, and nothing is signed or copied any more. */
const expectStopped = async ({ site, place, position }: Awaited<ReturnType<typeof changedUnderfoot>>): Promise<void> => {
  const token = place.superToken;
  const ready = await ask(site.port, 'GET', '/readyz');
  expect([ready.status, readyAnswer.parse(ready.json()).writes, readyAnswer.parse(ready.json()).reason]).toEqual([503, false, `The log is damaged at position ${position}`]);
  expect((await site.refused(recordStatIncrement, { token: place.token, params: { id: place.matchId }, json: { entryId: 'after', playerId: place.teams[0].players[0] ?? '', points: 1 } })).status).toBe(503);
  expect(await refusalOf(site, getSeasonFile, { params: { id: place.tournamentId } })).toEqual(refusedAt(position));
  const { verifications, backups } = site.opened.operations;
  await verifications.ended();
  const { log, lastVerification } = await site.call(getOperationsStatus, { token });
  expect([log.refusal, lastVerification?.state, lastVerification?.firstBreak?.position]).toEqual([expect.stringContaining(`damaged at position ${position}:`), 'broken', position]);
  backups.start();
  expect(await backups.ended()).toMatchObject({ state: 'failed', error: expect.stringContaining(`The log is damaged at position ${position}:`) as unknown });
};

const findings: readonly (readonly [string, (at: Awaited<ReturnType<typeof changedUnderfoot>>, dataDir: string) => Promise<void>])[] = [
  ['verify-log', async ({ site, place }) => {
    await site.call(verifyLog, { token: place.superToken });
    await site.opened.operations.verifications.ended();
  }],
  ['somebody who opens that event', async ({ site, place, position }) => {
    expect((await site.call(getLogEvent, { token: place.superToken, params: { position } })).damage).toContain(`The log is damaged at position ${position}:`);
  }],
  ['a rebuild', async ({ site, place, position }) => {
    await site.call(startRebuild, { token: place.superToken, json: {} });
    expect(await jobOf(site)).toMatchObject({ state: 'failed', error: expect.stringContaining(`position ${position}:`) as unknown });
  }],
  ['a comparison', async ({ site, place, position }) => {
    await site.call(startRebuild, { token: place.superToken, json: { verifyOnly: true } });
    expect(await jobOf(site)).toMatchObject({ state: 'different', error: expect.stringContaining(`position ${position}:`) as unknown });
  }],
  ['a backup, which copies what is in the file and not what the server remembers of it', async ({ site, position }, dataDir) => {
    site.opened.operations.backups.start(join(dataDir, 'backups', 'mine'));
    expect(await site.opened.operations.backups.ended()).toMatchObject({ state: 'failed', error: expect.stringContaining(`The log is damaged at position ${position}:`) as unknown });
    expect(existsSync(join(dataDir, 'backups', 'mine'))).toBe(false);
  }],
];
it.each(findings)('a byte that is changed in the file of a running server ends writes, whoever meets it first: %s', async (_, find) => {
  const dataDir = newFolder();
  const at = await changedUnderfoot(dataDir);
  await find(at, dataDir);
  await expectStopped(at);
  expect(await pointsOf(at.site, at.place)).toEqual([16]);
}, 60_000);

it('an export beside a running server that meets a changed byte has the server look for itself', async () => {
  const dataDir = newFolder();
  const at = await changedUnderfoot(dataDir);
  const exporting = exportVerb.run(verbContext({ config: at.site.config }), [join(dataDir, 'out.jsonl')]);
  await expect(exporting).rejects.toThrow(`found it at position ${at.position}, and writes nothing any more`);
  expect(existsSync(join(dataDir, 'out.jsonl'))).toBe(false);
  await expectStopped(at);
}, 60_000);

it('a season file whose own facts were changed under the server is not signed', async () => {
  const dataDir = newFolder();
  const site = await open(dataDir);
  const place = await season(site);
  await score(site, place, 'one', 14);
  const position = String(await site.opened.store.log.head());
  expect(await site.opened.store.administration?.checkpoint()).toEqual({ complete: true });
  overwrite(dataDir, '"points":14', '"points":15');
  expect(await refusalOf(site, getSeasonFile, { params: { id: place.tournamentId } })).toEqual(refusedAt(position));
  await expectStopped({ site, place, position });
}, 30_000);

it.each([
  ['another file stands in the place of the log', (path: string) => { writeFileSync(`${path}.new`, readFileSync(path)); renameSync(`${path}.new`, path); }],
  ['the file of the log is gone', (path: string) => rmSync(path)],
] as const)('%s: the walk sees it, and nothing is written that would be lost', async (_, change) => {
  const dataDir = newFolder();
  const { site, place } = await played(dataDir);
  change(join(dataDir, 'event-log.sqlite'));
  await site.call(verifyLog, { token: place.superToken });
  expect((await site.opened.operations.verifications.ended())?.firstBreak?.position).toBe('0');
  expect(await readiness(site)).toEqual([503, false]);
  expect((await site.refused(recordStatIncrement, { token: place.token, params: { id: place.matchId }, json: { entryId: 'two', playerId: place.teams[0].players[0] ?? '', points: 1 } })).status).toBe(503);
}, 30_000);
