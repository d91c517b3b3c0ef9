import { getMatch, getMatchHistory, listMatchCorrections, listMatches } from '@courtledger/contracts/match/match.api';
import type { Correction, HistoryRow, MatchAnswer } from '@courtledger/contracts/match/match.answers';
import { getPlayer, listPlayers } from '@courtledger/contracts/player/player.api';
import type { AdminPlayer, PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import type { PersonEvent } from '@courtledger/contracts/player/person.events';
import { getTeam, getTeamNames, listTeams } from '@courtledger/contracts/team/team.api';
import type { PublicTeam, TeamAnswer } from '@courtledger/contracts/team/team.answers';
import {
  getLeaders,
  getStandings,
  getStandingsCsv,
  getTournament,
  listTournamentMatches,
  listTournaments,
} from '@courtledger/contracts/tournament/tournament.api';
import type { StandingsAnswer, TournamentLists, TournamentMatches } from '@courtledger/contracts/tournament/tournament.answers';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { dumpReadModel } from '@courtledger/projections/kernel/dump';
import { rebuild } from '@courtledger/projections/kernel/rebuild';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { expect } from 'vitest';
import type { Caller } from '../../platform/call.ts';
import { toFact } from '../../event-log/upcast.ts';
import { admin } from './simulated-commands.ts';
import type { SimulatedSeason } from './simulated-season.ts';
import type { Game, SeasonModel } from './season-model.ts';

/** To one decimal, halves up, in whole numbers. */
const average = (total: number, matches: number): number => (matches === 0 ? 0 : Math.floor((20 * total + matches) / (2 * matches)) / 10);

/** Everything that the product shows after a season, against the model and the invariants of the faults list. */
export const checkSeason = async (season: SimulatedSeason, rebuiltPath: string): Promise<void> => {
  const { model, disk } = season;
  const events = await disk.log.readAll('start', 100_000);
  checkLog(events);

  // 2. Each read model equals a fold of the log.
  expect(season.node.projector.parked()).toEqual([]);
  await rebuild({
    path: rebuiltPath,
    readPage: async (after, limit) => disk.log.readAll(after === 0n ? 'start' : after, limit),
    openPerson: (personId, sealed) => disk.vault.open(personId, sealed),
  });
  expect(dumpReadModel(season.readModel)).toEqual(dumpReadModel(rebuiltPath));

  const shown = new Shown(season);
  for (const game of model.games.values()) await checkGame(shown, model, game);
  for (const cup of model.cups.keys()) await checkCup(shown, model, cup);
  await checkSides(shown, model, events);
  await checkPlayers(shown, model);
  checkFiles(season, events);

  // 8. No phone number and nothing of an erased person in any public answer; of the erased, nothing in an admin's either.
  for (const endpoint of [listMatches, listTournaments]) await shown.json(endpoint);
  await shown.json(getTeamNames, {}, { teamsId: [...model.sides.keys()] });
  for (const phone of season.maker.phones) expect(shown.publicly.includes(phone)).toBe(false);
  const marksOf = (areErased: boolean): Set<string> =>
    new Set([...model.people.values()].flatMap(({ erased, name, phone, phone2 }) => (erased === areErased ? [name, phone, phone2] : [])));
  // A form that was sent twice without a key has made two people of one name.
  const living = marksOf(false);
  for (const mark of [...marksOf(true)].filter((one) => one !== '' && !living.has(one)))
    expect([mark, shown.publicly.includes(mark) || shown.toAdmins.includes(mark)]).toEqual([mark, false]);
};

/** Asks, and keeps what was answered to whom. */
class Shown {
  publicly = '';
  toAdmins = '';
  readonly #season: SimulatedSeason;
  constructor(season: SimulatedSeason) {
    this.#season = season;
  }
  async text(endpoint: Endpoint, params: Record<string, string> = {}, body: unknown = {}): Promise<string | undefined> {
    const isPublic = endpoint.access === 'public';
    const caller: Caller = isPublic ? { role: 'visitor' } : admin;
    const { node } = this.#season;
    const text = await node.until(node.read(endpoint, caller, params, body));
    if (isPublic) this.publicly += text ?? '';
    else this.toAdmins += text ?? '';
    return text;
  }
  /** Checked against the contract; undefined is 404. */
  async json<T>(endpoint: Endpoint, params: Record<string, string> = {}, body: unknown = {}): Promise<T | undefined> {
    const text = await this.text(endpoint, params, body);
    return text === undefined ? undefined : (endpoint.response.parse(JSON.parse(text)) as T);
  }
}

/** 1. Versions of each stream are 0..n without gaps; positions as well. That no command stands there twice was seen on the way. */
const checkLog = (events: readonly RecordedEvent[]): void => {
  const next = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    expect([event.stream, event.revision, event.position]).toEqual([event.stream, next.get(event.stream) ?? 0, BigInt(index + 1)]);
    next.set(event.stream, event.revision + 1);
  }
};

