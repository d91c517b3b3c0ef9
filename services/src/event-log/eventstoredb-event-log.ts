/* oxlint-disable no-await-in-loop -- pages follow one another */
import { BACKWARDS, END, FORWARDS, jsonEvent, START, type AllStreamResolvedEvent, type JSONEventType, type Position, type ReadAllOptions, type ReadStreamOptions } from '@eventstore/db-client';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';

import { callUntilAnswered } from './eventstoredb-event-log-attempts.ts';
import { EventStoreDbConnection, type KeepAlive } from './eventstoredb-event-log-connection.ts';
import { actualRevision, reasonOf, type Verdict } from './eventstoredb-event-log-errors.ts';
import { answered, collect, isSystemEvent, recordedEvents } from './eventstoredb-event-log-read.ts';
import { isAway, Outage } from './eventstoredb-event-log-outage.ts';
import { openWatch, type Watch } from './eventstoredb-event-log-watch.ts';
import { LogUnavailable, UnacceptableEvents, UnknownOutcome, WrongRevision, type After, type AppendResult, type EventLog, type ExpectedRevision, type Subscription } from './event-log.ts';
import { checkDeletable, checkStreamName, prepareEvents, type EventText } from './prepare-append.ts';
import { AppendSignal, pullSubscription } from './pull-subscription.ts';

/** What operators are told. `text` holds no data of events and no password. */
export type LogNotice = { readonly kind: 'subscription-lost' | 'subscription-behind' | 'connection-replaced' | 'call-repeated'; readonly text: string };

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
  readonly now?: () => number;
  readonly random?: () => number;
  readonly onNotice?: (notice: LogNotice) => void;
};

/** The log, and why it takes no writes as far as this process can tell: undefined when nothing says so. */
export type EventStoreDbLog = EventLog & { readonly refusal: () => string | undefined };

/** So long a failed append says that the next ones fail too. Then one may try: nobody would know otherwise that the store is back. */
const FAILED_APPEND_COUNTS = 30_000;
/** How often the watchdog compares what subscriptions have read with the head. */
export const WATCHDOG_INTERVAL = 60_000;
/** Most events of one call: a page is held in memory. */
const LARGEST_PAGE = 2048;

const everyByTimer = (milliseconds: number, task: () => void): (() => void) => {
  const timer = setInterval(task, milliseconds).unref();
  return () => {
    clearInterval(timer);
  };
};

const unavailable = (reason: string): Error => new LogUnavailable(reason);
const unknown = (reason: string): Error => new UnknownOutcome(reason);

/** Never written, or gone already: there is nothing to delete. */
const settleDelete = (verdict: Verdict, error: unknown): true | undefined =>
  verdict === 'stream-deleted' || verdict === 'not-found' || (verdict === 'wrong-version' && actualRevision(error) === 'no-stream') ? true : undefined;

type Follower = { position: After; waiting: boolean };

const expectation = (expected: ExpectedRevision) => (expected === 'no-stream' ? 'no_stream' : expected === 'any' ? 'any' : BigInt(expected));

/** Fixed texts become fixed values: what the caller does to its objects afterwards is not stored. */
const proposal = (event: EventText) =>
  jsonEvent<JSONEventType>({ id: event.id, type: event.type, data: JSON.parse(event.data) as JSONEventType['data'], metadata: JSON.parse(event.metadata) as Record<string, unknown> });

/**
 * The log on EventStoreDB. Opening does not wait for the server. Why it is as it is: `docs/decisions/eventstoredb-client.md`.
 *
 * Beyond the port: an append whose outcome is unknown is repeated with the same ids and expectation (`any` is not: it does not stay idempotent over a restart);
 * when a repeat finds its events deleted meanwhile, the position given is the head's. `deleteStream` is a soft delete: `readAll` still gives the events until a scavenge.
 */
