import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { ApiError } from '../lib/api-client.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { EmptyState, Spinner } from './states.tsx';
import { TryAgain } from './try-again.tsx';

/** Whether the server says that there is no such thing. */
const isAbsent = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

/** Whether something is missing because its answer did not come: not because there is none, and nothing that came before can stand for it. */
export const isNotLoaded = ({ isLoadingError, error }: Pick<UseQueryResult, 'isLoadingError' | 'error'>): boolean => isLoadingError && !isAbsent(error);

/** What a page is about, of what can go while it is looked at: nothing once the server has it no more, though it came before. */
export const presentIn = <Subject,>({ data, error }: Pick<UseQueryResult<Subject>, 'data' | 'error'>): Subject | undefined =>
  isAbsent(error) ? undefined : data;

/** Where the answer did not come: what could not be loaded, and a way to ask again. */
export const LoadFailure = ({
  what,
  heading = false,
  onRetry,
}: {
  /** `The standings`, as a sentence begins. */
  readonly what: string;
  /** Nothing else stands on the page. */
  readonly heading?: boolean;
  readonly onRetry: () => unknown;
}): ReactElement => (
  <EmptyState text={`${what} could not be loaded.`} heading={heading}>
    <TryAgain onRetry={onRetry} />
  </EmptyState>
);

const InsteadOfPage = ({
  title,
  children,
}: {
  /** Of the document; the heading is what stands there. */
  readonly title: string;
  readonly children: ReactNode;
}): ReactElement => (
  <div className="wrap" style={{ paddingBlock: '56px' }}>
    <DocumentHead title={title} hidden />
    {children}
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
  if (isAbsent(error)) {
    return (
      <InsteadOfPage title={absent.title}>
        {absent.title !== absent.text && <h1 className="sr">{absent.title}</h1>}
        <EmptyState text={absent.text} heading={absent.title === absent.text}>
          {children}
        </EmptyState>
      </InsteadOfPage>
    );
  }
  return (
    <InsteadOfPage title={`This ${noun} could not be loaded`}>
      <LoadFailure what={`This ${noun}`} heading onRetry={refetch} />
    </InsteadOfPage>
  );
};
