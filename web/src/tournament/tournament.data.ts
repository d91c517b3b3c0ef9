import type { StandingsAnswer, TournamentLists, TournamentMatches, TournamentPopulated } from '@courtledger/contracts/tournament/tournament.answers';
import { queryOptions } from '@tanstack/react-query';
import { apiBase, apiGet } from '../lib/api-client.ts';
import { embeddedAnswer } from '../lib/embedded-answer.ts';
import { queryKeys } from '../lib/query-keys.ts';

/** `GET /tournaments/`: all, newest start first, and those that are not over. The landing page brings it along. */
export const listTournaments = () => {
  const embedded = embeddedAnswer('/tournaments/');
  return queryOptions({
    queryKey: queryKeys.tournaments(),
    queryFn: ({ signal }) => apiGet<TournamentLists>('/tournaments/', { signal }),
    ...(embedded && { initialData: embedded.answer as TournamentLists, initialDataUpdatedAt: embedded.at }),
  });
};

/** `GET /tournaments/{id}` with its teams and matches. */
export const getTournament = (id: string) =>
  queryOptions({
    queryKey: queryKeys.tournament(id),
    queryFn: ({ signal }) => apiGet<TournamentPopulated>(`/tournaments/${encodeURIComponent(id)}`, { signal }),
  });

/** `GET /tournaments/{id}/matches`: every match with its score, in one answer. */
export const listTournamentMatches = (id: string) =>
  queryOptions({
    queryKey: queryKeys.tournamentMatches(id),
    queryFn: ({ signal }) => apiGet<TournamentMatches>(`/tournaments/${encodeURIComponent(id)}/matches`, { signal }),
  });

/** `GET /tournaments/{id}/standings` */
export const getStandings = (id: string) =>
  queryOptions({
    queryKey: queryKeys.standings(id),
    queryFn: ({ signal }) => apiGet<StandingsAnswer>(`/tournaments/${encodeURIComponent(id)}/standings`, { signal }),
  });

/** Where the same standings can be had as comma-separated values. */
export const standingsCsvAddress = (id: string): string => `${apiBase}/tournaments/${encodeURIComponent(id)}/standings.csv`;
