import { useEffect, useRef, type ReactElement } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useLiveUpdates } from '../lib/live.ts';
import { draftPrefix, keptUnder } from '../lib/storage.ts';
import { Toaster } from '../ui/toaster.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { showsFooter, showsHeader } from './paths.ts';

/** Whichever page is opened: a registration that was left unfinished must not wait for its own. Where none is kept nothing is fetched for it. */
const forgetOldDrafts = async (): Promise<void> => {
  if (keptUnder(draftPrefix).length === 0) return;
  try {
    const drafts = await import('../team/register-team-draft.ts');
    await drafts.forgetOldDrafts(Date.now());
  } catch {
    // It did not come: the next time it does.
  }
};

/** Header, the page, footer: and what belongs to every page (skip link, messages, live updates, focus after a change of page). */
export const Layout = (): ReactElement => {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const before = useRef(pathname);
  useLiveUpdates();
  useEffect(() => {
    void forgetOldDrafts();
  }, []);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    window.scrollTo(0, 0);
    // Who cannot see the page change hears it: the new page's content is focused.
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <>
      <a
        className="skip"
        href="#content"
        onClick={(event) => {
          // Without a step in the history, of which the router and what Back closes would know nothing.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      {showsHeader(pathname) && <Header />}
      <main className="page" id="content" tabIndex={-1} ref={main}>
        <ErrorBoundary key={pathname}>
          <Outlet />
        </ErrorBoundary>
      </main>
      {showsFooter(pathname) && <Footer />}
      <Toaster />
    </>
  );
};
