import type { ResponseOf } from '@courtledger/contracts/kernel/endpoint';
import { createAdmin, logInAdmin } from '@courtledger/contracts/admin/admin.api';
import { getMatch, getMatchHistory, recordMatchStats, recordStatIncrement, rescheduleMatch } from '@courtledger/contracts/match/match.api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite, season, type Season, type Site } from '../testing/site.ts';

let site: Site;
let place: Season;
let second: string;
beforeAll(async () => {
  site = await openSite({ store: { kind: 'sqlite' } });
  place = await season(site);
  await site.call(createAdmin, {
    token: place.superToken,
    json: { username: 'Bina Lama', password: 'silver-meadow-72', email: 'bina@example.org', phoneNumber: '9800000002' },
  });
  ({ token: second } = await site.call(logInAdmin, { json: { email: 'bina@example.org', password: 'silver-meadow-72' } }));
});
afterAll(async () => site.close());

type Match = ResponseOf<typeof getMatch>;
const pointsOf = (match: Match, playerId: string | undefined): number => match.player_stats.find((row) => row.player_id === playerId)?.points ?? 0;
const read = async (): Promise<Match> => site.call(getMatch, { params: { id: place.matchId } });

it('counts 40 parallel increments over HTTP on one match and refuses none (R7)', async () => {
  const [player] = place.teams[0].players;
  const replies = await Promise.all(
    Array.from({ length: 40 }, async (_, index) =>
      site.send(recordStatIncrement, {
        token: place.token,
        params: { id: place.matchId },
        json: { entryId: `tap-${index}`, playerId: player ?? '', points: 1 + (index % 3) },
      }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 201));
  expect(pointsOf(await read(), player)).toBe(Array.from({ length: 40 }, (_, index) => 1 + (index % 3)).reduce((sum, points) => sum + points, 0));
});

it('loses no update of two admins who work on one match at once, and names each (R7)', async () => {
  const [, player] = place.teams[0].players;
  const opponent = place.teams[1].players[1];
  const rounds = 30;
  const before = (await site.opened.store.log.readStream(`match-${place.matchId}`))?.length ?? 0;
  const sheet = async (token: string): Promise<number> =>
    (
      await site.send(recordMatchStats, {
        token,
        json: {
          matchId: place.matchId,
          team1Players: [{ playerId: player, points: 2, assists: 0, rebounds: 0, notplayed: '' }],
          team2Players: [{ playerId: opponent, points: 1, assists: 0, rebounds: 0, notplayed: '' }],
        },
      })
    ).status;
  const statuses = await Promise.all(
    Array.from({ length: rounds }, async () => [
      await Promise.all([sheet(place.token), sheet(second)]),
      (await site.send(rescheduleMatch, { token: second, params: { id: place.matchId }, json: { time: '11:15' } })).status,
    ]),
  );
  expect(statuses.flat(2)).toEqual(Array.from({ length: rounds * 3 }, () => 200));
  const after = await read();
  expect([pointsOf(after, player), pointsOf(after, opponent), after.time]).toEqual([rounds * 4, rounds * 2, '11:15']);
  const events = (await site.opened.store.log.readStream(`match-${place.matchId}`)) ?? [];
  expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index));
  // The same time again is no fact.
  expect(events.length - before).toBe(rounds * 4 + 1);
  const history = await site.call(getMatchHistory, { token: place.token, params: { id: place.matchId } });
  const named = history
    .slice(before)
    .filter(({ type }) => type === 'StatIncrementRecorded')
    .map(({ actor }) => actor.name);
  expect([named.filter((name) => name === 'Asha Rai').length, named.filter((name) => name === 'Bina Lama').length]).toEqual([rounds * 2, rounds * 2]);
});
