import { kathmanduDay, kathmanduTime } from '@courtledger/contracts/kernel/days';

/** Rules of the tournament screens. */

/** Only the text 'true' opens registration; any other text is shown on the button instead (specification section 4). */
export const isRegisterable = (registerable: string): boolean => registerable === 'true';

/** A league has standings (specification section 2). */
export const isLeague = (league: string): boolean => league === 'true';

/** Long names are set smaller: over 28 letters, over 48 (look, section 8). */
export const titleSize = (name: string): '' | 'is-long' | 'is-longer' => {
  const letters = Array.from(name).length;
  return letters > 48 ? 'is-longer' : letters > 28 ? 'is-long' : '';
};

/** Letters of the longest word of a name: a word is set small enough to stand unbroken in its column. */
export const longestWord = (name: string): number => Math.max(...name.split(/[\s-]+/).map((word) => Array.from(word).length));

/** Milliseconds from `now` to a minute past midnight in Kathmandu: what ended with the day is over then, also for a server whose clock is a little behind. */
export const untilTomorrow = (now: number): number => Date.parse(kathmanduTime(kathmanduDay(now), '24:00')) + 60_000 - now;
