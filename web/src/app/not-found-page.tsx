import type { ReactElement, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import ball from '../assets/ball.svg';
import { DocumentHead } from '../lib/document-head.tsx';
import { paths } from './paths.ts';

const Panel = ({ digits, title, text, children }: { readonly digits: boolean; readonly title: string; readonly text: string; readonly children: ReactNode }): ReactElement => (
  <div className="wrap" style={{ paddingBlock: '40px' }}>
    <section className="nf">
      <div className="nf__n" aria-hidden="true">
        {digits && '4'}
        <img src={ball} alt="" width="190" height="190" />
        {digits && '4'}
      </div>
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
    <Panel digits title="Out of bounds" text="There is no page at this address.">
      <Link className="btn btn--p" to={paths.landing.to()}>
        Back to the home page
      </Link>
    </Panel>
  </>
);

/** What nobody caught. Uses no router: it may be what failed. */
export const FaultPage = ({ onRetry }: { readonly onRetry: () => void }): ReactElement => (
  <>
    <DocumentHead title="Something went wrong" hidden />
    <Panel digits={false} title="Something went wrong" text="This page met a fault of ours. Your data is safe: nothing was lost.">
      <button type="button" className="btn btn--p" onClick={onRetry}>
        Try again
      </button>
    </Panel>
  </>
);
