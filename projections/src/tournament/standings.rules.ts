import type { TeamId } from '@courtledger/contracts/kernel/ids';
import { numberText } from '@courtledger/contracts/kernel/minus';
import { orderedByName } from '../kernel/text-order.ts';

/** A match with statistics. Teams and sums of points. */
export type CountedMatch = { readonly team1: string; readonly team2: string; readonly score1: number; readonly score2: number };
export type RankedTeam = { readonly id: string; readonly name: string };

export type Standing = {
  readonly rank: number;
  readonly teamId: TeamId;
  readonly played: number;
  readonly wins: number;
  readonly losses: number;
  readonly points: number;
  readonly pointsFor: number;
  readonly pointsAgainst: number;
  readonly difference: number;
  readonly tieBreak?: string;
};

type Tally = { played: number; wins: number; losses: number; points: number; pointsFor: number; pointsAgainst: number };
type Side = readonly [own: number, other: number];

const WIN = 2;
const LOSS = 1;

/**
 * Teams that an explanation names at most. Of more it names the first and counts the others, or a table would grow with the square of the teams that are level.
 */
const mostNamed = 4;
const namedOfMore = 3;

const emptyTally = (): Tally => ({ played: 0, wins: 0, losses: 0, points: 0, pointsFor: 0, pointsAgainst: 0 });

/** What one match counts for one side. The higher score wins; a tie is a loss for both (specification section 9). */
export const resultFor = ([own, other]: Side): Readonly<Tally> => {
  const hasWon = own > other;
  return { played: 1, wins: hasWon ? 1 : 0, losses: hasWon ? 0 : 1, points: hasWon ? WIN : LOSS, pointsFor: own, pointsAgainst: other };
};

const count = (record: Tally, side: Side): void => {
  const result = resultFor(side);
  record.played += result.played;
  record.wins += result.wins;
  record.losses += result.losses;
  record.points += result.points;
  record.pointsFor += result.pointsFor;
  record.pointsAgainst += result.pointsAgainst;
};

const tabulate = (ids: Iterable<string>, matches: readonly CountedMatch[]): Map<string, Tally> => {
  const records = new Map<string, Tally>();
  for (const id of ids) records.set(id, emptyTally());
  for (const { team1, team2, score1, score2 } of matches) {
    const first = records.get(team1);
    const second = records.get(team2);
    // Both, or it is not a match among these teams.
    if (first === undefined || second === undefined) continue;
    count(first, [score1, score2]);
    count(second, [score2, score1]);
  }
  return records;
};

const difference = ({ pointsFor, pointsAgainst }: Tally): number => pointsFor - pointsAgainst;
const signed = (value: number): string => `${value > 0 ? '+' : ''}${numberText(value)}`;

/** Groups of equal value, highest first; the order inside a group stays. */
const split = (ids: readonly string[], value: (id: string) => number): string[][] => {
  const groups = new Map<number, string[]>();
  for (const id of ids) {
    const key = value(id);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [id]);
    else group.push(id);
  }
  return [...groups].toSorted(([a], [b]) => b - a).map(([, group]) => group);
};

/** The mini-league decides only when every pair in the set has met equally often (experience 3.3). */
const metEquallyOften = (ids: readonly string[], matches: readonly CountedMatch[]): boolean => {
  const among = new Set(ids);
  const meetings = new Map<string, number>();
  for (const { team1, team2 } of matches) {
    if (!among.has(team1) || !among.has(team2)) continue;
    const pair = team1 < team2 ? `${team1}\n${team2}` : `${team2}\n${team1}`;
    meetings.set(pair, (meetings.get(pair) ?? 0) + 1);
  }
  const pairs = (ids.length * (ids.length - 1)) / 2;
  const counts = new Set(meetings.values());
  return meetings.size === 0 || (meetings.size === pairs && counts.size === 1);
};

/** What a key says of a team: on its own, and against the teams it names. */
type Reason = { readonly alone: string; readonly against: (names: string) => string };
/** One key that separated a team from others that were level with it until then. */
type Step = { readonly from: readonly string[]; readonly reason: Reason };
/** Teams that share a place (mostly one), each with the steps that led there. */
type Placed = { readonly ids: readonly string[]; readonly steps: ReadonlyMap<string, readonly Step[]> };

const placedBy = (key: string): Reason => ({ alone: `placed by ${key}`, against: (names) => `placed apart from ${names} by ${key}` });

