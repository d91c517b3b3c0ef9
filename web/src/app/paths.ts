/** Every address of the site: the pattern for the router, and the function that fills it in (specification section 2). */
const id = (value: string): string => encodeURIComponent(value);

export const paths = {
  landing: { pattern: '/', to: () => '/' },
  results: {
    pattern: '/events',
    /** The same view for whoever opens the link. */
    to: (view: { readonly tournament?: string; readonly date?: string } = {}) => {
      const query = new URLSearchParams({ ...(view.tournament !== undefined && { tournament: view.tournament }), ...(view.date !== undefined && { date: view.date }) }).toString();
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

const without = (hidden: readonly string[]) => (pathname: string): boolean => !hidden.includes(pathname.replace(/\/+$/, '') || '/');
const dashboards: readonly string[] = [paths.admin.pattern, paths.adminLogin.pattern, paths.superAdminLogin.pattern, paths.superAdmin.pattern];

/** The header is hidden on the admin and super admin routes. */
export const showsHeader = without(dashboards);
/** The footer is hidden there and on the landing page. */
export const showsFooter = without([...dashboards, paths.landing.pattern]);
