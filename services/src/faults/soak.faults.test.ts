import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { logInAdmin } from '@courtledger/contracts/admin/admin.api';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { followChanges } from '@courtledger/contracts/kernel/live.api';
import {
  getMatch,
  getMatchHistory,
  listMatches,
  nameMatchMvp,
  recordMatchStats,
  recordStatIncrement,
  rescheduleMatch,
  reverseStatEntry,
} from '@courtledger/contracts/match/match.api';
import { correctPlayer, getPlayer, getPlayerDocument } from '@courtledger/contracts/player/player.api';
import { requestTournament } from '@courtledger/contracts/request/request.api';
import { addPlayerToTeam, correctTeam, getTeam, registerTeam } from '@courtledger/contracts/team/team.api';
import {
  changeTournament,
  getLeaders,
  getStandings,
  getTournament,
  listTournamentMatches,
  listTournaments,
} from '@courtledger/contracts/tournament/tournament.api';
import { afterEach, expect, it } from 'vitest';
import { runSeed, seededRandom } from '../event-log/testing/random.ts';
import { probe, probing, type Probe } from '../testing/process-probe.ts';
import { startServer, type ServerProcess } from '../testing/server-process.ts';
import { apiOn, encodeForm, pathOf, pdf, picture, playerForm, season, superAdminPassword, type Api, type Given, type Season } from '../testing/site.ts';
import { scratchFolder } from './testing/dead-data.ts';

const full = process.env['FAULTS'] === 'full';
const perSecond = 50;
/**
 * Requests before anything is measured (caches fill, code is compiled), between two probes, and probes. At full figures: three minutes, then seven, looked at
 * every half minute.
 */
const [warmUp, between, probes] = full ? [180 * perSecond, 30 * perSecond, 14] : [20, 20, 2];
const tenMinutes = 600 * perSecond;
const megabyte = 1024 * 1024;

let server: ServerProcess | undefined;
afterEach(async () => {
  server?.child.kill('SIGKILL');
  await server?.ended;
});

type Job = () => Promise<unknown>;

/** Sends the head and a part of a form, and goes away. */
const breakOff = async (port: number, endpoint: Endpoint, given: Given, random: () => number): Promise<void> => {
  const { bytes, contentType } = await encodeForm(given.form ?? {});
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const head = `${endpoint.method} ${pathOf(endpoint, given)} HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: ${bytes.length}\r\n${given.token === undefined ? '' : `Authorization: Bearer ${given.token}\r\n`}\r\n`;
  await new Promise<void>((resolve) => {
    socket.write(Buffer.concat([Buffer.from(head), bytes.subarray(0, Math.floor(random() * (bytes.length - 1)))]), () => {
      resolve();
    });
  });
  if (random() < 0.5) socket.destroy();
  else socket.resetAndDestroy();
  if (!socket.closed) await once(socket, 'close');
};

/** Listens to the live events until the first bytes have come. */
const listen = async (port: number): Promise<void> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET ${pathOf(followChanges)} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'data');
  socket.destroy();
};

/**
 * What visitors, admins and strangers do, mostly on data that stay as many as they are: entries and remembered keys of a match are held as long as its stream
 * is, within the limits of the caches, and many of them would hide what leaks. Each job rejects when its answer is not the one that is due.
 */
