import type { AddedPlayer } from '@courtledger/contracts/player/player.answers';
import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import type { TeamEntered } from '@courtledger/contracts/tournament/tournament.answers';
import { apiSend } from '../lib/api-client.ts';
import type { CoachFields, PlayerFields, TeamFields } from './register-team.rules.ts';

/** The four calls of a registration. Each carries the key of its attempt: a retry of the same content is applied once. Throws `ApiError`. */

const formOf = (fields: Readonly<Record<string, string>>, files: Readonly<Record<string, File>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, file] of Object.entries(files)) form.append(name, file, file.name);
  return form;
};

/** Step 1. The answer also sets the cookie that allows the next steps. */
export const registerTeam = (team: TeamFields, logo: File, key: string): Promise<TeamAnswer> =>
  apiSend<TeamAnswer>('POST', '/team/create-team-step-1', formOf({ ...team }, { logo }), { idempotencyKey: key });

/** Step 2. Sends the token stored under `atoken`, if there is one (specification section 6). */
export const appointCoach = (teamId: string, coach: CoachFields, coachImage: File, key: string): Promise<TeamAnswer> =>
  apiSend<TeamAnswer>('POST', '/team/add-coach-details', formOf({ ...coach, teamId }, { coachImage }), { as: 'admin', idempotencyKey: key });

/** Step 3, one player. */
export const addPlayerToTeam = (
  teamId: string,
  player: PlayerFields,
  files: { readonly image: File; readonly document: File },
  key: string,
): Promise<AddedPlayer> =>
  apiSend<AddedPlayer>('POST', '/team/add-single-player-to-team', formOf({ ...player, currentTeam: teamId }, files), { idempotencyKey: key });

/** Completes the registration: the team enters the tournament. */
export const enterTeam = (tournamentId: string, teamId: string, key: string): Promise<TeamEntered> =>
  apiSend<TeamEntered>('POST', '/tournaments/assign-team-to-tournament', { tournamentId, teamId }, { idempotencyKey: key });
