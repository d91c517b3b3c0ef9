import type { Participation } from '@courtledger/contracts/match/match.events';
import type { MatchDocument, StatLine } from './match.documents.ts';

/**
 * A stat row exists while the player has an entry that is not reversed, or a recorded participation other than 'Not Played' (api-contract, getMatch).
 * 'Not Played' without entries takes a mistaken status back, and the row with it.
 */
export const isShown = (line: Pick<StatLine, 'entries' | 'participation'>): boolean =>
  line.entries > 0 || (line.participation !== null && line.participation !== 'Not Played');

/** Entries mean 'played' unless a participation was recorded. */
export const statusOf = (line: StatLine): Participation => line.participation ?? 'played';

export type Numbers = { readonly points: number; readonly assists: number; readonly rebounds: number };

/** What changed for those who show the line: the table (score, or whether the match counts), and the lists of players. */
export type LineChange = { readonly score: boolean; readonly appearance: boolean };

/**
 * Changes a line, and the match's score and number of rows with it: a team's score is the sum of the points of its rows (specification section 4).
 * `entries`: how many standing entries come or go.
 */
export const changeLine = (
  match: MatchDocument,
  line: StatLine,
  { points, assists, rebounds }: Numbers,
  entries: number,
  participation: Participation | null = line.participation,
): LineChange => {
  const before = isShown(line);
  const pointsBefore = before ? line.points : 0;
  line.points += points;
  line.assists += assists;
  line.rebounds += rebounds;
  line.entries += entries;
  line.participation = participation;
  const after = isShown(line);
  const change = (after ? line.points : 0) - pointsBefore;
  if (line.teamId === match.teamAId) match.score1 += change;
  else if (line.teamId === match.teamBId) match.score2 += change;
  match.rows += Number(after) - Number(before);
  return { score: change !== 0, appearance: before !== after };
};
