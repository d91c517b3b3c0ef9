import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import type { MatchFact } from '../operations/match-ledger.ts';

/** A fact that corrects the statistics of a match. */
export type CorrectingFact = {
  readonly fact: MatchFact;
  /** Of a day (Asia/Kathmandu) after the one on which the match was played: see below. Moving it later takes nothing back, and hides nothing. */
  readonly afterDay: boolean;
};

/**
 * What stood for a time: a result, or that the standings count the match. `playDay`: the day on which the match was played, or the earliest to which it was
 * moved since. `goneOn`: the day on which it ended; undefined while it stands.
 */
type Span = { readonly firstDay: string; playDay: string; goneOn: string | undefined };
/** A fact with the day of recording, and the result that it belongs to. */
type Dated = {
  readonly fact: MatchFact;
  readonly day: string;
  readonly result: Span | undefined;
  /** Of the result, as it stood then. */
  readonly playDay: string;
};

/** What stood already, and what stands no more: by an earlier day both are judged from then on, and no later one takes that back. */
const noteMove = (all: readonly Span[], matchDay: string): void => {
  for (const span of all) if (matchDay < span.playDay) span.playDay = matchDay;
};

/**
 * Whether what is recorded on a day replaces what had stood on the day of play, or since.
 * @param all that ever stood
 * @param own what is recorded belongs to
 */
const replaces = (all: readonly Span[], own: Span, day: string): boolean =>
  day > own.playDay && all.some(({ firstDay, goneOn }) => firstDay < day && (goneOn === undefined || goneOn >= own.playDay));

/**
 * A result begins with the first entry that stands, and ends when none stands any more: the match is upcoming again. It was played on the match's own day, or
 * on that of its first entry where that was before; a later move to an earlier day counts from then on, one to a later day does not.
 */
const datedOf = (facts: readonly MatchFact[]): { readonly dated: readonly Dated[]; readonly results: readonly Span[] } => {
  let matchDay = '';
  let result: Span | undefined;
  const results: Span[] = [];
  /** The command that took the last entry away; what else it records belongs to it (a move). */
  let emptiedBy: string | undefined;
  const dated = facts.map((fact): Dated => {
    const { data, metadata, hasResult } = fact;
    const day = kathmanduDay(Date.parse(fact.at));
    if (emptiedBy !== undefined && emptiedBy !== metadata.commandId) result = undefined;
    emptiedBy = result !== undefined && !hasResult ? metadata.commandId : undefined;
    if (data.date !== undefined) {
      matchDay = data.date;
      noteMove(results, matchDay);
    }
    if (hasResult && result === undefined) {
      result = { firstDay: day, playDay: matchDay < day ? matchDay : day, goneOn: undefined };
      results.push(result);
    }
    if (result !== undefined) result.goneOn = hasResult ? undefined : day;
    return { fact, day, result, playDay: result?.playDay ?? matchDay };
  });
  return { dated, results };
};

/** A match counts from the first row on, if that is a status alone, and until the last one goes. */
type Counting = Span & { readonly command: readonly MatchFact[]; readonly byStatus: boolean };

/**
 * The facts of commands that recorded nothing but statuses, and by which the match ceased to count on a later day than its own and the one on which it began
 * to; or began to count again, where it had counted on its day, or since. Where numbers came or went as well, they tell of it.
 */
const statusCorrectionsOf = (facts: readonly MatchFact[]): ReadonlySet<MatchFact> => {
  let matchDay = '';
  let counting: Counting | undefined;
  const counted: Counting[] = [];
  const ended: MatchFact[] = [];
  for (const command of Map.groupBy(facts, ({ metadata }) => metadata.commandId).values()) {
    const fact = command.at(-1);
    if (fact === undefined) continue;
    const day = kathmanduDay(Date.parse(fact.at));
    matchDay = command.findLast(({ data }) => data.date !== undefined)?.data.date ?? matchDay;
    noteMove(counted, matchDay);
    const byStatus = command.every(({ type }) => type === 'PlayerParticipationRecorded');
    if (fact.counts && counting === undefined) {
      counting = { firstDay: day, playDay: matchDay, goneOn: undefined, command, byStatus };
      counted.push(counting);
    } else if (!fact.counts && counting !== undefined) {
      if (byStatus && day > counting.playDay && day > counting.firstDay) ended.push(...command);
      counting.goneOn = day;
      counting = undefined;
    }
  }
  const again = counted.filter((one) => one.byStatus && replaces(counted, one, one.firstDay));
  return new Set([...ended, ...again.flatMap(({ command }) => command)]);
};

/**
 * Every reversal, and every entry that came late: on a day after the one on which the match was played, and after the day on which its result began to be
 * recorded. So a sheet that is recorded in one day is none, a month after the match either; what is added to it from the next day on is. The same holds for an
 * entry of a later result when an earlier one stood on the day of play, or on one to which the match was moved since, or later: taken back to nothing and
 * recorded anew is a change as well. The entry of a move belongs to its reversal and is not told again. Of statuses those by which the standings count the
 * match no more, or again. Oldest first.
 * @param facts of one match, oldest first
 * @param isOfMove whether a fact is half of a move
 */
export const correctingFactsOf = (facts: readonly MatchFact[], isOfMove: (fact: MatchFact) => boolean): CorrectingFact[] => {
  const { dated, results } = datedOf(facts);
  const byStatus = statusCorrectionsOf(facts);
  return dated.flatMap(({ fact, day, result, playDay }): CorrectingFact[] => {
    const isAfterDay = day > playDay;
    if (fact.type === 'StatEntryReversed') return [{ fact, afterDay: isAfterDay }];
    if (byStatus.has(fact)) return [{ fact, afterDay: true }];
    if (fact.type !== 'StatIncrementRecorded' || result === undefined || isOfMove(fact)) return [];
    const isLate = isAfterDay && day > result.firstDay;
    return isLate || replaces(results, result, day) ? [{ fact, afterDay: true }] : [];
  });
};

/** Late entries of one command together, and statuses of one; each reversal by itself. Keeps the order. */
export const inActs = (facts: readonly CorrectingFact[]): readonly (readonly [CorrectingFact, ...CorrectingFact[]])[] => {
  const acts: [CorrectingFact, ...CorrectingFact[]][] = [];
  for (const one of facts) {
    const act = acts.at(-1);
    const isSame =
      act !== undefined &&
      one.fact.type !== 'StatEntryReversed' &&
      act[0].fact.type === one.fact.type &&
      act[0].fact.metadata.commandId === one.fact.metadata.commandId;
    if (isSame) act.push(one);
    else acts.push([one]);
  }
  return acts;
};
