import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import type { TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import { ControlRefusal, succeed, type ControlClient } from '../operations/control-client.ts';
import { OperatorError } from '../operations/operator-error.ts';
import type { Drawings } from './render.ts';
import { addDays, cupEntries, fixtures, isOver, random, seedAdmin, seedTeams, seedTournaments, sheet, type Fixture, type Line } from './season.ts';

export type PlantOptions = {
  readonly client: ControlClient;
  readonly drawings: Drawings;
  /** Milliseconds: matches lie around this day, and those that have ended by now are played. */
  readonly now: number;
  /** Of the demo's admin. */
  readonly password: string;
  readonly seed: number;
  readonly say: (line: string) => void;
};
export type Planted = { readonly teams: number; readonly players: number; readonly matches: number; readonly played: number };
type Registered = { readonly id: string; readonly players: readonly string[] };

const plantedBefore = (what: string, cause?: unknown): OperatorError =>
  new OperatorError(`${what} is here already: the demo season is planted once. For a new one, or where planting was interrupted, take a new DATA_DIR`, {
    cause,
  });

/**
 * Records the demo season through the product's own commands.
 * @throws OperatorError where the season's league or its admin is there already; nothing is recorded then
 */
export async function plantSeason(options: PlantOptions): Promise<Planted> {
  const { client, say, now } = options;
  const list = (await succeed(client.call('GET', '/api/tournaments/'))).json() as { allTournaments: readonly { name: string }[] };
  if (list.allTournaments.some((tournament) => tournament.name === seedTournaments.league.name)) throw plantedBefore(seedTournaments.league.name);
  // Before anything else: whoever has renamed the league would have a second season beside the first, and nobody to run it.
  await createAdmin(options);
  const next = random(options.seed);

  const league = await createTournament(options, 'league');
  const cup = await createTournament(options, 'cup');
  say(`Created ${seedTournaments.league.name} and ${seedTournaments.cup.name}`);

  const teams: Registered[] = [];
  for (const index of seedTeams.keys()) {
    teams.push(await registerTeam(options, index, next));
    say(`Registered ${seedTeams[index]?.name ?? ''}`);
  }
  for (const [index, team] of teams.entries()) {
    await enter(client, league, team.id);
    if (index < cupEntries) await enter(client, cup, team.id);
  }
  const season = fixtures(teams.length);
  for (const fixture of season) await playFixture(options, league, teams, fixture, next);
  const played = season.filter((fixture) => isOver(fixture, now)).length;
  say(`Assigned ${String(season.length)} matches, ${String(played)} of them with statistics`);
  return { teams: teams.length, players: teams.reduce((sum, team) => sum + team.players.length, 0), matches: season.length, played };
}

async function createAdmin({ client, password }: PlantOptions): Promise<void> {
  try {
    await succeed(client.call('POST', '/api/superadmin/create-admin', { ...seedAdmin, password }));
  } catch (error) {
    if (error instanceof ControlRefusal && error.status === 409) throw plantedBefore(`An account ${seedAdmin.email}`, error);
    throw error;
  }
}

async function createTournament({ client, drawings, now }: PlantOptions, which: keyof typeof seedTournaments): Promise<string> {
  const plan = seedTournaments[which];
  const today = kathmanduDay(now);
  const form = new FormData();
  const fields: Record<string, string> = {
    name: plan.name,
    location: plan.location,
    registerable: plan.registerable,
    league: plan.league,
    featured: plan.featured,
    startDate: addDays(today, plan.starts),
    endDate: addDays(today, plan.ends),
    registeringStartDate: addDays(today, plan.registers),
    'organizer[name]': plan.organizer,
    'organizer[phoneNumber]': plan.phone,
  };
  for (const [prize, amount] of Object.entries(plan.prizes)) fields[`prizePool[${prize}]`] = amount;
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('posterImage', png(drawings.posters[which]), 'poster.png');
  form.set('organizerImage', png(drawings.organizer), 'organizer.png');
  return idOf(await succeed(client.call('POST', '/api/tournaments/create-tournament', form)));
}

async function registerTeam({ client, drawings }: PlantOptions, index: number, next: () => number): Promise<Registered> {
  const plan = seedTeams[index];
  const art = drawings.teams[index];
  if (!plan || !art) throw new Error(`no plan for team ${String(index)}`);
  const team = new FormData();
  for (const [name, value] of Object.entries({ name: plan.name, origin: plan.origin, teamPrimaryNumber: phone(index, 90) })) team.set(name, value);
  team.set('logo', png(art.crest), 'logo.png');
  const id = idOf(await succeed(client.call('POST', '/api/team/create-team-step-1', team)));

  const coach = new FormData();
  for (const [name, value] of Object.entries({ teamId: id, coachname: plan.coach, coachphoneNumber: phone(index, 91), contact_number_2: phone(index, 92) }))
    coach.set(name, value);
  coach.set('coachImage', png(art.coach), 'coach.png');
  await succeed(client.call('POST', '/api/team/add-coach-details', coach));

  const players: string[] = [];
  const jerseys = [7, 4, 11, 23, 15, 9, 5, 32, 10, 13];
  for (const [seat, name] of plan.players.entries()) {
    const form = new FormData();
    const fields = {
      name,
      currentTeam: id,
      mobileNumber: phone(index, seat),
      age: String(18 + Math.floor(next() * 14)),
      height: String(170 + Math.floor(next() * 30)),
      weight: String(62 + Math.floor(next() * 34)),
      jerseyNumber: String(jerseys[seat] ?? seat),
    };
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set('image', png(art.players[seat] ?? art.coach), 'photo.png');
    form.set('document', png(drawings.document), 'citizenship.png');
    players.push(idOf(await succeed(client.call('POST', '/api/team/add-single-player-to-team', form))));
  }
  return { id, players };
}

async function playFixture(
  { client, now }: PlantOptions,
  tournamentId: TournamentId,
  teams: readonly Registered[],
  fixture: Fixture,
  next: () => number,
): Promise<void> {
  const a = teams[fixture.a];
  const b = teams[fixture.b];
  if (!a || !b) throw new Error('a fixture names a team that is not there');
  const answer = (
    await succeed(
      client.call('POST', '/api/tournaments/create-match-and-save-to-tournament', {
        tournamentId,
        teamAId: a.id,
        teamBId: b.id,
        matchDate: addDays(kathmanduDay(now), fixture.day),
        matchTime: fixture.time,
      }),
    )
  ).json() as { match: { _id: string } };
  if (!isOver(fixture, now)) return;
  const first = sheet(seedTeams[fixture.a]?.strength ?? 5, next);
  const second = sheet(seedTeams[fixture.b]?.strength ?? 5, next);
  // A basketball game cannot end level: somebody made one more basket in overtime.
  const levelled = total(first) === total(second) ? first.map((line, seat) => (seat === 0 ? { ...line, points: line.points + 2 } : line)) : first;
  await succeed(
    client.call('POST', '/api/match/match/update', { matchId: answer.match._id, team1Players: lines(a, levelled), team2Players: lines(b, second) }),
  );
}

const lines = (team: Registered, sheetOf: readonly Line[]) =>
  team.players.map((playerId, seat) => ({
    playerId,
    points: sheetOf[seat]?.points ?? 0,
    assists: sheetOf[seat]?.assists ?? 0,
    rebounds: sheetOf[seat]?.rebounds ?? 0,
    notplayed: sheetOf[seat]?.played ? 'played' : 'Not Played',
  }));
const total = (sheetOf: readonly Line[]): number => sheetOf.reduce((sum, line) => sum + line.points, 0);
const enter = async (client: ControlClient, tournamentId: TournamentId, teamId: TeamId): Promise<void> => {
  await succeed(client.call('POST', '/api/tournaments/assign-team-to-tournament', { tournamentId, teamId }));
};
const idOf = (answer: { json(): unknown }): string => (answer.json() as { _id: string })._id;
const png = (bytes: Buffer): Blob => new Blob([new Uint8Array(bytes)], { type: 'image/png' });
/** Ten digits that no operator in Nepal gives out. */
const phone = (team: number, seat: number): string => `9000${String(team).padStart(2, '0')}${String(seat).padStart(4, '0')}`;