const jobsOn = async (api: Api, place: Season, random: () => number): Promise<() => Job> => {
  const { token, tournamentId, matchId, teams } = place;
  const [a, b] = teams;
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const players = [...a.players, ...b.players];
  const photos = await Promise.all(['#111111', '#eeeeee'].map(async (colour) => picture(colour, 600)));
  const expectStatus = async (status: number, endpoint: Endpoint, given: Given = {}): Promise<void> => {
    const reply = await api.send(endpoint, given);
    if (reply.status !== status) throw new Error(`${endpoint.name} answered ${reply.status}: ${reply.text.slice(0, 300)}`);
  };
  const ok =
    (endpoint: Endpoint, given: () => Given = () => ({})): Job =>
    async () =>
      expectStatus(endpoint.status, endpoint, given());
  const tap = { entryId: 'tap-1', playerId: a.players[0], points: 2 };
  await expectStatus(201, recordStatIncrement, { token, params: { id: matchId }, json: tap });
  const reads: readonly Job[] = [
    ok(listTournaments),
    ok(getTournament, () => ({ params: { id: tournamentId } })),
    ok(getStandings, () => ({ params: { id: tournamentId } })),
    ok(getMatch, () => ({ params: { id: matchId } })),
    ok(listMatches),
    ok(getStandings, () => ({ params: { id: tournamentId }, query: { asOf: String(1 + Math.floor(random() * 1e9)) } })),
    ok(listTournamentMatches, () => ({ params: { id: tournamentId } })),
    ok(getLeaders, () => ({ params: { id: tournamentId } })),
    ok(getPlayer, () => ({ params: { id: pick(players) } })),
    ok(getTeam, () => ({ params: { id: a.teamId } })),
    ok(getMatchHistory, () => ({ token, params: { id: matchId } })),
    ok(getPlayerDocument, () => ({ token, params: { id: pick(players) } })),
    async () => expectStatus(404, getPlayer, { params: { id: randomUUID() } }),
  ];
  const change = (given: () => object): Job => ok(changeTournament, () => ({ token, params: { id: tournamentId }, json: given() }));
  const growing: readonly Job[] = [
    async () => {
      const entryId = randomUUID();
      await expectStatus(201, recordStatIncrement, { token, params: { id: matchId }, json: { entryId, playerId: pick(players), points: 2 } });
      await expectStatus(201, reverseStatEntry, { token, params: { id: matchId, entryId }, json: { reason: 'A wrong tap' } });
    },
    ok(recordMatchStats, () => ({
      token,
      json: { matchId, team1Players: [{ playerId: pick(a.players), points: 1, assists: 0, rebounds: 0, notplayed: '' }], team2Players: [] },
    })),
    ok(changeTournament, () => ({
      token,
      params: { id: tournamentId },
      json: { location: pick(['Kathmandu', 'Pokhara', 'Butwal']) },
      headers: { 'idempotency-key': randomUUID() },
    })),
  ];
  const writes: readonly Job[] = [
    async () => expectStatus(201, recordStatIncrement, { token, params: { id: matchId }, json: tap }),
    async () => expectStatus(409, recordStatIncrement, { token, params: { id: matchId }, json: { ...tap, points: 3 } }),
    change(() => ({ location: pick(['Kathmandu', 'Pokhara', 'Butwal']) })),
    change(() => ({ prizePool: { mvp: String(Math.floor(random() * 9000)) } })),
    ok(rescheduleMatch, () => ({ token, params: { id: matchId }, json: { date: `2026-11-${20 + Math.floor(random() * 9)}`, time: '9:30' } })),
    ok(nameMatchMvp, () => ({ token, params: { id: matchId }, json: { playerId: pick([tap.playerId, null]) } })),
  ];
  const uploads: readonly Job[] = [
    ok(correctTeam, () => ({ token, params: { id: pick([a, b]).teamId }, form: { logo: pick(photos) } })),
    ok(correctPlayer, () => ({ token, params: { id: pick(players) }, form: { image: pick(photos), document: pdf } })),
    ok(changeTournament, () => ({ token, params: { id: tournamentId }, form: { posterImage: pick(photos) } })),
    async () => expectStatus(400, registerTeam, { form: { name: 'x', origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: pick(photos) } }),
    async () => expectStatus(409, addPlayerToTeam, { token, form: await playerForm(a.teamId, 1) }),
    async () =>
      expectStatus(415, correctTeam, {
        token,
        params: { id: a.teamId },
        form: { logo: Buffer.concat([photos[0]?.subarray(0, 200) ?? pdf, Buffer.alloc(5000)]) },
      }),
  ];
  const broken: readonly Job[] = [
    async () =>
      breakOff(api.port, registerTeam, { form: { name: 'Gone Geese', origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: pick(photos) } }, random),
    async () => breakOff(api.port, correctPlayer, { token, params: { id: pick(players) }, form: { image: pick(photos), document: pdf } }, random),
    async () => breakOff(api.port, requestTournament, { form: { tournamentName: 'Gone Cup', poster: pick(photos) } }, random),
    async () => listen(api.port),
    async () => expectStatus(401, correctTeam, { token: 'no.such.token', params: { id: a.teamId }, json: { name: 'Other' } }),
  ];
  const logIn = async (): Promise<void> => expectStatus(401, logInAdmin, { json: { email: 'asha@example.org', password: 'not-the-password' } });
  return () => {
    const kind = random();
    if (kind < 0.5) return pick(reads);
    if (kind < 0.7) return pick(writes);
    if (kind < 0.72) return pick(growing);
    if (kind < 0.86) return pick(uploads);
    return kind < 0.99 ? pick(broken) : logIn;
  };
};

