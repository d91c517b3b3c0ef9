import { useState } from 'react';
import { asApiError, isDoubtful } from './use-command.ts';

export type DoubtedFields = {
  /** Sent, and nobody knows whether they were recorded. They go along with whatever is sent next, also when they say again what stood before. */
  readonly doubted: ReadonlySet<string>;
  /** Sends these fields. What `send` throws is thrown on. */
  readonly sending: (names: Iterable<string>, send: () => Promise<unknown>) => Promise<void>;
  /** These are no fields of the form any more. */
  readonly drop: (names: ReadonlySet<string>) => void;
};

/**
 * Keeps in mind what a form without a key has sent when the answer was lost: compared with what it was opened with, a text that was put back would look
 * unchanged.
 */
export const useDoubtedFields = (): DoubtedFields => {
  const [doubted, setDoubted] = useState<ReadonlySet<string>>(new Set());
  return {
    doubted,
    sending: async (names, send) => {
      try {
        await send();
      } catch (error) {
        if (isDoubtful(asApiError(error))) setDoubted((before) => new Set([...before, ...names]));
        throw error;
      }
    },
    drop: (names) => setDoubted((before) => new Set([...before].filter((name) => !names.has(name)))),
  };
};