const checkGame = async (shown: Shown, model: SeasonModel, game: Game): Promise<void> => {
  const params = { id: game.id };
  const answer = await shown.json<MatchAnswer>(getMatch, params);
  const corrections = await shown.json<Correction[]>(listMatchCorrections, params);
  const history = (await shown.json<HistoryRow[]>(getMatchHistory, params)) ?? [];
  const rows = model.rows(game);
  // What stands and what was taken back add up to the row, also of a match that was cancelled since.
  for (const [player, row] of rows)
    expect(history.findLast((fact) => fact.player_id === player && fact.runningTotal !== undefined)?.runningTotal).toEqual({
      points: row.points,
      assists: row.assists,
      rebounds: row.rebounds,
    });
  expect(history.filter(({ type }) => type === 'StatEntryReversed')).toHaveLength(game.reversals);
  if (game.cancelled) {
    expect([answer, corrections]).toEqual([undefined, undefined]);
    return;
  }
  if (answer === undefined) throw new Error(`The match ${game.id} is not shown`);
  expect(corrections?.map(({ afterDay }) => afterDay)).toEqual(model.correctionsOf(game).toReversed());
  expect({ date: answer.date.slice(0, 10), time: answer.time, tournament: answer.tournament_id._id, sides: [answer.team_1._id, answer.team_2._id] }).toEqual({
    date: game.date,
    time: game.time,
    tournament: game.tournament,
    sides: game.sides,
  });
  expect([...answer.team_1.players, ...answer.team_2.players].map(({ _id }) => _id)).toEqual(model.rosterOf(game));
  const told = answer.player_stats.map(
    ({ player_id, team_id, points, assists, rebounds, notplayed, name, jerseyNumber }) =>
      [player_id, { team: team_id, points, assists, rebounds, status: notplayed, name, jerseyNumber }] as const,
  );
  const people = (player: string) => ({ name: nameOf(model, player), jerseyNumber: model.sideOf(player)?.players.find(({ id }) => id === player)?.jersey });
  expect(new Map(told)).toEqual(new Map([...rows].map(([player, row]) => [player, { ...row, ...people(player) }])));
  expect(answer.mvp).toBe(game.mvp !== null && rows.has(game.mvp) ? game.mvp : undefined);
  const [first, second] = game.sides.map((side) => model.score(game, side));
  const winner = first === second ? undefined : game.sides[(first ?? 0) > (second ?? 0) ? 0 : 1];
  const best = [...rows]
    .filter(([, { team }]) => team === winner)
    .toSorted(
      ([a, x], [b, y]) =>
        y.points + y.assists + y.rebounds - (x.points + x.assists + x.rebounds) ||
        y.points - x.points ||
        y.rebounds - x.rebounds ||
        y.assists - x.assists ||
        (nameOf(model, a) + a < nameOf(model, b) + b ? -1 : 1),
    )[0]?.[0];
  expect(answer.bestPlayer?.player_id).toBe(answer.mvp ?? best);
};

const nameOf = (model: SeasonModel, player: string): string => {
  const person = model.people.get(player);
  return person === undefined || person.erased ? 'Former player' : person.name;
};

