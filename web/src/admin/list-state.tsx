import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { ApiError, failureText } from '../lib/api-client.ts';
import { Banner } from '../ui/banner.tsx';
import { EmptyState, Spinner } from '../ui/states.tsx';

type ListStateProps<T> = {
  readonly query: UseQueryResult<readonly T[]>;
  /** What stands when there is nothing at all. */
  readonly empty: string;
  /** What stands when the filter leaves nothing. */
  readonly shown: number;
  readonly failed?: (error: ApiError | undefined) => string;
  readonly children: ReactNode;
};

/** A list, or why there is none. */
export const ListState = <T,>({ query, empty, shown, failed, children }: ListStateProps<T>): ReactElement => {
  if (query.isPending) return <Spinner />;
  if (query.isError) {
    const error = query.error instanceof ApiError ? query.error : undefined;
    return <Banner kind="bad" text={failed?.(error) ?? (error?.status === 500 ? outcomeTexts.internalError : error === undefined ? outcomeTexts.internalError : failureText(error, outcomeTexts.internalError))} />;
  }
  if (query.data.length === 0) return <EmptyState text={empty} />;
  return shown === 0 ? <EmptyState text="Nothing matches this search" /> : <>{children}</>;
};
