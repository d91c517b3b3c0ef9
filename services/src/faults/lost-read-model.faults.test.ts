import { existsSync, openSync, readSync, closeSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { problem } from '@courtledger/contracts/kernel/problem';
import { getMatch, listMatches, recordMatchStats } from '@courtledger/contracts/match/match.api';
import { getPlayer } from '@courtledger/contracts/player/player.api';
import { getTeam } from '@courtledger/contracts/team/team.api';
import { getLeaders, getStandings, getTournament, listTournaments } from '@courtledger/contracts/tournament/tournament.api';
import { dumpReadModel } from '@courtledger/projections/kernel/dump';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createApp } from '../app.ts';
import { runSeed, seededRandom } from '../event-log/testing/random.ts';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { apiOn, openSite, season, testConfig, type Api, type Given, type Season } from '../testing/site.ts';
import { scratchFolder } from './testing/dead-data.ts';

const full = process.env['FAULTS'] === 'full';

const flipBit = (path: string, random: () => number): void => {
  const at = Math.floor(random() * statSync(path).size);
  const byte = Buffer.alloc(1);
  const file = openSync(path, 'r+');
  readSync(file, byte, 0, 1, at);
  writeSync(file, Buffer.from([(byte[0] ?? 0) ^ (1 << Math.floor(random() * 8))]), 0, 1, at);
  closeSync(file);
};

const execute = (path: string, sql: string): void => {
  const database = new Database(path);
  database.exec(sql);
  database.close();
};

const line = (playerId: string): object => ({ playerId, points: 2, assists: 1, rebounds: 1, notplayed: 'played' });

/** A log of some length under a season: every read has something to say. */
const play = async (api: Api, { token, matchId, teams: [a, b] }: Season): Promise<void> => {
  for (let round = 0; round < (full ? 400 : 40); round += 1)
    await api.call(recordMatchStats, { token, json: { matchId, team1Players: a.players.map(line), team2Players: b.players.slice(1).map(line) } });
};

/** R10: the read model may be lost in any way. The next start gives the same one again, and until then nothing that is only partly there. */
it('comes back as it was, whatever became of the file, and is never answered in part', { timeout: 600_000 }, async () => {
  using folder = scratchFolder();
  const config = testConfig(folder.path, { store: { kind: 'sqlite' } });
  const random = seededRandom(runSeed('lost read model'));
  const first = await openSite(config);
  const place = await season(first);
  await play(first, place);
  const reads: readonly (readonly [Endpoint, Given])[] = [
    [listTournaments, {}],
    [getTournament, { params: { id: place.tournamentId } }],
    [getStandings, { params: { id: place.tournamentId } }],
    [getLeaders, { params: { id: place.tournamentId } }],
    [listMatches, {}],
    [getMatch, { params: { id: place.matchId } }],
    [getTeam, { params: { id: place.teams[0].teamId } }],
    [getPlayer, { params: { id: place.teams[0].players[0] ?? '' } }],
  ];
  const texts = await Promise.all(reads.map(async ([endpoint, given]) => (await first.send(endpoint, given)).text));
  await first.close();
  const path = join(folder.path, liveReadModel(folder.path));
  const before = dumpReadModel(path);
  expect(before.tables['stat_lines']?.rows).toBe(7);

  const more: [string, () => void][] = [
    ['nothing', () => {}],
    [
      'deleted',
      () => {
        rmSync(path);
      },
    ],
    [
      'deleted with its seal',
      () => {
        for (const suffix of ['', '.seal']) rmSync(path + suffix, { force: true });
      },
    ],
    [
      'rows deleted',
      () => {
        execute(path, 'DELETE FROM stat_lines');
      },
    ],
    [
      'a checkpoint that runs ahead',
      () => {
        execute(path, "UPDATE checkpoint SET position = '999999'");
      },
    ],
  ];
  const flips = Array.from({ length: full ? 40 : 1 }, (_, index): [string, () => void] => [
    `a bit flipped (${index + 1})`,
    () => {
      flipBit(path, random);
    },
  ]);
  const damages: readonly [name: string, damage: () => void][] = [
    [
      'cut in half',
      () => {
        truncateSync(path, statSync(path).size >> 1);
      },
    ],
    [
      'a table dropped',
      () => {
        execute(path, 'DROP TABLE standings');
      },
    ],
    ...flips,
    ...(full ? more : []),
  ];
  for (const [name, damage] of damages) {
    damage();
    const app = createApp({ config, logger: silentLogger });
    const api = apiOn(await app.listen());
    const seen = { unavailable: 0, whole: 0, other: [] as string[] };
    const ask = async (): Promise<void> => {
      const replies = await Promise.all(reads.map(async ([endpoint, given]) => api.send(endpoint, given)));
      for (const [index, reply] of replies.entries()) {
        if (reply.status === 503 && Number(reply.headers['retry-after']) > 0 && problem.parse(reply.json()).status === 503) seen.unavailable += 1;
        else if (reply.status === 200 && reply.text === texts[index]) seen.whole += 1;
        else seen.other.push(`${reply.status} ${reply.text}`);
      }
    };
    await ask();
    const opening = { done: false };
    const opened = app.open().finally(() => {
      opening.done = true;
    });
    while (!opening.done) await ask();
    await opened;
    await ask();
    expect([name, seen.other]).toEqual([name, []]);
    expect(seen.unavailable).toBeGreaterThanOrEqual(reads.length);
    expect(seen.whole).toBeGreaterThanOrEqual(reads.length);
    await app.close(2000);
    expect([name, existsSync(path), dumpReadModel(path)]).toEqual([name, true, before]);
  }
});
