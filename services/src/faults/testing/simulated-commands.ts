import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import {
  assignMatch,
  cancelMatch,
  moveStatEntry,
  nameMatchMvp,
  recordMatchStats,
  recordStatIncrement,
  rescheduleMatch,
  reverseStatEntry,
} from '@courtledger/contracts/match/match.api';
import { correctPlayer } from '@courtledger/contracts/player/player.api';
import { requestTournament } from '@courtledger/contracts/request/request.api';
import { addPlayerToTeam, appointCoach, correctTeam, registerTeam } from '@courtledger/contracts/team/team.api';
import { changeTournament, createTournament, enterTeam, withdrawTeam } from '@courtledger/contracts/tournament/tournament.api';
import type { Caller } from '../../platform/call.ts';
import type { Cup, Game, SeasonModel, Side } from './season-model.ts';
import type { Sent } from './simulated-node.ts';
import type { Dice } from './simulated-ports.ts';

export const admin: Caller = { role: 'admin', id: 'admin-1', name: 'Asha', jti: 'jti-1', expires: 2_000_000_000 };
const visitor: Caller = { role: 'visitor' };

/** What is done next: a call of an endpoint (with a rival at the same moment), or an erasure by an operator. */
export type Deed =
  | { readonly sent: Sent; readonly rival?: Sent; readonly erases?: undefined }
  | { readonly sent?: undefined; readonly rival?: undefined; readonly erases: string };

/** Makes commands about what there is (mostly), of every kind, a few of them against the rules. Every name and phone is given once. */
export class CommandMaker {
  readonly #dice: Dice;
  readonly #model: SeasonModel;
  /** Every phone number that was ever given. */
  readonly phones: string[] = [];
  #made = 0;
  #keys = 0;

  constructor(dice: Dice, model: SeasonModel) {
    this.#dice = dice;
    this.#model = model;
  }

