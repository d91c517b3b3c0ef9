import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { Sent } from './simulated-node.ts';

type Status = 'played' | 'Not Played' | 'DNP';
type Numbers = { readonly points: number; readonly assists: number; readonly rebounds: number };
type Entry = Numbers & {
  readonly id: string;
  readonly player: string;
  readonly team: string;
  readonly reverses: string | undefined;
  /** The entry whose numbers a move gave to this one. */
  readonly movedFrom?: string | undefined;
  readonly status: Status;
};
export type Game = {
  readonly id: string;
  readonly tournament: string;
  readonly sides: readonly [string, string];
  date: string;
  time: string;
  mvp: string | null;
  cancelled: boolean;
  readonly entries: Entry[];
  readonly said: Map<string, Status>;
  /** The status that was last said of a player in so many words, and the entries that came without any since. */ readonly spoken: Map<
    string,
    { readonly status: Status; readonly quiet: string[] }
  >;
  reversals: number;
  /** The result that stands, or stood last. */ result: Span | undefined;
  /** All results. */
  readonly results: Span[];
  /** Since when the table counts the match, if only by a status. */ counting: Span | undefined;
  /** All such times. */
  readonly counted: Span[];
  readonly acts: Act[];
};
/**
 * What stood for a time: its first day, the day on which it was played, or the earliest to which the match was moved since, and the day on which it was taken
 * back, if it was.
 */
type Span = { readonly first: string; day: string; gone: string | undefined };
/** A command that took numbers back or added some. `late`: on a day after the one on which its result was played, as far as was known then. */
type Act = {
  readonly kind: 'reversal' | 'numbers' | 'counts' | 'counts no more';
  readonly today: string;
  readonly first: string;
  readonly late: boolean;
  /** The result, or the time of counting, that it belongs to. */
  readonly of: Span | undefined;
};
export type Side = {
  readonly id: string;
  name: string;
  origin: string;
  contact: string;
  coach: string | undefined;
  readonly byAdmin: boolean;
  readonly since: number;
  readonly players: { readonly id: string; jersey: string }[];
  state: 'registering' | 'completed' | 'expired';
};
export type Cup = {
  readonly id: string;
  name: string;
  location: string;
  registerable: string;
  start: string;
  end: string;
  readonly teams: string[];
  readonly games: string[];
};
export type Someone = {
  readonly id: string;
  kind: 'player' | 'coach' | 'team-contact' | 'requester';
  name: string;
  phone: string;
  phone2: string;
  age: number;
  readonly since: number;
  erased: boolean;
};

/** A line of statistics as it was sent. */
export type Line = Numbers & { readonly playerId: string; readonly notplayed: Status | '' };
export type Body = { readonly [name: string]: unknown };
export const text = (body: Body, name: string): string | undefined => body[name] as string | undefined;
export const lineOf = (body: Body): Line => {
  const number = (name: string): number => Number(body[name] ?? 0);
  return {
    playerId: String(body['playerId']),
    points: number('points'),
    assists: number('assists'),
    rebounds: number('rebounds'),
    notplayed: (body['notplayed'] ?? '') as Line['notplayed'],
  };
};
export const isZero = ({ points, assists, rebounds }: Numbers): boolean => points === 0 && assists === 0 && rebounds === 0;
const negative = (value: number): number => 0 - value;
const day = 24 * 3600 * 1000;
/** The calendar of Kathmandu: 5:45 ahead of UTC, all year. */
const dateAt = (time: number): string => new Date(time + 345 * 60_000).toISOString().slice(0, 10);

/** Lines of a player add up; the last status that was said counts. */
export const summed = (lines: readonly Line[]): Line[] => {
  const players = [...new Set(lines.map(({ playerId }) => playerId))];
  return players.map((playerId) => {
    const own = lines.filter((line) => line.playerId === playerId);
    const add = (name: keyof Numbers): number => own.reduce((sum, line) => sum + line[name], 0);
    return {
      playerId,
      points: add('points'),
      assists: add('assists'),
      rebounds: add('rebounds'),
      notplayed: own.findLast((line) => line.notplayed !== '')?.notplayed ?? '',
    };
  });
};

/** Whether what stood before was replaced by what was recorded today, of a result or a time of counting of its own. */
const replaced = (before: readonly Span[], own: Span | undefined, today: string): boolean =>
  own !== undefined && today > own.day && before.some(({ first, gone = today }) => gone >= own.day && first < today);

