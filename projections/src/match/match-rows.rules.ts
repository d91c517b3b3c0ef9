import type { Participation } from '@courtledger/contracts/match/match.events';
import type { MatchDocument, StatLine } from './match.documents.ts';

/** A stat row exists while the player has an entry that is not reversed, or a recorded participation (api-contract, getMatch). */
export const isShown = (line: StatLine): boolean => line.entries > 0 || line.participation !== null;

/** Entries mean 'played' unless a participation was recorded. */
export const statusOf = (line: StatLine): Participation => line.participation ?? 'played';

/** A match with rows counts as played; without rows it is upcoming (specification section 4). */
export const hasRows = (match: MatchDocument): boolean => {
  for (const line of match.lines.values()) if (isShown(line)) return true;
  return false;
};

export type Score = { readonly score1: number; readonly score2: number; readonly hasStats: boolean };

/** A team's score is the sum of the points of its rows (specification section 4). */
export const scoreOf = (match: MatchDocument): Score => {
  let score1 = 0;
  let score2 = 0;
  let hasStats = false;
  for (const line of match.lines.values()) {
    if (!isShown(line)) continue;
    hasStats = true;
    if (line.teamId === match.teamAId) score1 += line.points;
    else if (line.teamId === match.teamBId) score2 += line.points;
  }
  return { score1, score2, hasStats };
};
