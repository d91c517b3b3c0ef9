import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import type { MatchFact } from '../operations/match-ledger.ts';

/** A fact that corrects the statistics of a match. */
export type CorrectingFact = {
  readonly fact: MatchFact;
  /** Of a day (Asia/Kathmandu) after the one on which the match was played: the earliest day that it had since its first statistic. Moving it later takes nothing back, and hides nothing. */
  readonly afterDay: boolean;
};

/**
 * Every reversal, and every entry that came late: on a day after the one on which the match was played, and after the day on which the first statistic was recorded. So a sheet that is recorded
 * in one day is none, a month after the match either; what is added to it from the next day on is. The entry of a move belongs to its reversal and is not told again. Oldest first.
 * @param facts of one match, oldest first
 * @param isMove whether a command moved an entry
 */
export const correctingFactsOf = (facts: readonly MatchFact[], isMove: (commandId: string) => boolean): CorrectingFact[] => {
  let matchDay = '';
  let firstDay: string | undefined;
  return facts.flatMap((fact): CorrectingFact[] => {
    const { type, data, metadata } = fact;
    const day = kathmanduDay(Date.parse(fact.at));
    // What has been played was not played later: a match that is moved for an hour keeps its day here.
    if (data.date !== undefined && (firstDay === undefined || data.date < matchDay)) matchDay = data.date;
    if (type === 'StatEntryReversed') return [{ fact, afterDay: day > matchDay }];
    // From the first of either on the match has a result.
    if (type === 'StatIncrementRecorded' || (type === 'PlayerParticipationRecorded' && data.notplayed !== 'Not Played')) firstDay ??= day;
    if (type !== 'StatIncrementRecorded' || firstDay === undefined || isMove(metadata.commandId)) return [];
    return day > matchDay && day > firstDay ? [{ fact, afterDay: true }] : [];
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
