import type { ReactElement } from 'react';
import { Route, Routes } from 'react-router-dom';
import { LandingPage } from '../tournament/landing-page.tsx';
import { Layout } from './layout.tsx';
import { lazyPage } from './lazy-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { paths } from './paths.ts';

// The landing page comes with the first script; every other screen is a piece of its own, fetched when its route is opened.
const ResultsPage = lazyPage(async () => (await import('../match/results-page.tsx')).ResultsPage);
const UpcomingPage = lazyPage(async () => (await import('../tournament/upcoming-page.tsx')).UpcomingPage);
const TournamentPage = lazyPage(async () => (await import('../tournament/tournament-page.tsx')).TournamentPage);
const StandingsPage = lazyPage(async () => (await import('../tournament/standings-page.tsx')).StandingsPage);
const MatchDetailsPage = lazyPage(async () => (await import('../match/match-details-page.tsx')).MatchDetailsPage);
const MatchPlayersPage = lazyPage(async () => (await import('../match/match-players-page.tsx')).MatchPlayersPage);
const MatchCardsPage = lazyPage(async () => (await import('../match/match-cards-page.tsx')).MatchCardsPage);
const PlayerPage = lazyPage(async () => (await import('../player/player-page.tsx')).PlayerPage);
const VerifyPage = lazyPage(async () => (await import('../tournament/verify-page.tsx')).VerifyPage);
const AboutPage = lazyPage(async () => (await import('./about-page.tsx')).AboutPage);
const RegisterTeamPage = lazyPage(async () => (await import('../team/register-team-page.tsx')).RegisterTeamPage);
const RequestTournamentPage = lazyPage(async () => (await import('../request/request-tournament-page.tsx')).RequestTournamentPage);
// The two dashboards share the ground of Mantine, which no public page loads.
const MantineScreens = lazyPage(async () => (await import('./mantine-screens.tsx')).MantineScreens);
const AdminLoginPage = lazyPage(async () => (await import('../admin/admin-login-page.tsx')).AdminLoginPage);
const SuperAdminLoginPage = lazyPage(async () => (await import('../admin/superadmin-login-page.tsx')).SuperAdminLoginPage);
const AdminPage = lazyPage(async () => (await import('../admin/admin-page.tsx')).AdminPage);
const SuperAdminPage = lazyPage(async () => (await import('../admin/superadmin-page.tsx')).SuperAdminPage);

/** The 16 routes of the specification (section 2), `/verify`, and the one for everything else. */
export const AppRoutes = (): ReactElement => (
  <Routes>
    <Route element={<Layout />}>
      <Route path={paths.landing.pattern} element={<LandingPage />} />
      <Route path={paths.results.pattern} element={<ResultsPage />} />
      <Route path={paths.upcoming.pattern} element={<UpcomingPage />} />
      <Route path={paths.verify.pattern} element={<VerifyPage />} />
      <Route path={paths.about.pattern} element={<AboutPage />} />
      <Route path={paths.matchCards.pattern} element={<MatchCardsPage />} />
      <Route path={paths.tournament.pattern} element={<TournamentPage />} />
      <Route path={paths.player.pattern} element={<PlayerPage />} />
      <Route path={paths.standings.pattern} element={<StandingsPage />} />
      <Route path={paths.matchPlayers.pattern} element={<MatchPlayersPage />} />
      <Route path={paths.matchDetails.pattern} element={<MatchDetailsPage />} />
      <Route path={paths.registerTeam.pattern} element={<RegisterTeamPage />} />
      <Route path={paths.requestTournament.pattern} element={<RequestTournamentPage />} />
      <Route path={paths.adminLogin.pattern} element={<AdminLoginPage />} />
      <Route path={paths.superAdminLogin.pattern} element={<SuperAdminLoginPage />} />
      <Route element={<MantineScreens />}>
        <Route path={paths.admin.pattern} element={<AdminPage />} />
        <Route path={paths.superAdmin.pattern} element={<SuperAdminPage />} />
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Route>
  </Routes>
);
