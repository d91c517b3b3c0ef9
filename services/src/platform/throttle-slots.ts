import { DomainError } from '@courtledger/contracts/kernel/errors';

/** Work of which only some may run at once. */
export type Slots = {
  /** Runs the work now or when a slot is free. @throws DomainError `throttled` when too much waits already: nothing was begun */
  run<T>(work: () => Promise<T>): Promise<T>;
};

/**
 * At most `atOnce` pieces of costly work (hashes, decodes) at a time, and at most `waiting` in the queue: the rest is refused at once,
 * so that a flood costs its senders a 429 and nobody else the processor.
 */
export const createSlots = (options: { readonly atOnce: number; readonly waiting: number; readonly refusal: string }): Slots => {
  let running = 0;
  const queue: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (running < options.atOnce) {
      running += 1;
      return;
    }
    if (queue.length >= options.waiting) throw new DomainError('throttled', options.refusal, { retryAfter: 2 });
    // The slot is handed over by the one who leaves: `running` does not change.
    await new Promise<void>((resolve) => {
      queue.push(resolve);
    });
  };
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return {
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
};
