import { DomainError } from '@courtledger/contracts/kernel/errors';

/** Work of which only some may run at once. */
export type Slots = {
  /**
   * Runs the work now or when a slot is free.
   * @param asker for whom it is (an address): those who wait take turns, and one may hold as many places of the queue as are left to others
   * @throws DomainError `throttled` when too much waits already: nothing was begun
   */
  run<T>(work: () => Promise<T>, asker?: string): Promise<T>;
};

/**
 * At most `atOnce` pieces of costly work (hashes, decodes) at a time, and at most `waiting` in the queue: the rest is refused at once,
 * so that a flood costs its senders a 429 and nobody else the processor.
 */
export const createSlots = (options: { readonly atOnce: number; readonly waiting: number; readonly refusal: string }): Slots => {
  let running = 0;
  let waiting = 0;
  /** What waits, by asker; whose turn it is comes first. */
  const queues = new Map<string | undefined, (() => void)[]>();
  const enter = async (asker: string | undefined): Promise<void> => {
    if (running < options.atOnce) {
      running += 1;
      return;
    }
    const queue = queues.get(asker) ?? [];
    const left = options.waiting - waiting;
    if (left <= 0 || (asker !== undefined && queue.length >= left)) throw new DomainError('throttled', options.refusal, { retryAfter: 2 });
    // The slot is handed over by the one who leaves: `running` does not change.
    await new Promise<void>((resolve) => {
      queue.push(resolve);
      queues.set(asker, queue);
      waiting += 1;
    });
  };
  const leave = (): void => {
    const [turn] = queues;
    if (turn === undefined) {
      running -= 1;
      return;
    }
    const [asker, queue] = turn;
    const next = queue.shift();
    queues.delete(asker);
    if (queue.length > 0) queues.set(asker, queue);
    waiting -= 1;
    next?.();
  };
  return {
    async run(work, asker) {
      await enter(asker);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
};
