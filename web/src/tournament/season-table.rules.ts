type Game = { readonly team_1: string; readonly team_2: string; readonly score_1: number; readonly score_2: number };
type Tally = { played: number; wins: number; losses: number; points: number; pointsFor: number; pointsAgainst: number; difference: number };
export type Placed = { readonly rank: number; readonly teamId: string } & Readonly<Tally>;
type Table = ReadonlyMap<string, Tally>;

const emptyTally = (): Tally => ({ played: 0, wins: 0, losses: 0, points: 0, pointsFor: 0, pointsAgainst: 0, difference: 0 });

/** Two points for a win, one for a loss; level games are lost by both. */
const count = (row: Tally, own: number, other: number): void => {
  row.played += 1;
  row[own > other ? 'wins' : 'losses'] += 1;
  row.points += own > other ? 2 : 1;
  row.pointsFor += own;
  row.pointsAgainst += other;
  row.difference += own - other;
};

/** Only games in which both teams are of the table. */
const tabulate = (ids: readonly string[], games: readonly Game[]): Table => {
  const table = new Map(ids.map((id) => [id, emptyTally()]));
  for (const { team_1, team_2, score_1, score_2 } of games) {
    const [first, second] = [table.get(team_1), table.get(team_2)];
    if (first === undefined || second === undefined) continue;
    count(first, score_1, score_2);
    count(second, score_2, score_1);
  }
  return table;
};

const of = (table: Table, id: string): Tally => table.get(id) ?? emptyTally();

/** Groups of equal value, highest first. */
const split = (ids: readonly string[], value: (id: string) => number): string[][] => {
  const groups = new Map<number, string[]>();
  for (const id of ids) {
    const one = value(id);
    const group = groups.get(one);
    if (group === undefined) groups.set(one, [id]);
    else group.push(id);
  }
  return [...groups].toSorted(([a], [b]) => b - a).map(([, group]) => group);
};

/** Of each group the games among its own teams, in one pass: a file may have as many groups as teams. */
const gamesWithin = (groups: readonly (readonly string[])[], games: readonly Game[]): readonly (readonly Game[])[] => {
  const placeOf = new Map(groups.flatMap((ids, at) => ids.map((id) => [id, at] as const)));
  const within = groups.map((): Game[] => []);
  for (const game of games) {
    const at = placeOf.get(game.team_1);
    if (at !== undefined && at === placeOf.get(game.team_2)) within[at]?.push(game);
  }
  return within;
};

/**
 * The table that results give, worked out here anew, as the checker on the command line does: what the server made is not checked with its own code.
 * Level teams by difference, wins, the games among them (when all met equally often) and points scored; whoever is still level shares the rank.
 */
export const tableOf = (teams: readonly string[], games: readonly Game[]): Placed[] => {
  const overall = tabulate(teams, games);
  const untieEach = (groups: readonly (readonly string[])[], among: readonly Game[]): (readonly string[])[] => {
    const within = gamesWithin(groups, among);
    return groups.flatMap((ids, at) => untie(ids, within[at] ?? []));
  };
  const untie = (ids: readonly string[], among: readonly Game[]): (readonly string[])[] => {
    if (ids.length === 1) return [ids];
    const met = new Map<string, number>();
    for (const { team_1, team_2 } of among) {
      const pair = team_1 < team_2 ? `${team_1}\n${team_2}` : `${team_2}\n${team_1}`;
      met.set(pair, (met.get(pair) ?? 0) + 1);
    }
    const isFair = met.size === 0 || (met.size === (ids.length * (ids.length - 1)) / 2 && new Set(met.values()).size === 1);
    const mini = tabulate(ids, among);
    const amongThem = (['points', 'difference', 'pointsFor'] as const).map(
      (name) =>
        (id: string): number =>
          of(mini, id)[name],
    );
    const keys = [(id: string): number => of(overall, id).wins, ...(isFair ? amongThem : []), (id: string): number => of(overall, id).pointsFor];
    for (const key of keys) {
      const groups = split(ids, key);
      if (groups.length > 1) return untieEach(groups, among);
    }
    return [ids];
  };
  let place = 1;
  const level = split(teams, (id) => of(overall, id).points).flatMap((group) => split(group, (id) => of(overall, id).difference));
  return untieEach(level, games).flatMap((ids) => {
    const rank = place;
    place += ids.length;
    return ids.map((teamId) => ({ rank, teamId, ...of(overall, teamId) }));
  });
};
