/* oxlint-disable no-await-in-loop -- a projection takes one page after another */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { inspectReadModel } from '@courtledger/projections/kernel/read-model';
import { LogUnavailable, type After, type EventLog, type Subscription } from '../event-log/event-log.ts';
import { ProjectionProgress } from '../event-log/projection-progress.ts';
import type { BatchProjector } from '../event-log/projector-port.ts';
import { retryDelay } from '../event-log/pull-subscription.ts';
import type { Logger } from './logger.ts';
import { openNodeProjector } from './store-projector.ts';
import { liveReadModel } from './store-read-model-files.ts';

export type FollowingProjection = {
  readonly progress: ProjectionProgress;
  /** Why nothing may be sent here for a command yet: the log was away at the start, and the read model has not caught up since. */
  readonly refusal: () => string | undefined;
  /** Has the projector do something between two batches. */
  readonly command: (name: string, argument?: unknown) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

const page = 500;

/** Waits until the log answers: a gateway may start before its event store. @throws the signal's reason when the server is stopped meanwhile */
const untilReachable = async (log: EventLog, logger: Logger, signal: AbortSignal): Promise<After> => {
  for (let failures = 0; ; failures += 1) {
    try {
      return await log.head();
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      logger.warn('the event log does not answer yet', { reason: error.message });
      await delay(retryDelay(failures), undefined, { signal });
    }
  }
};

/**
 * The read model of a node whose log is elsewhere (EventStoreDB) or in memory: a pull loop over a subscription, from the checkpoint on, on this thread. Resolves when it has reached
 * the head that the log had at the start; at once, where the log is away and a whole read model is there, which serves reads until the log answers. A batch that cannot be committed is tried again for ever; the next one is not taken before.
 */
export const openFollowingProjection = async ({ dataDir, log, logger, signal }: { readonly dataDir: string; readonly log: EventLog; readonly logger: Logger; readonly signal: AbortSignal }): Promise<FollowingProjection> => {
  const closing = new AbortController();
  const isClosing = (): boolean => closing.signal.aborted;
  let refusal: string | undefined;
  let head: After | undefined;
  try {
    head = await log.head();
  } catch (error) {
    if (!(error instanceof LogUnavailable)) throw error;
    refusal = `The event log does not answer: ${error.message}`;
    // One that is missing, damaged or of another release is made anew, for which the log is needed.
    if (inspectReadModel(join(dataDir, liveReadModel(dataDir)), 'full') === 'good') logger.warn('the event log is away: the read model is served as it is', { reason: error.message });
    else head = await untilReachable(log, logger, signal);
  }
  const projector: BatchProjector = await openNodeProjector(dataDir, { readPage: async (after, limit) => log.readAll(after === 0n ? 'start' : after, limit), readStream: async (stream) => log.readStream(stream) });
  const progress = new ProjectionProgress();
  let parked = 0;
  /** Batches and commands take turns. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const before = turn;
    const mine = (async () => {
      await before.catch(() => undefined);
      return work();
    })();
    turn = mine;
    return mine;
  };
  const advance = (error?: string): void => progress.advance({ position: projector.position, parked, ...(error !== undefined && { error }) });

  const apply = async (events: readonly RecordedEvent[]): Promise<void> => {
    for (let failures = 0; !isClosing(); failures += 1) {
      try {
        parked = (await inTurn(() => projector.apply(events))).parked;
        advance();
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        logger.warn('the read model does not move', { position: String(projector.position), reason });
        advance(reason);
        await delay(retryDelay(failures), undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };

  let subscription: Subscription;
  const follow = async (): Promise<void> => {
    while (!isClosing()) {
      const events = await subscription.next(page);
      if (events === undefined) {
        if (isClosing()) return;
        // Closed for a command that moved the projector: go on from where it stands now.
        subscription = subscribe();
        continue;
      }
      await apply(events);
    }
  };
  const subscribe = (): Subscription => log.subscribe(projector.position === 0n ? 'start' : projector.position);

  // The count of parked streams is part of what every batch answers; before the first one it is asked for.
  const known = (await projector.command?.('parked', undefined)) as readonly { readonly stream: string }[];
  parked = new Set(known.map(({ stream }) => stream)).size;
  advance();
  subscription = subscribe();
  const running = follow();
  const close = async (): Promise<void> => {
    closing.abort();
    await subscription.close();
    await running;
    await turn.catch(() => undefined);
    projector.close?.();
  };

  // Caught up at the start: everything that was there is projected, however long it takes.
  const catchUp = async (until: After): Promise<void> => {
    const position = until === 'start' ? 0n : until;
    for (;;) {
      if (await progress.reached(position, 1000)) break;
      if (isClosing()) return;
      if (signal.aborted) {
        await close();
        signal.throwIfAborted();
      }
      logger.info('the read model is catching up', { position: String(progress.projected.position) });
    }
    refusal = undefined;
  };
  /** The same once the log answers, while reads are served. */
  const catchUpLater = async (): Promise<void> => {
    try {
      await catchUp(await untilReachable(log, logger, closing.signal));
      if (!isClosing()) logger.info('the event log answers, and the read model has caught up', { position: String(progress.projected.position) });
    } catch (error) {
      if (!isClosing()) logger.error('the event log cannot be followed', error);
    }
  };
  if (head !== undefined) await catchUp(head);
  else void catchUpLater();

  return {
    progress,
    refusal: () => refusal,
    async command(name, argument) {
      const before = projector.position;
      const answer = await inTurn(async () => projector.command?.(name, argument));
      if (projector.position !== before) {
        await subscription.close();
        await progress.reached(before, 600_000);
      }
      advance();
      return answer;
    },
    close,
  };
};
