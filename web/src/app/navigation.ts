import { isAt, paths } from './paths.ts';

/** The four links of the navigation bar, and which pages each stands for. */
export const navigationLinks = [
  { title: 'HOME', to: paths.landing.to(), covers: [paths.landing] },
  {
    title: 'GAMES',
    to: paths.results.to(),
    covers: [paths.results, paths.matchDetails, paths.matchPlayers, paths.standings, paths.player, paths.tournament, paths.matchCards],
  },
  { title: 'UPCOMING', to: paths.upcoming.to(), covers: [paths.upcoming, paths.registerTeam, paths.requestTournament] },
  { title: 'ABOUT US', to: paths.about.to(), covers: [paths.about] },
] as const;

export type NavigationLink = (typeof navigationLinks)[number];

/** The link to highlight on a page. */
export const activeLink = (pathname: string): NavigationLink | undefined => navigationLinks.find((link) => link.covers.some((page) => isAt(pathname, page)));
