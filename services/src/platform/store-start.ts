import { setTimeout as delay } from 'node:timers/promises';
import { LogUnavailable } from '../event-log/event-log.ts';
import { retryDelay } from '../event-log/pull-subscription.ts';
import type { Logger } from './logger.ts';

/** What a start waits for, as `/readyz` tells it: nothing about the machine. */
export type StartReason = 'it opens its data' | 'it waits for the event log' | 'the event log does not answer' | 'the read model catches up with the log';

export type Waiting = {
  readonly logger: Pick<Logger, 'warn'>;
  /** Aborted when the server is stopped meanwhile. */
  readonly signal: AbortSignal;
  readonly onWait: (reason: StartReason, detail?: string) => void;
  /** False: nothing is waited for; what the log says is thrown. */
  readonly waitForLog: boolean;
};

/** Asks the log until it answers: a gateway may start before its event store. @throws the signal's reason when the server is stopped meanwhile */
export const untilAnswered = async <T>(ask: () => T | Promise<T>, { logger, signal, onWait, waitForLog }: Waiting): Promise<T> => {
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      if (!waitForLog) throw new LogUnavailable(`The event log does not answer: ${error.message}`, { cause: error });
      onWait('the event log does not answer', error.message);
      logger.warn('the event log does not answer yet', { reason: error.message });
      await delay(retryDelay(failures), undefined, { signal });
    }
  }
};
