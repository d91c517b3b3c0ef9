import type { sendUnaryData, ServerReadableStream, ServerUnaryCall } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

import type { AppendFault, StandInFaults } from './eventstoredb-stand-in-faults.ts';
import type { Expectation, Outcome, Proposed, StandInStore } from './eventstoredb-stand-in-store.ts';
import * as values from './eventstoredb-stand-in-values.ts';

/** What the services of the stand-in share. `cut` cuts the connection that a call came by. */
export type StandInContext = { readonly store: () => StandInStore; readonly faults: StandInFaults; readonly cut: (peer: string) => void };

/** 'cut': there is nobody left to answer. */
export type Decision = Outcome | values.CallError | 'cut';

/** Stores an append that has arrived whole, or meets the fault that was switched on for it. Both append paths come through here. */
export const decideAppend = async (
  context: StandInContext,
  peer: string,
  stream: string,
  expected: Expectation,
  events: readonly Proposed[],
  fault: AppendFault | undefined,
): Promise<Decision> => {
  const { faults } = context;
  const overtaken = await faults.pass(`${stream} ${events.map((event) => event.id).join(' ')}`);
  if (overtaken) return overtaken;
  const before = context.store().log.length;
  const outcome = context.store().append(stream, expected, events);
  if (context.store().log.length > before) faults.seen.stored += 1;
  if (fault === 'stored-not-answered') {
    context.cut(peer);
    return 'cut';
  }
  return outcome;
};

const appendAnswer = (expected: Expectation, outcome: Outcome): streams.AppendResp => {
  const answer = new streams.AppendResp();
  if (outcome.kind === 'wrong-version') {
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (outcome.actual === 'no_stream') wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(outcome.actual));
    if (expected === 'any') wrong.setExpectedAny(new shared.Empty());
    else if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty());
    else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new shared.Empty());
    else wrong.setExpectedRevision(String(expected));
    return answer.setWrongExpectedVersion(wrong);
  }
  const success = new streams.AppendResp.Success();
  if (outcome.kind === 'stored') {
    if (outcome.revision === 'no_stream') success.setNoStream(new shared.Empty());
    else success.setCurrentRevision(String(outcome.revision));
    if (outcome.position === undefined) success.setNoPosition(new shared.Empty());
    else success.setPosition(new streams.AppendResp.Position().setCommitPosition(String(outcome.position)).setPreparePosition(String(outcome.position)));
  }
  return answer.setSuccess(success);
};

/** One append per call: options first, then one message per event. */
export const handleAppend =
  (context: StandInContext) =>
  (call: ServerReadableStream<streams.AppendReq, streams.AppendResp>, answer: sendUnaryData<streams.AppendResp>): void => {
    if (context.faults.notReady) {
      answer(values.notReady());
      return;
    }
    const fault = context.faults.takeAppendFault();
    if (fault === 'cut-before') {
      context.cut(call.getPeer());
      return;
    }
    let options: streams.AppendReq.Options | undefined;
    const events: (Proposed | undefined)[] = [];
    const finish = async (): Promise<void> => {
      if (!options || call.cancelled) return;
      const stream = values.streamName(options.getStreamIdentifier());
      const asked = options;
      const expected = values.expectation(asked, () => asked.getRevision());
      const good = events.filter((event) => event !== undefined);
      if (stream === '' || good.length < events.length) {
        answer(values.handlerThrew());
        return;
      }
      if (values.isTooLarge(good)) {
        answer(values.appendTooLarge());
        return;
      }
      const decision = await decideAppend(context, call.getPeer(), stream, expected, good, fault);
      if (decision === 'cut') return;
      if ('code' in decision) answer(decision);
      else if (decision.kind === 'stream-deleted') answer(values.streamDeleted(stream));
      else answer(null, appendAnswer(expected, decision));
    };
    call.on('data', (message: streams.AppendReq) => {
      options ??= message.getOptions();
      const event = message.getProposedMessage();
      if (event) events.push(values.proposed(event));
      if (event && fault === 'cut-during') context.cut(call.getPeer());
    });
    call.on('end', () => {
      // A connection that breaks ends the request like a client that has sent all of it; the difference is known a turn later. Half an append must not be
      // stored.
      setImmediate(() => {
        void finish();
      });
    });
  };

type Removal = { readonly stream: string; readonly expected: Expectation };

const removal = (options: streams.DeleteReq.Options | streams.TombstoneReq.Options | undefined): Removal => ({
  stream: values.streamName(options?.getStreamIdentifier()),
  expected: options ? values.expectation(options, () => options.getRevision()) : 'any',
});

/** The position that a delete or tombstone was written at, or the error it is refused with. */
const removed = (context: StandInContext, verb: 'delete' | 'tombstone', { stream, expected }: Removal): bigint | values.CallError => {
  if (context.faults.notReady) return values.notReady();
  const outcome = context.store()[verb](stream, expected);
  if (outcome.kind === 'stream-deleted') return values.streamDeleted(stream);
  if (outcome.kind === 'wrong-version') return values.deleteWrongVersion(stream, expected, outcome.actual);
  return outcome.position ?? 0n;
};

export const handleDelete =
  (context: StandInContext) =>
  (call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>, answer: sendUnaryData<streams.DeleteResp>): void => {
    const position = removed(context, 'delete', removal(call.request.getOptions()));
    if (typeof position === 'bigint')
      answer(
        null,
        new streams.DeleteResp().setPosition(new streams.DeleteResp.Position().setCommitPosition(String(position)).setPreparePosition(String(position))),
      );
    else answer(position);
  };

export const handleTombstone =
  (context: StandInContext) =>
  (call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>, answer: sendUnaryData<streams.TombstoneResp>): void => {
    const position = removed(context, 'tombstone', removal(call.request.getOptions()));
    if (typeof position === 'bigint')
      answer(
        null,
        new streams.TombstoneResp().setPosition(new streams.TombstoneResp.Position().setCommitPosition(String(position)).setPreparePosition(String(position))),
      );
    else answer(position);
  };