/**
 * The rules of the season told a second time, from the specification and the contract of the API alone, as plainly as they can be: lists that are counted again
 * for every question. Nothing of the product's deciders or projections is used here. It is told of commands, in the order in which the log has them; of facts
 * it reads only ids.
 */
export class SeasonModel {
  readonly cups = new Map<string, Cup>();
  readonly sides = new Map<string, Side>();
  readonly games = new Map<string, Game>();
  readonly people = new Map<string, Someone>();
  readonly requests: string[] = [];
  /** Contacts, coaches, players and requesters, with the team or request that named them. Who is not here is a half that waits for its other half. */
  readonly belongs = new Map<string, string>();
  /** Erasures that an operator began: a later start may finish them. */
  readonly begun = new Set<string>();

  stands(game: Game, entry: Entry): boolean {
    return !game.entries.some((other) => other.reverses === entry.id && this.stands(game, other));
  }

  /** Whether an entry was taken back, and counts again. */
  isRestored(game: Game, entry: Entry): boolean {
    return entry.reverses === undefined && this.stands(game, entry) && this.lastAbout(game, entry) !== entry;
  }

  /** The last reversal in the chain over an entry, or the entry. */
  lastAbout(game: Game, entry: Entry): Entry {
    const by = game.entries.find(({ reverses }) => reverses === entry.id);
    return by === undefined ? entry : this.lastAbout(game, by);
  }

  /** Whether taking this back brings an entry back: one that is reversed by it, or by what it restored. */
  isRestoredBy(game: Game, entry: Entry): boolean {
    const target = game.entries.find(({ id }) => id === entry.reverses);
    return target !== undefined && !this.isRestoredBy(game, target);
  }

  /** Whether the numbers of an entry stand in any entry, wherever moves gave them to. */
  standsAnywhere(game: Game, entry: Entry): boolean {
    const first = this.#firstOf(game, entry);
    return game.entries.some((other) => other.reverses === undefined && this.#firstOf(game, other) === first && this.stands(game, other));
  }

  /** Back over reversals and moves to the entry whose numbers these are. */
  #firstOf(game: Game, entry: Entry): Entry {
    const from = game.entries.find(({ id }) => id === (entry.reverses ?? entry.movedFrom));
    return from === undefined ? entry : this.#firstOf(game, from);
  }

  /** The rows of a match: who has an entry that stands, or a status other than 'Not Played'. */
  rows(game: Game): Map<string, Numbers & { readonly team: string; readonly status: Status }> {
    const rows = new Map<string, Numbers & { readonly team: string; readonly status: Status }>();
    for (const player of this.rosterOf(game)) {
      const own = game.entries.filter((entry) => entry.player === player && entry.reverses === undefined && !isZero(entry) && this.stands(game, entry));
      const said = game.said.get(player);
      if (own.length === 0 && (said === undefined || said === 'Not Played')) continue;
      const add = (name: keyof Numbers): number => own.reduce((sum, entry) => sum + entry[name], 0);
      rows.set(player, {
        team: this.teamOf(game, player) ?? '',
        points: add('points'),
        assists: add('assists'),
        rebounds: add('rebounds'),
        status: said ?? 'played',
      });
    }
    return rows;
  }

  score(game: Game, team: string): number {
    return [...this.rows(game).values()].reduce((sum, row) => (row.team === team ? sum + row.points : sum), 0);
  }

  gamesOf(cup: string): Game[] {
    return [...this.games.values()].filter((game) => game.tournament === cup && !game.cancelled);
  }

  isCompletedOrEntered(side: Side): boolean {
    return side.state === 'completed' || [...this.cups.values()].some(({ teams }) => teams.includes(side.id));
  }

  /** Whether a line records anything: numbers, or a status that is another one than the row shows. */
  says(game: Game, line: Line): boolean {
    return !isZero(line) || this.statusSaid(game, line) !== undefined;
  }

  /** The status that a line records; undefined when it changes none. */
  statusSaid(game: Game, line: Line): Status | undefined {
    const row = this.rows(game).get(line.playerId);
    const spoken = game.spoken.get(line.playerId);
    // Said for the first time, of what only entries had said.
    const isNews = line.notplayed !== '' && spoken !== undefined && spoken.status !== 'played' && spoken.quiet.length > 0;
    if (!isZero(line)) {
      const said = line.notplayed === '' ? 'played' : line.notplayed;
      return said === (game.said.get(line.playerId) ?? 'played') && !isNews ? undefined : said;
    }
    if (line.notplayed === '' || (line.notplayed === row?.status && !isNews)) return undefined;
    return row === undefined && line.notplayed === 'Not Played' ? undefined : line.notplayed;
  }

