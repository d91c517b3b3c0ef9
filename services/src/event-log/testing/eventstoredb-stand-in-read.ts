import streams from '@eventstore/db-client/generated/streams_pb.js';

import type { StandInContext } from './eventstoredb-stand-in-append.ts';
import type { Stored } from './eventstoredb-stand-in-store.ts';
import { handleSubscription } from './eventstoredb-stand-in-subscription.ts';
import * as values from './eventstoredb-stand-in-values.ts';
import { writerTo, type ReadCall } from './eventstoredb-stand-in-writer.ts';

const { BACKWARDS } = streams.ReadReq.Options.ReadDirection;

const writeEvents = async (call: ReadCall, events: Iterable<Stored>): Promise<void> => {
  const write = writerTo(call);
  for (const event of events) {
    if (call.cancelled) return;
    // One after the other: the next is not built before the last was taken.
    await write(values.readEvent(event));
  }
  call.end();
};

/** `count` events from an index on, in either direction; `length` fixes what was there when the read began. */
function* walk(events: readonly Stored[], from: number, step: 1 | -1, count: number, length: number): Generator<Stored> {
  let left = count;
  for (let i = from; left > 0 && i >= 0 && i < length; i += step, left -= 1) {
    const event = events[i];
    if (event) yield event;
  }
}

const readStream = async (context: StandInContext, call: ReadCall, options: streams.ReadReq.Options): Promise<void> => {
  const asked = options.getStream();
  const name = values.streamName(asked?.getStreamIdentifier());
  if (!asked || name === '') {
    call.emit('error', values.handlerThrew());
    return;
  }
  const count = Number(options.getCount());
  const backwards = options.getReadDirection() === BACKWARDS;
  if (count === 0 || (asked.hasEnd() && !backwards)) {
    call.emit('error', values.unexpectedResult('ReadStreamResult'));
    return;
  }
  const events = context.store().visible(name);
  if (events === 'deleted') {
    call.emit('error', values.streamDeleted(name));
    return;
  }
  if (events === 'not-found') {
    call.write(new streams.ReadResp().setStreamNotFound(new streams.ReadResp.StreamNotFound().setStreamIdentifier(values.streamIdentifier(name))));
    call.end();
    return;
  }
  const first = events[0]?.revision ?? 0n;
  const wanted = asked.hasRevision() ? BigInt(asked.getRevision()) : undefined;
  const last = events.length - 1;
  let from = asked.hasEnd() ? last : 0;
  if (wanted !== undefined) from = wanted < first ? (backwards ? -1 : 0) : Number(wanted - first);
  if (backwards && from > last) from = last;
  await writeEvents(call, walk(events, from, backwards ? -1 : 1, count, events.length));
};

const readAll = async (context: StandInContext, call: ReadCall, options: streams.ReadReq.Options): Promise<void> => {
  const asked = options.getAll();
  const count = Number(options.getCount());
  // A count of 0 was never answered.
  if (!asked || count === 0) return;
  const store = context.store();
  const backwards = options.getReadDirection() === BACKWARDS;
  let index = asked.hasEnd() ? store.log.length : 0;
  if (asked.hasPosition()) {
    const position = BigInt(asked.getPosition()?.getCommitPosition() ?? '0');
    if (!store.isBoundary(position)) {
      call.emit('error', values.unexpectedResult('ReadAllResult'));
      return;
    }
    index = store.indexFrom(position);
  }
  // Forwards gives the event at the position, backwards begins before it.
  await writeEvents(call, walk(store.log, backwards ? index - 1 : index, backwards ? -1 : 1, count, store.log.length));
};

/** Reads of a stream and of all, and subscriptions to both. */
export const handleRead =
  (context: StandInContext) =>
  (call: ReadCall): void => {
    const options = call.request.getOptions();
    if (context.faults.notReady) call.emit('error', values.notReady());
    else if (!options) call.emit('error', values.handlerThrew());
    else if (options.hasSubscription()) void handleSubscription(context, call, options);
    else if (options.hasStream()) void readStream(context, call, options);
    else void readAll(context, call, options);
  };
