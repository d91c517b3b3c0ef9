import type { AdminAnswer, AdminSession, TokenAnswer } from '@courtledger/contracts/admin/admin.answers';
import type { HistoryRow, MatchListItem, MatchWritten, MatchAnswer, ReversalAnswer } from '@courtledger/contracts/match/match.answers';
import type { AdminPlayer } from '@courtledger/contracts/player/player.answers';
import type { RequestAnswer } from '@courtledger/contracts/request/request.answers';
import type { RegisteredTeam, TeamAnswer } from '@courtledger/contracts/team/team.answers';
import type { AdminTournament } from '@courtledger/contracts/tournament/tournament.answers';
import { queryOptions } from '@tanstack/react-query';
import { apiGetFile, apiSend } from '../lib/api-client.ts';
import { queryKeys } from '../lib/query-keys.ts';
import type { Role } from '../lib/session.ts';
import { readAs, watched } from './session-watch.ts';
import type { StatLineSent } from './update-match.rules.ts';

/** Everything that the two dashboards ask and say. Reads that are answered 401 end the dashboard; commands throw `ApiError`. */

const id = (value: string): string => encodeURIComponent(value);

/** How often a list is read again that no live change tells of, since it is no visitor's business. */
const untoldMs = 30_000;

export const checkAdminToken = () =>
  queryOptions({ queryKey: queryKeys.admin('session'), queryFn: ({ signal }) => readAs<AdminSession>('admin', '/admin/check-token', signal), retry: false });
export const listAdminTournaments = () =>
  queryOptions({
    queryKey: queryKeys.admin('tournaments'),
    queryFn: ({ signal }) => readAs<readonly AdminTournament[]>('admin', '/tournaments/admin-tournaments', signal),
  });
export const listTeams = () =>
  queryOptions({ queryKey: queryKeys.admin('teams'), queryFn: ({ signal }) => readAs<readonly TeamAnswer[]>('admin', '/team/teams', signal) });
export const listMatches = () =>
  queryOptions({ queryKey: queryKeys.admin('matches'), queryFn: ({ signal }) => readAs<readonly MatchListItem[]>('admin', '/match/matches', signal) });
export const listPlayers = () =>
  queryOptions({ queryKey: queryKeys.admin('players'), queryFn: ({ signal }) => readAs<readonly AdminPlayer[]>('admin', '/player/getAllPlayers', signal) });
export const listTournamentRequests = () =>
  queryOptions({
    queryKey: queryKeys.admin('requests'),
    queryFn: ({ signal }) => readAs<readonly RequestAnswer[]>('admin', '/tournaments/requests', signal),
    refetchInterval: untoldMs,
  });
export const getMatchHistory = (matchId: string) =>
  queryOptions({
    queryKey: queryKeys.admin('history', matchId),
    queryFn: ({ signal }) => readAs<readonly HistoryRow[]>('admin', `/match/matches/${id(matchId)}/history`, signal),
  });
export const getMatchForAdmin = (matchId: string) =>
  queryOptions({ queryKey: queryKeys.admin('match', matchId), queryFn: ({ signal }) => readAs<MatchAnswer>('admin', `/match/matches/${id(matchId)}`, signal) });

export const logInAdmin = (email: string, password: string): Promise<TokenAnswer> => apiSend<TokenAnswer>('POST', '/admin/login', { email, password });
export const logOutAdmin = (): Promise<void> => apiSend('POST', '/admin/logout', undefined, { as: 'admin', keepalive: true });

export const createTournament = (form: FormData, key: string): Promise<AdminTournament> =>
  apiSend<AdminTournament>('POST', '/tournaments/create-tournament', form, { as: 'admin', idempotencyKey: key });
/** The same change at the address of whoever makes it. */
export const changeTournament = (role: Role, tournamentId: string, form: FormData, key: string): Promise<AdminTournament> =>
  apiSend<AdminTournament>('PUT', `${role === 'admin' ? '' : '/superadmin'}/tournaments/${id(tournamentId)}`, form, { as: role, idempotencyKey: key });
export type MatchToAssign = {
  readonly teamAId: string;
  readonly teamBId: string;
  readonly tournamentId: string;
  readonly matchTime: string;
  readonly matchDate: string;
};
export const assignMatch = (match: MatchToAssign, key: string): Promise<MatchWritten> =>
  apiSend<MatchWritten>('POST', '/tournaments/create-match-and-save-to-tournament', match, { as: 'admin', idempotencyKey: key });

export type StatsToRecord = { readonly matchId: string; readonly team1Players: readonly StatLineSent[]; readonly team2Players: readonly StatLineSent[] };
export const recordMatchStats = (stats: StatsToRecord, key: string): Promise<MatchWritten> =>
  apiSend<MatchWritten>('POST', '/match/match/update', stats, { as: 'admin', idempotencyKey: key });
