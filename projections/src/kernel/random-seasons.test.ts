import type { MatchAnswer } from '@courtledger/contracts/match/match.answers';
import type { PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import type { StandingsAnswer } from '@courtledger/contracts/tournament/tournament.answers';
import { array, assert, asyncProperty, integer, nat, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { getMatch } from '../match/match.queries.ts';
import { getTrace, type TraceQuestion } from '../operations/trace.queries.ts';
import { getPlayer } from '../player/player.queries.ts';
import { getStandings } from '../tournament/standings.queries.ts';
import { listedTournament } from '../tournament/tournament.queries.ts';
import { foldBranch, renderMatch } from './branch.ts';
import { dumpReadModel } from './dump.ts';
import { createProjector } from './projector.ts';
import { openReader, type Reader } from './read-model.ts';
import { rebuild } from './rebuild.ts';
import { RecordedLog, teamOf } from './testing/recorded-log.ts';
import { scratchFolder } from './testing/scratch.ts';

const TEAMS = ['a', 'b', 'c', 'd'];
const TOURNAMENTS = ['t0', 't1'];

type Entry = { readonly entryId: string; readonly playerId: string; readonly points: number; readonly assists: number; readonly target?: string };
type Game = {
  readonly id: string;
  readonly tournament: string;
  readonly sides: readonly [string, string];
  entries: Entry[];
  status: Map<string, 'played' | 'Not Played' | 'DNP'>;
  cancelled: boolean;
};

/** An entry stands unless a reversal of it stands; a reversal is an entry itself. */
const stands = (game: Game, { entryId }: Entry): boolean => !game.entries.some((other) => other.target === entryId && stands(game, other));

/**
 * The season told twice: as facts into the log, and as plain lists, from which everything is counted again by the simplest means. Written apart from the
 * projections.
 */
class Model {
  readonly log = new RecordedLog();
  readonly games: Game[] = [];
  readonly entered = new Map(TOURNAMENTS.map((id) => [id, ['a', 'b']]));
  constructor() {
    for (const id of TOURNAMENTS) this.log.tournament(id);
    for (const id of TEAMS) this.log.team(id, `Team ${id}`, 3, id < 'c' ? TOURNAMENTS : []);
  }

  do([action, x, y, z]: readonly [number, number, number, number]): void {
    const open = this.games.filter(({ cancelled }) => !cancelled);
    const game = open[x % Math.max(open.length, 1)];
    if (action === 0 || game === undefined) {
      const first = TEAMS[x % 4] ?? 'a';
      const second = TEAMS[(x + 1 + (y % 3)) % 4] ?? 'b';
      const tournament = TOURNAMENTS[z % 2] ?? 't0';
      const id = `m${String(this.games.length)}`;
      this.log.match(id, tournament, first, second, `2026-11-${String(10 + (y % 9))}`);
      this.games.push({ id, tournament, sides: [first, second], entries: [], status: new Map(), cancelled: false });
    } else if (action <= 5) {
      const playerId = `${game.sides[y % 2] ?? 'a'}-p${String((z % 3) + 1)}`;
      const entryId = this.log.stat(game.id, playerId, (z % 7) - 2, y % 2);
      game.entries.push({ entryId, playerId, points: (z % 7) - 2, assists: y % 2 });
    } else if (action === 6) {
      const target = game.entries[y % Math.max(game.entries.length, 1)];
      if (target === undefined || !stands(game, target)) return;
      const entryId = this.log.reverse(game.id, target.entryId);
      game.entries.push({ entryId, playerId: target.playerId, points: 0 - target.points, assists: 0 - target.assists, target: target.entryId });
    } else if (action === 7) {
      const playerId = `${game.sides[y % 2] ?? 'a'}-p${String((z % 3) + 1)}`;
      const status = (['played', 'Not Played', 'DNP'] as const)[z % 3] ?? 'played';
      this.log.participation(game.id, playerId, status);
      game.status.set(playerId, status);
    } else if (action === 8) {
      if (this.rows(game).size > 0) return;
      this.log.record(`match-${game.id}`, 'MatchCancelled', { matchId: game.id });
      game.cancelled = true;
    } else if (action === 9) {
      this.log.record(`team-${TEAMS[x % 4] ?? 'a'}`, 'TeamDetailsCorrected', { teamId: TEAMS[x % 4] ?? 'a', changes: { name: `Team ${String(z % 5)}` } });
    } else if (action === 10) {
      const tournamentId = TOURNAMENTS[x % 2] ?? 't0';
      const teamId = TEAMS[y % 4] ?? 'a';
      const teams = this.entered.get(tournamentId) ?? [];
      const playing = this.games.some((candidate) => !candidate.cancelled && candidate.tournament === tournamentId && candidate.sides.includes(teamId));
      if (teams.includes(teamId) && !playing) {
        this.log.record(`tournament-${tournamentId}`, 'TeamWithdrawnFromTournament', { tournamentId, teamId });
        this.entered.set(
          tournamentId,
          teams.filter((id) => id !== teamId),
        );
      } else if (!teams.includes(teamId)) {
        this.log.record(`tournament-${tournamentId}`, 'TeamEnteredTournament', { tournamentId, teamId });
        teams.push(teamId);
      }
    } else {
      const playerId = `${TEAMS[x % 4] ?? 'a'}-p${String((y % 3) + 1)}`;
      this.log.person(playerId, 'player', { name: `Name ${String(z % 9)}`, phone: '9811111111' });
    }
  }

  /** Original entries that stand; what reversals add is the negative of what no longer stands. */
  rows(game: Game): Map<string, { points: number; assists: number; status: string }> {
    const rows = new Map<string, { points: number; assists: number; status: string }>();
    const players = new Set([
      ...game.entries.filter((entry) => entry.target === undefined && stands(game, entry)).map(({ playerId }) => playerId),
      ...[...game.status].flatMap(([player, status]) => (status === 'Not Played' ? [] : [player])),
    ]);
    for (const player of players) {
      const own = game.entries.filter((entry) => entry.playerId === player && entry.target === undefined && stands(game, entry));
      rows.set(player, {
        points: own.reduce((sum, { points }) => sum + points, 0),
        assists: own.reduce((sum, { assists }) => sum + assists, 0),
        status: game.status.get(player) ?? 'played',
      });
    }
    return rows;
  }

  score(game: Game, side: string): number {
    return [...this.rows(game)].reduce((sum, [player, { points }]) => (teamOf(player) === side ? sum + points : sum), 0);
  }
}

const parsed = (text: string | undefined): unknown => JSON.parse(text ?? 'null');

const agree = (model: Model, reader: Reader): void => {
  for (const game of model.games) {
    const answer = parsed(getMatch(reader, game.id)) as MatchAnswer | null;
    expect(answer === null).toBe(game.cancelled);
    if (answer === null) continue;
    expect(new Map(answer.player_stats.map(({ player_id, points, assists, notplayed }) => [player_id, { points, assists, status: notplayed }]))).toEqual(
      model.rows(game),
    );
  }
  for (const tournament of TOURNAMENTS) {
    const games = model.games.filter((game) => game.tournament === tournament && !game.cancelled);
    const counted = games.filter((game) => model.rows(game).size > 0);
    expect(parsed(listedTournament(reader, tournament))).toMatchObject({ teams: model.entered.get(tournament), matches: games.map(({ id }) => id) });
    const { rows } = parsed(getStandings(reader, tournament)) as StandingsAnswer;
    const teams = new Set([...(counted.length === 0 ? [] : (model.entered.get(tournament) ?? [])), ...counted.flatMap(({ sides }) => sides)]);
    expect(new Set(rows.map(({ teamId }) => teamId))).toEqual(teams);
    for (const row of rows) {
      const own = counted.filter(({ sides }) => sides.includes(row.teamId));
      const results = own.map((game) => [model.score(game, row.teamId), model.score(game, game.sides.find((side) => side !== row.teamId) ?? '')] as const);
      const wins = results.filter(([us, them]) => us > them).length;
      expect(row).toMatchObject({
        played: own.length,
        wins,
        losses: own.length - wins,
        points: own.length + wins,
        pointsFor: results.reduce((sum, [us]) => sum + us, 0),
        pointsAgainst: results.reduce((sum, [, them]) => sum + them, 0),
        difference: row.pointsFor - row.pointsAgainst,
      });
    }
  }
  for (const player of TEAMS.flatMap((team) => [1, 2, 3].map((number) => `${team}-p${String(number)}`))) {
    const own = model.games.filter(({ cancelled }) => !cancelled).flatMap((game) => model.rows(game).get(player) ?? []);
    const total = own.reduce((sum, { points }) => sum + points, 0);
    const played = own.filter(({ status }) => status === 'played').length;
    const answer = parsed(getPlayer(reader, player)) as PlayerAnswer;
    expect(answer).toMatchObject({ total_points: total, matches_played: played });
    expect(answer.match_history).toHaveLength(own.length);
    expect(answer.averages.points).toBeCloseTo(played === 0 ? 0 : total / played, 0);
  }
};

/** What is stored is what a fold of every fact gives, also with a fact more: previews and traces of now rest on it. */
const agreeWithFold = (model: Model, reader: Reader): void => {
  const until = { kind: 'position', position: reader.position() } as const;
  for (const tournamentId of TOURNAMENTS) {
    const games = model.games.filter(({ tournament }) => tournament === tournamentId);
    const open = games.find(({ cancelled }) => !cancelled);
    const entry = open && {
      position: until.position + 1n,
      revision: 999,
      time: '',
      type: 'StatIncrementRecorded',
      data: { matchId: open.id, entryId: 'considered', playerId: `${open.sides[1]}-p2`, teamId: open.sides[1], points: 3, assists: 0, rebounds: 1 },
    };
    const told = (more: object, plus: NonNullable<typeof entry>[]): unknown => {
      const branch = foldBranch(reader, { tournamentId, plus, ...more });
      return branch && [JSON.stringify(branch.standings), ...games.map(({ id }) => renderMatch(id, branch.documents))];
    };
    for (const plus of [[], entry === undefined ? [] : [entry]]) expect(told({}, plus)).toEqual(told({ until }, plus));
    const standing = (parsed(getStandings(reader, tournamentId)) as StandingsAnswer).rows.flatMap(({ teamId: team }): TraceQuestion[] =>
      (['points', 'rank'] as const).map((stat) => ({ of: 'standings', stat, tournament: tournamentId, team })),
    );
    const scored = games.flatMap(({ id: match, sides: [team] }): TraceQuestion[] => [
      { of: 'match-team', stat: 'points', match, team },
      { of: 'match-player', stat: 'points', match, player: `${team}-p1` },
      { of: 'player-total', stat: 'played', player: `${team}-p1` },
    ]);
    for (const question of [...standing, ...scored]) expect(getTrace(reader, question)).toEqual(getTrace(reader, { ...question, asOf: until }));
  }
};

/**
 * Projections by themselves, with seasons that shrink to what matters. The whole product, its rules and the invariants:
 * services/src/faults/simulated-seasons.faults.test.ts.
 */
test('any season: live, rebuilt, folded from its facts and counted by hand are the same', async () => {
  const step = tuple(nat(11), nat(99), nat(99), nat(99));
  await assert(
    asyncProperty(array(step, { maxLength: 80 }), integer({ min: 1, max: 30 }), async (steps, size) => {
      using folder = scratchFolder();
      const model = new Model();
      for (const one of steps) model.do(one);
      const { log } = model;
      const live = folder.file('live.sqlite');
      const projector = createProjector({ path: live, openPerson: log.openPerson, cache: size });
      for (let from = 0; from < log.events.length; from += size) {
        // Now and then a batch comes again from a little further back.
        projector.apply(log.events.slice(Math.max(0, from - (from % 3)), from + size));
      }
      const reader = openReader(live);
      agree(model, reader);
      agreeWithFold(model, reader);
      reader.close();
      projector.close();
      const rebuilt = folder.file('rebuilt.sqlite');
      await rebuild({ path: rebuilt, readPage: log.readPage, openPerson: log.openPerson });
      expect(dumpReadModel(rebuilt)).toEqual(dumpReadModel(live));
    }),
    // A failure prints its seed and path; SEED repeats it.
    { numRuns: 40, ...(process.env['SEED'] === undefined ? {} : { seed: Number(process.env['SEED']) }) },
  );
}, 120_000);
