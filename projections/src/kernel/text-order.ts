/** NFC and without case, so that every machine puts names into the same order (experience 3.3, key 9). */
export const foldName = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** A UTF-16 unit at the place that its code point has among all: surrogates (beyond U+FFFF) go behind U+E000 to U+FFFF. */
const rankOf = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

/** Order by code point: `<` alone compares UTF-16 units, which puts rare characters before some common ones. */
const compareCodePoints = (a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index += 1) {
    const difference = rankOf(a.charCodeAt(index)) - rankOf(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
};

export type Named = { readonly id: string; readonly name: string };
/** By name, then by id: a total order. */
export const compareNamed = (a: Named, b: Named): number =>
  (a.name === b.name ? 0 : compareCodePoints(foldName(a.name), foldName(b.name))) || compareCodePoints(a.id, b.id);

/** In that order; each name is folded once, which takes longer than all the rest of it. */
export const orderedByName = <N extends Named>(named: readonly N[]): N[] =>
  named
    .map((one) => ({ one, folded: foldName(one.name) }))
    .toSorted((a, b) => compareCodePoints(a.folded, b.folded) || compareCodePoints(a.one.id, b.one.id))
    .map(({ one }) => one);
