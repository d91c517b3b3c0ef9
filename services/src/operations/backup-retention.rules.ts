import { kathmanduDay } from '@courtledger/contracts/kernel/days';

/** A backup that the server made by itself. `madeAt`: milliseconds since 1970. `other`: the log that it is of, where that is not the one that stands here. */
export type Kept = { readonly name: string; readonly madeAt: number; readonly other: string | undefined };

const newest = 4;
const hour = 3_600_000;
const hours = 6;
const day = 24 * hour;
const days = 7;

/** What was asked for, and what a restore set aside, goes after this: it may hold keys of persons who were erased since (S32). */
export const keptMilliseconds = 30 * day;

const overOfOneLog = (backups: readonly Kept[], now: number, isHere: boolean): readonly string[] => {
  const sorted = backups.toSorted((a, b) => b.madeAt - a.madeAt);
  const kept = new Set(
    sorted
      .slice(0, newest)
      .filter(({ madeAt }, index) => (index === 0 && isHere) || now - madeAt <= keptMilliseconds)
      .map(({ name }) => name),
  );
  const keepFirstOfEach = (period: (madeAt: number) => unknown, within: number): void => {
    const seen = new Set<unknown>();
    for (const { name, madeAt } of sorted) {
      if (Math.abs(now - madeAt) >= within || seen.has(period(madeAt))) continue;
      seen.add(period(madeAt));
      kept.add(name);
    }
  };
  keepFirstOfEach((madeAt) => Math.floor(madeAt / hour), hours * hour);
  keepFirstOfEach(kathmanduDay, days * day);
  return sorted.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
};

/**
 * Which of the server's own backups may go: all but the newest four, the newest of each hour of the last six, and the newest of each day (Asia/Kathmandu) of
 * the last week. So there are 17 at most, and none is older than `keptMilliseconds` but the newest of all, which is younger than every erasure: an erasure is a
 * change, and a change makes a backup. A backup of the future (the clock was set back) goes when as many newer ones are there. Those of each other log are
 * counted by themselves: a wrong one that is served for a week must not push out those of the right one. They go after `keptMilliseconds` altogether.
 * @param now milliseconds since 1970
 */
export const backupsToRemove = (backups: readonly Kept[], now: number): readonly string[] =>
  Array.from(
    Map.groupBy(backups, ({ other }) => other),
    ([other, ofOne]) => overOfOneLog(ofOne, now, other === undefined),
  ).flat();
