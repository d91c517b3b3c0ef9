import { matchPath } from 'react-router-dom';

/** Every address of the site: the pattern for the router, and the function that fills it in (specification section 2). */
const id = (value: string): string => encodeURIComponent(value);

export const paths = {
  landing: { pattern: '/', to: () => '/' },
  results: {
    pattern: '/events',
    /** The same view for whoever opens the link. */
    to: (view: { readonly tournament?: string; readonly date?: string } = {}) => {
      const query = new URLSearchParams({
        ...(view.tournament !== undefined && { tournament: view.tournament }),
        ...(view.date !== undefined && { date: view.date }),
      }).toString();
      return query === '' ? '/events' : `/events?${query}`;
    },
  },
  upcoming: { pattern: '/upcoming', to: () => '/upcoming' },
  verify: { pattern: '/verify', to: () => '/verify' },
  about: { pattern: '/about', to: () => '/about' },
  superAdminLogin: { pattern: '/superadmin8080808080', to: () => '/superadmin8080808080' },
  superAdmin: { pattern: '/superadminakakakakak', to: () => '/superadminakakakakak' },
  adminLogin: { pattern: '/adminlogin', to: () => '/adminlogin' },
  admin: { pattern: '/admin', to: () => '/admin' },
  matchCards: { pattern: '/card', to: () => '/card' },
  tournament: { pattern: '/tournament/:id', to: (tournamentId: string) => `/tournament/${id(tournamentId)}` },
  player: { pattern: '/player/:id', to: (playerId: string) => `/player/${id(playerId)}` },
  standings: { pattern: '/standings/:id', to: (tournamentId: string) => `/standings/${id(tournamentId)}` },
  matchPlayers: { pattern: '/ViewPlayers/:id', to: (matchId: string) => `/ViewPlayers/${id(matchId)}` },
  matchDetails: { pattern: '/MatchDetails/:matchId', to: (matchId: string) => `/MatchDetails/${id(matchId)}` },
  requestTournament: { pattern: '/register', to: () => '/register' },
  registerTeam: { pattern: '/registerteam/:id', to: (tournamentId: string) => `/registerteam/${id(tournamentId)}` },
} as const;

type Page = { readonly pattern: string };

/** Whether the router opens this page at an address: it minds neither the case of letters nor slashes at the end. */
export const isAt = (pathname: string, page: Page): boolean => matchPath(page.pattern, pathname) !== null;

const without =
  (hidden: readonly Page[]) =>
  (pathname: string): boolean =>
    !hidden.some((page) => isAt(pathname, page));
const dashboards: readonly Page[] = [paths.admin, paths.adminLogin, paths.superAdminLogin, paths.superAdmin];

/** The header is hidden on the admin and super admin routes. */
export const showsHeader = without(dashboards);
/** The footer is hidden there and on the landing page. */
export const showsFooter = without([...dashboards, paths.landing]);
/** Forms and dashboards have what is to be read first, or was focused, in view: they begin there. */
export const keepsPlace = without([...dashboards, paths.registerTeam, paths.requestTournament]);
