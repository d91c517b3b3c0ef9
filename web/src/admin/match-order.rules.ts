import type { MatchListItem } from '@courtledger/contracts/match/match.answers';
import { dayOf } from '../lib/format.rules.ts';

type Dated = Pick<MatchListItem, 'date' | 'time'>;

const group = (day: string, today: string): number => (day === today ? 0 : day > today ? 1 : 2);
/** Of one day those without a time come last, whichever way the others go. */
const compare = (one: string, other: string, isForward: boolean): number =>
  one === other ? 0 : one === '' ? 1 : other === '' ? -1 : one < other === isForward ? -1 : 1;

/**
 * As whoever keeps statistics looks for them: the matches of today, then those to come, the nearest first, then those that are past, the latest first.
 * @param today `YYYY-MM-DD` in Kathmandu
 */
export const inOrderOfWork = <T extends Dated>(matches: readonly T[], today: string): readonly T[] =>
  matches.toSorted((one, other) => {
    const [first, second] = [group(dayOf(one.date), today), group(dayOf(other.date), today)];
    if (first !== second) return first - second;
    return compare(dayOf(one.date), dayOf(other.date), first < 2) || compare(one.time, other.time, first < 2);
  });
