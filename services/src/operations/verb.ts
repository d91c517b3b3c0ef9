import type { Config } from '../platform/config.ts';
import type { Reached } from './reach.ts';

/**
 * How a verb talks to whoever called it. `out`: a line of the answer; `note`: a line beside it (standard error); `progress`: one line that is written over, at
 * a terminal only. Whatever would break a line is shown escaped: a text of several lines is several calls.
 */
export type Terminal = { out(line: string): void; note(line: string): void; progress(line: string | undefined): void };

export type VerbContext = {
  readonly config: Config;
  readonly terminal: Terminal;
  /** Where the caller stands: a path that is given is meant from there. */
  readonly folder: string;
  /** The running server, or the product in this process; closed when the verb ends. */
  readonly reach: () => Promise<Reached>;
  /** Aborted when the caller pressed Ctrl+C or ended the process by SIGTERM, or reads no more. Whatever takes long looks at it; its reason may be thrown. */
  readonly interrupted: AbortSignal;
};

/** One verb of `npm run ops -- <name> …`: a file of its own in `verbs/`, listed in `all-verbs.ts`. */
export type Verb = {
  readonly name: string;
  /** What stands after the name, as in `[--json]`. */
  readonly usage: string;
  readonly summary: string;
  /**
   * Gives the exit code. Throws what `expected-errors.ts` tells in one line: UsageError, ControlRefusal, LogInUse, what the system says to a path, and the
   * like.
   */
  readonly run: (context: VerbContext, args: readonly string[]) => Promise<number>;
  /** The exit code of a call that could not be done at all, where 1 is an answer. Without it 1. */
  readonly failureCode?: (args: readonly string[]) => number;
};

/** The words after the verb make no sense; the usage is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
