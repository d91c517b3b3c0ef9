import type { RecordedEvent } from '@courtledger/contracts/kernel/event';

/**
 * What the log worker runs after each commit: the read model of this node. It lives in the worker's thread, made by `createProjector(options)` of the module
 * that the worker is told to load (`ProjectorModule`).
 */
export type BatchProjector = {
  /** The last position whose effects are committed in the read model; 0 before the first event. */
  readonly position: bigint;
  /** How many streams are parked, also since an earlier process. */
  readonly parked?: number;
  /** Grows with each commit that changed what authentication reads. */
  readonly accountChanges?: bigint;
  /** A position that a read model before this one had reached, made of the same log; where it is beyond the log's end, the log has lost events. */
  readonly seen?: bigint;
  /**
   * Applies the events after `position`, in order, and commits rows and checkpoint together; answers the new position and how many streams are parked.
   * An event that cannot be applied is the projector's to isolate. What it throws means: nothing of these events was committed, ask again later.
   */
  apply(events: readonly RecordedEvent[]): { readonly position: bigint; readonly parked: number };
  /** Does what an operator asks for (switch to another file, replay parked streams) between two batches; argument and answer are structured-clone data. */
  command?(name: string, argument: unknown): unknown;
  close?(): void;
};

/** The shape of a projector's module; `options` is structured-clone data. */
export type ProjectorModule = { createProjector(options: unknown): BatchProjector | Promise<BatchProjector> };

/** How far the read model is. `error`: the last attempt failed with this, and it is tried again. */
export type Projected = { readonly position: bigint; readonly parked: number; readonly accountChanges: bigint; readonly error?: string };

export const projectedBy = ({ position, parked = 0, accountChanges = 0n }: BatchProjector, error: string | undefined): Projected => ({
  position,
  parked,
  accountChanges,
  ...(error !== undefined && { error }),
});
