/** Names of what is cached, in one place: the data files read under them, the live connection makes them stale. */
export const queryKeys = {
  tournaments: () => ['tournaments'] as const,
  tournament: (id: string) => ['tournament', id] as const,
  tournamentMatches: (id: string) => ['tournament-matches', id] as const,
  standings: (id: string) => ['standings', id] as const,
  match: (id: string) => ['match', id] as const,
  corrections: (id: string) => ['corrections', id] as const,
  player: (id: string) => ['player', id] as const,
  team: (id: string) => ['team', id] as const,
  /** Everything that only a logged-in person sees starts with this. */
  admin: (...rest: readonly string[]) => ['admin', ...rest] as const,
  superadmin: (...rest: readonly string[]) => ['superadmin', ...rest] as const,
};
