import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { getMatch, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { erasePerson, listAudit } from '@courtledger/contracts/operations/audit.api';
import { getOperationsStatus, startRebuild } from '@courtledger/contracts/operations/operations.api';
import { getPlayer } from '@courtledger/contracts/player/player.api';
import Database from 'better-sqlite3';
import { afterEach, expect, it, vi } from 'vitest';
import { LogUnavailable } from '../event-log/event-log.ts';
import { openErasureLedger } from '../platform/erasure-ledger.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { ask } from '../platform/testing/toy-gate.ts';
import { season, type Season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { controlClient } from './control-client.ts';
import { statusLines } from './verbs/status.verb.ts';

/** An erasure whose fact the log does not take: refused before anything is destroyed, or made up for later; it never keeps the site from starting. */

const folder = siteFolder();
const { open } = folder;
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const played = async (site: Site): Promise<Season & { readonly playerId: string }> => {
  const place = await season(site);
  const playerId = place.teams[0].players[0] ?? '';
  await site.call(recordStatIncrement, { token: place.token, params: { id: place.matchId }, json: { entryId: 'one', playerId, points: 12 } });
  return { ...place, playerId };
};
/** Replaces a text in the facts, as an editor of files would; gives the position. */
const editLog = (dataDir: string, from: string, to: string): string => {
  const database = new Database(join(dataDir, 'event-log.sqlite'), { timeout: 5000 });
  const position = database
    .prepare<[string], number>(`SELECT position FROM events WHERE type = 'StatIncrementRecorded' AND instr(data, ?) > 0`)
    .pluck()
    .get(from);
  database.prepare('UPDATE events SET data = replace(data, ?, ?) WHERE position = ?').run(from, to, position);
  database.close();
  return String(position);
};
const nameOf = async (site: Site, playerId: string): Promise<string> => (await site.call(getPlayer, { params: { id: playerId } })).name;
const namesInMatch = async (site: Site, matchId: string): Promise<readonly string[]> =>
  (await site.call(getMatch, { params: { id: matchId } })).player_stats.map(({ name }) => name);
const pendingOf = async (site: Site, { superToken }: Season): Promise<readonly string[]> =>
  (await site.call(getOperationsStatus, { token: superToken })).pendingErasures;
const verified = async ({ call, opened: { operations } }: Site, { superToken }: Season): Promise<string | undefined> => {
  // A log that was damaged is walked at the start, and what was made of it is made anew.
  await operations.verifications.ended();
  await operations.jobs.ended();
  await call(startRebuild, { token: superToken, json: { verifyOnly: true } });
  return (await operations.jobs.ended())?.state;
};
const erasuresIn = async (site: Site): Promise<number> =>
  (await site.opened.store.log.readAll('start', 10_000)).filter(({ type }) => type === 'PersonErased').length;

it('an erasure is refused before anything is noted or destroyed while the log refuses writes, and the next start is as good as the one before', async () => {
  const data = folder.path('data');
  const first = await open(data);
  const place = await played(first);
  const { playerId, superToken } = place;
  await first.app.close(2000);
  const position = editLog(data, '"points":12', '"points":13');

  const site = await open(data);
  const { image } = await site.call(getPlayer, { params: { id: playerId } });
  const refusal = await site.refused(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } });
  expect([refusal.status, refusal.message]).toEqual([
    503,
    expect.stringContaining(`Nothing was erased: the log takes no writes. The event log is damaged at position ${position}:`),
  ]);
  expect([await nameOf(site, playerId), (await fetch(`http://127.0.0.1:${String(site.port)}${image}`)).status, await pendingOf(site, place)]).toEqual([
    'Player 1',
    200,
    [],
  ]);
  await site.app.close(2000);
  const vault = openPersonVault(data);
  expect([vault.state(playerId), existsSync(join(data, 'erasures.jsonl'))]).toEqual(['active', false]);
  vault.close();

  const again = await open(data);
  expect([await nameOf(again, playerId), (await ask(again.port, 'GET', '/readyz')).status]).toEqual(['Player 1', 503]);
}, 60_000);