  sent(
    endpoint: Endpoint,
    {
      caller = admin,
      params = {},
      body = {},
      files = [],
    }: { readonly caller?: Caller; readonly params?: Record<string, string>; readonly body?: Record<string, unknown>; readonly files?: readonly string[] },
  ): Sent {
    this.#keys += 1;
    return { endpoint, caller, params, body, files, key: this.#dice(4) === 0 ? undefined : `key-${String(this.#keys)}` };
  }

  createTournament(): Sent {
    const prizePool = { firstPrize: '100000', secondPrize: '50000', thirdPrize: '25000', entryFee: 'TBD', mvp: '10000' };
    const body = {
      name: this.#name('Cup'),
      startDate: '2026-11-25',
      endDate: '2026-11-30',
      location: 'Kathmandu',
      registeringStartDate: '2026-11-01',
      organizer: { name: 'Hoops', phoneNumber: '014411222' },
      prizePool,
      registerable: this.#dice(8) === 0 ? 'Closed' : 'true',
      league: 'true',
    };
    return this.sent(createTournament, { body, files: ['posterImage', 'organizerImage'] });
  }
  registerTeam(): Sent {
    return this.sent(registerTeam, {
      caller: this.#dice(4) === 0 ? admin : visitor,
      body: { name: this.#name('Team'), origin: 'Butwal', teamPrimaryNumber: this.#phone() },
      files: ['logo'],
    });
  }
  appointCoach(side: Side): Sent {
    return this.sent(appointCoach, {
      caller: this.#callerOf(side),
      body: { coachname: this.#name('Coach'), coachphoneNumber: this.#phone(), contact_number_2: this.#phone(), teamId: side.id },
      files: ['coachImage'],
    });
  }
  addPlayer(side: Side, jersey = String(this.#dice(9))): Sent {
    const body = {
      name: this.#name('Player'),
      mobileNumber: this.#phone(),
      currentTeam: side.id,
      height: '185',
      weight: '80',
      age: String(16 + this.#dice(20)),
      jerseyNumber: jersey,
    };
    return this.sent(addPlayerToTeam, { caller: this.#callerOf(side), body, files: ['image', 'document'] });
  }
  enterTeam(side: Side, tournamentId: string): Sent {
    return this.sent(enterTeam, { caller: this.#callerOf(side), body: { tournamentId, teamId: side.id } });
  }
  /** The first days of the season, which begins on the first: some matches are over when a day has passed, some are not. */
  #matchDay(): string {
    return `2026-11-0${String(1 + this.#dice(4))}`;
  }
  assignMatch(tournamentId: string, teams: readonly string[]): Sent {
    const teamAId = this.#pick(teams) ?? 'nobody';
    const teamBId = this.#pick(teams.filter((id) => id !== teamAId)) ?? 'nobody-else';
    return this.sent(assignMatch, { body: { tournamentId, teamAId, teamBId, matchDate: this.#matchDay(), matchTime: this.#dice(2) === 0 ? '' : '14:30' } });
  }

  next(): Deed {
    const kind = this.#dice(108);
    const game = this.#pick([...this.#model.games.values()]);
    const side = this.#pick([...this.#model.sides.values()]);
    const cup = this.#pick([...this.#model.cups.values()]);
    if (game !== undefined && kind < 66) return { sent: this.#aboutGame(game, kind) };
    if (cup === undefined || kind < 68) return { sent: this.createTournament() };
    if (side === undefined || kind < 73) return { sent: this.registerTeam() };
    if (kind < 78) return { sent: this.appointCoach(this.#unfinished() ?? side) };
    if (kind < 87) return { sent: this.addPlayer(this.#dice(5) === 0 ? side : (this.#unfinished() ?? side)) };
    if (kind < 92) return { sent: this.enterTeam(this.#dice(2) === 0 ? side : (this.#unfinished() ?? side), cup.id) };
    if (kind < 95) return this.#withdrawal(cup, side);
    if (kind < 98) {
      const body = this.#some({ name: this.#name('Team'), origin: 'Pokhara', teamPrimaryNumber: this.#phone(), coachname: this.#name('Coach') });
      return { sent: this.sent(correctTeam, { params: { id: side.id }, body, files: this.#dice(4) === 0 ? ['logo'] : [] }) };
    }
    const player = this.#pick(side.players)?.id ?? 'nobody';
    if (kind < 102) {
      const body = this.#some({
        name: this.#name('Player'),
        mobileNumber: this.#phone(),
        age: String(16 + this.#dice(20)),
        jerseyNumber: String(this.#dice(9)),
      });
      return { sent: this.sent(correctPlayer, { params: { id: player }, body, files: [] }) };
    }
    if (kind < 104)
      return {
        sent: this.sent(changeTournament, {
          params: { id: cup.id },
          body: this.#some({ name: this.#name('Cup'), location: 'Pokhara', registerable: 'true', endDate: `2026-11-${String(22 + this.#dice(8))}` }),
        }),
      };
    if (kind < 105) {
      const body = {
        tournamentName: this.#name('Cup'),
        contactPhone1: this.#phone(),
        contactPhone2: this.#phone(),
        organizerName: this.#name('Organizer'),
        location: 'Butwal',
        prizePool: 'TBD',
      };
      return { sent: this.sent(requestTournament, { caller: visitor, body }) };
    }
    return { erases: this.#pick([...this.#model.people.keys()]) ?? 'nobody' };
  }

  /** Mostly of a team that plays no match there, while somebody else assigns it one. */
  #withdrawal(cup: Cup, side: Side): Deed {
    const games = this.#model.gamesOf(cup.id);
    const teamId = this.#pick(cup.teams.filter((team) => !games.some(({ sides }) => sides.includes(team)))) ?? this.#pick(cup.teams) ?? side.id;
    const sent = this.sent(withdrawTeam, { params: { id: cup.id, teamId } });
    const other = this.#pick(cup.teams.filter((team) => team !== teamId));
    return other === undefined || this.#dice(3) === 0 ? { sent } : { sent, rival: this.assignMatch(cup.id, [teamId, other]) };
  }

  #aboutGame(game: Game, kind: number): Sent {
    const params = { id: game.id };
    const player = this.#pick(this.#model.rosterOf(game)) ?? 'nobody';
    if (kind < 15)
      return this.sent(recordMatchStats, { body: { matchId: game.id, team1Players: this.#lines(game.sides[0]), team2Players: this.#lines(game.sides[1]) } });
    if (kind < 32) {
      const line = this.#line(player);
      const body = line.points === 0 && line.assists === 0 && line.rebounds === 0 && line.notplayed === '' ? { ...line, points: 2 } : line;
      this.#made += 1;
      return this.sent(recordStatIncrement, { params, body: { ...body, entryId: `tap-${String(this.#made)}` } });
    }
    // Entries that were taken back and restored are few: they are looked for, and made.
    const restored = this.#pick(game.entries.filter((one) => this.#model.isRestored(game, one)));
    if (kind < 51 && restored !== undefined && this.#dice(3) > 0)
      return this.sent(moveStatEntry, { params: { ...params, entryId: restored.id }, body: { playerId: player, reason: 'Somebody else again' } });
    const reversal =
      this.#dice(2) === 0 ? this.#pick(game.entries.filter((one) => one.reverses !== undefined && this.#model.lastAbout(game, one) === one)) : undefined;
    const entry = (reversal ?? this.#pick(game.entries))?.id ?? 'nothing';
    if (kind < 44) return this.sent(reverseStatEntry, { params: { ...params, entryId: entry }, body: { reason: 'Wrong' } });
    if (kind < 51) return this.sent(moveStatEntry, { params: { ...params, entryId: entry }, body: { playerId: player, reason: 'Somebody else' } });
    if (kind < 55) return this.sent(nameMatchMvp, { params, body: { playerId: this.#dice(4) === 0 ? null : player } });
    if (kind < 58) return this.sent(rescheduleMatch, { params, body: this.#some({ date: this.#matchDay(), time: `1${String(this.#dice(10))}:00` }) });
    if (kind < 61) return this.sent(cancelMatch, { params });
    const cup = this.#model.cups.get(game.tournament);
    return this.assignMatch(game.tournament, cup?.teams ?? []);
  }

  #line(playerId: string): {
    readonly playerId: string;
    readonly points: number;
    readonly assists: number;
    readonly rebounds: number;
    readonly notplayed: string;
  } {
    const number = (): number => (this.#dice(3) === 0 ? this.#dice(9) - 2 : 0);
    return { playerId, points: number(), assists: number(), rebounds: number(), notplayed: ['', '', '', 'played', 'DNP', 'Not Played'][this.#dice(6)] ?? '' };
  }
  #lines(team: string): readonly object[] {
    const players = this.#model.sides.get(team)?.players ?? [];
    return Array.from({ length: this.#dice(4) }, () => this.#line(this.#pick(players)?.id ?? 'nobody'));
  }

  /** A registrant as long as there is one, as its cookie would say; now and then an admin. */
  #callerOf(side: Side): Caller {
    return side.byAdmin || side.state !== 'registering' || this.#dice(5) === 0 ? admin : { role: 'registrant', teamId: side.id };
  }
  #unfinished(): Side | undefined {
    return this.#pick([...this.#model.sides.values()].filter(({ state }) => state === 'registering'));
  }
  #pick<T>(of: readonly T[]): T | undefined {
    return of[this.#dice(Math.max(of.length, 1))];
  }
  /** Some of the fields, at least one. */
  #some(fields: Record<string, string>): Record<string, string> {
    const names = Object.keys(fields);
    const must = this.#pick(names);
    return Object.fromEntries(Object.entries(fields).filter(([name]) => name === must || this.#dice(3) === 0));
  }
  #name(what: string): string {
    this.#made += 1;
    return `${what} ${this.#made
      .toString(26)
      .padStart(4, '0')
      .replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')}`;
  }
  #phone(): string {
    this.#made += 1;
    const phone = `98${String(this.#made).padStart(8, '0')}`;
    this.phones.push(phone);
    return phone;
  }
}
