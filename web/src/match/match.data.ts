import type { Correction, MatchAnswer } from '@courtledger/contracts/match/match.answers';
import { queryOptions } from '@tanstack/react-query';
import { apiGet } from '../lib/api-client.ts';
import { queryKeys } from '../lib/query-keys.ts';

/** `GET /match/matches/{id}` with rosters and statistics, names and photos included. */
export const getMatch = (id: string) =>
  queryOptions({ queryKey: queryKeys.match(id), queryFn: ({ signal }) => apiGet<MatchAnswer>(`/match/matches/${encodeURIComponent(id)}`, { signal }) });

/** `GET /match/matches/{id}/corrections`: what was taken back or came late, and why. */
export const listMatchCorrections = (id: string) =>
  queryOptions({
    queryKey: queryKeys.corrections(id),
    queryFn: ({ signal }) => apiGet<readonly Correction[]>(`/match/matches/${encodeURIComponent(id)}/corrections`, { signal }),
  });
