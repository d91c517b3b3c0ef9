import { join } from 'node:path';
import { assignMatch, getMatch, recordMatchStats, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import type { ReadModelJob } from '@courtledger/contracts/operations/operations.answers';
import { startRebuild, switchBackReadModel } from '@courtledger/contracts/operations/operations.api';
import { getPlayer } from '@courtledger/contracts/player/player.api';
import { getStandings, listTournamentMatches } from '@courtledger/contracts/tournament/tournament.api';
import { dumpReadModel } from '@courtledger/projections/kernel/dump';
import { afterEach, expect, it } from 'vitest';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import { runSeed, seededRandom } from '../event-log/testing/random.ts';
import type { Config } from '../platform/config.ts';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import { openSite, season, type Season, type Site } from '../testing/site.ts';

const full = process.env['FAULTS'] === 'full';
const readers = 50;
const writers = 10;
const matches = 5;
const cycles = full ? 8 : 2;
/** Calls of eight lines each, before the load begins. */
const before = full ? 1500 : 40;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const eight = (playerId: string): object => ({ playerId, points: 1, assists: 1, rebounds: 1, notplayed: 'played' });

type Load = {
  readonly stop: () => Promise<void>;
  readonly faults: readonly string[];
  readonly answers: () => number;
  readonly recorded: () => ReadonlyMap<string, number>;
};

/**
 * Readers and writers over HTTP, each of whom notes what cannot be: an answer that is no success, goes back in time, does not add up, or does not show what was
 * just acknowledged.
 */
const startLoad = (site: Site, place: Season, matchIds: readonly string[], random: () => number): Load => {
  const faults: string[] = [];
  const recorded = new Map<string, number>();
  const state = { stopping: false };
  let answers = 0;
  const players = place.teams.flatMap(({ players: ids }) => ids);

  const reader = async (): Promise<void> => {
    let position = 0n;
    const seen = new Map<string, number>();
    /** Only positive points are recorded: what is seen of one place never shrinks. */
    const grows = (what: string, points: number): void => {
      if (points < (seen.get(what) ?? 0)) faults.push(`${what} went back from ${String(seen.get(what))} to ${points}`);
      seen.set(what, points);
    };
    while (!state.stopping) {
      const kind = Math.floor(random() * 4);
      const matchId = matchIds[Math.floor(random() * matchIds.length)] ?? '';
      const playerId = players[Math.floor(random() * players.length)] ?? '';
      const [endpoint, id] = (
        [
          [getMatch, matchId],
          [getStandings, place.tournamentId],
          [listTournamentMatches, place.tournamentId],
          [getPlayer, playerId],
        ] as const
      )[kind] ?? [getMatch, matchId];
      const reply = await site.send(endpoint, { params: { id } });
      answers += 1;
      if (reply.status !== 200) {
        faults.push(`${endpoint.name} answered ${reply.status}`);
        continue;
      }
      const at = BigInt(String(reply.headers['x-read-position']));
      if (at < position) faults.push(`${endpoint.name} went back from position ${position} to ${at}`);
      position = at;
      if (kind === 0) grows(`match ${matchId}`, sum(getMatch.response.parse(reply.json()).player_stats.map(({ points }) => points)));
      else if (kind === 1) {
        const { rows } = getStandings.response.parse(reply.json());
        if (sum(rows.map(({ pointsFor }) => pointsFor)) !== sum(rows.map(({ pointsAgainst }) => pointsAgainst))) faults.push('standings do not add up');
        grows('standings', sum(rows.map(({ pointsFor }) => pointsFor)));
      } else if (kind === 2) grows('scores', sum(listTournamentMatches.response.parse(reply.json()).matches.map(({ score_1, score_2 }) => score_1 + score_2)));
      else {
        const { total_points, match_history } = getPlayer.response.parse(reply.json());
        if (total_points !== sum(match_history.map(({ points }) => points))) faults.push('a player does not add up');
        grows(`player ${playerId}`, total_points);
      }
    }
  };

  const writer = async (index: number): Promise<void> => {
    const matchId = matchIds[index % matchIds.length] ?? '';
    const playerId = players[index % players.length] ?? '';
    const mine = `${matchId} ${playerId}`;
    for (let entry = 0; !state.stopping; entry += 1) {
      const reply = await site.send(recordStatIncrement, {
        token: place.token,
        params: { id: matchId },
        json: { entryId: `load-${index}-${entry}`, playerId, points: 1 + (entry % 3) },
      });
      answers += 1;
      if (reply.status !== 201) {
        faults.push(`recordStatIncrement answered ${reply.status}`);
        continue;
      }
      recorded.set(mine, (recorded.get(mine) ?? 0) + 1 + (entry % 3));
      const acknowledged = recorded.get(mine) ?? 0;
      if (reply.headers['x-projection'] === 'pending') continue;
      const shown = await site.send(getMatch, { params: { id: matchId } });
      answers += 1;
      const points = shown.status === 200 ? (getMatch.response.parse(shown.json()).player_stats.find((line) => line.player_id === playerId)?.points ?? 0) : -1;
      if (points < acknowledged) faults.push(`own write not shown: ${points} of ${acknowledged}`);
    }
  };

  const all = Promise.all([...Array.from({ length: readers }, reader), ...Array.from({ length: writers }, async (_, index) => writer(index))]);
  return {
    faults,
    answers: () => answers,
    recorded: () => recorded,
    async stop() {
      state.stopping = true;
      await all;
    },
  };
};

const stores: readonly { readonly name: string; readonly open: () => Promise<Config['store']> }[] = [
  { name: 'SQLite', open: async () => ({ kind: 'sqlite' }) },
  {
    name: 'EventStoreDB (its stand-in)',
    async open() {
      const standIn = await EventStoreStandIn.start();
      closers.push(async () => standIn.close());
      return { kind: 'eventstoredb', url: standIn.url };
    },
  },
];

it.each(stores)(
  `rebuild, switch and switch back while ${readers} readers and ${writers} writers work: no answer fails or is inconsistent ($name)`,
  async ({ open }) => {
    const random = seededRandom(runSeed('rebuild under load'));
    const site = await openSite({ store: await open() });
    closers.push(site.close);
    const place = await season(site);
    const { token, superToken, tournamentId, teams } = place;
    const { jobs } = site.opened.operations;
    const matchIds = [place.matchId];
    while (matchIds.length < matches)
      matchIds.push(
        (
          await site.call(assignMatch, {
            token,
            json: { tournamentId, teamAId: teams[0].teamId, teamBId: teams[1].teamId, matchDate: '2026-11-22', matchTime: '9:30' },
          })
        ).match._id,
      );
    for (let call = 0; call < before; call += 1)
      await site.call(recordMatchStats, {
        token,
        json: { matchId: matchIds[call % matches], team1Players: teams[0].players.map(eight), team2Players: teams[1].players.map(eight) },
      });

    const load = startLoad(site, place, matchIds, random);
    const ended = async (): Promise<ReadModelJob | undefined> => jobs.ended();
    const done: unknown[] = [];
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const [answers, live] = [load.answers(), liveReadModel(site.config.dataDir)];
      await site.call(startRebuild, { token: superToken, json: {} });
      const rebuilt = await ended();
      done.push([rebuilt?.state, rebuilt?.diff?.equal, rebuilt?.error]);
      expect(liveReadModel(site.config.dataDir)).toBe(rebuilt?.file);
      // The load was there all the while.
      expect(load.answers()).toBeGreaterThan(answers);
      if (cycle % 2 === 1) continue;
      await site.call(switchBackReadModel, { token: superToken });
      const back = await ended();
      done.push([back?.state, undefined, back?.error]);
      expect(liveReadModel(site.config.dataDir)).toBe(live);
    }
    await load.stop();
    expect(load.faults).toEqual([]);
    expect(done).toEqual(done.map((_, index) => (index % 3 === 1 ? ['switched', undefined, null] : ['switched', true, null])));
    expect(load.answers()).toBeGreaterThan(readers + writers);

    // Everything acknowledged is there, in the model that is live and in one that is made anew.
    await site.call(startRebuild, { token: superToken, json: { verifyOnly: true } });
    const verified = await ended();
    expect([verified?.state, verified?.error]).toEqual(['equal', null]);
    const preloaded = new Map(matchIds.map((id, index) => [id, Math.floor(before / matches) + (index < before % matches ? 1 : 0)]));
    for (const id of matchIds) {
      const shown = new Map((await site.call(getMatch, { params: { id } })).player_stats.map(({ player_id, points }) => [player_id, points]));
      for (const playerId of teams.flatMap(({ players }) => players))
        expect(shown.get(playerId)).toBe((preloaded.get(id) ?? 0) + (load.recorded().get(`${id} ${playerId}`) ?? 0));
    }
    expect(dumpReadModel(join(site.config.dataDir, liveReadModel(site.config.dataDir))).position).toBe((await site.opened.store.log.head()).toString());
  },
  600_000,
);
