import type { StandingsHistory } from '@courtledger/contracts/tournament/season.answers';
import { graphemesOf } from '@courtledger/contracts/kernel/graphemes';

/**
 * Tokens of the look. No two lines are told apart by colour alone: orange and bronze are near, so neighbours differ in their dashes too, and each has its name
 * at its end.
 */
const colours = ['#ff7a1f', '#9db9da', '#4fcb8e', '#f4c34f', '#ff8a80', '#c9d1db', '#de9a66', '#f4f1ea'] as const;
const dashes = ['0', '10 4', '2 4', '12 4 2 4'] as const;

/** How the line of the team at that place of the table is drawn: 32 lines differ. */
export const lineStyle = (index: number): { readonly stroke: string; readonly strokeDasharray: string } => ({
  stroke: colours[index % colours.length] ?? '#f4f1ea',
  strokeDasharray: dashes[(index + Math.floor(index / colours.length)) % dashes.length] ?? '0',
});

/** How wide a text is, in pixels. */
export type Measure = (text: string) => number;

/** The least room for a name at the end of a line, and the gap before it, in pixels: some 14 letters. */
const leastRoom = 107;
export const labelGap = 10;
/** A chart as wide as this stands on a desktop. */
const desktopWidth = 800;

/** The pixels that names get at the ends of the lines of a chart: what the widest needs, up to a third of the width on a desktop. */
export const labelRoom = (names: readonly string[], chartWidth: number, measure: Measure): number => {
  const most = chartWidth < desktopWidth ? leastRoom : Math.max(leastRoom, Math.floor(chartWidth / 3) - labelGap);
  return Math.min(most, Math.max(leastRoom, ...names.map((name) => Math.ceil(measure(name)))));
};

/** A name as the end of a line has room for it: `Kathmandu Kin…`; the legend has the whole. Letters differ in width, and scripts more so. */
export const fittedName = (name: string, room: number, measure: Measure): string => {
  if (measure(name) <= room) return name;
  let fitted = '';
  for (const letter of graphemesOf(name)) {
    if (measure(`${(fitted + letter).trimEnd()}…`) > room) break;
    fitted += letter;
  }
  return `${fitted.trimEnd()}…`;
};

/** The ranks that a chart has a place for: `most`, the last that anybody had, and `lowest`, down to which the names of those reach who ended level there. */
export const ranksOf = (days: StandingsHistory['days']): { readonly most: number; readonly lowest: number } => {
  const most = Math.max(...days.flatMap((day) => day.rows.map((row) => row.rank)), 2);
  const last = days.at(-1)?.rows ?? [];
  return { most, lowest: Math.max(most, ...last.map(({ rank }) => rank + last.filter((row) => row.rank === rank).length - 1)) };
};

/**
 * The lines of a chart, in the order of the last table. Those that end at the same rank stand under each other: `below` counts how many are above at that rank.
 */
export const linesOfRanks = (
  days: StandingsHistory['days'],
): readonly { readonly teamId: string; readonly teamName: string; readonly below: number; readonly stroke: string; readonly strokeDasharray: string }[] => {
  const rows = days.at(-1)?.rows ?? [];
  return rows.map(({ teamId, teamName, rank }, index) => {
    const below = rows.slice(0, index).filter((row) => row.rank === rank).length;
    const { stroke, strokeDasharray } = lineStyle(index);
    return { teamId, teamName, below, stroke, strokeDasharray };
  });
};
