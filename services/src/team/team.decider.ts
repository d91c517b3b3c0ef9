import { conflict, notFound } from '@courtledger/contracts/kernel/errors';
import type { PersonId, TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import { MAX_PLAYERS_REGISTRATION } from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import type { TeamEvent } from '@courtledger/contracts/team/team.events';
import type { Decider } from '../platform/stream-state.ts';

export type TeamState = {
  /** `registering` until a tournament is entered; `expired`: abandoned for 24 h. */
  status: 'none' | 'registering' | 'completed' | 'expired';
  teamId: TeamId;
  name: string;
  origin: string;
  logo: string;
  contactId: PersonId;
  /** SHA-256 of the registration capability; null when an admin registered the team. */
  capabilityHash: string | null;
  coachId: PersonId | undefined;
  /** Jersey number by player id, in the order of joining. */
  readonly players: Map<PersonId, string>;
};

/** `byAdmin`: saved steps are closed and the registration's limits hold for registrants only (api-contract, 'Who is calling'). */
export type TeamCommand =
  | {
      readonly type: 'registerTeam';
      readonly teamId: TeamId;
      readonly name: string;
      readonly origin: string;
      readonly logo: string;
      readonly contactId: PersonId;
      readonly capabilityHash: string | null;
    }
  | { readonly type: 'appointCoach'; readonly personId: PersonId; readonly byAdmin: boolean }
  | { readonly type: 'addPlayerToTeam'; readonly playerId: PersonId; readonly jerseyNumber: string; readonly byAdmin: boolean }
  | { readonly type: 'completeTeamRegistration'; readonly tournamentId: TournamentId }
  | {
      readonly type: 'correctTeam';
      readonly name?: string | undefined;
      readonly origin?: string | undefined;
      readonly logo?: string | undefined;
      readonly contactId?: PersonId | undefined;
    }
  /** `jerseyNumber` undefined: it stays. */
  | { readonly type: 'changeJerseyNumber'; readonly playerId: PersonId; readonly jerseyNumber: string | undefined }
  | { readonly type: 'expireRegistration' };

const initial = (): TeamState => ({
  status: 'none',
  teamId: '',
  name: '',
  origin: '',
  logo: '',
  contactId: '',
  capabilityHash: null,
  coachId: undefined,
  players: new Map(),
});

const evolve = (state: TeamState, event: TeamEvent): TeamState => {
  switch (event.type) {
    case 'TeamRegistered': {
      const { teamId, name, origin, logo, contactId, capabilityHash } = event.data;
      return Object.assign(state, { status: 'registering', teamId, name, origin, logo, contactId, capabilityHash });
    }
    case 'CoachAppointed':
      state.coachId = event.data.personId;
      return state;
    case 'PlayerAddedToTeam':
    case 'PlayerJerseyNumberChanged':
      state.players.set(event.data.playerId, event.data.jerseyNumber);
      return state;
    case 'TeamRegistrationCompleted':
      state.status = 'completed';
      return state;
    case 'TeamDetailsCorrected':
      return Object.assign(state, event.data.changes);
    case 'TeamRegistrationExpired':
      state.status = 'expired';
      return state;
    default:
      return event satisfies never;
  }
};

const decide = (state: TeamState, command: TeamCommand): readonly TeamEvent[] => {
  if (command.type === 'registerTeam') {
    if (state.status !== 'none') throw conflict('This team is registered already');
    const { teamId, name, origin, logo, contactId, capabilityHash } = command;
    return [{ type: 'TeamRegistered', data: { teamId, name, origin, logo, contactId, capabilityHash } }];
  }
  if (state.status === 'none') throw notFound('There is no such team');
  const { teamId } = state;
  if (command.type === 'expireRegistration') return state.status === 'registering' ? [{ type: 'TeamRegistrationExpired', data: { teamId } }] : [];
  if (state.status === 'expired') throw conflict('This registration was abandoned and is closed');
  switch (command.type) {
    case 'appointCoach':
      if (!command.byAdmin) checkOpen(state);
      if (!command.byAdmin && state.coachId !== undefined) throw conflict('The coach is saved already: saved steps cannot be edited');
      return [{ type: 'CoachAppointed', data: { teamId, personId: command.personId } }];
    case 'addPlayerToTeam':
      if (!command.byAdmin) checkOpen(state);
      if (state.coachId === undefined) throw conflict('Add the coach before the players');
      if (state.players.has(command.playerId)) throw conflict('This player is in the team already');
      checkJerseyNumber(state, command.playerId, command.jerseyNumber);
      if (!command.byAdmin && state.players.size >= MAX_PLAYERS_REGISTRATION)
        throw conflict(`A registration has at most ${String(MAX_PLAYERS_REGISTRATION)} players`);
      return [{ type: 'PlayerAddedToTeam', data: { teamId, playerId: command.playerId, jerseyNumber: command.jerseyNumber } }];
    case 'completeTeamRegistration':
      return state.status === 'completed' ? [] : [{ type: 'TeamRegistrationCompleted', data: { teamId, tournamentId: command.tournamentId } }];
    case 'correctTeam': {
      const { name, origin, logo, contactId } = command;
      const changes = {
        ...(name !== undefined && name !== state.name && { name }),
        ...(origin !== undefined && origin !== state.origin && { origin }),
        ...(logo !== undefined && logo !== state.logo && { logo }),
        ...(contactId !== undefined && contactId !== state.contactId && { contactId }),
      };
      return Object.keys(changes).length === 0 ? [] : [{ type: 'TeamDetailsCorrected', data: { teamId, changes } }];
    }
    case 'changeJerseyNumber': {
      const { playerId, jerseyNumber } = command;
      const current = state.players.get(playerId);
      if (current === undefined) throw notFound('There is no such player');
      if (jerseyNumber === undefined || current === jerseyNumber) return [];
      checkJerseyNumber(state, playerId, jerseyNumber);
      return [{ type: 'PlayerJerseyNumberChanged', data: { teamId, playerId, jerseyNumber } }];
    }
    default:
      return command satisfies never;
  }
};

/** The capability is spent once registration is complete. */
const checkOpen = (state: TeamState): void => {
  if (state.status === 'completed') throw conflict('The registration of this team is complete: saved steps cannot be edited');
};

/** Exact texts: '0' is not '00'. */
const checkJerseyNumber = (state: TeamState, playerId: PersonId, jerseyNumber: string): void => {
  for (const [other, number] of state.players)
    if (number === jerseyNumber && other !== playerId) throw conflict(fieldTexts.jerseyNumberTaken(jerseyNumber), 'jerseyNumber');
};

/** A team and the steps of its registration (specification section 4, 'Team wizard'; api-contract, calls under /team). */
export const teamDecider: Decider<TeamState, TeamCommand, TeamEvent> = { initial, evolve, decide };
