import { AnswerLost, NotChecked, OtherLog, verdictOn } from './eventstoredb-event-log-errors.ts';

/** Why the log that answers is not the one that was followed before, in words for operators; undefined when it is. Rejects when the log does not tell. */
export type LogCheck = () => Promise<string | undefined>;

/** How long a call is held at most while the check is made, before it is tried once more, in ms. */
const HELD = 250;
/** So long a log may be unchecked before it counts as one that takes no writes: calls are held or tried again meanwhile. */
const CHECK_COUNTS = 2000;

export type LogGuardOptions = {
  readonly now: () => number;
  /** Somebody waits for the connection: it should be made again at once. */
  readonly hurry: () => void;
  /** The log is the one that was followed, and may be read and written again. */
  readonly onOpen: () => void;
  /** It is another one (with the reason), or is the right one again (without). Told once. */
  readonly onVerdict: (reason: string | undefined) => void;
  /** Why the server cannot be reached, when that is known. */
  readonly why: () => string | undefined;
};

/**
 * Lets calls through to a server only as long as it is known to have the log that was followed before. The connection is watched by a subscription: from the
 * moment that it is lost nothing is sent until it is confirmed again and a check has passed, and what was answered over a connection that was lost meanwhile
 * counts as not answered. Without a check everything passes.
 */
export class LogGuard {
  readonly #options: LogGuardOptions;
  #check: LogCheck | undefined;
  #isConnected = false;
  #isOpen = true;
  #closedAt = 0;
  /** Counts connections, and verdicts against the log. */
  #epoch = 0;
  #other: string | undefined;
  #looking: Promise<void> | undefined;
  #decided = Promise.withResolvers<void>();
  #isOver = false;

  constructor(options: LogGuardOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Why the log is another one than it was; undefined as far as nothing says so. */
  get other(): string | undefined {
    return this.#other;
  }

  /** Why nothing is written, once the check takes longer than calls are held for it. */
  get refusal(): string | undefined {
    if (this.#other !== undefined) return this.#other;
    return this.#isOpen || this.#options.now() - this.#closedAt < CHECK_COUNTS ? undefined : this.#unchecked;
  }

  get #unchecked(): string {
    const away = this.#options.why();
    return away === undefined
      ? 'The connection to the event log was lost, and it is not known yet whether the same log answers again'
      : `The event log does not answer: ${away}`;
  }

  /** From now on calls are let through only after the check has passed. */
  use(check: LogCheck): void {
    this.#check = check;
    this.#shut();
    void this.look();
  }

  /** The watching subscription was confirmed. */
  connected(): void {
    this.#isConnected = true;
    if (!this.#isOpen) void this.look();
  }

  /** The watching subscription has ended. */
  lost(): void {
    this.#isConnected = false;
    if (this.#check !== undefined) this.#shut();
  }

  /** No call waits any more. */
  close(): void {
    this.#isOver = true;
    this.#decided.resolve();
  }

  #shut(): void {
    this.#epoch += 1;
    if (this.#isOpen) this.#closedAt = this.#options.now();
    this.#isOpen = false;
  }

  /** Makes the check, when there is one and a connection; resolves when it is made. */
  async look(): Promise<void> {
    if (this.#check === undefined || !this.#isConnected || this.#isOver) return;
    this.#looking ??= this.#look(this.#check).finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #look(check: LogCheck): Promise<void> {
    while (this.#isConnected && !this.#isOver) {
      const epoch = this.#epoch;
      let other: string | undefined;
      try {
        // Again only when the connection was another one meanwhile.
        other = await check();
      } catch {
        // Whoever calls every few seconds calls again.
        return;
      }
      if (epoch === this.#epoch) {
        this.#conclude(other);
        return;
      }
    }
  }

  #conclude(other: string | undefined): void {
    const [wasOpen, before] = [this.#isOpen, this.#other];
    this.#other = other;
    if (other === undefined) this.#isOpen = true;
    else if (wasOpen) this.#shut();
    if ((before === undefined) !== (other === undefined)) this.#options.onVerdict(other);
    const decided = this.#decided;
    this.#decided = Promise.withResolvers();
    decided.resolve();
    if (other === undefined && !wasOpen) this.#options.onOpen();
  }

  /**
   * Makes a call of the server, when and as long as it is the right one.
   * @throws NotChecked, OtherLog: nothing was sent; AnswerLost when the connection was lost meanwhile; what the call throws
   */
  async pass<T>(make: () => Promise<T>): Promise<T> {
    if (!this.#isOpen) await this.#held();
    const epoch = this.#epoch;
    try {
      const answer = await make();
      if (epoch === this.#epoch) return answer;
    } catch (error) {
      if (epoch === this.#epoch || verdictOn(error) === 'not-sent') throw error;
    }
    throw new AnswerLost('the connection was lost');
  }

  async #held(): Promise<void> {
    if (this.#other === undefined) {
      this.#options.hurry();
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        this.#decided.promise,
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, HELD);
        }),
      ]);
      clearTimeout(timer);
    }
    if (this.#other !== undefined) throw new OtherLog(this.#other);
    if (!this.#isOpen) throw new NotChecked(this.#unchecked);
  }
}
