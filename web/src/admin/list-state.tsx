import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { ApiError, failureText, isRefusal } from '../lib/api-client.ts';
import { Banner } from '../ui/banner.tsx';
import { EmptyState, Spinner } from '../ui/states.tsx';
import { TryAgain } from '../ui/try-again.tsx';

type ListStateProps<T> = {
  readonly query: UseQueryResult<readonly T[]>;
  /** What stands when there is nothing at all. */
  readonly empty: string;
  /** What stands when the filter leaves nothing. */
  readonly shown: number;
  readonly failed?: (error: ApiError | undefined) => string;
  readonly children: ReactNode;
};

/** A list, or why there is none. One that was read stays when it cannot be read again. */
export const ListState = <T,>({ query: { data, error, isPending, refetch }, empty, shown, failed, children }: ListStateProps<T>): ReactElement => {
  if (isPending) return <Spinner />;
  const refusal = error instanceof ApiError ? error : undefined;
  const banner = error && (
    <Banner
      kind="bad"
      text={
        failed?.(refusal) ?? (refusal === undefined || refusal.status === 500 ? outcomeTexts.internalError : failureText(refusal, outcomeTexts.internalError))
      }
    >
      <TryAgain onRetry={refetch} />
    </Banner>
  );
  // There is none, or none for whoever asks: what was read before does not stand for that.
  if (data === undefined || isRefusal(error)) return <>{banner}</>;
  if (data.length === 0) return banner ?? <EmptyState text={empty} />;
  return (
    <>
      {banner}
      {shown === 0 ? <EmptyState text="Nothing matches this search" /> : children}
    </>
  );
};
