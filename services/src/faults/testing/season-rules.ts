import { isZero, lineOf, summed, text, type Body, type Cup, type Game, type SeasonModel, type Side } from './season-model.ts';
import type { Sent } from './simulated-node.ts';

/**
 * What the rules say of a command at one moment: the reasons for which it is refused, and whether it would record anything. `perhaps`: it may be refused so as
 * well, since an erasure that is under way has taken effect or has not.
 */
export type Verdict = { readonly refusals: readonly string[]; readonly records: boolean; readonly perhaps?: readonly string[] };
const differs = (wanted: string | undefined, now: string | undefined): boolean => wanted !== undefined && wanted !== now;
const refused = (...codes: readonly string[]): Verdict => ({ refusals: codes, records: false });
const taken = (records = true): Verdict => ({ refusals: [], records });

/** What the specification and the contract of the API allow and refuse, said a second time: nothing of the product's deciders is used here. */
export class SeasonRules {
  readonly #model: SeasonModel;
  constructor(model: SeasonModel) {
    this.#model = model;
  }

  /** What may be said of this command now. */
  judge({ endpoint, caller, params, body }: Pick<Sent, 'endpoint' | 'caller' | 'params' | 'body'>): Verdict {
    const byAdmin = caller.role === 'admin';
    switch (endpoint.name) {
      case 'createTournament':
      case 'registerTeam':
      case 'requestTournament':
        return taken();
      case 'changeTournament':
        return this.#judgeChange(this.#model.cups.get(params['id'] ?? ''), body);
      case 'enterTeam':
        return this.#judgeEntry(this.#model.cups.get(text(body, 'tournamentId') ?? ''), this.#model.sides.get(text(body, 'teamId') ?? ''), byAdmin);
      case 'withdrawTeam': {
        const cup = this.#model.cups.get(params['id'] ?? '');
        const team = params['teamId'] ?? '';
        if (cup?.teams.includes(team) !== true) return refused('not-found');
        return this.#model.gamesOf(cup.id).some(({ sides }) => sides.includes(team)) ? refused('conflict') : taken();
      }
      case 'appointCoach': {
        const side = this.#model.sides.get(text(body, 'teamId') ?? '');
        if (side === undefined) return refused('not-found');
        if (side.state === 'expired' || (!byAdmin && (side.state === 'completed' || side.coach !== undefined))) return refused('conflict');
        return taken();
      }
      case 'addPlayerToTeam': {
        const side = this.#model.sides.get(text(body, 'currentTeam') ?? '');
        if (side === undefined) return refused('not-found');
        const isTaken = side.players.some(({ jersey }) => jersey === body['jerseyNumber']);
        if (side.state === 'expired' || (!byAdmin && side.state === 'completed') || side.coach === undefined || isTaken) return refused('conflict');
        return taken();
      }
      case 'correctTeam':
        return this.#judgeTeamCorrection(this.#model.sides.get(params['id'] ?? ''), body);
      case 'correctPlayer':
        return this.#judgePlayerCorrection(params['id'] ?? '', body);
      case 'assignMatch': {
        const cup = this.#model.cups.get(text(body, 'tournamentId') ?? '');
        if (cup === undefined) return refused('not-found');
        return ['teamAId', 'teamBId'].every((name) => cup.teams.includes(text(body, name) ?? '')) ? taken() : refused('invalid');
      }
      default:
        return this.#judgeMatch(endpoint.name, this.#model.games.get(params['id'] ?? text(body, 'matchId') ?? ''), params, body);
    }
  }

  judgeErasure(personId: string): Verdict {
    const person = this.#model.people.get(personId);
    return person === undefined ? refused('not-found') : taken(!person.erased);
  }

