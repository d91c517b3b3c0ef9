import type { ServerWritableStream } from '@grpc/grpc-js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';

/** A read or subscription: one request, many answers. */
export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

/** Writes; gives a promise when there is no room for more, which settles when there is, or when the client has gone. */
export const writerTo = (call: ReadCall): ((message: streams.ReadResp) => Promise<void> | undefined) => {
  const gone = new Promise<void>((resolve) => {
    call.once('cancelled', resolve);
  });
  return (message) => {
    if (call.cancelled || call.write(message)) return undefined;
    const drained = new Promise<void>((resolve) => {
      call.once('drain', resolve);
    });
    return Promise.race([drained, gone]);
  };
};
