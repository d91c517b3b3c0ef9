import { BACKWARDS, END, jsonEvent, type JSONEventType } from '@eventstore/db-client';
import { callUntilAnswered } from './eventstoredb-event-log-attempts.ts';
import { EventStoreDbConnection, type KeepAlive } from './eventstoredb-event-log-connection.ts';
import { actualRevision, AnswerLost, NotChecked, OtherLog, OwnWords, reasonOf, verdictOn, wordsFor, type Verdict } from './eventstoredb-event-log-errors.ts';
import { Followers } from './eventstoredb-event-log-followers.ts';
import { LogGuard, type LogCheck } from './eventstoredb-event-log-guard.ts';
import { answered, collect } from './eventstoredb-event-log-read.ts';
import { isAway, Outage, PROBE_INTERVAL } from './eventstoredb-event-log-outage.ts';
import { readingTheLog, readingVerbs, type LogReads } from './eventstoredb-event-log-verbs.ts';
import { openWatch, type Watch } from './eventstoredb-event-log-watch.ts';
import {
  LogUnavailable,
  StreamRemoved,
  UnacceptableEvents,
  UnknownOutcome,
  WrongRevision,
  type AppendResult,
  type EventLog,
  type ExpectedRevision,
} from './event-log.ts';
import { checkDeletable, prepareEvents, type EventText } from './prepare-append.ts';
import { AppendSignal } from './pull-subscription.ts';

/** What operators are told. `text` holds no data of events and no password. */
export type LogNotice = {
  readonly kind: 'subscription-lost' | 'subscription-behind' | 'other-log' | 'same-log-again' | 'connection-replaced' | 'call-repeated';
  readonly text: string;
};

export type EventStoreDbOptions = {
  /** `esdb://user:password@host:2113`; `?tls=false` for a server without TLS. */
  readonly url: string;
  /** Ours, around every call, in ms: the client's own are ignored by half of the calls. Default 5,000. */
  readonly callTimeout?: number;
  /** How long an append whose outcome is unknown is repeated, in ms. Default 15,000. */
  readonly repeatFor?: number;
  /** How long a call that no server took is tried again, in ms. Default 2,000. */
  readonly unavailableFor?: number;
  readonly keepAlive?: KeepAlive;
  /** Calls a task every `milliseconds` until the returned function is called. Default: a timer that keeps no process alive. */
  readonly every?: (milliseconds: number, task: () => void) => () => void;
  /**
   * Milliseconds of a clock that goes on evenly. Default: the machine's own; that of the calendar may be set back, and whoever waits would wait so much longer.
   */
  readonly now?: () => number;
  readonly random?: () => number;
  readonly onNotice?: (notice: LogNotice) => void;
};

/** What keeps a log from being taken for another one: see `LogGuard`. */
export type GuardedLog = {
  /** From now on nothing is read or written after a lost connection until the check has passed; it is made every minute as well. It reads by `unguarded`. */
  readonly guard: (check: LogCheck) => void;
  readonly unguarded: LogReads;
  /** Why the log that answers is another one than before, as the check says; undefined as far as nothing says so. */
  readonly otherLog: () => string | undefined;
};

/** The log, and why it takes no writes as far as this process can tell: undefined when nothing says so. */
export type EventStoreDbLog = EventLog & GuardedLog & { readonly refusal: () => string | undefined };

/** So long a failed append says that the next ones fail too. Then one may try: nobody would know otherwise that the store is back. */
const FAILED_APPEND_COUNTS = 30_000;
/** How often the watchdog compares what subscriptions have read with the head. */
export const WATCHDOG_INTERVAL = 60_000;

const everyByTimer = (milliseconds: number, task: () => void): (() => void) => {
  const timer = setInterval(task, milliseconds).unref();
  return () => {
    clearInterval(timer);
  };
};

const unknown = (reason: string, cause: unknown): Error => new UnknownOutcome(reason, { cause });
/** Whether a call failed because the guard let it not through: that it says itself, and no longer than it lasts. */
const isGuarded = ({ cause }: Error): boolean => cause instanceof NotChecked || cause instanceof OtherLog || cause instanceof AnswerLost;

/** Never written, or gone already: there is nothing to delete. */
const settleDelete = (verdict: Verdict, error: unknown): true | undefined =>
  verdict === 'stream-deleted' || verdict === 'not-found' || (verdict === 'wrong-version' && actualRevision(error) === 'no-stream') ? true : undefined;

const expectation = (expected: ExpectedRevision) => (expected === 'no-stream' ? 'no_stream' : expected === 'any' ? 'any' : BigInt(expected));

/** Fixed texts become fixed values: what the caller does to its objects afterwards is not stored. */
const proposal = (event: EventText) =>
  jsonEvent<JSONEventType>({
    id: event.id,
    type: event.type,
    data: JSON.parse(event.data) as JSONEventType['data'],
    metadata: JSON.parse(event.metadata) as Record<string, unknown>,
  });

