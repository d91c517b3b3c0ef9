import type { PreviewAnswer } from '@courtledger/contracts/operations/audit.answers';
import type { StandingRow } from '@courtledger/contracts/tournament/tournament.answers';
import { formatDifference, formatNumber, formatScore } from '../lib/format.rules.ts';

/** One thing before and after a correction: `49–116 → 31–116` where it changes, as it is where it does not. */
export type Change = { readonly title: string; readonly text: string; readonly changed: boolean };

/** A team whose row of the standings changes, with every number of the row. */
export type RowChange = { readonly teamId: string; readonly teamName: string; readonly numbers: readonly Change[] };

const change = (title: string, before: string, after: string, changed = before !== after): Change => ({
  title,
  text: changed ? `${before} → ${after}` : after,
  changed,
});

/** A match without statistics has no score. */
const scoreOf = ({ hasStats, score_1, score_2 }: PreviewAnswer['before']): string => (hasStats ? formatScore(score_1, score_2) : 'none');

/** Score, winner and MVP. */
export const resultChanges = ({ team_1, team_2, before, after }: PreviewAnswer): readonly Change[] => {
  const winner = (id: string | null): string => [team_1, team_2].find(({ _id }) => _id === id)?.name ?? 'nobody';
  return [
    change('Score', scoreOf(before), scoreOf(after)),
    change('Winner', winner(before.winner), winner(after.winner), before.winner !== after.winner),
    // By the player: two may have one name.
    change('MVP', before.mvp?.name ?? 'nobody', after.mvp?.name ?? 'nobody', before.mvp?.player_id !== after.mvp?.player_id),
  ];
};

type Line = PreviewAnswer['players'][number]['before'];
const statusOf = ({ notplayed }: Line): string => (notplayed === null ? 'no statistics' : notplayed === 'played' ? 'played' : 'DNP');

/** What a correction makes of a player's status in the match: `DNP → played: one match played more`; undefined where it stays. */
export const statusChange = ({ before, after }: Pick<PreviewAnswer['players'][number], 'before' | 'after'>): string | undefined => {
  const [from, to] = [statusOf(before), statusOf(after)];
  if (from === to) return undefined;
  const [counted, counts] = [from === 'played', to === 'played'];
  return `${from} → ${to}${counted === counts ? '' : counts ? ': one match played more' : ': one match played less'}`;
};

type Stat = { readonly title: string; readonly read: (row: StandingRow) => string };
/** The columns of the standings (specification section 9), by the names that they have there. */
const stats: readonly Stat[] = [
  { title: 'Rank', read: ({ rank }) => String(rank) },
  { title: 'Played', read: ({ played }) => String(played) },
  { title: 'Wins', read: ({ wins }) => String(wins) },
  { title: 'Losses', read: ({ losses }) => String(losses) },
  { title: 'Points', read: ({ points }) => formatNumber(points) },
  { title: 'FOR', read: ({ pointsFor }) => formatNumber(pointsFor) },
  { title: 'AGST', read: ({ pointsAgainst }) => formatNumber(pointsAgainst) },
  { title: 'PD', read: ({ difference }) => formatDifference(difference) },
];
export const statTitles: readonly string[] = stats.map(({ title }) => title);

const statOf = ({ read }: Stat, row: StandingRow | undefined): string => (row === undefined ? 'none' : read(row));

/**
 * The rows of the standings that change, as they stand afterwards; those that leave the table come last, and whoever is on one side only has `none` on the
 * other.
 */
export const standingsChanges = ({ before, after }: PreviewAnswer): readonly RowChange[] => {
  const [earlier, later] = [before, after].map(({ standings }) => new Map(standings.rows.map((row) => [row.teamId, row])));
  const teams = new Map([...after.standings.rows, ...before.standings.rows].map(({ teamId, teamName }) => [teamId, teamName]));
  return [...teams]
    .map(([teamId, teamName]): RowChange => ({
      teamId,
      teamName,
      numbers: stats.map((stat) => change(stat.title, statOf(stat, earlier?.get(teamId)), statOf(stat, later?.get(teamId)))),
    }))
    .filter(({ numbers }) => numbers.some(({ changed }) => changed));
};
