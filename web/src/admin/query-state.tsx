import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { ApiError, failureText } from '../lib/api-client.ts';
import { Banner } from '../ui/banner.tsx';
import { Spinner } from '../ui/states.tsx';
import { TryAgain } from '../ui/try-again.tsx';
import { LoginInNewTab } from './login-link.tsx';

type QueryStateProps = { readonly query: Pick<UseQueryResult, 'isPending' | 'error'> & { readonly refetch: () => unknown } };

/** What stands while an answer is awaited, and why it did not come: in the server's words where there are any, with a way to ask again. */
export const QueryState = ({ query: { isPending, error, refetch } }: QueryStateProps): ReactElement | null => {
  if (isPending) return <Spinner />;
  return (
    error && (
      <Banner kind="bad" text={failureText(error, outcomeTexts.internalError)}>
        {error instanceof ApiError && error.status === 401 && (
          <small>
            <LoginInNewTab />, then try again here.
          </small>
        )}
        <TryAgain onRetry={refetch} />
      </Banner>
    )
  );
};