/**
 * The log on EventStoreDB. Opening does not wait for the server. Why it is as it is: `docs/decisions/eventstoredb-client.md`.
 * Beyond the port: an append whose outcome is unknown is repeated with the same ids and expectation (`any` is not: it does not stay idempotent over a restart);
 * when a repeat finds its events deleted meanwhile, the position given is the head's. `deleteStream` is a soft delete: `readAll` still gives the events until a
 * scavenge.
 */
export const openEventStoreDbLog = (options: EventStoreDbOptions): EventStoreDbLog => {
  const { callTimeout = 5000, repeatFor = 15_000, unavailableFor = 2000, every = everyByTimer, now = () => performance.now(), random = Math.random } = options;
  /** Half of a call's time: two questions in a row are not answered within about that. */
  const probeTimeout = callTimeout / 2;
  const connection = new EventStoreDbConnection(options.url, options.keepAlive);
  const { credentials } = connection;
  const signal = new AppendSignal();
  const closing = new AbortController();
  const notice = (kind: LogNotice['kind'], text: string): void => options.onNotice?.({ kind, text });
  let watch: Watch | undefined;
  let stopWatchdog: (() => void) | undefined;
  let stopChecking: (() => void) | undefined;
  let replacedAt = Number.NEGATIVE_INFINITY;
  /** The last append that failed for the server's sake. `away`: it did not answer, rather than say no. */
  let failedAppend: { readonly reason: string; readonly at: number; readonly away: boolean } | undefined;

  const guard = new LogGuard({
    now,
    hurry: () => watch?.hurry(),
    onOpen: () => signal.notify(),
    onVerdict(reason) {
      notice(reason === undefined ? 'same-log-again' : 'other-log', reason ?? 'The log that was followed before answers again: it is read and written again');
    },
    why: () => outage.reason,
  });
  /** Gives up the subscription and opens it again, over the connection that calls go over from now on. */
  const openAnew = (): void => {
    if (watch === undefined) return;
    guard.lost();
    watch.restart();
  };

  /** A silent peer is left: calls that run into our time-out go over another connection from then on. */
  const leaveSilentPeer = (): void => {
    if (closing.signal.aborted || now() - replacedAt < callTimeout) return;
    replacedAt = now();
    connection.replace();
    openAnew();
    notice('connection-replaced', `No answer within ${callTimeout} ms`);
  };

  const call = callUntilAnswered({
    unavailableFor,
    closing: closing.signal,
    now,
    random,
    onSilence: leaveSilentPeer,
    onRetry: (reason) => {
      notice('call-repeated', reason);
    },
  });
  const outage = new Outage({
    ask: async () => {
      await collect(connection.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true }), probeTimeout);
      heard();
    },
    every,
    onSilence: leaveSilentPeer,
  });
  const heard = (): void => {
    outage.answered();
    // What failed for a silence is no reason any more once that has ended. What the server refused says nothing for another while.
    if (failedAppend?.away === true) failedAppend = undefined;
  };
  const persist: typeof call = async (asked) => {
    let last: unknown;
    const make = async (): ReturnType<typeof asked.make> => {
      try {
        return await asked.make();
      } catch (error) {
        last = error;
        throw error;
      }
    };
    try {
      const answer = await call({ ...asked, make });
      heard();
      return answer;
    } catch (error) {
      const isGivenUp = error instanceof LogUnavailable || error instanceof UnknownOutcome;
      // What the whole log does not tell cannot be shown: nothing is taken for it then.
      const isUntold = asked.what === readingTheLog && !(last instanceof OwnWords) && ['denied', 'unknown'].includes(verdictOn(last));
      if (isGivenUp && (isAway(last) || isUntold) && !closing.signal.aborted) outage.note(wordsFor(last));
      throw error;
    }
  };
  const ensureOpen = (): void => {
    if (closing.signal.aborted) throw new LogUnavailable('The log is closed');
  };

  const reading = { client: () => connection.client, callTimeout, repeatFor: unavailableFor, call: persist };
  const reads = readingVerbs({ ...reading, pass: async (make) => guard.pass(make) });
  const unguarded = readingVerbs({ ...reading, pass: async (make) => make() });
  const followers = new Followers(reads.readAll, signal);

  const append = async (stream: string, expected: ExpectedRevision, events: readonly EventText[]): Promise<AppendResult> => {
    const what = `Appending to ${stream}`;
    const settle = (verdict: Verdict, error: unknown): undefined => {
      if (verdict === 'wrong-version') throw new WrongRevision(stream, expected, actualRevision(error));
      if (verdict === 'unacceptable') throw new UnacceptableEvents(reasonOf(error), { cause: error });
      // By somebody else's means: to whoever has read it, it is gone.
      if (verdict === 'stream-deleted' && typeof expected === 'number') throw new WrongRevision(stream, expected, 'no-stream');
      if (verdict === 'stream-deleted') throw new StreamRemoved(`${what}: the stream was removed for good`, { cause: error });
      // `any` forgets what it stored: repeating it could store it twice.
      if (verdict !== 'not-sent' && verdict !== 'not-checked' && expected === 'any') throw new UnknownOutcome(`${what}: ${wordsFor(error)}`, { cause: error });
      return undefined;
    };
    const make = async () =>
      guard.pass(async () =>
        answered(
          // Credentials choose the single-append path; the deadline ends the call itself a little before we stop waiting.
          connection.client.appendToStream(stream, events.map(proposal), {
            expectedRevision: expectation(expected),
            credentials,
            requiresLeader: true,
            deadline: callTimeout,
          }),
          callTimeout + 250,
        ),
      );
    const { nextExpectedRevision, position } = await persist({ what, make, settle, repeatFor, giveUp: unknown }).catch((error: unknown) => {
      if ((error instanceof LogUnavailable || (error instanceof UnknownOutcome && expected !== 'any')) && !isGuarded(error))
        failedAppend = {
          reason: `The event log did not take the last command: ${error.message.slice(what.length + 2)}`,
          at: now(),
          away: outage.reason !== undefined,
        };
      throw error;
    });
    failedAppend = undefined;
    signal.notify();
    // Whoever hears that the log is not available takes it that nothing was stored.
    const where =
      position?.commit ??
      (await reads.head().catch((error: unknown) => {
        throw new UnknownOutcome(`${what}: stored, but its place cannot be read (${reasonOf(error)})`, { cause: error });
      }));
    return { revision: Number(nextExpectedRevision), position: where === 'start' ? 0n : where };
  };

  const startWatching = (): void => {
    watch ??= openWatch({
      client: () => connection.client,
      onOpen: () => guard.connected(),
      onChange: () => {
        heard();
        signal.notify();
      },
      onLost: (reason, delay, wasOpen) => {
        guard.lost();
        // One that was open may end while the server lives; one that does not open says that it does not.
        if (!wasOpen) outage.note(wordsFor(reason));
        notice('subscription-lost', `${reasonOf(reason)}; again in ${Math.round(delay)} ms`);
      },
      onSilence: leaveSilentPeer,
      confirmWithin: callTimeout,
      random,
    });
    outage.watch();
    stopWatchdog ??= every(WATCHDOG_INTERVAL, () => {
      void watchOver();
    });
    // A check that could not be made, or that found another log, is made again: the right one may be there by now.
    stopChecking ??= every(PROBE_INTERVAL, () => {
      if (!guard.isOpen) void guard.look();
    });
  };

  const watchOver = async (): Promise<void> => {
    await guard.look();
    if (guard.isOpen) await compareWithHead();
  };

  /** A follower that waits while the log has gone on was not woken: wakes it, and opens the subscription anew. */
  const compareWithHead = async (): Promise<void> => {
    const waiting = followers.waiting();
    if (waiting.count === 0) return;
    try {
      const behind = waiting.behindOf(await reads.head());
      if (behind === 0) return;
      notice('subscription-behind', `${behind} of ${waiting.count} subscriptions were not woken`);
      openAnew();
      signal.notify();
    } catch (error) {
      notice('subscription-lost', `The watchdog cannot read the head: ${reasonOf(error)}`);
    }
  };

  return {
    async append(stream, expected, events) {
      const texts = prepareEvents(stream, events);
      ensureOpen();
      return append(stream, expected, texts);
    },
    ...reads,
    subscribe(after) {
      ensureOpen();
      startWatching();
      return followers.subscribe(after);
    },
    async deleteStream(stream) {
      checkDeletable(stream);
      const make = async (): Promise<true> => {
        await guard.pass(async () =>
          answered(
            connection.client.deleteStream(stream, { expectedRevision: 'any', credentials, requiresLeader: true, deadline: callTimeout }),
            callTimeout + 250,
          ),
        );
        return true;
      };
      await persist({ what: `Deleting ${stream}`, make, settle: settleDelete, repeatFor, giveUp: unknown });
    },
    guard: (check) => guard.use(check),
    unguarded,
    otherLog: () => guard.other,
    refusal() {
      if (outage.reason !== undefined) return `The event log does not answer: ${outage.reason}`;
      if (guard.refusal !== undefined) return guard.refusal;
      return failedAppend !== undefined && now() - failedAppend.at < FAILED_APPEND_COUNTS ? failedAppend.reason : undefined;
    },
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      stopWatchdog?.();
      stopChecking?.();
      guard.close();
      outage.stop();
      watch?.close();
      await followers.closeAll();
      await answered(connection.dispose(), callTimeout).catch((error: unknown) => {
        notice('subscription-lost', `Closing: ${reasonOf(error)}`);
      });
    },
  };
};
