import type { PublicTeam } from '@courtledger/contracts/team/team.answers';
import { queryOptions } from '@tanstack/react-query';
import { apiGet } from '../lib/api-client.ts';
import { queryKeys } from '../lib/query-keys.ts';

/** `GET /team/{id}`: roster, results and standings of a team. */
export const getTeam = (id: string) =>
  queryOptions({ queryKey: queryKeys.team(id), queryFn: ({ signal }) => apiGet<PublicTeam>(`/team/${encodeURIComponent(id)}`, { signal }) });
