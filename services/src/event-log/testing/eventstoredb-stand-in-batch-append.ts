import { status as grpcStatus, type ServerDuplexStream } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';

import { decideAppend, type StandInContext } from './eventstoredb-stand-in-append.ts';
import type { Expectation, Outcome, Proposed } from './eventstoredb-stand-in-store.ts';
import * as values from './eventstoredb-stand-in-values.ts';

type Pending = { readonly options: streams.BatchAppendReq.Options; readonly events: (Proposed | undefined)[] };
type Batches = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

/** After a bad request the server answers a second time, which the client does not survive. */
const SECOND_ANSWER_MS = 2000;

const failure = (code: number, message: string, details: { serializeBinary(): Uint8Array }, type: string): statusPb.Status => {
  const packed = new anyPb.Any();
  packed.pack(details.serializeBinary(), type);
  return new statusPb.Status().setCode(code).setMessage(message).setDetails(packed);
};

const badRequest = (): statusPb.Status => failure(grpcStatus.INVALID_ARGUMENT, 'BadRequest', new shared.BadRequest(), 'event_store.client.BadRequest');
const tooLarge = (): statusPb.Status =>
  failure(
    grpcStatus.INVALID_ARGUMENT,
    'MaximumAppendSizeExceeded',
    new shared.MaximumAppendSizeExceeded().setMaxappendsize(values.MAX_APPEND_BYTES),
    'event_store.client.MaximumAppendSizeExceeded',
  );
const timedOut = (): statusPb.Status => failure(grpcStatus.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout(), 'event_store.client.Timeout');
const notReady = (): statusPb.Status => failure(grpcStatus.UNAVAILABLE, 'Server Is Not Ready', new emptyPb.Empty(), 'google.protobuf.Empty');

const wrongVersion = (expected: Expectation, actual: bigint | 'no_stream'): statusPb.Status => {
  const wrong = new shared.WrongExpectedVersion();
  if (actual === 'no_stream') wrong.setCurrentNoStream(new emptyPb.Empty());
  else wrong.setCurrentStreamRevision(String(actual));
  if (expected === 'any') wrong.setExpectedAny(new emptyPb.Empty());
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new emptyPb.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new emptyPb.Empty());
  else wrong.setExpectedStreamPosition(String(expected));
  return failure(grpcStatus.FAILED_PRECONDITION, 'WrongExpectedVersion', wrong, 'event_store.client.WrongExpectedVersion');
};

const success = (outcome: Outcome & { kind: 'stored' }): streams.BatchAppendResp.Success => {
  const stored = new streams.BatchAppendResp.Success();
  if (outcome.revision === 'no_stream') stored.setNoStream(new emptyPb.Empty());
  else stored.setCurrentRevision(String(outcome.revision));
  if (outcome.position === undefined) stored.setNoPosition(new emptyPb.Empty());
  else stored.setPosition(new shared.AllStreamPosition().setCommitPosition(String(outcome.position)).setPreparePosition(String(outcome.position)));
  return stored;
};

const decide = async (
  context: StandInContext,
  call: Batches,
  stream: string,
  { options, events }: Pending,
): Promise<statusPb.Status | streams.BatchAppendResp.Success | 'cut'> => {
  if (context.faults.notReady) return notReady();
  const good = events.filter((event) => event !== undefined);
  if (stream === '' || good.length < events.length) return badRequest();
  if (values.isTooLarge(good)) return tooLarge();
  const expected = values.expectation(options, () => options.getStreamPosition());
  const fault = context.faults.takeAppendFault();
  if (fault === 'cut-before' || fault === 'cut-during') {
    context.cut(call.getPeer());
    return 'cut';
  }
  const decision = await decideAppend(context, call.getPeer(), stream, expected, good, fault);
  if (decision === 'cut') return 'cut';
  if ('code' in decision) return timedOut();
  if (decision.kind === 'wrong-version') return wrongVersion(expected, decision.actual);
  if (decision.kind === 'stream-deleted')
    return failure(
      grpcStatus.FAILED_PRECONDITION,
      'StreamDeleted',
      new shared.StreamDeleted().setStreamIdentifier(values.streamIdentifier(stream)),
      'event_store.client.StreamDeleted',
    );
  return success(decision);
};

/** Many appends over one long call, told apart by their correlation ids. */
export const handleBatchAppend =
  (context: StandInContext) =>
  (call: Batches): void => {
    const pending = new Map<string, Pending>();
    const finish = async (correlation: shared.UUID, append: Pending): Promise<void> => {
      const stream = values.streamName(append.options.getStreamIdentifier());
      const result = await decide(context, call, stream, append);
      if (result === 'cut' || call.cancelled) return;
      const answer = new streams.BatchAppendResp().setCorrelationId(correlation).setStreamIdentifier(values.streamIdentifier(stream));
      if (result instanceof statusPb.Status) answer.setError(result);
      else answer.setSuccess(result);
      call.write(answer);
      if (result instanceof statusPb.Status && result.getMessage() === 'BadRequest' && stream !== '') {
        const again = setTimeout(() => {
          call.write(new streams.BatchAppendResp().setCorrelationId(correlation).setStreamIdentifier(values.streamIdentifier(stream)).setError(timedOut()));
        }, SECOND_ANSWER_MS);
        call.once('cancelled', () => {
          clearTimeout(again);
        });
      }
    };
    call.on('data', (message: streams.BatchAppendReq) => {
      const correlation = message.getCorrelationId();
      if (!correlation) return;
      const key = correlation.getString();
      const options = message.getOptions();
      const append = pending.get(key) ?? (options && { options, events: [] });
      if (!append) return;
      for (const event of message.getProposedMessagesList()) append.events.push(values.proposed(event));
      if (!message.getIsFinal()) {
        pending.set(key, append);
        return;
      }
      pending.delete(key);
      void finish(correlation, append);
    });
    call.on('end', () => {
      call.end();
    });
  };
