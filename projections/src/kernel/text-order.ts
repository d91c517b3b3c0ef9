/** NFC and without case, so that every machine puts names into the same order (experience 3.3, key 9). */
export const foldName = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Order by code point: `<` alone compares UTF-16 units, which puts rare characters before some common ones. */
export const compareCodePoints = (a: string, b: string): number => {
  if (a === b) return 0;
  const left = Array.from(a, (character) => character.codePointAt(0) ?? 0);
  const right = Array.from(b, (character) => character.codePointAt(0) ?? 0);
  for (const [index, point] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (point !== other) return point - other;
  }
  return left.length - right.length;
};

export type Named = { readonly id: string; readonly name: string };
/** By name, then by id: a total order. */
export const compareNamed = (a: Named, b: Named): number => compareCodePoints(foldName(a.name), foldName(b.name)) || compareCodePoints(a.id, b.id);
