import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { EmptyState } from '../ui/states.tsx';

/** There is no such match, or it was cancelled. */
export const MatchNotFound = (): ReactElement => (
  <div className="wrap" style={{ paddingBlock: '56px' }}>
    <DocumentHead title="Match Not Found" hidden />
    <h1 className="sr">Match Not Found</h1>
    <EmptyState text="Match Not Found">
      <Link className="btn btn--s btn--sm" to={paths.results.to()}>
        Back to Events
      </Link>
    </EmptyState>
  </div>
);
