import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import type { MatchAnswer, MatchResult, StatRow } from '@courtledger/contracts/match/match.answers';
import { dayOf, startInstant } from '../lib/format.rules.ts';

/** Rules of the match screens (specification sections 2, 4 and 9). */

export type Statistic = 'points' | 'assists' | 'rebounds';
export type Totals = Readonly<Record<Statistic, number>>;

/** The side with the higher score; a level match has none. */
export const winnerOf = (score1: number, score2: number): 1 | 2 | undefined => (score1 === score2 ? undefined : score1 > score2 ? 1 : 2);

/** Sums of a list of rows. */
export const totalsOf = (rows: readonly Pick<StatRow, Statistic>[]): Totals => ({
  points: rows.reduce((sum, row) => sum + row.points, 0),
  assists: rows.reduce((sum, row) => sum + row.assists, 0),
  rebounds: rows.reduce((sum, row) => sum + row.rebounds, 0),
});

/** Anything other than 'played' is shown as DNP (specification section 4). */
export const isPlayed = (row: Pick<StatRow, 'notplayed'>): boolean => row.notplayed === 'played';

/** Whether a line has numbers. They count in the score whatever its status says, so they are shown whatever it says. */
export const hasNumbers = (row: Totals): boolean => row.points !== 0 || row.assists !== 0 || row.rebounds !== 0;

/** Rows of one team. A team's score is the sum of their points. */
export const rowsOf = (match: Pick<MatchAnswer, 'player_stats'>, teamId: string): readonly StatRow[] =>
  match.player_stats.filter((row) => row.team_id === teamId);

/** A match as lists show it, from the whole match. */
export const toResult = (match: MatchAnswer): MatchResult => ({
  _id: match._id,
  date: match.date,
  time: match.time,
  team_1: { _id: match.team_1._id, team_details: match.team_1.team_details },
  team_2: { _id: match.team_2._id, team_details: match.team_2.team_details },
  score_1: totalsOf(rowsOf(match, match.team_1._id)).points,
  score_2: totalsOf(rowsOf(match, match.team_2._id)).points,
  hasStats: match.player_stats.length > 0,
});

const when = (match: Pick<MatchResult, 'date' | 'time'>): string => `${match.date}${match.time}`;
/** Those of one time stay in the order in which they came, also where the newest stand first. */
const oldestFirst = (a: Pick<MatchResult, 'date' | 'time'>, b: Pick<MatchResult, 'date' | 'time'>): number =>
  when(a) < when(b) ? -1 : when(a) > when(b) ? 1 : 0;
const newestFirst = (a: Pick<MatchResult, 'date' | 'time'>, b: Pick<MatchResult, 'date' | 'time'>): number => oldestFirst(b, a);

/** Whether a match has begun at `now` (milliseconds): its day, where no time is set. One that has statistics was played, whatever its date says. */
const hasBegun = ({ date, time, hasStats }: Pick<MatchResult, 'date' | 'time' | 'hasStats'>, now: number): boolean => {
  const at = startInstant(date, time);
  return hasStats || (at === undefined ? dayOf(date) <= kathmanduDay(now) : at <= now);
};

/** The newest matches at `now` (milliseconds): those that have begun, newest first; only where they are fewer than `count`, the nearest to come fill up. */
export const newestMatches = <T extends Pick<MatchResult, 'date' | 'time' | 'hasStats'>>(matches: readonly T[], now: number, count: number): readonly T[] => {
  const begun = matches.filter((match) => hasBegun(match, now)).toSorted(newestFirst);
  const next = matches.filter((match) => !hasBegun(match, now)).toSorted(oldestFirst);
  return [...begun, ...next].slice(0, count);
};

/** The newest played matches, newest first, then the nearest to come: at most `count`, and half of them to come where there are any. */
export const latestMatches = <T extends Pick<MatchResult, 'date' | 'time' | 'hasStats'>>(matches: readonly T[], count: number): readonly T[] => {
  const played = matches.filter((match) => match.hasStats).toSorted(newestFirst);
  const next = matches.filter((match) => !match.hasStats).toSorted(oldestFirst);
  const shown = Math.max(count - next.length, Math.ceil(count / 2));
  return [...played.slice(0, shown), ...next].slice(0, count);
};

/** The row of the MVP to show: the recorded one, else the best average on the winning team; none of a level match. */
export const mvpOf = (match: Pick<MatchAnswer, 'player_stats' | 'mvp' | 'bestPlayer'>): { readonly row: StatRow; readonly recorded: boolean } | undefined => {
  const rowOf = (id: string | undefined): StatRow | undefined => match.player_stats.find((row) => row.player_id === id);
  const named = rowOf(match.mvp);
  if (named) return { row: named, recorded: true };
  const best = rowOf(match.bestPlayer?.player_id);
  return best && { row: best, recorded: match.bestPlayer?.recorded === true };
};

const byName = (a: StatRow, b: StatRow): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** The best of a list in one statistic: ties by points, then by name; nobody without at least one. */
export const topOf = (rows: readonly StatRow[], statistic: Statistic): StatRow | undefined =>
  rows
    .filter((row) => isPlayed(row) && row[statistic] > 0)
    .toSorted((a, b) => b[statistic] - a[statistic] || b.points - a.points || byName(a, b))
    .at(0);

export const performances = [
  { statistic: 'points', name: 'Points', title: 'Top scorers', badge: 'Top Scorer' },
  { statistic: 'assists', name: 'Assists', title: 'Top assisters', badge: 'Top Assister' },
  { statistic: 'rebounds', name: 'Rebounds', title: 'Top rebounders', badge: 'Top Rebounder' },
] as const satisfies readonly { statistic: Statistic; name: string; title: string; badge: string }[];

/** The badges of every player who is the best of the own team at something. */
export const badgesOf = (match: Pick<MatchAnswer, 'player_stats' | 'team_1' | 'team_2'>): ReadonlyMap<string, readonly string[]> => {
  const badges = new Map<string, string[]>();
  for (const team of [match.team_1, match.team_2]) {
    for (const { statistic, badge } of performances) {
      const top = topOf(rowsOf(match, team._id), statistic);
      if (top) badges.set(top.player_id, [...(badges.get(top.player_id) ?? []), badge]);
    }
  }
  return badges;
};

/** Box score order: by points, rebounds, assists, name; who did not play comes last. */
export const inBoxScoreOrder = (rows: readonly StatRow[]): readonly StatRow[] =>
  rows.toSorted((a, b) => Number(isPlayed(b)) - Number(isPlayed(a)) || b.points - a.points || b.rebounds - a.rebounds || b.assists - a.assists || byName(a, b));

/** A percentage label stands only above this many percent (specification section 9). */
const labelThreshold = 15;

export type Share = { readonly percent: number; readonly label: string | undefined };

/** @param percent as it is shown: what is over the threshold may be rounded down to it */
const share = (percent: number, part: number, whole: number): Share => ({
  percent,
  label: part * 100 > labelThreshold * whole ? `${percent.toFixed(1)}%` : undefined,
});

/** How two totals share a bar, in percent with one decimal; nothing of it when neither side has anything. */
export const sharesOf = (first: number, second: number): readonly [Share, Share] => {
  const [a, b] = [Math.max(first, 0), Math.max(second, 0)];
  if (a + b === 0)
    return [
      { percent: 0, label: undefined },
      { percent: 0, label: undefined },
    ];
  const percent = Math.round((a * 1000) / (a + b)) / 10;
  return [share(percent, a, a + b), share(Math.round((100 - percent) * 10) / 10, b, a + b)];
};
