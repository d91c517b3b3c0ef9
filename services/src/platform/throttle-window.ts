/** When things happened, by key, for as long as a window: exact, and bounded in number of keys. */
export type Windows = {
  /** How many stand in the window, and after how many milliseconds there is one fewer (0 when there is none). */
  count(key: string): { readonly hits: number; readonly nextMs: number; readonly lastMs: number };
  add(key: string): void;
  /** Takes back the last one. */
  remove(key: string): void;
  clear(key: string): void;
  size(): number;
};

/**
 * @param windowMs length of the window @param mostKeys the oldest key goes when there are more
 * @param monotonic milliseconds of a clock that is never set: a jump of the wall clock must not lock anybody out, or in
 */
export const createWindows = (windowMs: number, mostKeys: number, monotonic: () => number): Windows => {
  const hits = new Map<string, number[]>();
  const live = (key: string): number[] => {
    const times = hits.get(key);
    if (times === undefined) return [];
    const from = monotonic() - windowMs;
    while (times[0] !== undefined && times[0] <= from) times.shift();
    if (times.length === 0) hits.delete(key);
    return times;
  };
  return {
    count(key) {
      const times = live(key);
      const [first] = times;
      const last = times.at(-1);
      return { hits: times.length, nextMs: first === undefined ? 0 : first + windowMs - monotonic(), lastMs: last ?? Number.NEGATIVE_INFINITY };
    },
    add(key) {
      const times = live(key);
      times.push(monotonic());
      // Set anew, so that the map stays in the order of the last hit.
      hits.delete(key);
      hits.set(key, times);
      if (hits.size > mostKeys)
        for (const oldest of hits.keys()) {
          hits.delete(oldest);
          break;
        }
    },
    remove(key) {
      const times = live(key);
      times.pop();
      if (times.length === 0) hits.delete(key);
    },
    clear(key) {
      hits.delete(key);
    },
    size: () => hits.size,
  };
};
