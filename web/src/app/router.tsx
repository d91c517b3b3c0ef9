import { Suspense, lazy, type ReactElement } from 'react';
import { Route, Routes } from 'react-router-dom';
import { LandingPage } from '../tournament/landing-page.tsx';
import { Spinner } from '../ui/states.tsx';
import { Layout } from './layout.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { paths } from './paths.ts';

// The landing page comes with the first script; every other screen is a piece of its own, fetched when its route is opened.
const ResultsPage = lazy(async () => ({ default: (await import('../match/results-page.tsx')).ResultsPage }));
const UpcomingPage = lazy(async () => ({ default: (await import('../tournament/upcoming-page.tsx')).UpcomingPage }));
const TournamentPage = lazy(async () => ({ default: (await import('../tournament/tournament-page.tsx')).TournamentPage }));
const StandingsPage = lazy(async () => ({ default: (await import('../tournament/standings-page.tsx')).StandingsPage }));
const MatchDetailsPage = lazy(async () => ({ default: (await import('../match/match-details-page.tsx')).MatchDetailsPage }));
const MatchPlayersPage = lazy(async () => ({ default: (await import('../match/match-players-page.tsx')).MatchPlayersPage }));
const MatchCardsPage = lazy(async () => ({ default: (await import('../match/match-cards-page.tsx')).MatchCardsPage }));
const PlayerPage = lazy(async () => ({ default: (await import('../player/player-page.tsx')).PlayerPage }));
const AboutPage = lazy(async () => ({ default: (await import('./about-page.tsx')).AboutPage }));
const RegisterTeamPage = lazy(async () => ({ default: (await import('../team/register-team-page.tsx')).RegisterTeamPage }));
const RequestTournamentPage = lazy(async () => ({ default: (await import('../request/request-tournament-page.tsx')).RequestTournamentPage }));

/** All 16 routes (specification section 2) and the one for everything else. */
export const AppRoutes = (): ReactElement => (
  <Suspense fallback={<Spinner />}>
    <Routes>
      <Route element={<Layout />}>
        <Route path={paths.landing.pattern} element={<LandingPage />} />
        <Route path={paths.results.pattern} element={<ResultsPage />} />
        <Route path={paths.upcoming.pattern} element={<UpcomingPage />} />
        <Route path={paths.about.pattern} element={<AboutPage />} />
        <Route path={paths.matchCards.pattern} element={<MatchCardsPage />} />
        <Route path={paths.tournament.pattern} element={<TournamentPage />} />
        <Route path={paths.player.pattern} element={<PlayerPage />} />
        <Route path={paths.standings.pattern} element={<StandingsPage />} />
        <Route path={paths.matchPlayers.pattern} element={<MatchPlayersPage />} />
        <Route path={paths.matchDetails.pattern} element={<MatchDetailsPage />} />
        <Route path={paths.registerTeam.pattern} element={<RegisterTeamPage />} />
        <Route path={paths.requestTournament.pattern} element={<RequestTournamentPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  </Suspense>
);