const checkCup = async (shown: Shown, model: SeasonModel, id: string): Promise<void> => {
  const cup = model.cups.get(id);
  const params = { id };
  const games = model.gamesOf(id);
  const counted = games.filter((game) => model.rows(game).size > 0);
  const lists = await shown.json<TournamentLists>(listTournaments);
  const listed = lists?.allTournaments.find(({ _id }) => _id === id);
  expect({
    name: listed?.name,
    location: listed?.location,
    registerable: listed?.registerable,
    start: listed?.startDate.slice(0, 10),
    end: listed?.endDate.slice(0, 10),
    teams: listed?.teams,
    games: listed?.matches,
  }).toEqual({
    name: cup?.name,
    location: cup?.location,
    registerable: cup?.registerable,
    start: cup?.start,
    end: cup?.end,
    teams: cup?.teams,
    games: cup?.games.filter((game) => model.games.get(game)?.cancelled === false),
  });
  await shown.json(getTournament, params);
  await shown.json(getLeaders, params);
  await shown.text(getStandingsCsv, params);

  // 3. A team's score equals the sum of its players' points.
  const results = await shown.json<TournamentMatches>(listTournamentMatches, params);
  expect(new Map(results?.matches.map(({ _id, score_1, score_2, hasStats }) => [_id, [score_1, score_2, hasStats]]))).toEqual(
    new Map(games.map((game) => [game.id, [...game.sides.map((side) => model.score(game, side)), counted.includes(game)]])),
  );

  // 4. What the table of the matches with statistics adds up to.
  const rows = (await shown.json<StandingsAnswer>(getStandings, params))?.rows ?? [];
  const sides = new Set(counted.length === 0 ? [] : [...(cup?.teams ?? []), ...counted.flatMap((game) => game.sides)]);
  expect(new Set(rows.map(({ teamId }) => teamId))).toEqual(sides);
  for (const row of rows) {
    const own = counted
      .filter((game) => game.sides.includes(row.teamId))
      .map((game) => [model.score(game, row.teamId), model.score(game, game.sides.find((side) => side !== row.teamId) ?? '')] as const);
    const wins = own.filter(([us, them]) => us > them).length;
    const [pointsFor, pointsAgainst] = [own.reduce((sum, [us]) => sum + us, 0), own.reduce((sum, [, them]) => sum + them, 0)];
    expect(row).toMatchObject({
      teamName: model.sides.get(row.teamId)?.name,
      played: own.length,
      wins,
      losses: own.length - wins,
      points: own.length + wins,
      pointsFor,
      pointsAgainst,
      difference: pointsFor - pointsAgainst,
    });
  }
  const sum = (name: 'points' | 'pointsFor' | 'pointsAgainst' | 'difference'): number => rows.reduce((total, row) => total + row[name], 0);
  const ties = counted.filter((game) => model.score(game, game.sides[0]) === model.score(game, game.sides[1])).length;
  expect([sum('points'), sum('difference'), sum('pointsFor')]).toEqual([3 * counted.length - ties, 0, sum('pointsAgainst')]);
  for (const [index, row] of rows.entries()) {
    const above = rows[index - 1];
    if (above === undefined) expect(row.rank).toBe(1);
    else {
      expect(above.points > row.points || (above.points === row.points && above.difference >= row.difference)).toBe(true);
      expect([above.rank, index + 1]).toContain(row.rank);
    }
  }
};