export const openEventStoreDbLog = (options: EventStoreDbOptions): EventStoreDbLog => {
  const { callTimeout = 5000, repeatFor = 15_000, unavailableFor = 2000, every = everyByTimer, now = Date.now, random = Math.random } = options;
  /** Half of a call's time: two questions in a row are not answered within about that. */
  const probeTimeout = callTimeout / 2;
  const connection = new EventStoreDbConnection(options.url, options.keepAlive);
  const { credentials } = connection;
  const signal = new AppendSignal();
  const followers = new Set<Follower>();
  const subscriptions = new Set<Subscription>();
  const closing = new AbortController();
  const notice = (kind: LogNotice['kind'], text: string): void => options.onNotice?.({ kind, text });
  let watch: Watch | undefined;
  let stopWatchdog: (() => void) | undefined;
  let replacedAt = Number.NEGATIVE_INFINITY;
  /** The last append that failed for the server's sake. `away`: it did not answer, rather than say no. */
  let failedAppend: { readonly reason: string; readonly at: number; readonly away: boolean } | undefined;

  /** A silent peer is left: calls that run into our time-out go over another connection from then on. */
  const leaveSilentPeer = (): void => {
    if (closing.signal.aborted || now() - replacedAt < callTimeout) return;
    replacedAt = now();
    connection.replace();
    watch?.restart();
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
      await collect(connection.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true }), probeTimeout, 'readAll');
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
      if (isGivenUp && isAway(last) && !closing.signal.aborted) outage.note(reasonOf(last));
      throw error;
    }
  };
  const ensureOpen = (): void => {
    if (closing.signal.aborted) throw new LogUnavailable('The log is closed');
  };


  const readPage = async (range: ReadAllOptions): Promise<readonly AllStreamResolvedEvent[]> =>
    persist({
      what: 'Reading the log',
      make: () => collect(connection.client.readAll({ ...range, requiresLeader: true }), callTimeout, 'readAll'),
      repeatFor: unavailableFor,
      giveUp: unavailable,
    });

  const head = async (): Promise<After> => {
    let from: Position | typeof END = END;
    for (let size = 8; ; size = Math.min(size * 8, LARGEST_PAGE)) {
      const events: readonly AllStreamResolvedEvent[] = await readPage({ direction: BACKWARDS, fromPosition: from, maxCount: size });
      const ours = events.find(({ event }) => event !== undefined && !isSystemEvent(event.type));
      if (ours?.event) return ours.event.position.commit;
      const last = events.at(-1)?.event;
      if (events.length < size || !last) return 'start';
      from = last.position;
    }
  };

  const readAll = async (after: After, limit: number): Promise<readonly RecordedEvent[]> => {
    const found: RecordedEvent[] = [];
    let from = after;
    while (found.length < limit) {
      const at = from;
      // Inclusive: the event at the position comes again and is left out.
      const count = Math.min(limit - found.length, LARGEST_PAGE) + (at === 'start' ? 0 : 1);
      const page = await readPage({ direction: FORWARDS, fromPosition: at === 'start' ? START : { commit: at, prepare: at }, maxCount: count });
      found.push(...recordedEvents(page).filter((event) => at === 'start' || event.position > at));
      const last = page.at(-1)?.event;
      if (page.length < count || !last || last.position.commit === at) break;
      from = last.position.commit;
    }
    return found.slice(0, limit);
  };

  const append = async (stream: string, expected: ExpectedRevision, events: readonly EventText[]): Promise<AppendResult> => {
    const what = `Appending to ${stream}`;
    const settle = (verdict: Verdict, error: unknown): undefined => {
      if (verdict === 'wrong-version') throw new WrongRevision(stream, expected, actualRevision(error));
      if (verdict === 'unacceptable') throw new UnacceptableEvents(reasonOf(error), { cause: error });
      if (verdict === 'stream-deleted') throw new UnacceptableEvents(`${what}: the stream was removed for good`, { cause: error });
      // `any` forgets what it stored: repeating it could store it twice.
      if (verdict !== 'not-sent' && expected === 'any') throw new UnknownOutcome(`${what}: ${reasonOf(error)}`, { cause: error });
      return undefined;
    };
    const make = () =>
      answered(
        // Credentials choose the single-append path; the deadline ends the call itself a little before we stop waiting.
        connection.client.appendToStream(stream, events.map(proposal), { expectedRevision: expectation(expected), credentials, requiresLeader: true, deadline: callTimeout }),
        callTimeout + 250,
        'appendToStream',
      );
    const { nextExpectedRevision, position } = await persist({ what, make, settle, repeatFor, giveUp: unknown }).catch((error: unknown) => {
      if (error instanceof LogUnavailable || (error instanceof UnknownOutcome && expected !== 'any')) failedAppend = { reason: error.message, at: now(), away: outage.reason !== undefined };
      throw error;
    });
    failedAppend = undefined;
    signal.notify();
    const where = position?.commit ?? (await head());
    return { revision: Number(nextExpectedRevision), position: where === 'start' ? 0n : where };
  };

  const startWatching = (): void => {
    watch ??= openWatch({
      client: () => connection.client,
      onChange: () => {
        heard();
        signal.notify();
      },
      onLost: (reason, delay, wasOpen) => {
        // One that was open may end while the server lives; one that does not open says that it does not.
        if (!wasOpen) outage.note(reason);
        notice('subscription-lost', `${reason}; again in ${Math.round(delay)} ms`);
      },
      onSilence: leaveSilentPeer,
      confirmWithin: callTimeout,
      random,
    });
    outage.watch();
    stopWatchdog ??= every(WATCHDOG_INTERVAL, () => {
      void compareWithHead();
    });
  };

  /** A follower that waits while the log has gone on was not woken: wakes it, and opens the subscription anew. */
  const compareWithHead = async (): Promise<void> => {
    const waiting = [...followers].filter((follower) => follower.waiting).map((follower) => ({ follower, position: follower.position }));
    if (waiting.length === 0) return;
    try {
      const end = await head();
      const behind = waiting.filter(({ follower, position }) => follower.waiting && follower.position === position && end !== 'start' && (position === 'start' || position < end));
      if (behind.length === 0) return;
      notice('subscription-behind', `${behind.length} of ${waiting.length} subscriptions were not woken`);
      watch?.restart();
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
    async readStream(stream, from = 0, limit = Number.POSITIVE_INFINITY) {
      checkStreamName(stream);
      // A count of 0 is answered with an error: one event says whether the stream is there.
      const range: ReadStreamOptions = { fromRevision: BigInt(from), requiresLeader: true, ...(limit === Number.POSITIVE_INFINITY ? {} : { maxCount: Math.max(limit, 1) }) };
      const read = (): Promise<readonly RecordedEvent[] | 'none'> => collect(connection.client.readStream(stream, range), callTimeout, 'readStream').then(recordedEvents);
      const events = await persist({
        what: `Reading ${stream}`,
        make: read,
        settle: (verdict) => (verdict === 'not-found' || verdict === 'stream-deleted' ? 'none' : undefined),
        repeatFor: unavailableFor,
        giveUp: unavailable,
      });
      return events === 'none' ? undefined : events.slice(0, limit);
    },
    readAll,
    subscribe(after) {
      ensureOpen();
      startWatching();
      const follower: Follower = { position: after, waiting: false };
      followers.add(follower);
      const read = async (position: After, limit: number): Promise<readonly RecordedEvent[]> => {
        follower.waiting = false;
        follower.position = position;
        const events = await readAll(position, limit);
        follower.waiting = events.length === 0;
        return events;
      };
      const pulled = pullSubscription(after, read, signal);
      const subscription: Subscription = {
        next: (limit) => pulled.next(limit),
        async close() {
          followers.delete(follower);
          subscriptions.delete(subscription);
          await pulled.close();
        },
      };
      subscriptions.add(subscription);
      return subscription;
    },
    async deleteStream(stream) {
      checkDeletable(stream);
      const make = async (): Promise<true> => {
        await answered(connection.client.deleteStream(stream, { expectedRevision: 'any', credentials, requiresLeader: true, deadline: callTimeout }), callTimeout + 250, 'deleteStream');
        return true;
      };
      await persist({ what: `Deleting ${stream}`, make, settle: settleDelete, repeatFor, giveUp: unknown });
    },
    head,
    refusal() {
      if (outage.reason !== undefined) return `The event log does not answer: ${outage.reason}`;
      return failedAppend !== undefined && now() - failedAppend.at < FAILED_APPEND_COUNTS ? failedAppend.reason : undefined;
    },
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      stopWatchdog?.();
      outage.stop();
      watch?.close();
      await Promise.all([...subscriptions].map((subscription) => subscription.close()));
      await answered(connection.dispose(), callTimeout, 'dispose').catch((error: unknown) => {
        notice('subscription-lost', `Closing: ${reasonOf(error)}`);
      });
    },
  };
};
