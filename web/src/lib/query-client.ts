import { QueryClient } from '@tanstack/react-query';
import { isRefusal } from './api-client.ts';

/** Answers stay fresh while the live connection says nothing else; a client error is never asked again. */
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
        retry: (failures, error) => failures < 2 && !isRefusal(error),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 5000),
      },
    },
  });
