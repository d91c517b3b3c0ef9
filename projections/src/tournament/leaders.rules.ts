import { compareNamed } from '../kernel/text-order.ts';
import type { Totals } from '../player/averages.rules.ts';

export type Statistic = 'points' | 'assists' | 'rebounds';
export type Candidate = { readonly id: string; readonly name: string; readonly totals: Pick<Totals, Statistic | 'matches'> };

/** Those with the highest totals above 0; of equal totals the one with fewer matches stands first, then by name and id. */
export const leaders = <C extends Candidate>(candidates: readonly C[], statistic: Statistic, limit: number): C[] =>
  candidates
    .filter(({ totals }) => totals[statistic] > 0)
    .toSorted((a, b) => b.totals[statistic] - a.totals[statistic] || a.totals.matches - b.totals.matches || compareNamed(a, b))
    .slice(0, limit);
