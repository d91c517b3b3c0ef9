import { conflict, expectValid, notFound } from '@courtledger/contracts/kernel/errors';
import type { TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import { PLAYERS_TO_COMPLETE } from '@courtledger/contracts/kernel/limits';
import type { TournamentChanges, TournamentDetails, TournamentEvent } from '@courtledger/contracts/tournament/tournament.events';
import { tournamentDateErrors } from '@courtledger/contracts/tournament/tournament.rules';
import type { Decider } from '../platform/stream-state.ts';

export type TournamentState = {
  tournamentId: TournamentId;
  /** undefined: there is no such tournament. */
  details: TournamentDetails | undefined;
  /** Ids of the teams that have entered and not withdrawn, in order of entry. */
  readonly teams: Set<TeamId>;
};

/** What an entry needs to know of the team's own stream. */
export type EnteringTeam = { readonly teamId: TeamId; readonly players: number; readonly registrationComplete: boolean };

export type TournamentCommand =
  | { readonly type: 'createTournament'; readonly tournamentId: TournamentId; readonly details: TournamentDetails }
  | { readonly type: 'changeTournament'; readonly changes: TournamentChanges }
  | { readonly type: 'enterTeam'; readonly team: EnteringTeam; readonly byAdmin: boolean }
  /** `hasMatches`: the team plays in this tournament. */
  | { readonly type: 'withdrawTeam'; readonly teamId: TeamId; readonly hasMatches: boolean };

const initial = (): TournamentState => ({ tournamentId: '', details: undefined, teams: new Set() });

const withChanges = (details: TournamentDetails, { organizer, prizePool, ...plain }: TournamentChanges): TournamentDetails => ({
  ...details,
  // Zod's partial allows a key that is there and undefined; such a key changes nothing.
  ...(Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)) as Partial<TournamentDetails>),
  organizer: {
    name: organizer?.name ?? details.organizer.name,
    phoneNumber: organizer?.phoneNumber ?? details.organizer.phoneNumber,
    image: organizer?.image ?? details.organizer.image,
  },
  prizePool: {
    firstPrize: prizePool?.firstPrize ?? details.prizePool.firstPrize,
    secondPrize: prizePool?.secondPrize ?? details.prizePool.secondPrize,
    thirdPrize: prizePool?.thirdPrize ?? details.prizePool.thirdPrize,
    mvp: prizePool?.mvp ?? details.prizePool.mvp,
    entryFee: prizePool?.entryFee ?? details.prizePool.entryFee,
  },
});

const evolve = (state: TournamentState, event: TournamentEvent): TournamentState => {
  switch (event.type) {
    case 'TournamentCreated': {
      const { tournamentId, ...details } = event.data;
      state.tournamentId = tournamentId;
      state.details = details;
      return state;
    }
    case 'TournamentDetailsChanged':
      if (state.details !== undefined) state.details = withChanges(state.details, event.data.changes);
      return state;
    case 'TeamEnteredTournament':
      state.teams.add(event.data.teamId);
      return state;
    case 'TeamWithdrawnFromTournament':
      state.teams.delete(event.data.teamId);
      return state;
    default:
      return event satisfies never;
  }
};

const decide = (state: TournamentState, command: TournamentCommand): readonly TournamentEvent[] => {
  if (command.type === 'createTournament') {
    if (state.details !== undefined) throw conflict('This tournament exists already');
    expectValid(tournamentDateErrors(command.details));
    return [{ type: 'TournamentCreated', data: { tournamentId: command.tournamentId, ...command.details } }];
  }
  const { details, tournamentId } = state;
  if (details === undefined) throw notFound('There is no such tournament');
  switch (command.type) {
    case 'changeTournament': {
      const changes = whatChanges(details, command.changes);
      if (changes === undefined) return [];
      expectValid(tournamentDateErrors(withChanges(details, changes)));
      return [{ type: 'TournamentDetailsChanged', data: { tournamentId, changes } }];
    }
    case 'enterTeam': {
      const { team, byAdmin } = command;
      if (state.teams.has(team.teamId)) return [];
      if (!byAdmin && team.registrationComplete) throw conflict('The registration of this team is complete');
      if (team.players < PLAYERS_TO_COMPLETE)
        throw conflict(`A team needs at least ${String(PLAYERS_TO_COMPLETE)} players; this one has ${String(team.players)}`);
      if (!byAdmin && details.registerable !== 'true') throw conflict('Registration for this tournament is not open');
      return [{ type: 'TeamEnteredTournament', data: { tournamentId, teamId: team.teamId } }];
    }
    case 'withdrawTeam':
      if (!state.teams.has(command.teamId)) throw notFound('This team has not entered the tournament');
      if (command.hasMatches) throw conflict('This team has matches in the tournament');
      return [{ type: 'TeamWithdrawnFromTournament', data: { tournamentId, teamId: command.teamId } }];
    default:
      return command satisfies never;
  }
};

/** The changes that differ from what there is; undefined when none does. */
const whatChanges = (details: TournamentDetails, { organizer, prizePool, ...plain }: TournamentChanges): TournamentChanges | undefined => {
  const changes: TournamentChanges = { ...different(details, plain) };
  const changedOrganizer = different(details.organizer, organizer ?? {});
  const changedPrizes = different(details.prizePool, prizePool ?? {});
  if (Object.keys(changedOrganizer).length > 0) changes.organizer = changedOrganizer;
  if (Object.keys(changedPrizes).length > 0) changes.prizePool = changedPrizes;
  return Object.keys(changes).length > 0 ? changes : undefined;
};

const different = <T extends object>(current: object, wanted: T): Partial<T> => {
  const before = new Map<string, unknown>(Object.entries(current));
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== undefined && value !== before.get(name))) as Partial<T>;
};

/** A tournament, its details and its entries (specification section 3; api-contract, calls under /tournaments). */
export const tournamentDecider: Decider<TournamentState, TournamentCommand, TournamentEvent> = { initial, evolve, decide };
