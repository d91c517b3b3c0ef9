import type { PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import { queryOptions } from '@tanstack/react-query';
import { apiGet } from '../lib/api-client.ts';
import { queryKeys } from '../lib/query-keys.ts';

/** `GET /player/getPlayerById/{id}`: profile, averages and every match. */
export const getPlayer = (id: string) =>
  queryOptions({
    queryKey: queryKeys.player(id),
    queryFn: ({ signal }) => apiGet<PlayerAnswer>(`/player/getPlayerById/${encodeURIComponent(id)}`, { signal }),
  });
