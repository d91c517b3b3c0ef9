import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import type { MatchFact } from '../operations/match-ledger.ts';

/** A fact that corrects the statistics of a match. */
export type CorrectingFact = {
  readonly fact: MatchFact;
  /** Of a day (Asia/Kathmandu) after the one on which the match was played: see below. Moving it later takes nothing back, and hides nothing. */
  readonly afterDay: boolean;
};

type Result = { readonly firstDay: string; playDay: string };
/** A fact with the day of recording, and the result that it belongs to. */
type Dated = { readonly fact: MatchFact; readonly day: string; readonly matchDay: string; readonly result: Result | undefined; /** Of the result, as it stood then. */ readonly playDay: string };

/**
 * A result begins with the first entry that stands, and ends when none stands any more: the match is upcoming again. It was played on the match's own day, or on that of its first entry where that was
 * before; a later move to an earlier day counts from then on, one to a later day does not.
 */
const datedOf = (facts: readonly MatchFact[]): Dated[] => {
  let matchDay = '';
  let result: Result | undefined;
  /** The command that took the last entry away; what else it records belongs to it (a move). */
  let emptiedBy: string | undefined;
  return facts.map((fact): Dated => {
    const { data, metadata, hasResult } = fact;
    const day = kathmanduDay(Date.parse(fact.at));
    if (emptiedBy !== undefined && emptiedBy !== metadata.commandId) result = undefined;
    emptiedBy = result !== undefined && !hasResult ? metadata.commandId : undefined;
    if (data.date !== undefined) {
      matchDay = data.date;
      if (result !== undefined && matchDay < result.playDay) result.playDay = matchDay;
    }
    if (hasResult) result ??= { firstDay: day, playDay: matchDay < day ? matchDay : day };
    return { fact, day, matchDay, result, playDay: result?.playDay ?? matchDay };
  });
};

/** A match counts from the first row on, if that is a status alone, and until the last one goes. */
type Counting = { readonly firstDay: string; playDay: string };

/**
 * The facts of commands that recorded nothing but statuses, and by which the match ceased to count on a later day than its own and the one on which it began to; or began to count again,
 * where it had counted on the day that it has now, or since. Where numbers came or went as well, they tell of it.
 */
const statusCorrectionsOf = (facts: readonly MatchFact[]): ReadonlySet<MatchFact> => {
  let matchDay = '';
  let counting: Counting | undefined;
  const begun: { readonly command: readonly MatchFact[]; readonly day: string; readonly byStatus: boolean }[] = [];
  const ended: MatchFact[] = [];
  for (const command of Map.groupBy(facts, ({ metadata }) => metadata.commandId).values()) {
    const fact = command.at(-1);
    if (fact === undefined) continue;
    const day = kathmanduDay(Date.parse(fact.at));
    matchDay = command.findLast(({ data }) => data.date !== undefined)?.data.date ?? matchDay;
    if (counting !== undefined && matchDay < counting.playDay) counting.playDay = matchDay;
    const byStatus = command.every(({ type }) => type === 'PlayerParticipationRecorded');
    if (fact.counts && counting === undefined) {
      counting = { firstDay: day, playDay: matchDay };
      begun.push({ command, day, byStatus });
    } else if (!fact.counts && counting !== undefined) {
      if (byStatus && day > counting.playDay && day > counting.firstDay) ended.push(...command);
      counting = undefined;
    }
  }
  const again = begun.filter(({ day, byStatus }) => byStatus && day > matchDay && begun.some((one) => one.day >= matchDay && one.day < day));
  return new Set([...ended, ...again.flatMap(({ command }) => command)]);
};

/**
 * Every reversal, and every entry that came late: on a day after the one on which the match was played, and after the day on which its result began to be recorded. So a sheet that is recorded
 * in one day is none, a month after the match either; what is added to it from the next day on is. The same holds for an entry of a later result when an earlier one stood on the day that the match
 * has now, or since: taken back to nothing and recorded anew is a change as well. The entry of a move belongs to its reversal and is not told again. Of statuses those by which the standings count
 * the match no more, or again. Oldest first.
 * @param facts of one match, oldest first
 * @param isOfMove whether a fact is half of a move
 */
export const correctingFactsOf = (facts: readonly MatchFact[], isOfMove: (fact: MatchFact) => boolean): CorrectingFact[] => {
  const dated = datedOf(facts);
  const byStatus = statusCorrectionsOf(facts);
  const dayNow = dated.at(-1)?.matchDay ?? '';
  const begun = dated.flatMap(({ result }) => result?.firstDay ?? []).filter((day) => day >= dayNow).toSorted((a, b) => (a < b ? -1 : 1))[0];
  return dated.flatMap(({ fact, day, result, playDay }): CorrectingFact[] => {
    const isAfterDay = day > playDay;
    if (fact.type === 'StatEntryReversed') return [{ fact, afterDay: isAfterDay }];
    if (byStatus.has(fact)) return [{ fact, afterDay: true }];
    if (fact.type !== 'StatIncrementRecorded' || result === undefined || isOfMove(fact)) return [];
    const isLate = isAfterDay && day > result.firstDay;
    const replaces = day > dayNow && begun !== undefined && day > begun;
    return isLate || replaces ? [{ fact, afterDay: true }] : [];
  });
};

/** Late entries of one command together, and statuses of one; each reversal by itself. Keeps the order. */
export const inActs = (facts: readonly CorrectingFact[]): readonly (readonly [CorrectingFact, ...CorrectingFact[]])[] => {
  const acts: [CorrectingFact, ...CorrectingFact[]][] = [];
  for (const one of facts) {
    const act = acts.at(-1);
    const isSame = act !== undefined && one.fact.type !== 'StatEntryReversed' && act[0].fact.type === one.fact.type && act[0].fact.metadata.commandId === one.fact.metadata.commandId;
    if (isSame) act.push(one);
    else acts.push([one]);
  }
  return acts;
};
