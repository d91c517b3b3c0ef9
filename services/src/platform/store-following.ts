import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { inspectReadModel } from '@courtledger/projections/kernel/read-model';
import { LogUnavailable, type After, type EventLog, type Subscription } from '../event-log/event-log.ts';
import type { GuardedLog } from '../event-log/eventstoredb-event-log.ts';
import { pagesOf } from '../event-log/log-pages.ts';
import { ProjectionProgress } from '../event-log/projection-progress.ts';
import { projectedBy, type BatchProjector } from '../event-log/projector-port.ts';
import { retryDelay } from '../event-log/pull-subscription.ts';
import type { Logger } from './logger.ts';
import { openNodeProjector } from './store-projector.ts';
import { liveReadModel, setReadModelsAside } from './store-read-model-files.ts';
import { readModelsOfOtherLog, reasonOfChangedLog, type LogOfOrigin } from './store-read-model-origin.ts';
import { untilAnswered, type Waiting } from './store-start.ts';

export type FollowingProjection = {
  readonly progress: ProjectionProgress;
  /** How far the log goes, as far as reading it has told: it may be farther than the read model, which may not be able to move. */
  readonly heard: () => bigint;
  /** Why nothing may be sent here for a command yet: the log was away at the start, and the read model has not caught up since. */
  readonly refusal: () => string | undefined;
  /** Has the projector do something between two batches. */
  readonly command: (name: string, argument?: unknown) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

export type FollowingOptions = Waiting & {
  readonly dataDir: string;
  readonly log: EventLog;
  /** Of a log that another process keeps: it may come back as another one, or as an older past of itself. */
  readonly guarded?: GuardedLog;
  readonly logger: Logger;
  /** The read model that is served turned out to be another log's: the process should end and be started clean. */
  readonly onFatal: (error: Error) => void;
};

const page = 500;
/** What operators are told, everywhere in the same words. */
const otherLogText = (reason: string): string =>
  `The event log that answers is another one than the read model was made of, or an older past of it: ${reason}. Nothing is written or taken from it, and what was projected before is still shown. When the right log answers again, the server goes on by itself. If this log is the one to go on with, restart the server: it sets the read model aside and makes a new one`;
const positionOf = (after: After): bigint => (after === 'start' ? 0n : after);

/**
 * The read model of a node whose log is elsewhere (EventStoreDB) or in memory: a pull loop over a subscription, from the checkpoint on, on this thread.
 * Resolves when it has reached the head that the log had at the start; at once, where the log is away and a whole read model is there, which serves reads until
 * the log answers, and is followed from then on when it is of this log. A batch that cannot be committed is tried again for ever; the next one is not taken
 * before.
 */
export const openFollowingProjection = async (options: FollowingOptions): Promise<FollowingProjection> => {
  const { dataDir, log, logger, signal, onWait, onFatal, guarded } = options;
  /** For whoever asks which log it is. */
  const unguarded = guarded?.unguarded ?? log;
  const closing = new AbortController();
  const isClosing = (): boolean => closing.signal.aborted;
  let refusal: string | undefined;
  let head: After | undefined;
  // A silent log takes its whole time for each question: a start that is stopped meanwhile goes on with none.
  signal.throwIfAborted();
  try {
    head = await log.head();
  } catch (error) {
    if (!(error instanceof LogUnavailable)) throw error;
    signal.throwIfAborted();
    refusal = `The event log does not answer: ${error.message}`;
    // One that is missing, damaged or of another release is made anew, for which the log is needed.
    if (inspectReadModel(join(dataDir, liveReadModel(dataDir)), 'full') === 'good')
      logger.warn('the event log is away: the read model is served as it is', { reason: error.message });
    else head = await untilAnswered(async () => log.head(), options);
  }
  const [readPage, guardedPage] = [pagesOf(unguarded), pagesOf(log)];
  const unchained: LogOfOrigin['unchained'] = {
    head: async () => positionOf(await unguarded.head()),
    // A log in memory is new with its process: its end tells enough.
    eventAt: async (position) => guarded?.unguarded.eventAt(position),
  };
  /** Of what the opening reads of the log, nothing is given up; whoever asks for something later is told at once. */
  let isOpening = true;
  const projector: BatchProjector = await openNodeProjector(dataDir, {
    readPage: async (after, limit) => (isOpening ? untilAnswered(async () => readPage(after, limit), options) : guardedPage(after, limit)),
    readStream: async (stream) => log.readStream(stream),
    unchained,
    isAway: head === undefined,
  });
  isOpening = false;
  guarded?.guard(async () => {
    const reason = await reasonOfChangedLog(join(dataDir, liveReadModel(dataDir)), { readPage, unchained });
    return reason === undefined ? undefined : otherLogText(reason);
  });
  const progress = new ProjectionProgress();
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
  const advance = (error?: string): void => progress.advance(projectedBy(projector, error));

  const apply = async (events: readonly RecordedEvent[]): Promise<void> => {
    for (let failures = 0; !isClosing(); failures += 1) {
      try {
        await inTurn(() => projector.apply(events));
        advance();
        return;
      } catch (error) {
        const reason = messageOf(error);
        logger.warn('the read model does not move', { position: String(projector.position), reason });
        advance(reason);
        await delay(retryDelay(failures), undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };

  let heard = head === undefined ? 0n : positionOf(head);
  let subscription: Subscription | undefined;
  const follow = async (): Promise<void> => {
    subscription = subscribe();
    while (!isClosing()) {
      const events = await subscription.next(page);
      if (events === undefined) {
        if (isClosing()) return;
        // Closed for a command that moved the projector: go on from where it stands now.
        subscription = subscribe();
        continue;
      }
      heard = events.at(-1)?.position ?? heard;
      await apply(events);
    }
  };
  const subscribe = (): Subscription => log.subscribe(projector.position === 0n ? 'start' : projector.position);

  advance();
  let running: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closing.abort();
    await subscription?.close();
    await running;
    await turn.catch(() => undefined);
    projector.close?.();
  };

  const expectAnswer = async (): Promise<void> => {
    try {
      await log.head();
    } catch (error) {
      await close();
      throw error;
    }
  };

  // Caught up at the start: everything that was there is projected, however long it takes.
  const catchUp = async (until: After): Promise<void> => {
    running = follow();
    const position = positionOf(until);
    for (;;) {
      if (await progress.reached(position, 1000)) break;
      if (isClosing()) return;
      if (signal.aborted) {
        await close();
        signal.throwIfAborted();
      }
      if (!options.waitForLog) await expectAnswer();
      onWait('the read model catches up with the log', `it is at position ${String(progress.projected.position)} of ${String(position)}`);
      logger.info('the read model is catching up', { position: String(progress.projected.position) });
    }
    refusal = undefined;
  };
  /** The same once the log answers, while reads are served. */
  const catchUpLater = async (): Promise<void> => {
    try {
      const waiting = { ...options, signal: closing.signal, waitForLog: true };
      const others = await untilAnswered(async () => readModelsOfOtherLog(dataDir, { readPage, unchained }), waiting);
      setReadModelsAside(
        dataDir,
        'other-log',
        others.map(({ file }) => file).filter((file) => file !== liveReadModel(dataDir)),
      );
      const live = others.find(({ file }) => file === liveReadModel(dataDir));
      if (live !== undefined) {
        refusal = `The read model was made of another log: ${live.reason}`;
        onFatal(new Error(`${live.file} was made of another log than the one that answers: ${live.reason}. The next start sets it aside`));
        return;
      }
      await catchUp(await untilAnswered(async () => unguarded.head(), waiting));
      if (!isClosing()) logger.info('the event log answers, and the read model has caught up', { position: String(progress.projected.position) });
    } catch (error) {
      if (!isClosing()) logger.error('the event log cannot be followed', error);
    }
  };
  if (head !== undefined) await catchUp(head);
  else void catchUpLater();

  return {
    progress,
    heard: () => (heard > projector.position ? heard : projector.position),
    refusal: () => refusal,
    async command(name, argument) {
      const before = projector.position;
      const answer = await inTurn(async () => projector.command?.(name, argument));
      if (projector.position !== before) {
        await subscription?.close();
        await progress.reached(before, 600_000);
      }
      advance();
      return answer;
    },
    close,
  };
};
