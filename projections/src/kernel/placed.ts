/** An id at the place (position, as decimal text) where a fact put it. */
export type Placed = readonly [id: string, at: string];

/** Decimal texts of positions, in number order. */
export const comparePositions = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

/**
 * Puts an id at its place, whenever it comes: a stream that was parked is replayed after later events, and the list must be as if it had not been.
 * An id that is there already stays where it is.
 */
export const place = (list: Placed[], id: string, at: bigint): boolean => {
  if (list.some(([known]) => known === id)) return false;
  const text = at.toString();
  let index = list.length;
  while (index > 0 && comparePositions(list[index - 1]?.[1] ?? '0', text) > 0) index -= 1;
  list.splice(index, 0, [id, text]);
  return true;
};

/** Takes an id out of the list; one that is not there is no fault. */
export const displace = (list: Placed[], id: string): void => {
  const index = list.findIndex(([known]) => known === id);
  if (index >= 0) list.splice(index, 1);
};

export const idsOf = (list: readonly Placed[]): string[] => list.map(([id]) => id);
