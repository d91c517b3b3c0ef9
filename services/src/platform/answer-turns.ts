/** How many answers follow one another before requests that have come meanwhile are taken up. */
const together = 2;

/** Spreads the answers of a batch over turns of the event loop. */
export type AnswerTurns = {
  /** Runs `task` at once when it is the first of this turn, else soon, in the order of the calls. It must not throw. */
  soon(task: () => void): void;
};

/**
 * A commit is shared by many commands, and answering all of them at once would keep everybody else waiting for milliseconds: readers, and the log, whose next
 * batch is sent between two turns.
 */
export const createAnswerTurns = (): AnswerTurns => {
  let waiting: (() => void)[] = [];
  let next = 0;
  let begun = false;
  const turn = (): void => {
    const end = Math.min(waiting.length, next + together);
    for (; next < end; next += 1) waiting[next]?.();
    if (next < waiting.length) {
      setImmediate(turn);
      return;
    }
    waiting = [];
    next = 0;
    begun = false;
  };
  return {
    soon(task) {
      if (begun) {
        waiting.push(task);
        return;
      }
      begun = true;
      setImmediate(turn);
      task();
    },
  };
};
