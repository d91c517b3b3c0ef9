/** How far apart batches are, in ms, while many read. */
const apart = 16;
/** So many reads since the last batch: this thread has not room enough for both. */
const many = 16;

/** When the log's next batch goes: whoever appends shares the main thread with whoever reads. */
export type BatchPace = {
  /** How long the next batch waits, in ms: 0, except while many read. */
  pause(): number;
  /** A batch goes. */
  sent(): void;
};

/**
 * Each batch costs the main thread what many reads cost: it is sent and answered, and every ready answer is made anew. While many read, batches are fewer and
 * larger; a write waits for `apart` at most, and one that follows no other does not wait (docs/decisions/readers-beside-writers.md).
 * @param readsSoFar a count that grows with every read
 * @param now milliseconds of a clock that goes on evenly
 */
export const createBatchPace = (readsSoFar: () => number, now: () => number = () => performance.now()): BatchPace => {
  let last = -apart;
  let readsThen = 0;
  return {
    pause: () => (readsSoFar() - readsThen < many ? 0 : Math.max(0, Math.ceil(last + apart - now()))),
    sent() {
      last = now();
      readsThen = readsSoFar();
    },
  };
};
