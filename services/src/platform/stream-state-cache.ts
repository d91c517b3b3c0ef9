import type { NewEvent } from '@courtledger/contracts/kernel/event';
import type { CommandContext } from './call.ts';
import type { AppliedCommand } from './stream-state.ts';

/**
 * What became of the events that a command submitted. `conflict`: another writer was first. `again`: the state they were decided on is gone, they were not
 * sent.
 */
export type Submitted =
  | { readonly kind: 'stored'; readonly revision: number; readonly position: bigint }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'again'; readonly alone: boolean };

export type Submission = {
  readonly events: readonly NewEvent[];
  readonly context: CommandContext;
  /** Appended by itself: in company it was refused. */
  readonly alone: boolean;
  readonly result: Promise<Submitted>;
  readonly resolve: (result: Submitted) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * A stream as this process knows it. `state` is the fold of what is committed and of what is on its way (`appending`, `waiting`), so that the next command
 * is decided at once. When an append fails the entry is dropped with everything that was decided on it.
 */
export type StreamEntry = {
  readonly stream: string;
  state: unknown;
  /** Last revision in the log; -1: no such stream. */
  committed: number;
  /** Position of the event at `committed`. */
  position: bigint | undefined;
  /** Keyed commands in the committed part. */
  readonly applied: Map<string, AppliedCommand>;
  appending: readonly Submission[];
  waiting: Submission[];
  /** False once dropped: decide on a new one. */
  live: boolean;
  /** Events folded when the entry was last counted. */
  weight: number;
};

/** Whether nothing is under way: what the entry holds is what the log has. */
export const isIdle = (entry: StreamEntry): boolean => entry.appending.length === 0 && entry.waiting.length === 0;

/** The last submission under way: everything speculated so far stands when it is stored. */
export const lastUnderWay = (entry: StreamEntry): Submission | undefined => entry.waiting.at(-1) ?? entry.appending.at(-1);

export type StreamCacheLimits = { readonly streams: number; readonly events: number };

/** Least recently used streams go first; one with appends under way stays. */
export class StreamCache {
  readonly #entries = new Map<string, StreamEntry>();
  readonly #limits: StreamCacheLimits;
  #events = 0;
  constructor(limits: StreamCacheLimits) {
    this.#limits = limits;
  }
  get size(): number {
    return this.#entries.size;
  }
  get(stream: string): StreamEntry | undefined {
    const entry = this.#entries.get(stream);
    // Who was used last matters only when room is getting short.
    if (entry === undefined || (this.#entries.size * 2 < this.#limits.streams && this.#events * 2 < this.#limits.events)) return entry;
    this.#entries.delete(stream);
    this.#entries.set(stream, entry);
    return entry;
  }
  set(entry: StreamEntry): void {
    this.drop(entry.stream);
    entry.live = true;
    this.#entries.set(entry.stream, entry);
    this.weigh(entry);
  }
  /** Counts the entry anew and makes room. */
  weigh(entry: StreamEntry): void {
    if (!entry.live) return;
    const weight = entry.committed + 1;
    this.#events += weight - entry.weight;
    entry.weight = weight;
    if (this.#entries.size <= this.#limits.streams && this.#events <= this.#limits.events) return;
    for (const old of this.#entries.values()) {
      if (this.#entries.size <= this.#limits.streams && this.#events <= this.#limits.events) return;
      if (old !== entry && isIdle(old)) this.drop(old.stream);
    }
  }
  /** Drops exactly this entry: another one may stand in its place already. */
  forget(entry: StreamEntry): void {
    entry.live = false;
    if (this.#entries.get(entry.stream) === entry) this.drop(entry.stream);
  }
  drop(stream: string): void {
    const entry = this.#entries.get(stream);
    if (entry === undefined) return;
    entry.live = false;
    this.#entries.delete(stream);
    this.#events -= entry.weight;
    entry.weight = 0;
  }
}
