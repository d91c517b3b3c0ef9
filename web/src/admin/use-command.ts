import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, newKey } from '../lib/api-client.ts';
import { toastError, toastSuccess } from '../lib/toasts.ts';

export type CommandState = {
  readonly busy: boolean;
  /** Why it did not succeed, until the next attempt. */
  readonly failure: ApiError | undefined;
  /** The same in words. */
  readonly refusal: string | undefined;
  /** The fault of one field, by its wire name. */
  readonly faultOf: (field: string) => string | undefined;
  /** Runs a command once at a time; true when it succeeded. Everything that is shown is then read again. */
  readonly run: (command: () => Promise<unknown>) => Promise<boolean>;
  /** Runs the command of a dialog: says that it succeeded, and then closes that dialog, if it is still there: another one may stand in its place. */
  readonly finish: (command: () => Promise<unknown>, said: string, onDone: () => void) => Promise<boolean>;
  readonly forget: () => void;
};

/** The server's words, where there are any. */
const serverWords = ({ message }: ApiError): string => message || 'Something went wrong';

/**
 * One command of a dialog: locked while under way, its failure kept to be shown. Whoever has left meanwhile is told of a failure by a toast.
 * @param word says what failed; without it, what the server said
 */
export const useCommand = (word: (failure: ApiError) => string = serverWords): CommandState => {
  const client = useQueryClient();
  const under = useRef(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  const run = async (command: () => Promise<unknown>): Promise<boolean> => {
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
      const refused = error instanceof ApiError ? error : new ApiError(0, '');
      setFailure(refused);
      if (!shown.current) toastError(word(refused));
      return false;
    } finally {
      under.current = false;
      setBusy(false);
    }
  };
  return {
    busy,
    failure,
    refusal: failure && word(failure),
    faultOf: (field) => failure?.faults.find((fault) => fault.path === field)?.message,
    forget: () => {
      setFailure(undefined);
    },
    run,
    finish: async (command, said, onDone) => {
      const done = await run(command);
      if (done) toastSuccess(said);
      if (done && shown.current) onDone();
      return done;
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
