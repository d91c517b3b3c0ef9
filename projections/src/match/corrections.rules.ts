import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import type { MatchFact } from '../operations/match-ledger.ts';

/** A fact that corrects the statistics of a match. */
export type CorrectingFact = {
  readonly fact: MatchFact;
  /** Of a day (Asia/Kathmandu) after the one on which the match was played: see below. Moving it later takes nothing back, and hides nothing. */
  readonly afterDay: boolean;
};

/**
 * Every reversal, and every entry that came late: on a day after the one on which the match was played, and after the day on which its result began to be recorded. So a sheet that is recorded
 * in one day is none, a month after the match either; what is added to it from the next day on is. The entry of a move belongs to its reversal and is not told again. Oldest first.
 *
 * A result begins with the first line that stands, and ends when none stands any more: whatever comes then is another result. The match was played on its own day, or on the day of the first line
 * where that was before; a later move to an earlier day counts from then on, one to a later day does not.
 * @param facts of one match, oldest first
 * @param isMove whether a command moved an entry
 */
export const correctingFactsOf = (facts: readonly MatchFact[], isMove: (commandId: string) => boolean): CorrectingFact[] => {
  let matchDay = '';
  let result: { readonly firstDay: string; playDay: string } | undefined;
  /** The command that took the last line away; what else it records belongs to it (a move). */
  let emptiedBy: string | undefined;
  return facts.flatMap((fact): CorrectingFact[] => {
    const { type, data, metadata, hasResult } = fact;
    const day = kathmanduDay(Date.parse(fact.at));
    if (emptiedBy !== undefined && emptiedBy !== metadata.commandId) result = undefined;
    emptiedBy = result !== undefined && !hasResult ? metadata.commandId : undefined;
    if (data.date !== undefined) {
      matchDay = data.date;
      if (result !== undefined && matchDay < result.playDay) result.playDay = matchDay;
    }
    if (hasResult) result ??= { firstDay: day, playDay: matchDay < day ? matchDay : day };
    const isAfterDay = day > (result?.playDay ?? matchDay);
    if (type === 'StatEntryReversed') return [{ fact, afterDay: isAfterDay }];
    if (type !== 'StatIncrementRecorded' || result === undefined || isMove(metadata.commandId)) return [];
    return isAfterDay && day > result.firstDay ? [{ fact, afterDay: true }] : [];
  });
};

/** Late entries of one command together; each reversal by itself. Keeps the order. */
export const inActs = (facts: readonly CorrectingFact[]): readonly (readonly [CorrectingFact, ...CorrectingFact[]])[] => {
  const acts: [CorrectingFact, ...CorrectingFact[]][] = [];
  for (const one of facts) {
    const act = acts.at(-1);
    const isSame = act !== undefined && one.fact.type === 'StatIncrementRecorded' && act[0].fact.type === one.fact.type && act[0].fact.metadata.commandId === one.fact.metadata.commandId;
    if (isSame) act.push(one);
    else acts.push([one]);
  }
  return acts;
};
