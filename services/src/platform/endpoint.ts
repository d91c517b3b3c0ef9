import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import type { Bound, Call, CommandHandler, ReadHandler } from './call.ts';

/**
 * Joins an endpoint of the contracts with the function that answers it. The handler gets a call that is authorised and parsed:
 * it holds no HTTP. `product.ts` collects what the features bind and checks that every endpoint is bound exactly once.
 *
 * @example bindRead(getTournament, (call) => found(getTournament(reader, call.params.id)))
 */
export const bindRead = <E extends Endpoint>(endpoint: E, handle: ReadHandler<E>): Bound => {
  if (endpoint.kind !== 'read') throw new Error(`${endpoint.name} is a command: bind it with bindCommand`);
  // The call was parsed with this endpoint's own schemas: that is what makes the narrower type true.
  return { endpoint, handle: async (call) => handle(call as Call<E>) };
};

/** The same for a command: it answers with the position that it reached in the log. */
export const bindCommand = <E extends Endpoint>(endpoint: E, handle: CommandHandler<E>): Bound => {
  if (endpoint.kind !== 'command') throw new Error(`${endpoint.name} is a read: bind it with bindRead`);
  return { endpoint, handle: async (call) => handle(call as Call<E>) };
};
