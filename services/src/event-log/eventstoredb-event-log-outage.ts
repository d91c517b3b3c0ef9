import { isSilence, verdictOn, wordsFor } from './eventstoredb-event-log-errors.ts';

/** How often a server that said nothing since is asked whether it is there. */
export const PROBE_INTERVAL = 2000;
/** How many questions in a row have no answer before the server counts as away: one slow answer is none. */
const UNANSWERED = 2;

export type OutageOptions = {
  /** One cheap question to the server; rejects when it is not answered in its time. */
  readonly ask: () => Promise<unknown>;
  /** Calls a task every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, task: () => void) => () => void;
  readonly onSilence: () => void;
};

/** Whether a call failed because nobody took or answered it, and not for what the server said. */
export const isAway = (error: unknown): boolean => isSilence(error) || verdictOn(error) === 'not-sent';

/** Whether the server is there, as far as this process can tell. */
export class Outage {
  readonly #options: OutageOptions;
  #reason: string | undefined;
  #hasAnswered = false;
  #isAsking = false;
  #stop: (() => void) | undefined;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Why the server cannot be reached; undefined when nothing says so. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Begins to ask. An outage is noted only from then on: nobody would notice its end otherwise. */
  watch(): void {
    this.#stop ??= this.#options.every(PROBE_INTERVAL, () => void this.#look());
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** The server answered something. */
  answered(): void {
    this.#hasAnswered = true;
    this.#reason = undefined;
  }

  /** Somebody who waited for an answer as long as one waits got none. */
  note(reason: string): void {
    if (this.#stop !== undefined) this.#reason = reason;
  }

  #wasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** A server that answers others is not asked. */
  async #look(): Promise<void> {
    if (this.#isAsking) return;
    if (this.#hasAnswered && this.#reason === undefined) {
      this.#hasAnswered = false;
      return;
    }
    this.#isAsking = true;
    this.#hasAnswered = false;
    try {
      for (let unanswered = 1; ; unanswered += 1) {
        try {
          await this.#options.ask();
          this.answered();
          // Only what others are told saves the next question.
          this.#hasAnswered = false;
          return;
        } catch (error) {
          // Another call may have been answered meanwhile.
          if (this.#wasAnswered()) return;
          if (unanswered < UNANSWERED) continue;
          this.note(wordsFor(error));
          if (isSilence(error)) this.#options.onSilence();
          return;
        }
      }
    } finally {
      this.#isAsking = false;
    }
  }
}