it('an erasure that was begun on a log that was damaged since does not keep the site from starting; the name is not shown, and it is ended once the log is mended', async () => {
  const data = folder.path('data');
  const first = await open(data);
  const place = await played(first);
  const { playerId, matchId, token } = place;
  await first.app.close(2000);
  // As a crash, or an earlier release, left it.
  openErasureLedger(data).begin({
    personId: playerId,
    kind: 'player',
    reason: 'Asked for it',
    time: '2026-11-21T06:00:00.000Z',
    by: { role: 'superadmin', id: 'root', name: 'Root' },
  });
  editLog(data, '"points":12', '"points":13');

  const site = await open(data);
  expect([
    (await ask(site.port, 'GET', '/readyz')).status,
    await nameOf(site, playerId),
    await namesInMatch(site, matchId),
    await pendingOf(site, place),
  ]).toEqual([503, 'Former player', ['Former player'], [playerId]]);
  expect(statusLines(await site.call(getOperationsStatus, { token: place.superToken })).filter((line) => line.startsWith('erasures'))).toEqual([
    `erasures      person ${playerId}: begun and not ended; tried again every minute`,
  ]);
  await site.app.close(2000);
  // Nor does a read model that is made anew bring the name back.
  rmSync(join(data, 'read-model-1.sqlite'));
  const rebuilt = await open(data);
  expect([await nameOf(rebuilt, playerId), await pendingOf(rebuilt, place)]).toEqual(['Former player', [playerId]]);
  await rebuilt.app.close(2000);

  editLog(data, '"points":13', '"points":12');
  // It was made of the log as it was.
  rmSync(join(data, 'read-model-1.sqlite'));
  const mended = await open(data);
  // Ready once what was made of the damaged log has been made anew.
  expect([
    await verified(mended, place),
    (await ask(mended.port, 'GET', '/readyz')).status,
    await nameOf(mended, playerId),
    await pendingOf(mended, place),
  ]).toEqual(['equal', 200, 'Former player', []]);
  expect((await mended.call(listAudit, { token, query: { player: playerId, type: 'PersonErased' } })).lines).toMatchObject([
    { reason: 'Asked for it', actor: { id: 'root' } },
  ]);
  expect(readFileSync(join(data, 'erasures.jsonl'), 'utf8')).toContain(`{"done":"${playerId}"}`);
}, 60_000);

it('an erasure whose fact fails hides the person at once, says that it was begun, and is ended by the next turn of the housekeeping', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const data = folder.path('data');
  const site = await open(data);
  const place = await played(site);
  const { playerId, matchId, superToken } = place;
  expect(await namesInMatch(site, matchId)).toEqual(['Player 1']);
  // A full disk refuses single writes, and nobody knows of it before.
  vi.spyOn(site.opened.store.log, 'deleteStream').mockRejectedValueOnce(new LogUnavailable('Nothing was stored: database or disk is full'));
  const refusal = await site.refused(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } });
  expect([refusal.status, refusal.message]).toEqual([503, expect.stringContaining('The erasure was begun and could not be ended')]);
  expect([await nameOf(site, playerId), await namesInMatch(site, matchId), await pendingOf(site, place), await erasuresIn(site)]).toEqual([
    'Former player',
    ['Former player'],
    [playerId],
    0,
  ]);

  // A rebuild that goes on meanwhile ends at a file that does not show the person either.
  await site.call(startRebuild, { token: superToken, json: {} });
  expect([(await site.opened.operations.jobs.ended())?.state, await nameOf(site, playerId)]).toEqual(['switched', 'Former player']);

  vi.advanceTimersByTime(3_600_000);
  await expect.poll(async () => pendingOf(site, place), { timeout: 20_000 }).toEqual([]);
  expect([await nameOf(site, playerId), await erasuresIn(site), await verified(site, place)]).toEqual(['Former player', 1, 'equal']);
}, 60_000);

it('whatever fails after the fact, and however often it is tried again, the log has one fact, of who asked first', async () => {
  const data = folder.path('data');
  const first = await open(data);
  const place = await played(first);
  const { playerId, token, superToken } = place;
  const { store } = first.opened;
  const projector = store.projector;
  // What another thread says of a full disk, once the fact is in the log.
  vi.spyOn(store, 'projector').mockImplementation(async (name, argument) => {
    if (name === 'scrub') throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    return projector(name, argument);
  });
  const refusal = await first.send(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } });
  expect([refusal.status, refusal.headers['retry-after'], refusal.text]).toEqual([503, '60', expect.stringContaining('It is ended by itself when they do')]);
  // The operator's door: another actor.
  const again = await controlClient(data).call('POST', '/api/operations/erase-person', { personId: playerId, reason: 'Asked again, by somebody else' });
  expect([again.status, await erasuresIn(first), await nameOf(first, playerId)]).toEqual([503, 1, 'Former player']);
  const status = await first.call(getOperationsStatus, { token: superToken });
  expect(statusLines(status).filter((line) => /erasure|person |attempt/.test(line))).toEqual([
    `erasures      person ${playerId}: begun and not ended; tried again every minute`,
    '              the last attempt failed: database or disk is full',
  ]);

  // The next process finds room.
  await first.app.close(2000);
  const site = await open(data);
  expect([await erasuresIn(site), await pendingOf(site, place), await verified(site, place)]).toEqual([1, [], 'equal']);
  expect((await site.call(listAudit, { token, query: { player: playerId, type: 'PersonErased' } })).lines).toMatchObject([
    { reason: 'Asked for it', actor: { id: 'root' } },
  ]);
}, 60_000);
