import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { projectedBy, type BatchProjector, type Projected } from './projector-port.ts';
import { retryDelay } from './pull-subscription.ts';

const page = 1000;

/**
 * Runs a projector beside the log's writer. A batch just written is a short cut for the events at the projector's next position; when the projector is
 * elsewhere (start, after a failure), pages are read from the log instead. A projector that throws never fails the append: it is tried again with back-off.
 */
export class LiveProjection {
  readonly #projector: BatchProjector;
  readonly #readAfter: (position: bigint, limit: number) => readonly RecordedEvent[];
  readonly #report: (projected: Projected) => void;
  #failures = 0;
  #error: string | undefined;
  #retry: NodeJS.Timeout | undefined;
  #catchingUp = false;
  #closed = false;

  /** `readAfter` reads the log (synchronously, on the worker's connection); `report` hears of progress that no batch carries. */
  constructor(projector: BatchProjector, readAfter: (position: bigint, limit: number) => readonly RecordedEvent[], report: (projected: Projected) => void) {
    this.#projector = projector;
    this.#readAfter = readAfter;
    this.#report = report;
  }

  get projected(): Projected {
    return projectedBy(this.#projector, this.#error);
  }

  /** Projects a batch that was just committed. Never throws. */
  project(events: readonly RecordedEvent[]): Projected {
    const [first] = events;
    if (first === undefined) return this.projected;
    // Positions of a SQLite log are dense, so the next event is known by its position.
    if (first.position === this.#projector.position + 1n) {
      if (!this.#apply(events)) this.#retryLater();
    } else if (!this.#catchingUp && this.#retry === undefined) void this.catchUp();
    return this.projected;
  }

  /**
   * Reads the log from the projector's position to its end, page by page with a turn of the event loop between; ends early at a failure, which is retried by
   * itself.
   */
  async catchUp(): Promise<void> {
    if (this.#catchingUp) return;
    this.#catchingUp = true;
    try {
      while (!this.#closed) {
        const events = this.#read();
        if (events === undefined) break;
        if (events.length === 0) {
          this.#settled();
          break;
        }
        if (!this.#apply(events)) break;
        this.#report(this.projected);
        // Appends go first.
        await nextTurn();
      }
    } finally {
      this.#catchingUp = false;
    }
    if (this.#error !== undefined) this.#retryLater();
  }

  async command(name: string, argument: unknown): Promise<unknown> {
    if (this.#projector.command === undefined) throw new Error('The projector takes no commands');
    const answer = await this.#projector.command(name, argument);
    // A command may have moved the projector (another file, a replay).
    await this.catchUp();
    this.#report(this.projected);
    return answer;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#projector.close?.();
  }

  #read(): readonly RecordedEvent[] | undefined {
    try {
      return this.#readAfter(this.#projector.position, page);
    } catch (error) {
      this.#note(error);
      return undefined;
    }
  }

  /** At the end of the log there is nothing left that could have failed. */
  #settled(): void {
    this.#failures = 0;
    if (this.#error === undefined) return;
    this.#error = undefined;
    this.#report(this.projected);
  }

  #apply(events: readonly RecordedEvent[]): boolean {
    const before = this.#projector.position;
    try {
      const { position } = this.#projector.apply(events);
      if (position <= before) throw new Error(`The projector stayed at position ${before}`);
      this.#error = undefined;
      this.#failures = 0;
      return true;
    } catch (error) {
      this.#note(error);
      return false;
    }
  }

  #note(error: unknown): void {
    this.#error = messageOf(error);
  }

  #retryLater(): void {
    if (this.#closed || this.#retry !== undefined) return;
    this.#report(this.projected);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      void this.catchUp();
    }, retryDelay(this.#failures));
    this.#failures += 1;
  }
}