/** What becomes of an entry of a match. `previewed`: the preview that it was decided on. */
export type StatCorrection = { readonly matchId: string; readonly entryId: string; readonly reason: string; readonly previewed: string };
export const reverseStatEntry = ({ matchId, entryId, reason, previewed }: StatCorrection, key: string): Promise<ReversalAnswer> =>
  apiSend<ReversalAnswer>(
    'POST',
    `/match/matches/${id(matchId)}/stat-entries/${id(entryId)}/reversal`,
    { reason, previewed },
    { as: 'admin', idempotencyKey: key },
  );
export const nameMatchMvp = (matchId: string, playerId: string | null): Promise<MatchAnswer> =>
  apiSend<MatchAnswer>('PUT', `/match/matches/${id(matchId)}/mvp`, { playerId }, { as: 'admin' });
export const rescheduleMatch = (matchId: string, change: { readonly date?: string; readonly time?: string }): Promise<MatchAnswer> =>
  apiSend<MatchAnswer>('PUT', `/match/matches/${id(matchId)}`, change, { as: 'admin' });
export const cancelMatch = (matchId: string, key: string): Promise<unknown> =>
  apiSend('DELETE', `/match/matches/${id(matchId)}`, undefined, { as: 'admin', idempotencyKey: key });

/** The same correction at the address of whoever makes it. */
export const correctTeam = (role: Role, teamId: string, form: FormData): Promise<TeamAnswer> =>
  apiSend<TeamAnswer>('PUT', `${role === 'admin' ? '/team' : '/superadmin/teams'}/${id(teamId)}`, form, { as: role });
export const correctPlayer = (playerId: string, form: FormData): Promise<AdminPlayer> =>
  apiSend<AdminPlayer>('PUT', `/player/${id(playerId)}`, form, { as: 'admin' });
export type RequestClosing = { readonly status: 'accepted' | 'declined'; readonly note: string };
export const closeTournamentRequest = (requestId: string, closing: RequestClosing, key: string): Promise<RequestAnswer> =>
  apiSend<RequestAnswer>('PUT', `/tournaments/requests/${id(requestId)}`, closing, { as: 'admin', idempotencyKey: key });
/** A file in memory: its type, and an address until that is revoked. */
export type OpenFile = { readonly type: string; readonly address: string };
const readDocument = async (playerId: string, signal: AbortSignal): Promise<OpenFile> => {
  const file = await apiGetFile(`/player/${id(playerId)}/document`, { signal, as: 'admin' });
  return { type: file.type, address: URL.createObjectURL(file) };
};
/** A player's ID document. Every reading of it is recorded: it is read once for a dialog, whatever arrives meanwhile, and not kept afterwards. */
export const getPlayerDocument = (playerId: string) =>
  queryOptions({
    queryKey: queryKeys.admin('document', playerId),
    queryFn: ({ signal }) => watched('admin', readDocument(playerId, signal)),
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });

/** The check answers with the list of admins as well. */
export const checkSuperAdminToken = () =>
  queryOptions({
    queryKey: queryKeys.superadmin('session'),
    queryFn: ({ signal }) => readAs<readonly AdminAnswer[]>('superadmin', '/superadmin/check-token', signal),
    retry: false,
  });
export const listAdmins = () =>
  queryOptions({
    queryKey: queryKeys.superadmin('admins'),
    queryFn: ({ signal }) => readAs<readonly AdminAnswer[]>('superadmin', '/superadmin/get-admins', signal),
    refetchInterval: untoldMs,
  });
export const listSuperAdminTournaments = () =>
  queryOptions({
    queryKey: queryKeys.superadmin('tournaments'),
    queryFn: ({ signal }) => readAs<readonly AdminTournament[]>('superadmin', '/superadmin/tournaments', signal),
  });
/** Every registered team with its contacts, entered in a tournament or not, the latest first. */
export const listSuperAdminTeams = () =>
  queryOptions({
    queryKey: queryKeys.superadmin('teams'),
    queryFn: ({ signal }) => readAs<readonly RegisteredTeam[]>('superadmin', '/superadmin/teams', signal),
  });
export const logInSuperAdmin = (superAdminId: string, password: string): Promise<TokenAnswer> =>
  apiSend<TokenAnswer>('POST', '/superadmin/login', { id: superAdminId, password });
export const logOutSuperAdmin = (): Promise<void> => apiSend('POST', '/superadmin/logout', undefined, { as: 'superadmin', keepalive: true });
export type AdminToSave = { readonly username: string; readonly password: string; readonly email: string; readonly phoneNumber: string };
export const createAdmin = (admin: AdminToSave, key: string): Promise<AdminAnswer> =>
  apiSend<AdminAnswer>('POST', '/superadmin/create-admin', admin, { as: 'superadmin', idempotencyKey: key });
export const changeAdmin = (adminId: string, changes: Partial<AdminToSave>): Promise<AdminAnswer> =>
  apiSend<AdminAnswer>('PUT', `/superadmin/update-admin/${id(adminId)}`, changes, { as: 'superadmin' });
