import { ControlRefusal } from './control-client.ts';
import { UsageError, type Verb } from './verb.ts';

/**
 * How the command line ends when a verb could not do what was asked. 2: it was called wrongly, also by what the server calls a bad request; else what the verb
 * says, where 1 is one of its answers; else 1.
 */
export const failureCodeOf = (verb: Pick<Verb, 'failureCode'>, args: readonly string[], error: unknown): number => {
  const isWrongCall = error instanceof UsageError || (error instanceof ControlRefusal && error.status === 400);
  return isWrongCall ? 2 : (verb.failureCode?.(args) ?? 1);
};
