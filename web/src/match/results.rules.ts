import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import { formatMonthYear } from '../lib/format.rules.ts';

export type MonthGroup = { readonly title: string; readonly tournaments: readonly TournamentListItem[] };

/** Tournaments by 'Month Year' of their start, newest first (specification section 2). */
export const monthGroups = (tournaments: readonly TournamentListItem[]): readonly MonthGroup[] => {
  const groups = new Map<string, TournamentListItem[]>();
  const newestFirst = tournaments.toSorted((a, b) => (a.startDate < b.startDate ? 1 : a.startDate > b.startDate ? -1 : 0));
  for (const tournament of newestFirst) {
    const title = formatMonthYear(tournament.startDate);
    groups.set(title, [...(groups.get(title) ?? []), tournament]);
  }
  return [...groups].map(([title, list]) => ({ title, tournaments: list }));
};

/** The tournament to open: the first of the asked ones that still exists, else the first in the list. */
export const tournamentToOpen = (tournaments: readonly { readonly _id: string }[], asked: readonly (string | null | undefined)[]): string | undefined =>
  asked.find((id): id is string => tournaments.some((tournament) => tournament._id === id)) ?? tournaments[0]?._id;