/** Begins a request every 20 ms, whatever became of those before, and waits for all of them. Gives what went wrong. */
const load = async (count: number, next: () => Job): Promise<readonly string[]> => {
  const failures: string[] = [];
  const began = performance.now();
  const jobs: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const due = began + (index * 1000) / perSecond;
    // A pace, not a wait for something.
    await new Promise((resolve) => {
      setTimeout(resolve, Math.max(0, due - performance.now()));
    });
    jobs.push(
      next()().then(
        () => undefined,
        (error: unknown) => {
          failures.push(String(error));
        },
      ),
    );
  }
  await Promise.all(jobs);
  return failures;
};

const heapOf = ({ heaps }: Probe): number => heaps.reduce((sum, { bytes }) => sum + bytes, 0);

/** The median of the slopes between any two values (Theil and Sen): a step that happens once, up or down, is no slope. */
const slopeOf = (values: readonly number[]): number => {
  const slopes = values.flatMap((value, at) => values.slice(0, at).map((before, index) => (value - before) / (at - index))).toSorted((x, y) => x - y);
  return slopes[Math.floor(slopes.length / 2)] ?? Number.NaN;
};

it('would see what rises', () => {
  expect(slopeOf([5, 6, 7, 8, 9, 10])).toBe(1);
  expect(slopeOf([9, 9, 3, 3, 3, 3, 3, 3])).toBe(0);
  expect(slopeOf([9, 9.5, 3, 3.5, 4, 4.5, 5, 5.5])).toBe(0.5);
});

it(
  `holds no more memory and no more files after ${probes * between} requests at ${perSecond} a second, with uploads and uploads that are broken off (R22)`,
  { timeout: 1_800_000 },
  async () => {
    using folder = scratchFolder();
    server = startServer(
      { DATA_DIR: folder.path, SUPERADMIN_ID: 'root', SUPERADMIN_PASSWORD: superAdminPassword, RATE_LIMIT: 'off', LOG_LEVEL: 'error' },
      probing(full),
    );
    const api = apiOn(await server.ready);
    const next = await jobsOn(api, await season(api), seededRandom(runSeed('soak')));
    const failures = [...(await load(warmUp, next))];
    const seen: Probe[] = [await probe(server)];
    for (let round = 0; round < probes; round += 1) {
      failures.push(...(await load(between, next)));
      seen.push(await probe(server));
    }
    for (const { heaps, loopP99, descriptors } of seen)
      process.stderr.write(
        `soak: ${heaps.map(({ thread, bytes }) => `${thread} ${(bytes / megabyte).toFixed(2)} MB`).join(', ')}; event loop p99 ${loopP99.toFixed(1)} ms; ${descriptors} descriptors\n`,
      );
    const rise = (slopeOf(seen.map(heapOf)) * (full ? tenMinutes / between : probes)) / megabyte;
    process.stderr.write(`soak: the heap rises by ${rise.toFixed(2)} MB ${full ? 'in ten minutes' : `over ${probes * between} requests`}\n`);

    expect(failures).toEqual([]);
    const [first, last] = [seen[0]?.descriptors ?? 0, seen.at(-1)?.descriptors ?? 0];
    expect(last).toBeLessThanOrEqual(first + 4);
    // In a few seconds code is still being compiled: the small run only sees what leaks with every request.
    expect(rise).toBeLessThan(full ? 1 : 10);
    const delays = seen
      .slice(1)
      .map(({ loopP99 }) => loopP99)
      .toSorted((x, y) => x - y);
    expect(delays[Math.floor(delays.length / 2)]).toBeLessThan(full ? 100 : 2000);
    expect(server.logged()).toBe('');
    // Before its folder goes: ten minutes after the first change it may be making a backup there.
    server.child.kill('SIGKILL');
    await server.ended;
  },
);
