import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

import type { Expectation, Proposed, Stored } from './eventstoredb-stand-in-store.ts';

/** The most bytes of data that one append may carry. */
export const MAX_APPEND_BYTES = 1_048_576;

/** What ends a call: a gRPC status with the trailers that the client builds its typed errors from. */
export type CallError = Partial<StatusObject> & { readonly code: status; readonly details: string };

const withTrailers = (code: status, details: string, trailers: Record<string, string> = {}): CallError => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return { code, details, metadata };
};

/** -2 any, -1 no stream, -4 stream exists: how the server's delete calls name an expectation. */
const numberOf = (expected: Expectation): string =>
  expected === 'any' ? '-2' : expected === 'no_stream' ? '-1' : expected === 'stream_exists' ? '-4' : String(expected);

export const notReady = (): CallError => withTrailers(status.UNAVAILABLE, 'Server Is Not Ready');
export const handlerThrew = (): CallError => withTrailers(status.UNKNOWN, 'Exception was thrown by handler.');
export const unexpectedResult = (kind: 'ReadStreamResult' | 'ReadAllResult'): CallError => withTrailers(status.UNKNOWN, `Unexpected ${kind}: Error`);
export const commitTimeout = (): CallError => withTrailers(status.ABORTED, 'Operation timed out: Commit phase timeout.');
export const tooSlow = (): CallError =>
  withTrailers(status.ABORTED, 'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.');
export const streamDeleted = (stream: string): CallError =>
  withTrailers(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, { exception: 'stream-deleted', 'stream-name': asTrailer(stream) });
export const appendTooLarge = (): CallError =>
  withTrailers(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND_BYTES),
  });
export const deleteWrongVersion = (stream: string, expected: Expectation, actual: bigint | 'no_stream'): CallError => {
  const last = actual === 'no_stream' ? '-1' : String(actual);
  return withTrailers(
    status.FAILED_PRECONDITION,
    `Delete failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${numberOf(expected)}, Actual version: ${last}`,
    { exception: 'wrong-expected-version', 'stream-name': asTrailer(stream), 'expected-version': numberOf(expected), 'actual-version': last },
  );
};

/** Trailers are ASCII: a name that is not would end the call with another error than the one meant. */
const asTrailer = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');

/** Identifier of a stream, as text. */
export const streamName = (identifier: shared.StreamIdentifier | undefined): string =>
  identifier ? Buffer.from(identifier.getStreamName_asU8()).toString('utf8') : '';

export const streamIdentifier = (name: string): shared.StreamIdentifier => new shared.StreamIdentifier().setStreamName(Buffer.from(name, 'utf8'));

/** A UUID in the one form that is read back: lower case with dashes. Undefined for what is none, or is nil. */
export const canonicalId = (id: shared.UUID | undefined): string | undefined => {
  if (!id) return undefined;
  let hex = id.getString().replaceAll(/[{}-]/g, '').toLowerCase();
  const structured = id.getStructured();
  if (structured)
    hex = [structured.getMostSignificantBits(), structured.getLeastSignificantBits()]
      .map((half) => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0'))
      .join('');
  if (!/^[0-9a-f]{32}$/.test(hex) || /^0+$/.test(hex)) return undefined;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** One proposed event, or undefined when the server would refuse it (no UUID, no type). */
export const proposed = (message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage): Proposed | undefined => {
  const id = canonicalId(message.getId());
  const type = message.getMetadataMap().get('type') ?? '';
  if (id === undefined || type === '') return undefined;
  return {
    id,
    type,
    contentType: message.getMetadataMap().get('content-type') ?? 'application/octet-stream',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
};

/** Only `data` counts towards the limit; types, metadata and names do not. */
export const isTooLarge = (events: readonly Proposed[]): boolean => events.reduce((sum, event) => sum + event.data.length, 0) > MAX_APPEND_BYTES;

type Expecting = { hasNoStream(): boolean; hasAny(): boolean; hasStreamExists(): boolean };

/** The expectation of an append or delete; `revision` reads the exact one. */
export const expectation = (options: Expecting, revision: () => string): Expectation => {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  return BigInt(revision());
};

/** An event as reads and subscriptions give it. */
export const readEvent = (event: Stored): streams.ReadResp => {
  const record = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(streamIdentifier(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(String(event.position))
    .setPreparePosition(String(event.position))
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  record.getMetadataMap().set('type', event.type).set('content-type', event.contentType).set('created', String(event.created));
  return new streams.ReadResp().setEvent(new streams.ReadResp.ReadEvent().setEvent(record).setCommitPosition(String(event.position)));
};
