import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, newKey } from '../lib/api-client.ts';

export type CommandState = {
  readonly busy: boolean;
  /** Why it did not succeed, until the next attempt. */
  readonly failure: ApiError | undefined;
  /** The fault of one field, by its wire name. */
  readonly faultOf: (field: string) => string | undefined;
  /** Runs a command once at a time; true when it succeeded. Everything that is shown is then read again. */
  readonly run: (command: () => Promise<unknown>) => Promise<boolean>;
  readonly forget: () => void;
};

/** One command of a dialog: locked while under way, its failure kept for the page to word. */
export const useCommand = (): CommandState => {
  const client = useQueryClient();
  const under = useRef(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  return {
    busy,
    failure,
    faultOf: (field) => failure?.faults.find((fault) => fault.path === field)?.message,
    forget: () => {
      setFailure(undefined);
    },
    run: async (command) => {
      // A second click before the next paint must not send twice.
      if (under.current) return false;
      under.current = true;
      setBusy(true);
      setFailure(undefined);
      try {
        await command();
        void client.invalidateQueries();
        return true;
      } catch (error) {
        setFailure(error instanceof ApiError ? error : new ApiError(0, ''));
        return false;
      } finally {
        under.current = false;
        setBusy(false);
      }
    },
  };
};

/** An idempotency key for what is sent: the same for the same content, so that a retry is applied once; a new one for other content. */
export const useAttemptKey = (): ((content: string) => string) => {
  const attempt = useRef<{ readonly content: string; readonly key: string }>(undefined);
  return (content) => {
    if (attempt.current?.content !== content) attempt.current = { content, key: newKey() };
    return attempt.current.key;
  };
};