  #judgeChange(cup: Cup | undefined, body: Body): Verdict {
    if (cup === undefined) return refused('not-found');
    const [start, end] = [text(body, 'startDate') ?? cup.start, text(body, 'endDate') ?? cup.end];
    if (end < start) return refused('invalid');
    return taken(
      (['name', 'location', 'registerable'] as const).some((name) => (text(body, name) ?? cup[name]) !== cup[name]) || start !== cup.start || end !== cup.end,
    );
  }

  #judgeEntry(cup: Cup | undefined, side: Side | undefined, byAdmin: boolean): Verdict {
    if (side === undefined) return refused('not-found');
    if (side.state === 'expired') return refused('conflict');
    if (cup === undefined) return refused('not-found');
    if (cup.teams.includes(side.id)) return taken(false);
    if (side.players.length < 4 || (!byAdmin && (side.state === 'completed' || cup.registerable !== 'true'))) return refused('conflict');
    return taken();
  }

  #judgeTeamCorrection(side: Side | undefined, body: Body): Verdict {
    if (side === undefined) return refused('not-found');
    const aboutCoach = ['coachname', 'coachphoneNumber', 'contact_number_2'].some((name) => body[name] !== undefined);
    const coach = side.coach === undefined ? undefined : this.#model.people.get(side.coach);
    if (side.state === 'expired' || (aboutCoach && (coach === undefined || coach.erased))) return refused('conflict');
    const contact = this.#model.people.get(side.contact);
    const records =
      differs(text(body, 'name'), side.name) ||
      differs(text(body, 'origin'), side.origin) ||
      differs(text(body, 'teamPrimaryNumber'), contact?.erased === true ? undefined : contact?.phone) ||
      differs(text(body, 'coachname'), coach?.name) ||
      differs(text(body, 'coachphoneNumber'), coach?.phone) ||
      differs(text(body, 'contact_number_2'), coach?.phone2);
    return aboutCoach && this.#model.begun.has(side.coach ?? '') ? { ...taken(records), perhaps: ['conflict'] } : taken(records);
  }

  #judgePlayerCorrection(player: string, body: Body): Verdict {
    const side = this.#model.sideOf(player);
    const person = this.#model.people.get(player);
    if (side === undefined || person === undefined) return refused('not-found');
    // A registration that expired, and was or is about to be freed, with everybody in it.
    if (side.state === 'expired') return refused('conflict', 'not-found');
    const mine = side.players.find(({ id }) => id === player);
    const jersey = text(body, 'jerseyNumber');
    const isAboutPerson = ['name', 'mobileNumber', 'age'].some((name) => body[name] !== undefined);
    if (side.players.some((other) => other.id !== player && other.jersey === jersey) || (person.erased && isAboutPerson)) return refused('conflict');
    const records =
      differs(jersey, mine?.jersey ?? '') ||
      differs(text(body, 'name'), person.name) ||
      differs(text(body, 'mobileNumber'), person.phone) ||
      differs(text(body, 'age'), String(person.age));
    return isAboutPerson && this.#model.begun.has(player) ? { ...taken(records), perhaps: ['conflict'] } : taken(records);
  }

  #judgeMatch(name: string, game: Game | undefined, params: Sent['params'], body: Body): Verdict {
    if (game === undefined) return refused('not-found');
    if (game.cancelled) return refused('conflict');
    const [first, second] = game.sides;
    switch (name) {
      case 'recordMatchStats': {
        const lines = [first, second].map((team, index) => ({ team, lines: (body[`team${String(index + 1)}Players`] as Body[]).map(lineOf) }));
        if (lines.some(({ team, lines: own }) => own.some(({ playerId }) => !this.#model.plays(team, playerId)))) return refused('invalid');
        return taken(lines.some(({ lines: own }) => summed(own).some((line) => this.#model.says(game, line))));
      }
      case 'recordStatIncrement': {
        const line = lineOf(body);
        const known = game.entries.find(({ id }) => id === body['entryId']);
        if (known !== undefined) {
          const isSame =
            known.reverses === undefined &&
            known.player === line.playerId &&
            known.points === line.points &&
            known.assists === line.assists &&
            known.rebounds === line.rebounds &&
            known.status === (line.notplayed === '' ? 'played' : line.notplayed);
          return isSame ? taken(false) : refused('conflict');
        }
        return this.#model.teamOf(game, line.playerId) === undefined ? refused('invalid') : taken(!isZero(line) || line.notplayed !== '');
      }
      case 'reverseStatEntry':
        return this.#judgeReversal(game, params['entryId'] ?? '');
      case 'moveStatEntry': {
        const target = game.entries.find(({ id }) => id === params['entryId']);
        // What stands of it is reversed: of an entry that was restored, what restored it.
        const reversal = this.#judgeReversal(
          game,
          target !== undefined && this.#model.isRestored(game, target) ? this.#model.lastAbout(game, target).id : (params['entryId'] ?? ''),
        );
        const reasons = [...reversal.refusals];
        if (target?.reverses !== undefined) reasons.push('conflict');
        const player = text(body, 'playerId') ?? '';
        if (target !== undefined && (this.#model.teamOf(game, player) === undefined || player === target.player)) reasons.push('invalid');
        return reasons.length > 0 ? refused(...reasons) : taken();
      }
      case 'nameMatchMvp': {
        const player = body['playerId'] as string | null;
        // Also whoever was named and has lost the statistics since.
        return player !== null && !this.#model.rows(game).has(player) ? refused('conflict') : taken(player !== game.mvp);
      }
      case 'rescheduleMatch':
        return taken((text(body, 'date') ?? game.date) !== game.date || (text(body, 'time') ?? game.time) !== game.time);
      case 'cancelMatch':
        return this.#model.rows(game).size > 0 ? refused('conflict') : taken();
      default:
        throw new Error(`The model knows no command ${name}`);
    }
  }

  #judgeReversal(game: Game, entryId: string): Verdict {
    const target = game.entries.find(({ id }) => id === entryId);
    if (target === undefined) return refused('not-found');
    // A status alone has nothing to take back; a second reversal is refused, whatever became of the first.
    if (isZero(target) || game.entries.some((other) => other.reverses === entryId)) return refused('conflict');
    // What was moved counts once: it is not restored here while it stands elsewhere.
    return this.#model.isRestoredBy(game, target) && this.#model.standsAnywhere(game, target) ? refused('conflict') : taken();
  }
}
