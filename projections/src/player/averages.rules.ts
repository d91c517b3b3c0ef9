import type { StatLine } from '../match/match.documents.ts';
import { isShown, statusOf } from '../match/match-rows.rules.ts';

/** One decimal, halves up (api-contract, getPlayer); 0 when nothing was played. `toFixed` would misround. */
export const average = (total: number, matches: number): number => {
  if (matches === 0) return 0;
  // `-0` would come out of a small negative total, and JSON has no such thing.
  return Math.round((total * 10) / matches) / 10 + 0;
};

/** `rows`: how many are shown. `matches`: those with status 'played'. */
export type Totals = { rows: number; points: number; assists: number; rebounds: number; matches: number };

/** Sums of the rows that are shown; matches count by status (specification section 9). */
export const totalsOf = (lines: Iterable<StatLine>): Totals => {
  const totals: Totals = { rows: 0, points: 0, assists: 0, rebounds: 0, matches: 0 };
  for (const line of lines) {
    if (!isShown(line)) continue;
    totals.rows += 1;
    totals.points += line.points;
    totals.assists += line.assists;
    totals.rebounds += line.rebounds;
    if (statusOf(line) === 'played') totals.matches += 1;
  }
  return totals;
};
