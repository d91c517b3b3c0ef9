import { paths } from './paths.ts';

/** The four links of the navigation bar, and which pages each stands for. */
export const navigationLinks = [
  { title: 'HOME', to: paths.landing.to(), covers: [] },
  { title: 'GAMES', to: paths.results.to(), covers: ['/MatchDetails/', '/ViewPlayers/', '/standings/', '/player/', '/tournament/', '/card'] },
  { title: 'UPCOMING', to: paths.upcoming.to(), covers: ['/registerteam/', '/register'] },
  { title: 'ABOUT US', to: paths.about.to(), covers: [] },
] as const;

export type NavigationLink = (typeof navigationLinks)[number];

/** The link to highlight on a page. */
export const activeLink = (pathname: string): NavigationLink | undefined =>
  navigationLinks.find((link) => link.to === pathname) ?? navigationLinks.find((link) => link.covers.some((start) => pathname.startsWith(start)));
