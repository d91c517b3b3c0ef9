import type { FactType } from '@courtledger/contracts/kernel/all-facts';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { getMatch, recordMatchStats, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { requestTournament } from '@courtledger/contracts/request/request.api';
import { changeTournament, getStandings } from '@courtledger/contracts/tournament/tournament.api';
import { afterEach, describe, expect, it } from 'vitest';
import { runSeed, seededRandom } from '../event-log/testing/random.ts';
import type { Caller } from '../platform/call.ts';
import { commandContext } from '../platform/command-context.ts';
import { startServer, type ServerProcess } from '../testing/server-process.ts';
import { apiOn, pathOf, season, superAdminPassword, type Api, type Given, type Season } from '../testing/site.ts';
import { inspectDead, scratchFolder } from './testing/dead-data.ts';

const full = process.env['FAULTS'] === 'full';
const clients = 8;

const running: ServerProcess[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.child.kill('SIGKILL');
    await server.ended;
  }
});
const start = (dataDir: string): ServerProcess => {
  const server = startServer({ DATA_DIR: dataDir, SUPERADMIN_ID: 'root', SUPERADMIN_PASSWORD: superAdminPassword, RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  running.push(server);
  return server;
};

/** A command with the id that its key makes, what it adds up to, and the first answer to it: undefined when the kill took it. */
type Command = {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly given: Given;
  readonly events: readonly FactType[];
  readonly points: readonly (readonly [playerId: string, points: number])[];
  answer?: { readonly status: number; readonly text: string; readonly position: bigint };
};

const line = (playerId: string, points: number): object => ({ playerId, points, assists: 1, rebounds: 0, notplayed: '' });
const byId = ([a]: readonly [string, number], [b]: readonly [string, number]): number => (a < b ? -1 : 1);

/** Whose token it is. */
const subjectOf = (token: string): string => (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }).sub;

/** Commands of every kind that a tap, a sheet, an edit and a stranger's form make, each under a key of its own. */
const commandsOf = ({ token, matchId, tournamentId, teams: [a, b] }: Season, random: () => number): (() => Command) => {
  let made = 0;
  const caller: Caller = { role: 'admin', id: subjectOf(token), name: '', jti: '', expires: 0 };
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  return () => {
    made += 1;
    const key = `command-${made}`;
    const headers = { 'idempotency-key': key };
    const idOf = (endpoint: Endpoint, given: Given, of: Caller): string =>
      commandContext(
        { caller: of, method: endpoint.method, path: pathOf(endpoint, given), idempotencyKey: key, correlationId: '', time: '', body: {}, fileHashes: {} },
        () => '',
      ).commandId;
    const command = (endpoint: Endpoint, given: Given, events: readonly FactType[], points: Command['points'] = [], of: Caller = caller): Command => ({
      id: idOf(endpoint, given, of),
      endpoint,
      given: { ...given, headers },
      events,
      points,
    });
    const kind = random();
    const points = 1 + Math.floor(random() * 9);
    if (kind < 0.45) {
      const playerId = pick([...a.players, ...b.players]);
      return command(
        recordStatIncrement,
        { token, params: { id: matchId }, json: { entryId: key, playerId, points } },
        ['StatIncrementRecorded'],
        [[playerId, points]],
      );
    }
    if (kind < 0.85) {
      const [ours, theirs] = [pick(a.players), pick(b.players)];
      return command(
        recordMatchStats,
        { token, json: { matchId, team1Players: [line(ours, points)], team2Players: [line(theirs, -points)] } },
        ['StatIncrementRecorded', 'StatIncrementRecorded'],
        [
          [ours, points],
          [theirs, -points],
        ],
      );
    }
    // Of a tournament nothing changes that an answer about its match tells: what other streams tell is told as of today
    // (docs/decisions/answers-of-commands.md).
    if (kind < 0.95)
      return command(changeTournament, { token, params: { id: tournamentId }, json: { prizePool: { mvp: `Rs ${made}` } } }, ['TournamentDetailsChanged']);
    // The person first, then the request: two streams, one command.
    return command(
      requestTournament,
      {
        form: {
          tournamentName: `Cup ${made}`,
          contactPhone1: '9811111111',
          contactPhone2: '9822222222',
          organizerName: 'Ram',
          location: 'Butwal',
          prizePool: 'TBD',
        },
      },
      ['PersonDetailsRecorded', 'TournamentRequested'],
      [],
      { role: 'visitor' },
    );
  };
};

/** Sends a command. Every answer to it must be the first one again, to the byte; no answer at all is what a kill does. */
const send = async (api: Api, command: Command): Promise<boolean> => {
  const reply = await api.send(command.endpoint, command.given).catch(() => undefined);
  if (reply === undefined) return false;
  expect([command.endpoint.name, reply.status, reply.text]).toEqual([command.endpoint.name, command.endpoint.status, command.answer?.text ?? reply.text]);
  command.answer ??= { status: reply.status, text: reply.text, position: BigInt(String(reply.headers['x-commit-position'])) };
  return true;
};

const expectNoGaps = (events: readonly RecordedEvent[]): void => {
  const next = new Map<string, number>();
  for (const event of events) {
    expect(event.revision).toBe(next.get(event.stream) ?? 0);
    next.set(event.stream, event.revision + 1);
  }
  expect(events.map((event) => event.position)).toEqual(events.map((_, index) => BigInt(index + 1)));
};

/** Each acknowledged command stands in the log with all its events, and once. */
const expectEachOnce = (events: readonly RecordedEvent[], acknowledged: readonly Command[]): void => {
  const caused = Map.groupBy(events, ({ metadata }) => metadata.commandId);
  for (const command of acknowledged) {
    const found = caused.get(command.id) ?? [];
    expect(found.map(({ type }) => type)).toEqual(command.events);
    // What is committed together is answered with the last position of all.
    expect((found.at(-1)?.position ?? 0n) <= (command.answer?.position ?? 0n)).toBe(true);
  }
};

describe('a product whose process is killed', () => {
  const kills = full ? 200 : 4;
  it(
    `loses no acknowledged command and does none twice in ${kills} kills during commands over HTTP, and its read model is what a rebuild makes (R1, R6, R9)`,
    { timeout: 60_000 + kills * 15_000 },
    async () => {
      using folder = scratchFolder();
      const dataDir = folder.path;
      const random = seededRandom(runSeed('killed product'));
      let server = start(dataDir);
      let api = apiOn(await server.ready);
      const place = await season(api);
      const nextCommand = commandsOf(place, random);
      const all: Command[] = [];
      let latest: Command[] = [];

      for (let kill = 0; kill < kills; kill += 1) {
        latest = [];
        const first = Promise.withResolvers<void>();
        const load = Promise.all(
          Array.from({ length: clients }, async () => {
            for (;;) {
              const command = nextCommand();
              latest.push(command);
              all.push(command);
              if (!(await send(api, command))) return;
              first.resolve();
            }
          }),
        );
        await Promise.race([first.promise, load]);
        // The wait is the fault itself: a kill at a moment that nothing in the server knows of.
        await new Promise((resolve) => setTimeout(resolve, random() * 60));
        server.child.kill('SIGKILL');
        expect((await server.ended).signal).toBe('SIGKILL');
        await load;

        const { events, chain, live, rebuilt } = await inspectDead(dataDir);
        expect(chain).toEqual({ events: events.length, erased: 0 });
        expectNoGaps(events);
        expectEachOnce(
          events,
          all.filter((command) => command.answer !== undefined),
        );
        expect([kill, live]).toEqual([kill, rebuilt]);

        server = start(dataDir);
        api = apiOn(await server.ready);
        // Each command of the last life comes again 1 to 4 times, at once: those that were answered and those that were not.
        await Promise.all(latest.flatMap((command) => Array.from({ length: 1 + Math.floor(random() * 4) }, async () => send(api, command))));
        expect(latest.filter((command) => command.answer === undefined)).toEqual([]);
        const taps = latest.filter(({ endpoint }) => endpoint === recordStatIncrement).slice(0, 1);
        for (const { given } of taps)
          expect((await api.send(recordStatIncrement, { ...given, json: { ...(given.json as object), points: 99 } })).status).toBe(409);
      }
      expect(all.length).toBeGreaterThan(kills * clients);

      const totals = new Map<string, number>();
      for (const [playerId, points] of all.flatMap((command) => command.points)) totals.set(playerId, (totals.get(playerId) ?? 0) + points);
      const match = await api.call(getMatch, { params: { id: place.matchId } });
      expect(match.player_stats.map((row) => [row.player_id, row.points] as const).toSorted(byId)).toEqual([...totals].toSorted(byId));
      const scoreOf = (players: readonly string[]): number => players.reduce((sum, playerId) => sum + (totals.get(playerId) ?? 0), 0);
      const standings = await api.call(getStandings, { params: { id: place.tournamentId } });
      for (const { teamId, players } of place.teams) expect(standings.rows.find((row) => row.teamId === teamId)?.pointsFor).toBe(scoreOf(players));

      server.child.kill('SIGTERM');
      expect((await server.ended).code).toBe(0);
      const { events, live, rebuilt } = await inspectDead(dataDir);
      expectEachOnce(events, all);
      expect(live).toEqual(rebuilt);
      expect(live.position).toBe(String(events.length));
      process.stderr.write(`killed product: ${all.length} commands, ${events.length} events\n`);
    },
  );
});
