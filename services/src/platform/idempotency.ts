import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { CommandContext } from './call.ts';

/** An Idempotency-Key was used again with another body. */
export const keyReused = (): DomainError => new DomainError('key-reused', 'This Idempotency-Key was used with another body');

type Running = { readonly fingerprint: string; readonly result: Promise<unknown> };

/** A success that recorded nothing: where the stream stood then. */
export type NothingDone = { readonly revision: number; readonly position: bigint };

/**
 * What one process knows of keyed commands beyond the streams themselves. Bounded: the oldest are forgotten.
 * Not guaranteed: after a restart (or on another gateway) a key used again with a body that names *another* stream is not seen, and a command that had nothing
 * to do is decided anew. What was recorded is never recorded twice: that is in the stream.
 */
export type IdempotencyMemory = {
  /** Runs a command, or waits for the run of the same command that is under way and gives its result. Throws `key-reused`. */
  once<T>(context: CommandContext, scope: string, run: () => Promise<T>, repeated: (first: T) => T): Promise<T>;
  /** Throws `key-reused` when this key succeeded with another body, on whatever stream. */
  check(context: CommandContext): void;
  succeeded(context: CommandContext): void;
  rememberNothingDone(context: CommandContext, stream: string, done: NothingDone): void;
  nothingDone(context: CommandContext, stream: string): NothingDone | undefined;
};

const mostKept = 50_000;

const keep = <V>(map: Map<string, V>, key: string, value: V): void => {
  map.set(key, value);
  if (map.size <= mostKept) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
};

/** What this process remembers of keyed commands; the oldest go first. */
export const createIdempotencyMemory = (): IdempotencyMemory => {
  const running = new Map<string, Running>();
  const fingerprints = new Map<string, string>();
  const without = new Map<string, NothingDone>();
  return {
    async once<T>(context: CommandContext, scope: string, run: () => Promise<T>, repeated: (first: T) => T): Promise<T> {
      if (!context.keyed) return run();
      const key = `${context.commandId} ${scope}`;
      const first = running.get(key);
      if (first !== undefined) {
        if (first.fingerprint !== context.fingerprint) throw keyReused();
        return repeated((await first.result) as T);
      }
      const result = run();
      running.set(key, { fingerprint: context.fingerprint, result });
      try {
        return await result;
      } finally {
        running.delete(key);
      }
    },
    check(context) {
      const fingerprint = fingerprints.get(context.commandId);
      if (fingerprint !== undefined && fingerprint !== context.fingerprint) throw keyReused();
    },
    succeeded(context) {
      if (context.keyed) keep(fingerprints, context.commandId, context.fingerprint);
    },
    rememberNothingDone(context, stream, done) {
      if (context.keyed) keep(without, `${context.commandId} ${stream}`, done);
    },
    nothingDone: (context, stream) => (context.keyed ? without.get(`${context.commandId} ${stream}`) : undefined),
  };
};