const checkSides = async (shown: Shown, model: SeasonModel, events: readonly RecordedEvent[]): Promise<void> => {
  const teams = (await shown.json<TeamAnswer[]>(listTeams)) ?? [];
  expect(teams.map(({ _id }) => _id)).toEqual([...model.sides.values()].filter(({ state }) => state !== 'expired').map(({ id }) => id));
  for (const side of model.sides.values()) {
    const page = await shown.json<PublicTeam>(getTeam, { id: side.id });
    const team = teams.find(({ _id }) => _id === side.id);
    if (side.state === 'expired') {
      expect(page).toBe(undefined);
      continue;
    }
    const coach = model.people.get(side.coach ?? '');
    const coachName = coach === undefined ? undefined : coach.erased ? 'Former coach' : coach.name;
    const contact = model.people.get(side.contact);
    const players = side.players.map(({ id }) => id);
    const games = [...model.games.values()].filter((game) => !game.cancelled && game.sides.includes(side.id)).map(({ id }) => id);
    expect({
      name: page?.team_details.name,
      coach: page?.coach.name,
      players: page?.players.map(({ _id, name, jerseyNumber }) => [_id, name, jerseyNumber]),
      games: new Set(page?.results.map(({ _id }) => _id)),
    }).toEqual({ name: side.name, coach: coachName, players: side.players.map(({ id, jersey }) => [id, nameOf(model, id), jersey]), games: new Set(games) });
    expect({ origin: team?.team_details.origin, phone: team?.team_details.teamPrimaryNumber, players: team?.players, games: team?.matches }).toEqual({
      origin: side.origin,
      phone: contact?.erased === true ? '' : contact?.phone,
      players,
      games,
    });
    // 6. Who plays in a tournament has four players and exactly one completed registration.
    const completions = events.filter((event) => event.stream === `team-${side.id}` && event.type === 'TeamRegistrationCompleted').length;
    if ([...model.cups.values()].some((cup) => cup.teams.includes(side.id))) expect([side.id, players.length >= 4, completions]).toEqual([side.id, true, 1]);
    expect(completions).toBe(side.state === 'completed' ? 1 : 0);
  }
};

const checkPlayers = async (shown: Shown, model: SeasonModel): Promise<void> => {
  const listed = (await shown.json<AdminPlayer[]>(listPlayers)) ?? [];
  const expected = [...model.sides.values()].filter(({ state }) => state !== 'expired').flatMap(({ players }) => players.map(({ id }) => id));
  expect(new Set(listed.map(({ _id }) => _id))).toEqual(new Set(expected));
  for (const { _id, name, mobileNumber, age } of listed) {
    const person = model.people.get(_id);
    expect([name, mobileNumber, age]).toEqual(person === undefined || person.erased ? ['Former player', '', 0] : [person.name, person.phone, person.age]);
    // 5. Averages divide by matches with status played.
    const own = [...model.games.values()]
      .filter(({ cancelled }) => !cancelled)
      .flatMap((game) => {
        const row = model.rows(game).get(_id);
        return row === undefined ? [] : [[game.id, row] as const];
      });
    const total = (of: 'points' | 'assists' | 'rebounds'): number => own.reduce((sum, [, row]) => sum + row[of], 0);
    const played = own.filter(([, { status }]) => status === 'played').length;
    const answer = await shown.json<PlayerAnswer>(getPlayer, { id: _id });
    expect(answer).toMatchObject({
      total_points: total('points'),
      total_assists: total('assists'),
      total_rebounds: total('rebounds'),
      matches_played: played,
      averages: { points: average(total('points'), played), assists: average(total('assists'), played), rebounds: average(total('rebounds'), played) },
    });
    expect(new Map(answer?.match_history.map((match) => [match.match_id._id, [match.points, match.assists, match.rebounds, match.notplayed]]))).toEqual(
      new Map(own.map(([game, row]) => [game, [row.points, row.assists, row.rebounds, row.status]])),
    );
  }
};

const address = /\/media\/[A-Za-z0-9_-]+\.(?:png|jpg)/g;

/** 7. Every file that a fact refers to exists, and none else is older than a day: the last janitor ran a day after the last command. */
const checkFiles = ({ model, disk }: SimulatedSeason, events: readonly RecordedEvent[]): void => {
  const images = new Set<string>();
  const documents = new Map<string, string | undefined>();
  for (const event of events) {
    if (event.data === undefined || event.data === null) continue;
    const [kind] = event.stream.split('-');
    if (kind === 'team' && model.sides.get(event.stream.slice('team-'.length))?.state === 'expired') continue;
    if (kind !== 'person') {
      for (const [url] of JSON.stringify(event.data).matchAll(address)) images.add(url);
      continue;
    }
    const { personId, sealed } = (toFact(event) as PersonEvent).data;
    const details = disk.vault.open(personId, sealed);
    if (details?.photo !== undefined) images.add(details.photo);
    documents.set(personId, details?.document?.documentId);
  }
  expect(new Set(disk.media.keys())).toEqual(images);
  expect(new Set(disk.documents.keys())).toEqual(new Set([...documents.values()].filter((id) => id !== undefined)));
};
