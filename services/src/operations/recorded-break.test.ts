import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import { getMatch, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { getOperationsStatus, startRebuild, verifyLog } from '@courtledger/contracts/operations/operations.api';
import { getPlayer } from '@courtledger/contracts/player/player.api';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { ask } from '../platform/testing/toy-gate.ts';
import { openSite, season, type Season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { verbContext } from '../testing/verb-context.ts';
import { openOperationsState, recordedBreakOf } from './operations-state.ts';
import { reach } from './reach.ts';
import { restoreBackup } from './restore.ts';
import type { Verb } from './verb.ts';
import { erase } from './verbs/erase.verb.ts';
import { status } from './verbs/status.verb.ts';

/**
 * A break that is on record, so far back in the log that no opening meets it by itself: nothing may be written in the time that a walk of the whole chain
 * takes.
 */

const folder = siteFolder();
/** Without the walk in the background: what a start knows is what it was told. */
const open = async (dataDir: string): Promise<Site> => folder.keep(await openSite({ store: { kind: 'sqlite' }, dataDir }, { background: false }));
const logOf = (dataDir: string): string => join(dataDir, 'event-log.sqlite');
const recordOf = (dataDir: string): string | undefined => recordedBreakOf(openOperationsState(dataDir).get())?.position.toString();
const readiness = async (site: Site): Promise<readonly unknown[]> => {
  const reply = await ask(site.port, 'GET', '/readyz');
  const { writes, reason } = readyAnswer.parse(reply.json());
  return [reply.status, writes, reason];
};
const scored = async (site: Site, { matchId, token, teams }: Season, entryId: string, points = 1): Promise<number> =>
  (await site.send(recordStatIncrement, { token, params: { id: matchId }, json: { entryId, playerId: teams[0].players[0] ?? '', points } })).status;
const nameOf = async (site: Site, { teams }: Season): Promise<string> => (await site.call(getPlayer, { params: { id: teams[0].players[1] ?? '' } })).name;

const pointsOf = async (site: Site, { matchId, teams }: Season): Promise<number | undefined> =>
  (await site.call(getMatch, { params: { id: matchId } })).player_stats.find(({ player_id }) => player_id === teams[0].players[0])?.points;

/** A season whose log has more events after one fact than an opening looks at. */
const long = async (dataDir: string): Promise<{ readonly site: Site; readonly place: Season }> => {
  const site = await open(dataDir);
  const place = await season(site);
  expect(await scored(site, place, 'one', 12)).toBe(201);
  const { log } = site.opened.store;
  const stream = `match-${place.matchId}`;
  const fact = (await log.readStream(stream))?.at(-1);
  if (fact === undefined) throw new Error('Nothing was recorded');
  for (let batch = 0; batch < 21; batch += 1) {
    const events = Array.from({ length: 500 }, () => ({
      id: randomUUID(),
      type: fact.type,
      data: { ...(fact.data as object), entryId: randomUUID(), points: 1 },
      metadata: fact.metadata,
    }));
    await log.append(stream, 'any', events);
  }
  return { site, place };
};
/** Makes `to` points of `from`, and gives the position. */
const change = (path: string, from: number, to: number): string => {
  const database = new Database(path, { timeout: 5000 });
  const position = database
    .prepare<[string], number>(`SELECT position FROM events WHERE type = 'StatIncrementRecorded' AND instr(data, ?) > 0`)
    .pluck()
    .get(`"points":${String(from)},`);
  expect(
    database.prepare('UPDATE events SET data = replace(data, ?, ?) WHERE position = ?').run(`"points":${String(from)},`, `"points":${String(to)},`, position)
      .changes,
  ).toBe(1);
  database.close();
  return String(position);
};
/** Runs a verb in this process as it runs where no server does. */
const alone = async (site: Site, verb: Verb, ...args: string[]): Promise<string> => {
  const lines: string[] = [];
  const reached = await reach(site.config);
  expect(reached.own).toBe(true);
  try {
    await verb.run(verbContext({ config: site.config, terminal: { out: (line) => void lines.push(line) }, reach: async () => reached }), args);
  } catch (error) {
    lines.push(String(error));
  } finally {
    await reached.close();
  }
  return lines.join('\n');
};

it('a break on record refuses writes and erasures from the first moment of every start and in every tool, until the log is another one', async () => {
  const data = folder.path('data');
  const { site: first, place } = await long(data);
  first.opened.operations.backups.start(folder.path('backup'));
  expect((await first.opened.operations.backups.ended())?.state).toBe('done');
  await first.app.close(2000);
  const position = change(logOf(data), 12, 21);
  // No opening meets it by itself.
  const finder = await open(data);
  expect(await readiness(finder)).toEqual([200, true, null]);
  await finder.call(verifyLog, { token: place.superToken });
  expect((await finder.opened.operations.verifications.ended())?.firstBreak?.position).toBe(position);
  await finder.app.close(2000);
  const refused = [503, false, `The log is damaged at position ${position}`];

  for (let start = 0; start < 2; start += 1) {
    const site = await open(data);
    expect(await readiness(site)).toEqual(refused);
    expect(await scored(site, place, `late-${String(start)}`)).toBe(503);
    expect((await site.refused(erasePerson, { token: place.superToken, json: { personId: place.teams[0].players[1] ?? '', reason: 'x' } })).message).toContain(
      `Nothing was erased: the log takes no writes. The event log is damaged at position ${position}:`,
    );
    expect((await site.refused(startRebuild, { token: place.superToken, json: {} })).message).toContain(`The log is damaged at position ${position}:`);
    expect(await nameOf(site, place)).toBe('Player 2');
    await site.app.close(2000);
  }

  expect(await alone(first, status)).toMatch(new RegExp(`^log +sqlite, head \\d+, REFUSES WRITES: The event log is damaged at position ${position}: `));
  expect(await alone(first, erase, 'person', place.teams[0].players[1] ?? '', '--reason', 'x', '--yes')).toContain(
    `The event log is damaged at position ${position}:`,
  );
  expect(existsSync(join(data, 'erasures.jsonl'))).toBe(false);
  expect(recordOf(data)).toBe(position);

  // A backup is the way out: the record goes with the log that it told of.
  await restoreBackup({ folder: folder.path('backup'), dataDir: data, now: Date.now() });
  expect(recordOf(data)).toBeUndefined();
  const restored = await open(data);
  expect([await readiness(restored), await scored(restored, place, 'after'), await nameOf(restored, place)]).toEqual([[200, true, null], 201, 'Player 2']);
}, 120_000);

it('a log that was put right by hand takes writes at its next start, and the walk of its whole chain clears the record', async () => {
  const data = folder.path('data');
  const { site: first, place } = await long(data);
  const position = change(logOf(data), 12, 21);
  await first.call(verifyLog, { token: place.superToken });
  await first.opened.operations.verifications.ended();
  const right = await pointsOf(first, place);
  await first.app.close(2000);
  // A read model that is lost meanwhile is made of what there is.
  for (const name of readdirSync(data)) if (name.startsWith('read-model')) rmSync(join(data, name));
  const misled = await open(data);
  expect(await pointsOf(misled, place)).toBe((right ?? 0) + 9);
  await misled.app.close(2000);
  expect(change(logOf(data), 21, 12)).toBe(position);
  expect(recordOf(data)).toBe(position);

  expect(await alone(first, status)).toContain(
    `position ${position}, the data does not match its digest (what stands there now fits: verify-log tells whether all does)`,
  );
  const site = await open(data);
  const doubtful = (then: string): readonly unknown[] => [
    503,
    true,
    `The read model may show what the log said while it was damaged at position ${position}: ${then}`,
  ];
  expect([await readiness(site), await scored(site, place, 'after')]).toEqual([
    doubtful('what stands there now fits, and it is made anew as soon as the whole log was verified'),
    201,
  ]);
  await site.call(verifyLog, { token: place.superToken });
  expect([(await site.opened.operations.verifications.ended())?.state, recordOf(data)]).toEqual(['whole', undefined]);
  expect(readFileSync(join(data, 'operations.json'), 'utf8')).not.toContain('digest');
  expect(await readiness(site)).toEqual(doubtful('it is being made anew'));
  expect([(await site.opened.operations.jobs.ended())?.state, await pointsOf(site, place), await readiness(site)]).toEqual([
    'switched',
    (right ?? 0) + 1,
    [200, true, null],
  ]);

  // Put right under a running server, it is whole as well; the server is to be started anew, and the next one makes the read model anew.
  const walk = async (): Promise<readonly unknown[]> => {
    await site.call(verifyLog, { token: place.superToken });
    const ended = await site.opened.operations.verifications.ended();
    return [ended?.state, ended?.firstBreak?.position ?? null, ended?.error, recordOf(data)];
  };
  const backUp = async (): Promise<string | null | undefined> => {
    site.opened.operations.backups.start();
    return (await site.opened.operations.backups.ended())?.error;
  };
  const mended = `Position ${position} of the log was damaged and fits now: a restart of the server takes writes again`;
  change(logOf(data), 12, 21);
  expect([await walk(), await backUp()]).toEqual([
    ['broken', position, null, position],
    expect.stringContaining(`The log is damaged at position ${position}:`),
  ]);
  change(logOf(data), 21, 12);
  expect(await walk()).toEqual(['whole', null, mended, undefined]);
  expect([await readiness(site), await scored(site, place, 'stillnot')]).toEqual([[503, false, mended], 503]);
  expect(await backUp()).toBe(mended);
  expect((await site.refused(startRebuild, { token: place.superToken, json: {} })).message).toBe(`${mended}. Until then no read model is made of it.`);
  await site.call(startRebuild, { token: place.superToken, json: { verifyOnly: true } });
  expect((await site.opened.operations.jobs.ended())?.error).toBe(`${mended}. Until then no read model is made of it`);
  // Nobody is told any more to put a backup in the place of a log that is whole.
  const told = await site.call(getOperationsStatus, { token: place.superToken });
  expect([told.log.refusal, told.lastVerification?.state, told.backups.failure, JSON.stringify(told).includes('Restore a backup')]).toEqual([
    `${mended}.`,
    'whole',
    mended,
    false,
  ]);
  await site.app.close(2000);
  expect(openOperationsState(data).get().owedRemake).toEqual({ position });
  const next = await open(data);
  expect([await readiness(next), await scored(next, place, 'again')]).toEqual([doubtful('a rebuild or a restart of the server makes it anew'), 201]);
  next.opened.operations.jobs.resume();
  expect([(await next.opened.operations.jobs.ended())?.state, await readiness(next)]).toEqual(['switched', [200, true, null]]);
}, 120_000);
