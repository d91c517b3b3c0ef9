import type Database from 'better-sqlite3';
import { ChainWalk, type ChainBreak } from './verify-chain.ts';

/**
 * Walks the hash chain of a log along with whoever reads it: what was reached is what was written, or the break is told. Begins at `from` (1: the whole log,
 * its structure included).
 */
export class ChainFollower {
  readonly #connection: Database.Database;
  #walk: ChainWalk;

  constructor(connection: Database.Database, from: bigint) {
    this.#connection = connection;
    this.#walk = new ChainWalk(connection, from);
  }

  /** Walks to a position at least. @param onStep every 1,000 events; what it throws ends the walk there, and the next call goes on */
  reach(until: bigint, onStep: () => void = () => {}): ChainBreak | undefined {
    while (this.#walk.progress.position < until) {
      onStep();
      const isAtEnd = this.#walk.step(1000);
      const { firstBreak } = this.#walk.report;
      if (firstBreak !== undefined) return firstBreak;
      if (!isAtEnd) continue;
      // What is appended from here on has an earlier event to hang on.
      this.#walk = new ChainWalk(this.#connection, this.#walk.progress.position + 1n);
      break;
    }
    return undefined;
  }
}
