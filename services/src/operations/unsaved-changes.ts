import type { Clock } from '../platform/ports.ts';

/** A whole backup in the server's own folder. `written`: when its manifest was, in ms: another one may be made under the same name. `madeAt` in ms. */
export type OwnBackup = { readonly name: string; readonly written: number; readonly madeAt: number; readonly head: string; readonly chainHead: string | null };

export type UnsavedChangesDeps = {
  readonly clock: Clock;
  /** Where the log stands. */
  readonly head: () => bigint;
  /** Hash of the event at a position of the log's chain; undefined where there is no such event, or no chain. */
  readonly hashAt: (position: bigint) => string | undefined;
  /** Time (ISO) of the first event after a position; undefined where there is none, or where nothing knows it. */
  readonly timeAfter: (position: bigint) => string | undefined;
};

/**
 * Since when something is in no backup of the server's own folder: since the first fact that none of them holds was recorded, whoever recorded it (also a tool,
 * or before a restore, while no server ran). Counted by the monotonic clock once it is known.
 */
export class UnsavedChanges {
  readonly #deps: UnsavedChangesDeps;
  /**
   * How far those reach that this process made, by name: what was erased at the end of a log that is elsewhere stands in no copy of it, and is awaited in none.
   */
  readonly #made = new Map<string, { readonly head: string; readonly reach: bigint }>();
  /** Known to be of this log: what stands at a position does not become another event while a process runs. */
  readonly #ofThisLog = new WeakSet<OwnBackup>();
  #oldest: { readonly after: bigint; readonly since: number; readonly isTold: boolean } | undefined;
  /** When all was last seen to be in one of them, and where the log stood. */
  #saved: { readonly at: bigint; readonly when: number } | undefined;

  constructor(deps: UnsavedChangesDeps) {
    this.#deps = deps;
  }

  /** A backup was made by this process. @param began where the log stood when it began */
  note(name: string, head: string, began: bigint): void {
    const reach = BigInt(head);
    this.#made.set(name, { head, reach: reach > began ? reach : began });
  }

  /**
   * When the oldest change was made that is in none of them, in ms of the monotonic clock; undefined when there is none.
   * @param own the backups of the folder, oldest first
   */
  since(own: readonly OwnBackup[]): number | undefined {
    const { clock, head, timeAfter } = this.#deps;
    const at = head();
    // After a restore those that were made before it may hold more than the log does.
    const newest = own.findLast((one) => this.#reach(one, at) !== undefined);
    const after = newest === undefined ? 0n : (this.#reach(newest, at) ?? 0n);
    const now = clock.monotonic();
    if (after >= at) {
      this.#saved = { at: after, when: now };
      this.#oldest = undefined;
      return undefined;
    }
    if (this.#oldest?.after === after && this.#oldest.isTold) return this.#oldest.since;
    const time = timeAfter(after);
    // Where nothing knows when it was: since that backup was begun, and of a log that is in none since the first look.
    if (time === undefined && this.#oldest?.after === after) return this.#oldest.since;
    // What a backup does not hold was recorded after it was begun, whatever the clock said then.
    const recorded = Math.max(newest?.madeAt ?? Number.NEGATIVE_INFINITY, time === undefined ? Number.NEGATIVE_INFINITY : Date.parse(time));
    const waited = now - (Number.isFinite(recorded) ? Math.max(0, clock.now() - recorded) : 0);
    // And after the moment at which all was seen to be saved.
    this.#oldest = { after, since: this.#saved?.at === after ? Math.max(this.#saved.when, waited) : waited, isTold: time !== undefined };
    return this.#oldest.since;
  }

  /** Up to where a backup holds the log that stands at a position; undefined when it is not of this log, or holds more than there is. */
  #reach(one: OwnBackup, at: bigint): bigint | undefined {
    const made = this.#made.get(one.name);
    if (made?.head === one.head) return made.reach;
    const reach = BigInt(one.head);
    return reach <= at && this.#isOfThisLog(one, reach) ? reach : undefined;
  }

  /**
   * After a restore a position may be given to another event than the one that was backed up under it. A log that is elsewhere has no chain of ours to tell.
   */
  #isOfThisLog(one: OwnBackup, reach: bigint): boolean {
    if (this.#ofThisLog.has(one)) return true;
    const isOf = one.chainHead === null || reach === 0n || one.chainHead === this.#deps.hashAt(reach);
    if (isOf) this.#ofThisLog.add(one);
    return isOf;
  }
}
