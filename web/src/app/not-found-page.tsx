import type { ReactElement, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import ball from '../assets/ball.svg';
import { DocumentHead } from '../lib/document-head.tsx';
import { TryAgain } from '../ui/try-again.tsx';
import { paths } from './paths.ts';

const Panel = ({
  sign,
  title,
  text,
  children,
}: {
  /** Drawn above it; nothing where the drawing may be what does not come. */
  readonly sign?: '404' | 'ball';
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}): ReactElement => (
  <div className="wrap" style={{ paddingBlock: '40px' }}>
    <section className="nf">
      {sign !== undefined && (
        <div className="nf__n" aria-hidden="true">
          {sign === '404' && '4'}
          <img src={ball} alt="" width="190" height="190" />
          {sign === '404' && '4'}
        </div>
      )}
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
    </section>
  </div>
);

/** 404: no such page. */
export const NotFoundPage = (): ReactElement => (
  <>
    <DocumentHead title="Out of bounds" hidden />
    <Panel sign="404" title="Out of bounds" text="There is no page at this address.">
      <Link className="btn btn--p" to={paths.landing.to()}>
        Back to the home page
      </Link>
    </Panel>
  </>
);

/** A page that could not be fetched. `title`: why. */
export const AbsentPage = ({ title, onRetry }: { readonly title: string; readonly onRetry: () => unknown }): ReactElement => (
  <>
    <DocumentHead title={title} hidden />
    <Panel title={title} text="This page could not be fetched.">
      <TryAgain onRetry={onRetry} main />
    </Panel>
  </>
);

/** What nobody caught. Uses no router: it may be what failed. */
export const FaultPage = ({ onRetry }: { readonly onRetry: () => void }): ReactElement => (
  <>
    <DocumentHead title="Something went wrong" hidden />
    <Panel sign="ball" title="Something went wrong" text="This page met a fault of ours. Your data is safe: nothing was lost.">
      <TryAgain onRetry={onRetry} main />
    </Panel>
  </>
);
