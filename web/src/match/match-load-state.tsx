import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { LoadState } from '../ui/load-state.tsx';

/** Instead of a match: it is on its way, there is none or it was cancelled, or the answer did not come. */
export const MatchLoadState = ({ query }: { readonly query: Pick<UseQueryResult, 'isPending' | 'error' | 'refetch'> }): ReactElement => (
  <LoadState query={query} noun="match" absent={{ title: 'Match Not Found', text: 'Match Not Found' }}>
    <Link className="btn btn--s btn--sm" to={paths.results.to()}>
      Back to Events
    </Link>
  </LoadState>
);