const untie = (
  ids: readonly string[],
  overall: ReadonlyMap<string, Tally>,
  matches: readonly CountedMatch[],
  steps: ReadonlyMap<string, readonly Step[]>,
): readonly Placed[] => {
  if (ids.length === 1) return [{ ids, steps }];
  const of = (table: ReadonlyMap<string, Tally>, id: string): Tally => table.get(id) ?? emptyTally();
  const keys: { value: (id: string) => number; reason: (id: string) => Reason }[] = [
    { value: (id) => of(overall, id).wins, reason: (id) => placedBy(`wins (${String(of(overall, id).wins)})`) },
  ];
  if (metEquallyOften(ids, matches)) {
    const mini = tabulate(ids, matches);
    const [first = '', second = ''] = ids;
    const games = matches.filter(({ team1, team2 }) => (team1 === first && team2 === second) || (team1 === second && team2 === first));
    const only = ids.length === 2 && games.length === 1;
    const duel = (id: string): Reason => {
      const own = of(mini, id);
      const score = `${numberText(own.pointsFor)}–${numberText(own.pointsAgainst)}`;
      return own.wins > 0
        ? { alone: `won their game ${score}`, against: (name) => `beat ${name} ${score}` }
        : { alone: `lost their game ${score}`, against: (name) => `lost to ${name} ${score}` };
    };
    keys.push(
      { value: (id) => of(mini, id).points, reason: (id) => (only ? duel(id) : placedBy(`points in the games among them (${String(of(mini, id).points)})`)) },
      { value: (id) => difference(of(mini, id)), reason: (id) => placedBy(`point difference in the games among them (${signed(difference(of(mini, id)))})`) },
      { value: (id) => of(mini, id).pointsFor, reason: (id) => placedBy(`points scored in the games among them (${numberText(of(mini, id).pointsFor)})`) },
    );
  }
  keys.push({ value: (id) => of(overall, id).pointsFor, reason: (id) => placedBy(`points scored overall (${numberText(of(overall, id).pointsFor)})`) });
  for (const { value, reason } of keys) {
    const groups = split(ids, value);
    // As soon as a key separates anybody, each group that is still level starts again, with a mini-league of its own.
    if (groups.length > 1)
      return groups.flatMap((group) => {
        const from = ids.filter((id) => !group.includes(id));
        return untie(group, overall, matches, new Map(group.map((id) => [id, [...(steps.get(id) ?? []), { from, reason: reason(id) }]])));
      });
  }
  return [{ ids, steps }];
};

/**
 * What decided between a team and those that are level with it; `sharing`: those that stay on its rank. Names the teams as soon as not all were separated from
 * it at once.
 */
const decidedBy = (steps: readonly Step[], sharing: readonly string[], namesOf: (ids: readonly string[]) => string): string => {
  const [only] = steps;
  if (only === undefined) return 'shares the rank';
  if (steps.length === 1 && sharing.length === 0) return only.reason.alone;
  const apart = steps.map(({ from, reason }) => reason.against(namesOf(from)));
  return (sharing.length === 0 ? apart : [...apart, `shares the rank with ${namesOf(sharing)}`]).join('; ');
};

/**
 * The standings of a tournament (specification section 9; tie-breaks and shared ranks: experience 3.3, keys 1 to 7 and 9).
 * `teams` are all that stand in the table; `matches` are those with statistics. Pure: the order of the input never shows.
 */
export const standings = (teams: readonly RankedTeam[], matches: readonly CountedMatch[]): Standing[] => {
  const named = orderedByName(teams);
  const nameOf = new Map(named.map(({ id, name }) => [id, name]));
  const overall = tabulate(nameOf.keys(), matches);
  const of = (id: string): Tally => overall.get(id) ?? emptyTally();
  const listed = (ids: readonly string[]): string => ids.map((id) => nameOf.get(id) ?? id).join(', ');
  const namesOf = (ids: readonly string[]): string =>
    ids.length <= mostNamed ? listed(ids) : `${listed(ids.slice(0, namedOfMore))} and ${String(ids.length - namedOfMore)} others`;
  const rows: Standing[] = [];
  const level = split([...nameOf.keys()], (id) => of(id).points).flatMap((group) => split(group, (id) => difference(of(id))));
  for (const group of level) {
    for (const { ids, steps } of untie(group, overall, matches, new Map())) {
      const rank = rows.length + 1;
      for (const teamId of ids) {
        const { played, wins, losses, points, pointsFor, pointsAgainst } = of(teamId);
        const others = group.filter((id) => id !== teamId);
        const why = decidedBy(
          steps.get(teamId) ?? [],
          ids.filter((id) => id !== teamId),
          namesOf,
        );
        const tieBreak =
          others.length === 0
            ? {}
            : { tieBreak: `Level on points (${String(points)}) and point difference (${signed(pointsFor - pointsAgainst)}) with ${namesOf(others)}; ${why}` };
        rows.push({ rank, teamId, played, wins, losses, points, pointsFor, pointsAgainst, difference: pointsFor - pointsAgainst, ...tieBreak });
      }
    }
  }
  return rows;
};
