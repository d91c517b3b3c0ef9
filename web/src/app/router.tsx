import { Suspense, lazy, type ReactElement } from 'react';
import { Route, Routes } from 'react-router-dom';
import { LandingPage } from '../tournament/landing-page.tsx';
import { Spinner } from '../ui/states.tsx';
import { Layout } from './layout.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { paths } from './paths.ts';

// The landing page comes with the first script; every other screen is a piece of its own, fetched when its route is opened.
const AboutPage = lazy(async () => ({ default: (await import('./about-page.tsx')).AboutPage }));

/** All 16 routes (specification section 2) and the one for everything else. */
export const AppRoutes = (): ReactElement => (
  <Suspense fallback={<Spinner />}>
    <Routes>
      <Route element={<Layout />}>
        <Route path={paths.landing.pattern} element={<LandingPage />} />
        <Route path={paths.about.pattern} element={<AboutPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  </Suspense>
);
