import { randomUUID } from 'node:crypto';

import streams from '@eventstore/db-client/generated/streams_pb.js';

import type { StandInContext } from './eventstoredb-stand-in-append.ts';
import type { LiveSubscription } from './eventstoredb-stand-in-faults.ts';
import type { StandInStore, Stored } from './eventstoredb-stand-in-store.ts';
import * as values from './eventstoredb-stand-in-values.ts';
import { writerTo, type ReadCall } from './eventstoredb-stand-in-writer.ts';

/** A live consumer that takes nothing for this long ... */
const SLOW_AFTER_MS = 300;
/** ... and is behind by more than this many events is dropped. */
const SLOW_BEHIND = 32;
/** Events scanned for a checkpoint when the client names no window. */
const DEFAULT_WINDOW = 32;

type Filter = { matches(event: Stored): boolean; readonly checkpointEvery: number };

const filterOf = (options: streams.ReadReq.Options): Filter | undefined => {
  const asked = options.getFilter();
  if (!asked) return undefined;
  const byStream = asked.hasStreamIdentifier();
  const expression = byStream ? asked.getStreamIdentifier() : asked.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  const pattern = expression?.getRegex();
  const regex = pattern ? new RegExp(pattern) : undefined;
  const window = asked.hasMax() ? asked.getMax() : DEFAULT_WINDOW;
  return {
    matches: (event) => {
      const text = byStream ? event.stream : event.type;
      return regex ? regex.test(text) : prefixes.some((prefix) => text.startsWith(prefix));
    },
    checkpointEvery: window * asked.getCheckpointintervalmultiplier(),
  };
};

type Start = { readonly index: number; readonly stream: string | undefined; readonly after: bigint };

/** Where a subscription begins (exclusive), or the error it is refused with. */
const startOf = (store: StandInStore, options: streams.ReadReq.Options): Start | values.CallError => {
  const all = options.getAll();
  if (all) {
    if (all.hasEnd()) return { index: store.log.length, stream: undefined, after: -1n };
    const position = all.hasPosition() ? BigInt(all.getPosition()?.getCommitPosition() ?? '0') : -1n;
    if (position >= 0n && !store.isBoundary(position)) return values.handlerThrew();
    return { index: store.indexFrom(position + 1n), stream: undefined, after: -1n };
  }
  const asked = options.getStream();
  const stream = values.streamName(asked?.getStreamIdentifier());
  if (!asked || stream === '') return values.handlerThrew();
  if (store.visible(stream) === 'deleted') return values.streamDeleted(stream);
  return { index: asked.hasEnd() ? store.log.length : 0, stream, after: asked.hasRevision() ? BigInt(asked.getRevision()) : -1n };
};

/** Confirmation, what is there already, caughtUp, then what comes. Ends only by the client, by a fault, or because the consumer is too slow. */
export const handleSubscription = async (context: StandInContext, call: ReadCall, options: streams.ReadReq.Options): Promise<void> => {
  const store = context.store();
  const start = startOf(store, options);
  if ('code' in start) {
    call.emit('error', start);
    return;
  }
  const { stream, after } = start;
  const filter = filterOf(options);
  const state = { index: start.index, live: false, over: false };
  // A function, because it changes while the loop below waits.
  const isOver = (): boolean => state.over;
  let wake = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const finish = (): void => {
    state.over = true;
    ended.resolve();
    wake.resolve();
  };
  const subscription: LiveSubscription = {
    fail: (error) => {
      if (!state.over) call.emit('error', error);
      finish();
    },
    end: () => {
      if (!state.over) call.end();
      finish();
    },
  };
  const unlisten = store.onWrite(() => {
    wake.resolve();
  });
  call.on('cancelled', finish);

  const writeOut = writerTo(call);
  /** Waits until the consumer has taken it; a live one that takes nothing is dropped. */
  const write = async (message: streams.ReadResp): Promise<void> => {
    if (state.over) return;
    const room = writeOut(message);
    if (!room) return;
    const watch = setInterval(() => {
      if (state.live && store.log.length - state.index > SLOW_BEHIND) subscription.fail(values.tooSlow());
    }, SLOW_AFTER_MS);
    await Promise.race([room, ended.promise]);
    clearInterval(watch);
  };

  let scanned = 0;
  let lastMatched = 0n;
  const handle = async (event: Stored): Promise<void> => {
    if (state.live && context.faults.withholdLive) return;
    if (stream !== undefined) {
      if (event.stream !== stream) return;
      const visible = store.visible(stream);
      if (visible === 'deleted') subscription.fail(values.streamDeleted(stream));
      else if (visible !== 'not-found' && event.revision > after && event.revision >= (visible[0]?.revision ?? 0n)) await write(values.readEvent(event));
      return;
    }
    if (!filter || filter.matches(event)) {
      await write(values.readEvent(event));
      lastMatched = event.position;
    }
    if (!filter) return;
    scanned += 1;
    if (scanned % filter.checkpointEvery !== 0) return;
    // While catching up the prepare position is a stale one, as recorded.
    const prepare = state.live ? event.position : lastMatched;
    await write(
      new streams.ReadResp().setCheckpoint(new streams.ReadResp.Checkpoint().setCommitPosition(String(event.position)).setPreparePosition(String(prepare))),
    );
  };

  await write(new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID())));
  while (!isOver()) {
    wake = Promise.withResolvers();
    for (let event = store.log[state.index]; event && !isOver(); event = store.log[state.index]) {
      state.index += 1;
      await handle(event);
    }
    // A stream that is not there has no end to be caught up with.
    if (!isOver() && !state.live && (stream === undefined || typeof store.visible(stream) !== 'string')) {
      await write(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
      state.live = true;
      context.faults.wentLive(subscription);
      continue;
    }
    if (!isOver()) await wake.promise;
  }
  context.faults.ended(subscription);
  unlisten();
};
