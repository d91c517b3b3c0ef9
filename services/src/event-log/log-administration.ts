import type { EventLog } from './event-log.ts';
import type { ChainBreak, ChainProgress, ChainReport, KnownBreak } from './verify-chain.ts';

export type LogHealth = {
  /** Why nothing can be written now, for operators; undefined when writes go through. */
  readonly refusal?: string;
  /** True when the disk had no room for what was last to be stored. Smaller writes may yet go through, and are tried. */
  readonly isFull?: boolean;
  /** The first break of the chain that was found: for good, until the next start of a log that was put right, or until a backup is restored. */
  readonly damage?: KnownBreak;
  /** Bytes of the write-ahead log: an alarm is due at 256 MB. */
  readonly walBytes: number;
};

/** What only a log in a file of our own offers, beside the six verbs. */
export type LogAdministration = {
  /**
   * Verifies the hash chain from a position on (default: the whole log, its indexes included) while appends go on. A break refuses writes from then on
   * (LogUnavailable). Stops when `signal` is aborted, with a rejection of the signal's reason.
   */
  verifyChain(from?: bigint, onProgress?: (progress: ChainProgress) => void, signal?: AbortSignal): Promise<ChainReport>;
  /**
   * Refuses writes from now on, as a walk does that meets a break: somebody who knows more than the chain tells has found that what stands there is not what is
   * to stand there.
   */
  refuse(damage: ChainBreak): Promise<void>;
  /** Writes a consistent copy to a path that does not exist yet, while appends go on. */
  backup(destination: string): Promise<void>;
  /** Moves the write-ahead log into the file and cuts it to nothing; `complete` is false when a reader was in the way. */
  checkpoint(): Promise<{ readonly complete: boolean }>;
  health(): LogHealth;
};

export type SqliteEventLog = EventLog & LogAdministration;
