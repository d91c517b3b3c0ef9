/** The date picker of the results: three dates at a time (specification sections 2, 4 and 9). */

export const windowSize = 3;

/** How many dates an arrow moves: 1, or 2 when exactly five dates exist, or 3 when there are six or more. */
export const windowStep = (count: number): number => (count === 5 ? 2 : count >= 6 ? 3 : 1);

const lastStart = (count: number): number => Math.max(0, count - windowSize);
const clamp = (start: number, count: number): number => Math.min(Math.max(0, start), lastStart(count));

/** Where the window stands for a selected date: as late as it can while the date is its last one. */
export const windowStartFor = (index: number, count: number): number => clamp(index - (windowSize - 1), count);

export type DateWindow = { readonly start: number; readonly dates: readonly string[]; readonly hasPrevious: boolean; readonly hasNext: boolean };

/** The dates that a window shows, and whether its arrows lead anywhere. */
export const dateWindow = (dates: readonly string[], start: number): DateWindow => {
  const at = clamp(start, dates.length);
  return { start: at, dates: dates.slice(at, at + windowSize), hasPrevious: at > 0, hasNext: at < lastStart(dates.length) };
};

/** The start after an arrow. */
export const moveWindow = (start: number, count: number, direction: -1 | 1): number => clamp(start + direction * windowStep(count), count);

/** What a window showed, and which date was selected then. */
export type ShownDates = { readonly selected: string | undefined; readonly shown: readonly string[] };

const isHeld = (date: string | undefined, within: readonly string[]): boolean => date !== undefined && within.includes(date);

/**
 * Where the window goes on from what it showed: it stays while it holds the selected date, or was led away from it by an arrow; otherwise it goes to the date.
 */
export const followDates = (before: ShownDates | undefined, dates: readonly string[], selected: string | undefined): number => {
  const first = before?.shown[0];
  const at = first === undefined ? -1 : dates.indexOf(first);
  if (before && at !== -1) {
    if (isHeld(selected, dateWindow(dates, at).dates)) return clamp(at, dates.length);
    if (before.selected === selected && !isHeld(selected, before.shown)) return clamp(at, dates.length);
  }
  return windowStartFor(selected === undefined ? 0 : dates.indexOf(selected), dates.length);
};

/** The match date nearest to a day of the calendar; of two that are as near, the earlier. Days are `YYYY-MM-DD`. */
export const nearestDate = (dates: readonly string[], day: string): string | undefined => {
  const distance = (date: string): number => Math.abs(Date.parse(date) - Date.parse(day));
  return dates.toSorted((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1)).at(0);
};

/** The date to open: the one asked for if it has matches, else the latest. */
export const dateToOpen = (dates: readonly string[], asked: string | undefined): string | undefined =>
  asked !== undefined && dates.includes(asked) ? asked : dates.at(-1);
