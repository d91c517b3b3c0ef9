/** The latest changes as the text that followers are sent: whoever was away for a moment is brought level from here, without reading the log again for each. */
export type RecentChanges = {
  /** Whether everything after this position is held. */
  reachesBack(to: bigint): boolean;
  /** What was told after this position. */
  after(position: bigint): string;
  /** @param text empty for an event that followers are not told of */
  add(position: bigint, text: string): void;
  /** Forgets what is held; only what is added from now on follows `after`. */
  beginAfter(after: bigint): void;
};

/** @param most events that are held; the oldest are forgotten */
export const createRecentChanges = (most: number): RecentChanges => {
  let start: bigint | undefined;
  let events: { readonly position: bigint; readonly text: string }[] = [];
  return {
    reachesBack: (to) => start !== undefined && start <= to,
    after: (position) =>
      events
        .filter((event) => event.position > position)
        .map(({ text }) => text)
        .join(''),
    add(position, text) {
      events.push({ position, text });
      if (events.length > most) start = events.shift()?.position;
    },
    beginAfter(after) {
      start = after;
      events = [];
    },
  };
};
