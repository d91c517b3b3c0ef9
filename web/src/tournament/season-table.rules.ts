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
const split = (ids: readonly string[], value: (id: string) => number): string[][] => [...new Set(ids.map(value))].toSorted((a, b) => b - a).map((one) => ids.filter((id) => value(id) === one));

/**
 * The table that results give, worked out here anew, as the checker on the command line does: what the server made is not checked with its own code.
 * Level teams by difference, wins, the games among them (when all met equally often) and points scored; whoever is still level shares the rank.
 */
export const tableOf = (teams: readonly string[], games: readonly Game[]): Placed[] => {
  const overall = tabulate(teams, games);
  const untie = (ids: readonly string[]): (readonly string[])[] => {
    const among = games.filter(({ team_1, team_2 }) => ids.includes(team_1) && ids.includes(team_2));
    const met = new Map<string, number>();
    for (const { team_1, team_2 } of among) {
      const pair = team_1 < team_2 ? `${team_1}\n${team_2}` : `${team_2}\n${team_1}`;
      met.set(pair, (met.get(pair) ?? 0) + 1);
    }
    const isFair = met.size === 0 || (met.size === (ids.length * (ids.length - 1)) / 2 && new Set(met.values()).size === 1);
    const mini = tabulate(ids, among);
    const amongThem = (['points', 'difference', 'pointsFor'] as const).map((name) => (id: string): number => of(mini, id)[name]);
    const keys = [(id: string): number => of(overall, id).wins, ...(isFair ? amongThem : []), (id: string): number => of(overall, id).pointsFor];
    for (const key of keys) {
      const groups = split(ids, key);
      if (groups.length > 1) return groups.flatMap(untie);
    }
    return [ids];
  };
  let place = 1;
  return split(teams, (id) => of(overall, id).points)
    .flatMap((group) => split(group, (id) => of(overall, id).difference))
    .flatMap(untie)
    .flatMap((ids) => {
      const rank = place;
      place += ids.length;
      return ids.map((teamId) => ({ rank, teamId, ...of(overall, teamId) }));
    });
};