  /** The command, at the place of its first fact in one stream. `facts`: all that it recorded there. */
  apply({ endpoint, caller, params, body }: Sent, stream: string, facts: readonly RecordedEvent[], time: number): void {
    const [kind] = stream.split('-');
    const ids = facts[0]?.data as { readonly [name: string]: string | undefined };
    const of = (name: string): string => ids[name] ?? '';
    if (kind === 'person') return this.#applyPerson(stream.slice('person-'.length), endpoint.name, body, time);
    const team = this.sides.get(kind === 'team' ? of('teamId') : '');
    switch (endpoint.name) {
      case 'createTournament':
        this.cups.set(of('tournamentId'), {
          id: of('tournamentId'),
          name: text(body, 'name') ?? '',
          location: text(body, 'location') ?? '',
          registerable: text(body, 'registerable') ?? '',
          start: text(body, 'startDate') ?? '',
          end: text(body, 'endDate') ?? '',
          teams: [],
          games: [],
        });
        return;
      case 'changeTournament': {
        const cup = this.cups.get(params['id'] ?? '');
        if (cup === undefined) return;
        cup.name = text(body, 'name') ?? cup.name;
        cup.location = text(body, 'location') ?? cup.location;
        cup.registerable = text(body, 'registerable') ?? cup.registerable;
        cup.start = text(body, 'startDate') ?? cup.start;
        cup.end = text(body, 'endDate') ?? cup.end;
        return;
      }
      case 'requestTournament':
        this.requests.push(of('requestId'));
        this.belongs.set(of('requesterId'), of('requestId'));
        return;
      case 'registerTeam':
        this.sides.set(of('teamId'), {
          id: of('teamId'),
          name: text(body, 'name') ?? '',
          origin: text(body, 'origin') ?? '',
          contact: of('contactId'),
          coach: undefined,
          byAdmin: caller.role === 'admin',
          since: time,
          players: [],
          state: 'registering',
        });
        this.belongs.set(of('contactId'), of('teamId'));
        return;
      case 'appointCoach':
        if (team !== undefined) team.coach = of('personId');
        this.belongs.set(of('personId'), of('teamId'));
        return;
      case 'addPlayerToTeam':
        team?.players.push({ id: of('playerId'), jersey: text(body, 'jerseyNumber') ?? '' });
        this.belongs.set(of('playerId'), of('teamId'));
        return;
      case 'enterTeam':
        if (kind === 'team' && team !== undefined) team.state = 'completed';
        if (kind === 'tournament') this.cups.get(of('tournamentId'))?.teams.push(of('teamId'));
        return;
      case 'withdrawTeam': {
        const teams = this.cups.get(of('tournamentId'))?.teams ?? [];
        teams.splice(teams.indexOf(of('teamId')), 1);
        return;
      }
      case 'correctTeam': {
        if (team === undefined) return;
        team.name = text(body, 'name') ?? team.name;
        team.origin = text(body, 'origin') ?? team.origin;
        // The number of a contact who was erased is that of somebody new.
        team.contact = (facts[0]?.data as { readonly changes: { readonly contactId?: string } } | undefined)?.changes.contactId ?? team.contact;
        this.belongs.set(team.contact, team.id);
        return;
      }
      case 'correctPlayer': {
        const mine = team?.players.find(({ id }) => id === params['id']);
        if (mine !== undefined) mine.jersey = text(body, 'jerseyNumber') ?? mine.jersey;
        return;
      }
      case 'assignMatch':
        this.games.set(of('matchId'), {
          id: of('matchId'),
          tournament: of('tournamentId'),
          sides: [of('teamAId'), of('teamBId')],
          date: text(body, 'matchDate') ?? '',
          time: text(body, 'matchTime') ?? '',
          mvp: null,
          cancelled: false,
          entries: [],
          said: new Map(),
          spoken: new Map(),
          reversals: 0,
          result: undefined,
          results: [],
          counting: undefined,
          counted: [],
          acts: [],
        });
        this.cups.get(of('tournamentId'))?.games.push(of('matchId'));
        return;
      default:
        return this.#applyMatch(endpoint.name, this.games.get(of('matchId')), params, body, facts, dateAt(time));
    }
  }

