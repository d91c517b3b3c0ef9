import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { ApiError } from '../lib/api-client.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { EmptyState, Spinner } from './states.tsx';

const InsteadOfPage = ({ title, text, children }: { /** Of the document, and read out as its heading. */ readonly title: string; readonly text: string; readonly children: ReactNode }): ReactElement => (
  <div className="wrap" style={{ paddingBlock: '56px' }}>
    <DocumentHead title={title} hidden />
    <h1 className="sr">{title}</h1>
    <EmptyState text={text}>{children}</EmptyState>
  </div>
);

type LoadStateProps = {
  readonly query: Pick<UseQueryResult, 'isPending' | 'error' | 'refetch'>;
  /** What the page is about: `match`. */
  readonly noun: string;
  /** What is said when there is no such thing. */
  readonly absent: { readonly title: string; readonly text: string };
  /** The way on from there. */
  readonly children?: ReactNode;
};

/** Instead of a page whose subject is not here: it is on its way, there is none, or the answer did not come. */
export const LoadState = ({ query: { isPending, error, refetch }, noun, absent, children }: LoadStateProps): ReactElement => {
  if (isPending) return <Spinner />;
  if (error instanceof ApiError && error.status === 404) return <InsteadOfPage {...absent}>{children}</InsteadOfPage>;
  const title = `This ${noun} could not be loaded`;
  return (
    <InsteadOfPage title={title} text={`${title}.`}>
      <button type="button" className="btn btn--s btn--sm" onClick={() => void refetch()}>
        Try again
      </button>
    </InsteadOfPage>
  );
};
