import { parsePosition } from '@courtledger/contracts/kernel/event';
import { getMatch, listMatches, recordMatchStats, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { getPlayer } from '@courtledger/contracts/player/player.api';
import { getStandings, getTournament } from '@courtledger/contracts/tournament/tournament.api';
import { afterEach, describe, expect, it } from 'vitest';
import { openEventStoreDbLog } from './event-log/eventstoredb-event-log.ts';
import { EventStoreStandIn } from './event-log/testing/eventstoredb-stand-in.ts';
import { holdsFacts } from './operations/restore.ts';
import type { Config } from './platform/config.ts';
import { openSite, season, type Site } from './testing/site.ts';

const live = process.env['EVENTSTORE_TEST_URL'] ?? '';
const liveName = 'EventStoreDB (live)';
/** What an earlier run recorded, or somebody's installation, has its keys elsewhere: a start on it is refused, as it should be. */
const isTaken = async (url: string): Promise<boolean> => {
  const log = openEventStoreDbLog({ url });
  try {
    return await holdsFacts(log);
  } finally {
    await log.close();
  }
};
const refusal = live !== '' && (await isTaken(live)) ? 'it holds facts of the product already' : undefined;

type Place = { readonly name: string; readonly open: () => Promise<{ readonly store: Config['store']; readonly close: () => Promise<void> }> };
const places: readonly Place[] = [
  { name: 'memory', open: async () => ({ store: { kind: 'memory' }, close: async () => {} }) },
  { name: 'a SQLite file behind its worker', open: async () => ({ store: { kind: 'sqlite' }, close: async () => {} }) },
  {
    name: 'EventStoreDB (its stand-in)',
    async open() {
      const standIn = await EventStoreStandIn.start();
      return { store: { kind: 'eventstoredb', url: standIn.url }, close: async () => standIn.close() };
    },
  },
  ...(live === '' || refusal !== undefined
    ? []
    : [{ name: liveName, open: async () => ({ store: { kind: 'eventstoredb' as const, url: live }, close: async () => {} }) }]),
];

for (const why of refusal === undefined ? [] : [refusal]) {
  it(`NOT RUN on the live EventStoreDB: ${why}`, () => {
    console.warn(`The main job was not done on EVENTSTORE_TEST_URL: ${why}.`);
    expect(places.map(({ name }) => name)).not.toContain(liveName);
  });
}

describe.each(places)('the main job on $name', ({ open }) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    // The site goes before its event store.
    for (const close of closers.splice(0).toReversed()) await close();
  });

  it('registers two teams, enters them, assigns a match, records it, and shows standings, match and players', async () => {
    const place = await open();
    closers.push(place.close);
    const site: Site = await openSite({ store: place.store });
    closers.push(site.close);
    const { token, tournamentId, teams, matchId } = await season(site);
    const [lynx, dukes] = teams;

    const recorded = await site.send(recordMatchStats, {
      token,
      json: {
        matchId,
        team1Players: lynx.players.map((playerId, index) => ({ playerId, points: 10 + index, assists: index, rebounds: 1, notplayed: 'played' })),
        team2Players: dukes.players.map((playerId, index) => ({
          playerId,
          points: 5 + index,
          assists: 0,
          rebounds: 0,
          notplayed: index === 3 ? 'DNP' : 'played',
        })),
      },
    });
    expect([recorded.status, parsePosition(String(recorded.headers['x-commit-position'])) !== undefined, recorded.headers['x-projection']]).toEqual([
      200,
      true,
      undefined,
    ]);
    recordMatchStats.response.parse(recorded.json());
    await site.call(recordStatIncrement, { token, params: { id: matchId }, json: { entryId: 'tap-1', playerId: lynx.players[0] ?? '', points: 3 } });

    const standings = await site.call(getStandings, { params: { id: tournamentId } });
    expect(
      standings.rows.map(({ rank, teamName, played, wins, losses, points, pointsFor, pointsAgainst, difference }) => [
        rank,
        teamName,
        played,
        wins,
        losses,
        points,
        pointsFor,
        pointsAgainst,
        difference,
      ]),
    ).toEqual([
      [1, 'Pokhara Lynx', 1, 1, 0, 2, 49, 26, 23],
      [2, 'Dharan Dukes', 1, 0, 1, 1, 26, 49, -23],
    ]);
    const match = await site.call(getMatch, { params: { id: matchId } });
    expect([match.date, match.time, match.player_stats.length, match.bestPlayer]).toEqual([
      '2026-11-21T00:00:00.000Z',
      '09:30',
      8,
      { player_id: lynx.players[3], recorded: false },
    ]);
    const player = await site.call(getPlayer, { params: { id: lynx.players[0] ?? '' } });
    expect([player.name, player.total_points, player.matches_played, player.averages]).toEqual(['Player 1', 13, 1, { points: 13, assists: 0, rebounds: 1 }]);
    const tournament = await site.call(getTournament, { params: { id: tournamentId } });
    expect([tournament.teams.length, tournament.matches.length]).toEqual([2, 1]);
    expect((await site.call(listMatches)).map((one) => one.matchId)).toEqual([matchId]);
  }, 60_000);
});
