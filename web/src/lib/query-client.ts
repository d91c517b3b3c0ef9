import { QueryClient } from '@tanstack/react-query';
import { Silence, isRefusal } from './api-client.ts';

/** An answer counts as fresh for half a minute, or until the live connection says otherwise. No page asks again by itself after a refusal, or after a silence. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // A hall may have a server of its own and no internet: whether there is a network says nothing about whether it answers.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: true,
        retry: (failures, error) => failures < 2 && !isRefusal(error) && !(error instanceof Silence),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 5000),
      },
    },
  });
