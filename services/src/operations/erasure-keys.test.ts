import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { getPlayer } from '@courtledger/contracts/player/player.api';
import { expect, it } from 'vitest';
import type { Reply } from '../platform/testing/toy-gate.ts';
import { loggedInAdmin, registeredTeam, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';

const folder = siteFolder();
const told = (reply: Reply): unknown => [reply.status, reply.headers['x-commit-position'], reply.json()];

it('a key that erased one person erases no other, and the same again is answered as the first time, also after a restart', async () => {
  const site = await folder.open(folder.path('data'));
  const { superToken } = await loggedInAdmin(site);
  const { players } = await registeredTeam(site, 'Lumbini Lions');
  const [one = '', other = ''] = players;
  const namesAt = async (at: Site): Promise<readonly string[]> => Promise.all(players.map(async (id) => (await at.call(getPlayer, { params: { id } })).name));
  const names = ['Former player', ...(await namesAt(site)).slice(1)];
  const erase = async (at: Site, personId: string, reason: string): Promise<Reply> =>
    at.send(erasePerson, { token: superToken, json: { personId, reason }, headers: { 'idempotency-key': 'the-only-one' } });
  const first = await erase(site, one, 'Asked for it');
  expect([first.status, first.json()]).toEqual([200, { personId: one, kind: 'player', already: false }]);
  const repeat = async (at: Site): Promise<void> => {
    expect(told(await erase(at, one, 'Asked for it'))).toEqual(told(first));
    for (const [personId, reason] of [
      [one, 'Another reason'],
      [other, 'Asked for it'],
    ] as const) {
      const refused = await erase(at, personId, reason);
      expect([refused.status, refused.json()]).toMatchObject([409, { message: 'This Idempotency-Key was used with another body' }]);
    }
    expect([await namesAt(at), (await at.opened.operations.status()).pendingErasures]).toEqual([names, []]);
  };
  await repeat(site);
  await site.app.close(2000);
  await repeat(await folder.open(folder.path('data')));
}, 60_000);

it('nor does one under which somebody was asked for who was erased before', async () => {
  const site = await folder.open(folder.path('data'));
  const { superToken } = await loggedInAdmin(site);
  const { players } = await registeredTeam(site, 'Lumbini Lions');
  const [one = '', other = ''] = players;
  const erase = async (personId: string, key: string): Promise<Reply> =>
    site.send(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' }, headers: { 'idempotency-key': key } });
  await erase(one, 'the-first');
  const already = await erase(one, 'the-second');
  expect([already.status, already.json()]).toEqual([200, { personId: one, kind: 'player', already: true }]);
  const { name } = await site.call(getPlayer, { params: { id: other } });
  const refused = await erase(other, 'the-second');
  expect([refused.status, refused.json()]).toMatchObject([409, { message: 'This Idempotency-Key was used with another body' }]);
  expect([(await site.call(getPlayer, { params: { id: other } })).name, (await erase(one, 'the-second')).json()]).toEqual([name, already.json()]);
}, 60_000);

it('of two persons who are erased at once with one key, one is', async () => {
  const site = await folder.open(folder.path('data'));
  const { superToken } = await loggedInAdmin(site);
  const { players } = await registeredTeam(site, 'Lumbini Lions');
  const replies = await Promise.all(
    players.map(async (personId) =>
      site.send(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' }, headers: { 'idempotency-key': 'the-only-one' } }),
    ),
  );
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...players.slice(1).map(() => 409)]);
  const named = await Promise.all(players.map(async (id) => (await site.call(getPlayer, { params: { id } })).name));
  expect([named.filter((name) => name === 'Former player').length, (await site.opened.operations.status()).pendingErasures]).toEqual([1, []]);
}, 60_000);