  #applyMatch(name: string, game: Game | undefined, params: Sent['params'], body: Body, facts: readonly RecordedEvent[], today: string): void {
    if (game === undefined) throw new Error(`${name}: a fact of a match that nobody assigned`);
    const counted = this.rows(game).size > 0;
    this.#act(name, game, params, body, facts, today);
    for (const span of game.counted) if (game.date < span.day) span.day = game.date;
    const counts = this.rows(game).size > 0;
    const byStatus = facts.every(({ type }) => type === 'PlayerParticipationRecorded');
    if (counts && !counted) {
      game.counting = { first: today, day: game.date, gone: undefined };
      game.counted.push(game.counting);
      if (byStatus) game.acts.push({ kind: 'counts', today, first: today, late: false, of: game.counting });
    }
    if (counted && !counts) {
      if (byStatus && game.counting !== undefined && today > game.counting.day && today > game.counting.first)
        game.acts.push({ kind: 'counts no more', today, first: today, late: true, of: game.counting });
      if (game.counting !== undefined) game.counting.gone = today;
      game.counting = undefined;
    }
  }

  #act(name: string, game: Game, params: Sent['params'], body: Body, facts: readonly RecordedEvent[], today: string): void {
    const told = facts.map(({ type, data }) => ({ type, ...(data as { readonly entryId?: string; readonly playerId?: string }) }));
    const entryIdOf = (type: string, player: string): string => told.find((fact) => fact.type === type && fact.playerId === player)?.entryId ?? '';
    if (!this.#hasResult(game)) game.result = undefined;
    switch (name) {
      case 'recordMatchStats': {
        const lines = [...summed((body['team1Players'] as Body[]).map(lineOf)), ...summed((body['team2Players'] as Body[]).map(lineOf))];
        for (const line of lines) this.#add(game, line, entryIdOf('StatIncrementRecorded', line.playerId));
        if (lines.some((line) => !isZero(line))) this.#note(game, false, today);
        return;
      }
      case 'recordStatIncrement':
        this.#add(game, lineOf(body), text(body, 'entryId') ?? '', true);
        if (!isZero(lineOf(body))) this.#note(game, false, today);
        return;
      case 'reverseStatEntry':
      case 'moveStatEntry': {
        const target = game.entries.find(({ id }) => id === params['entryId']);
        if (target === undefined) throw new Error('A reversal of nothing');
        game.entries.push({
          id: entryIdOf('StatEntryReversed', target.player),
          player: target.player,
          team: target.team,
          points: negative(target.points),
          assists: negative(target.assists),
          rebounds: negative(target.rebounds),
          reverses: name === 'moveStatEntry' ? this.lastAbout(game, target).id : target.id,
          status: 'played',
        });
        game.reversals += 1;
        this.#takeStatusBack(game, target.player);
        if (name === 'moveStatEntry') {
          const player = text(body, 'playerId') ?? '';
          this.#add(
            game,
            { playerId: player, points: target.points, assists: target.assists, rebounds: target.rebounds, notplayed: '' },
            entryIdOf('StatIncrementRecorded', player),
            false,
            target.id,
          );
        }
        this.#note(game, true, today);
        return;
      }
      case 'nameMatchMvp':
        game.mvp = body['playerId'] as string | null;
        return;
      case 'rescheduleMatch':
        game.date = text(body, 'date') ?? game.date;
        for (const span of game.results) if (game.date < span.day) span.day = game.date;
        game.time = text(body, 'time') ?? game.time;
        return;
      case 'cancelMatch':
        game.cancelled = true;
        return;
      default:
        throw new Error(`The model knows no command ${name}`);
    }
  }

  /** After a reversal: who has an entry that stands and came without a status has played, else it is as was said. */
  #takeStatusBack(game: Game, player: string): void {
    const spoken = game.spoken.get(player);
    if (spoken === undefined) return;
    const isQuiet = (entry: Entry): boolean => spoken.quiet.includes(entry.id) && this.stands(game, entry);
    game.said.set(player, game.entries.some(isQuiet) ? 'played' : spoken.status);
  }

  #hasResult(game: Game): boolean {
    return game.entries.some((entry) => entry.reverses === undefined && !isZero(entry) && this.stands(game, entry));
  }

  #note(game: Game, isReversal: boolean, today: string): void {
    if (game.result === undefined && this.#hasResult(game)) {
      game.result = { first: today, day: today < game.date ? today : game.date, gone: undefined };
      game.results.push(game.result);
    }
    if (game.result !== undefined) game.result.gone = this.#hasResult(game) ? undefined : today;
    game.acts.push({
      kind: isReversal ? 'reversal' : 'numbers',
      today,
      first: game.result?.first ?? today,
      late: today > (game.result?.day ?? game.date),
      of: game.result,
    });
  }

  /**
   * Of each correction, oldest first, whether it was made after the day of the match: every reversal, and numbers of a later day than the match and its first
   * numbers, or than a result before these; and statuses alone by which the table counted the match no more on such a day, or again.
   */
  correctionsOf({ acts, results, counted }: Game): boolean[] {
    return acts.flatMap(({ kind, today, first, late, of }): boolean[] => {
      if (kind === 'reversal' || kind === 'counts no more') return [late];
      if (kind === 'counts') return replaced(counted, of, today) ? [true] : [];
      return (late && today > first) || replaced(results, of, today) ? [true] : [];
    });
  }

  /** @param isStatusAnEntry of a tap: a status alone is recorded under its id, also one that changes nothing */
  #add(game: Game, line: Line, id: string, isStatusAnEntry = false, movedFrom?: string): void {
    const status = isStatusAnEntry && isZero(line) && line.notplayed !== '' ? line.notplayed : this.statusSaid(game, line);
    if (status !== undefined) game.said.set(line.playerId, status);
    if (status !== undefined && line.notplayed !== '') game.spoken.set(line.playerId, { status, quiet: [] });
    if (!isZero(line) && line.notplayed === '') game.spoken.get(line.playerId)?.quiet.push(id);
    if (isZero(line) && !(isStatusAnEntry && status !== undefined)) return;
    game.entries.push({
      id,
      player: line.playerId,
      team: this.teamOf(game, line.playerId) ?? '',
      points: line.points,
      assists: line.assists,
      rebounds: line.rebounds,
      reverses: undefined,
      movedFrom,
      status: game.said.get(line.playerId) ?? 'played',
    });
  }

  #applyPerson(id: string, command: string, body: Body, time: number): void {
    const known = this.people.get(id);
    const [kind, name, phone, phone2] = ((): readonly [Someone['kind'], string, string, string] => {
      switch (command) {
        case 'registerTeam':
          return ['team-contact', '', 'teamPrimaryNumber', ''];
        case 'appointCoach':
          return ['coach', 'coachname', 'coachphoneNumber', 'contact_number_2'];
        case 'correctTeam':
          return known?.kind === 'coach' ? ['coach', 'coachname', 'coachphoneNumber', 'contact_number_2'] : ['team-contact', '', 'teamPrimaryNumber', ''];
        case 'requestTournament':
          return ['requester', 'organizerName', 'contactPhone1', 'contactPhone2'];
        default:
          return ['player', 'name', 'mobileNumber', ''];
      }
    })();
    const someone = known ?? { id, kind, name: '', phone: '', phone2: '', age: 0, since: time, erased: false };
    someone.name = text(body, name) ?? someone.name;
    someone.phone = text(body, phone) ?? someone.phone;
    someone.phone2 = text(body, phone2) ?? someone.phone2;
    someone.age = Number(text(body, 'age') ?? someone.age);
    this.people.set(id, someone);
  }

  /** What the product did by itself, or an operator. @throws Error when it had no reason to */
  applyOwn(event: RecordedEvent, time: number): void {
    const { teamId, personId } = event.data as { readonly teamId?: string; readonly personId?: string };
    switch (event.type) {
      case 'PersonErased': {
        const person = this.people.get(personId ?? '');
        if (person === undefined) throw new Error(`${personId ?? ''} was erased and never known`);
        if (event.metadata.actor.role === 'system') {
          const to = this.belongs.get(person.id);
          const isLeft = to === undefined ? time - person.since >= day : this.sides.get(to)?.state === 'expired';
          if (!isLeft && !person.erased && !this.begun.has(person.id)) throw new Error(`${person.kind} ${person.id} was freed without reason`);
        }
        person.erased = true;
        return;
      }
      case 'TeamRegistrationExpired': {
        const side = this.sides.get(teamId ?? '');
        if (side === undefined || side.byAdmin || side.state !== 'registering' || this.isCompletedOrEntered(side) || time - side.since < day)
          throw new Error(`The registration of ${teamId ?? ''} expired without reason`);
        side.state = 'expired';
        return;
      }
      default:
        throw new Error(`${event.type} was recorded by the product itself`);
    }
  }

  plays(team: string, player: string): boolean {
    return this.sides.get(team)?.players.some(({ id }) => id === player) === true;
  }
  sideOf(player: string): Side | undefined {
    return [...this.sides.values()].find(({ players }) => players.some(({ id }) => id === player));
  }
  teamOf({ sides }: Game, player: string): string | undefined {
    return sides.find((team) => this.plays(team, player));
  }
  rosterOf({ sides }: Game): string[] {
    return sides.flatMap((team) => this.sides.get(team)?.players.map(({ id }) => id) ?? []);
  }
}
