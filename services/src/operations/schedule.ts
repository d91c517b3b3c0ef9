import { KATHMANDU_OFFSET_MS } from '@courtledger/contracts/kernel/days';
import type { Logger } from '../platform/logger.ts';
import type { Clock } from '../platform/ports.ts';

/** Work that the server does by itself. `run` should only start what is long. */
export type ScheduledTask = {
  readonly name: string;
  /**
   * `nightly`: once a calendar day in Asia/Kathmandu, at or after this minute of it. `every`: milliseconds of the monotonic clock. `start`: once, at the first
   * turn.
   */
  readonly when: { readonly nightly: number } | { readonly every: number } | { readonly start: true };
  readonly run: () => void | Promise<void>;
};

const dayMinutes = 1440;
export const nightlyMinute = 150;
/** A clock that is put back by more nights than this was in the future: the nights that it said were done are still to come. */
const mostNightsBack = 2;
const longestTick = 30_000;

/**
 * The server's own work, by an injected clock: `turn` runs what is due, and is called twice in the shortest interval, since a timer that is a hair early would
 * wait for a whole one. Nightly work follows the calendar, so that a clock that is set back does not do it twice a day, and is not done at once by a server
 * that starts after its minute: the first night is the next one.
 */
export const createSchedule = (
  tasks: readonly ScheduledTask[],
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): { readonly turn: () => Promise<void>; readonly start: () => void; readonly stop: () => void } => {
  /** The number of the night: it changes at the task's minute of the day. */
  const nightOf = (minute: number): number => Math.floor(((clock.now() + KATHMANDU_OFFSET_MS) / 60_000 - minute) / dayMinutes);
  const done = new Map<ScheduledTask, number>();
  for (const task of tasks) {
    if ('nightly' in task.when) done.set(task, nightOf(task.when.nightly));
    if ('every' in task.when) done.set(task, clock.monotonic());
  }
  const isDue = (task: ScheduledTask): boolean => {
    const last = done.get(task);
    if ('start' in task.when) return last === undefined;
    if ('nightly' in task.when) return nightOf(task.when.nightly) > (last ?? 0);
    return clock.monotonic() - (last ?? 0) >= task.when.every;
  };
  const turn = async (): Promise<void> => {
    for (const task of tasks) {
      if ('nightly' in task.when && nightOf(task.when.nightly) < (done.get(task) ?? 0) - mostNightsBack) done.set(task, nightOf(task.when.nightly));
      if (!isDue(task)) continue;
      done.set(task, 'nightly' in task.when ? nightOf(task.when.nightly) : clock.monotonic());
      try {
        await task.run();
      } catch (error) {
        logger.error(`scheduled work failed: ${task.name}`, error);
      }
    }
  };
  const tick = Math.min(longestTick, ...tasks.flatMap(({ when }) => ('every' in when ? [when.every / 2] : [])));
  let timer: NodeJS.Timeout | undefined;
  return {
    turn,
    start() {
      timer ??= setInterval(() => void turn(), tick).unref();
      void turn();
    },
    stop: () => clearInterval(timer),
  };
};
