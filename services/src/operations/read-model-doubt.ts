import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownBreak } from '../event-log/verify-chain.ts';
import { recordedBreakOf, type OperationsState } from './operations-state.ts';

/** What is known of the read model that is live. */
export type DoubtSources = {
  readonly state: OperationsState;
  /** The file that is live. */
  readonly live: string;
  /** The break of the log that this process knows. */
  readonly damage: KnownBreak | undefined;
  /** The file that a rebuild is making. */
  readonly making: string | undefined;
  /** Whether the log keeps a chain of ours. */
  readonly hasChain: boolean;
};

/** The remake that is owed; undefined as soon as what it made is live. */
export const openRemake = (state: OperationsState, live: string): OperationsState['owedRemake'] =>
  state.owedRemake === undefined || state.owedRemake.file === live ? undefined : state.owedRemake;

const saying = (position: string, then: string): string => `The read model may show what the log said while it was damaged at position ${position}: ${then}`;

/**
 * Why the live read model may tell what nobody recorded, and what becomes of that; undefined when there is no reason to doubt. It may have been made, or
 * brought on, while the log was damaged at a place that fits now: the one that is made anew of the whole log takes its place, and nothing else does. Of a log
 * that is damaged still the refusal of writes tells.
 */
export const doubtOf = ({ state, live, damage, making, hasChain }: DoubtSources): string | undefined => {
  const owed = openRemake(state, live);
  if (owed !== undefined) {
    if (making !== undefined && making === owed.file) return saying(owed.position, 'it is being made anew');
    return saying(
      owed.position,
      damage === undefined ? 'a rebuild or a restart of the server makes it anew' : 'it is made anew when a start of the server finds the log whole',
    );
  }
  const recorded = damage === undefined && hasChain ? recordedBreakOf(state) : undefined;
  return recorded === undefined
    ? undefined
    : saying(recorded.position.toString(), 'what stands there now fits, and it is made anew as soon as the whole log was verified');
};

/** Before anything is folded: what is kept of folds was made by a process that believed the same log. They are made anew of the log, as without them. */
export const forgetDoubtfulFolds = (dataDir: string, state: OperationsState): void => {
  if (state.owedRemake !== undefined || recordedBreakOf(state) !== undefined) rmSync(join(dataDir, 'folds'), { recursive: true, force: true });
};
