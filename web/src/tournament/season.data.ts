import type { StandingsHistory } from '@courtledger/contracts/tournament/season.answers';
import { queryOptions } from '@tanstack/react-query';
import { apiBase, apiGet } from '../lib/api-client.ts';
import { queryKeys } from '../lib/query-keys.ts';

/** `GET /tournaments/{id}/standings/history`: the table after each match day. Under the key of the standings, so that a live change makes both stale. */
export const getStandingsHistory = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.standings(id), 'history'] as const,
    queryFn: ({ signal }) => apiGet<StandingsHistory>(`/tournaments/${encodeURIComponent(id)}/standings/history`, { signal }),
  });

/** Where the signed facts and results of a tournament can be had. */
export const seasonFileAddress = (id: string): string => `${apiBase}/tournaments/${encodeURIComponent(id)}/season-file`;

/** The key with which this server signs, base64. */
export const getSeasonKey = () =>
  queryOptions({
    queryKey: ['season-key'] as const,
    queryFn: ({ signal }) => apiGet<{ readonly publicKey: string }>('/season-key', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
