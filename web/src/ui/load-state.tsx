import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { ApiError } from '../lib/api-client.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { EmptyState, Spinner } from './states.tsx';

/** Room above and below what stands instead of a page. */
export const InsteadOfPage = ({ title, children }: { /** Of the document, and read out as its heading. */ readonly title: string; readonly children: ReactNode }): ReactElement => (
  <div className="wrap" style={{ paddingBlock: '56px' }}>
    <DocumentHead title={title} hidden />
    <h1 className="sr">{title}</h1>
    {children}
  </div>
);

type LoadStateProps = {
  readonly query: Pick<UseQueryResult, 'isPending' | 'error' | 'refetch'>;
  /** What the page is about: `match`. */
  readonly noun: string;
  /** What stands when there is no such thing. */
  readonly children: ReactNode;
};

/** Instead of a page whose subject is not here: it is on its way, there is none, or the answer did not come. */
export const LoadState = ({ query: { isPending, error, refetch }, noun, children }: LoadStateProps): ReactElement => {
  if (isPending) return <Spinner />;
  if (error instanceof ApiError && error.status === 404) return <>{children}</>;
  const text = `This ${noun} could not be loaded`;
  return (
    <InsteadOfPage title={text}>
      <EmptyState text={`${text}.`}>
        <button type="button" className="btn btn--s btn--sm" onClick={() => void refetch()}>
          Try again
        </button>
      </EmptyState>
    </InsteadOfPage>
  );
};
