import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-client.ts';

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
        retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 5000),
      },
    },
  });
