/** From and to which day a log is read, both included: `YYYY-MM-DD`, empty for no end. */
export type Days = { readonly from: string; readonly to: string };

/** A filter as it is asked for: a year that is being typed (0002, 0020, 0202) narrows nothing yet. */
export const asked = (typed: string): string => (/^0\d{3}-\d{2}-\d{2}(?:T|$)/.test(typed) ? '' : typed);

/**
 * What stands where a page of a log holds nothing: days the wrong way round are the likeliest reason. `isWhole`: there is no other page that could hold
 * something.
 */
export const nothingFound = ({ from, to }: Days, nothing: string, isWhole: boolean): string => {
  // Days of the calendar are in the order of their text.
  if (from !== '' && to !== '' && from > to) return '“From” is later than “To”: no day is between them';
  return isWhole ? nothing : `${nothing} on this page`;
};
