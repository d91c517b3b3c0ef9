import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import type { Clock } from './ports.ts';

/** Today in Asia/Kathmandu, worked out once a day. */
export const todayOf = (clock: Clock): (() => string) => {
  let [from, until, day] = [0, 0, ''];
  return () => {
    const now = clock.now();
    if (now < from || now >= until) {
      day = kathmanduDay(now);
      // Kathmandu is a quarter of an hour off the hour: days begin on quarters.
      from = now - (now % 900_000);
      until = from + 900_000;
    }
    return day;
  };
};
