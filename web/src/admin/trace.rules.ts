import type { TraceAnswer, TraceEntry, TracePart } from '@courtledger/contracts/operations/audit.answers';
import { formatAverage, formatNumber, formatStanding } from '../lib/format.rules.ts';
import type { TraceQuestion } from './audit.data.ts';

/**
 * Whether the amounts of the entries add up to the number (of an average: to what is divided). Wins, differences and the like are reckoned from scores instead.
 */
export const isSumOfEntries = ({ of, stat }: TraceQuestion): boolean => of !== 'standings' || stat === 'pointsFor' || stat === 'pointsAgainst';

/** The number itself, as the pages show it: averages with a decimal. */
export const valueInWords = ({ of, stat }: TraceQuestion, value: number): string =>
  of === 'player-average' ? formatAverage(value) : formatStanding(stat, value);

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export type PartEntries = {
  /** The match; undefined where the number is of one match only. */
  readonly part: TracePart | undefined;
  readonly entries: readonly TraceEntry[];
  readonly sum: number;
};

const groupOf = (part: TracePart | undefined, entries: readonly TraceEntry[]): PartEntries => ({
  part,
  entries,
  sum: sumOf(entries.map(({ amount }) => amount)),
});

/** Whether the number is made of several matches, each of which opens its own entries. */
export const isOfSeveralMatches = ({ parts }: TraceAnswer): boolean => parts.filter(({ date }) => date !== undefined).length > 1;

/** The entries by the match that they are of, in the order of the parts; all in one where the number is of one match. */
export const entriesByMatch = ({ parts, entries }: TraceAnswer): readonly PartEntries[] => {
  if (!parts.some(({ date }) => date !== undefined)) return [groupOf(undefined, entries)];
  return parts
    .map((part) =>
      groupOf(
        part,
        entries.filter(({ match_id }) => match_id === part.match_id),
      ),
    )
    .filter((group) => group.entries.length > 0);
};

/** What the columns of the parts are called; `value` only where it says more than what the part counts, `counts` where the parts are added up. */
export const partColumns = (
  { of, stat }: TraceQuestion,
  parts: readonly TracePart[],
): { readonly part: string; readonly value: string | undefined; readonly counts: string | undefined } => {
  const part = parts.some(({ date }) => date !== undefined) ? 'Match' : parts.some(({ player_id }) => player_id !== undefined) ? 'Player' : 'Team';
  if (of === 'standings') return stat === 'rank' ? { part, value: 'Standing', counts: undefined } : { part, value: 'Score', counts: 'Counts' };
  const saysMore = parts.some(({ value, counts }) => value !== formatNumber(counts));
  return { part, value: saysMore ? (stat === 'played' ? 'Status' : 'Recorded') : undefined, counts: 'Counts' };
};
