import type { StandingsHistory } from '@courtledger/contracts/tournament/season.answers';
import { graphemesOf } from '../lib/format.rules.ts';

/** Tokens of the look. No two lines are told apart by colour alone: orange and bronze are near, so neighbours differ in their dashes too, and each has its name at its end. */
const colours = ['#ff7a1f', '#9db9da', '#4fcb8e', '#f4c34f', '#ff8a80', '#c9d1db', '#de9a66', '#f4f1ea'] as const;
const dashes = ['0', '10 4', '2 4', '12 4 2 4'] as const;

/** How the line of the team at that place of the table is drawn: 32 lines differ. */
export const lineStyle = (index: number): { readonly stroke: string; readonly strokeDasharray: string } => ({
  stroke: colours[index % colours.length] ?? '#f4f1ea',
  strokeDasharray: dashes[(index + Math.floor(index / colours.length)) % dashes.length] ?? '0',
});

const longestLabel = 14;
/** A name as the end of a line has room for it: `Kathmandu Kin…`; the legend has the whole. */
export const shortName = (name: string): string => {
  const letters = graphemesOf(name);
  return letters.length <= longestLabel ? name : `${letters.slice(0, longestLabel - 1).join('').trimEnd()}…`;
};

/** The lines of a chart, in the order of the last table. Those that end at the same rank stand under each other: `below` counts how many are above at that rank. */
export const linesOfRanks = (days: StandingsHistory['days']): readonly { readonly teamId: string; readonly teamName: string; readonly label: string; readonly below: number; readonly stroke: string; readonly strokeDasharray: string }[] => {
  const rows = days.at(-1)?.rows ?? [];
  return rows.map(({ teamId, teamName, rank }, index) => {
    const below = rows.slice(0, index).filter((row) => row.rank === rank).length;
    const { stroke, strokeDasharray } = lineStyle(index);
    return { teamId, teamName, label: shortName(teamName), below, stroke, strokeDasharray };
  });
};
