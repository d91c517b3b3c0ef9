import { randomUUID } from 'node:crypto';
import { recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { beforeEach, expect, it } from 'vitest';
import { openSite, season, type Season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';

/** A fact of a release that is newer than this one, in the stream of somebody or something: the projections park it, and commands tell why they cannot go on. */

const folder = siteFolder();
let site: Site;
let played: Season;
beforeEach(async () => {
  site = folder.keep(await openSite({ store: { kind: 'sqlite' }, dataDir: folder.path('data') }, { background: false }));
  played = await season(site);
});

/** Like the last fact of a stream, of a version that this release does not know. */
const append = async (stream: string, data?: object): Promise<void> => {
  const { log } = site.opened.store;
  const last = (await log.readStream(stream))?.at(-1);
  if (last === undefined) throw new Error(`There is no ${stream}`);
  await log.append(stream, 'any', [{ id: randomUUID(), type: last.type, data: data ?? last.data, metadata: { ...last.metadata, schemaVersion: data === undefined ? 9 : 1 } }]);
};

it('refuses commands to its match in a sentence', async () => {
  const { token, matchId, teams: [{ players: [playerId = ''] }] } = played;
  const entry = async (entryId: string) => site.refused(recordStatIncrement, { token, params: { id: matchId }, json: { entryId, playerId, points: 2 } });
  expect((await site.send(recordStatIncrement, { token, params: { id: matchId }, json: { entryId: 'before', playerId, points: 2 } })).status).toBe(201);
  await append(`match-${matchId}`);
  const { status, message } = await entry('one');
  expect([status, message]).toEqual([503, `A fact in match-${matchId} cannot be read: nothing can be recorded there until it can.`]);
});

it.each([['of another version', undefined], ['of which nothing can be made', {}]])('is erased with its person: one %s', async (_, told) => {
  const { superToken, teams: [{ players: [playerId = ''] }] } = played;
  await append(`person-${playerId}`, told);
  // Nothing of the person is at hand any more.
  await site.app.close(2000);
  site = folder.keep(await openSite({ store: { kind: 'sqlite' }, dataDir: site.config.dataDir }, { background: false }));
  expect((await site.send(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } })).status).toBe(200);
  const left = (await site.opened.store.log.readStream(`person-${playerId}`)) ?? [];
  expect(left.filter(({ data }) => data !== undefined && data !== null)).toEqual([]);
});
