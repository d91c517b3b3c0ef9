import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError, failureText, newKey } from '../lib/api-client.ts';
import { leavesOpen } from '../lib/leaves-open.rules.ts';
import { toastError, toastSuccess } from '../lib/toasts.ts';
import { useShown } from '../lib/use-shown.ts';

export type CommandState = {
  readonly busy: boolean;
  /** Sent with a key, and it is not known whether it was recorded: nothing but the same may be sent until that is known. */
  readonly unsettled: boolean;
  /** The last attempt may have been recorded all the same: no answer, or a server that failed (5xx) and does not say that it refused. */
  readonly doubtful: boolean;
  /** Sent with a key, and not answered for good: what was sent stands as it is. */
  readonly held: boolean;
  /** Why it did not succeed, until the next attempt. */
  readonly failure: ApiError | undefined;
  /** The same in words. */
  readonly refusal: string | undefined;
  /** What the last attempt's answer found wrong with a field, by its wire name, until that field is forgotten. */
  readonly faultOf: (field: string) => string | undefined;
  /**
   * Runs a command once at a time; true when it succeeded. Everything that is shown is then read again. While one is unsettled, that one is sent again instead.
   */
  readonly run: (command: () => Promise<unknown>) => Promise<boolean>;
  /** Runs the command of a dialog: says that it succeeded, and then closes that dialog, if it is still there: another one may stand in its place. */
  readonly finish: (command: () => Promise<unknown>, said: string, onDone: () => void) => Promise<boolean>;
  /**
   * What was refused stands there no more: in these fields, by wire name, or in none of them. The words above the form go in either case, since they may be
   * about what was changed.
   */
  readonly forget: (...fields: readonly string[]) => void;
  /**
   * An idempotency key for what is sent: the same for the same content, so that a retry is applied once and answered as the first time; a new one for other
   * content.
   */
  readonly keyFor: (content: string) => string;
};

/** The server's words, where there are any. */
const serverWords = (failure: ApiError): string => failureText(failure, 'Something went wrong');

/** A server that says so itself says it to programs as well: of a key, or of repeating. */
export const saysUnknown = /^It is not known/;

/** What was thrown, as a failed answer: what the site itself does not understand is no answer. */
export const asApiError = (error: unknown): ApiError => (error instanceof ApiError ? error : new ApiError(0, ''));

/** Whether a failed command may have been recorded. A 503 with other words is a refusal of ours. */
export const isDoubtful = ({ status, message }: ApiError): boolean =>
  status === 0 || (status >= 500 && (status !== 503 || message === '' || saysUnknown.test(message)));

/** A refusal that says that something else stands there than what is shown. */
const isOvertaken = ({ status }: ApiError): boolean => status === 404 || status === 409;

const useSending = (word: (failure: ApiError) => string, holds: boolean): CommandState => {
  const client = useQueryClient();
  const attempt = useRef<{ readonly content: string; readonly key: string }>(undefined);
  const under = useRef(false);
  const open = useRef<() => Promise<unknown>>(undefined);
  const [busy, setBusy] = useState(false);
  const [unsettled, setUnsettled] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const [faults, setFaults] = useState<ApiError['faults']>([]);
  const shown = useShown();
  const onLeft = useEffectEvent(() => {
    // The dashboard was left open for what stood there: the next reading ends it.
    if (failure?.status === 401) void client.invalidateQueries();
  });
  useEffect(
    () => () => {
      onLeft();
    },
    [],
  );
  const run = async (command: () => Promise<unknown>): Promise<boolean> => {
    // A second click before the next paint must not send twice.
    if (under.current) return false;
    under.current = true;
    setBusy(true);
    setFailure(undefined);
    setFaults([]);
    // As it was sent, body and key: whatever was typed or came in since, it is applied once.
    const sent = open.current ?? command;
    const settle = (stillOpen: boolean): void => {
      open.current = stillOpen ? sent : undefined;
      setUnsettled(stillOpen);
    };
    try {
      await sent();
      settle(false);
      void client.invalidateQueries();
      return true;
    } catch (error) {
      const refused = asApiError(error);
      settle(holds && leavesOpen(refused.status, open.current !== undefined));
      setFailure(refused);
      setFaults(refused.faults);
      if (isDoubtful(refused) || isOvertaken(refused)) void client.invalidateQueries();
      const said = word(refused);
      if (!shown.current)
        toastError(isDoubtful(refused) && !saysUnknown.test(said) ? `${said.replace(/\.?$/, '.')} It is not known whether this was recorded.` : said);
      return false;
    } finally {
      under.current = false;
      setBusy(false);
    }
  };
  return {
    busy,
    unsettled,
    doubtful: failure !== undefined && isDoubtful(failure),
    held: unsettled || (holds && busy),
    failure,
    refusal: failure && word(failure),
    faultOf: (field) => faults.find((fault) => fault.path === field)?.message,
    forget: (...fields) => {
      if (open.current !== undefined) return;
      setFailure(undefined);
      setFaults((now) => (fields.length === 0 ? [] : now.filter(({ path }) => !fields.includes(path))));
    },
    run,
    finish: async (command, said, onDone) => {
      const done = await run(command);
      if (done) toastSuccess(said);
      if (done && shown.current) onDone();
      return done;
    },
    keyFor: (content) => {
      if (attempt.current?.content !== content) attempt.current = { content, key: newKey() };
      return attempt.current.key;
    },
  };
};

/**
 * One command of a dialog: locked while under way, its failure kept to be shown. Whoever has left meanwhile is told of a failure by a toast.
 * @param word says what failed; without it, what the server said
 */
export const useCommand = (word?: (failure: ApiError) => string): CommandState => useSending(word ?? serverWords, false);

/**
 * A command that adds to what stands, sent with an idempotency key. When its answer is lost, what was sent is kept: the next attempt sends the same body with
 * the same key, and the form shows it `held` until the server has said what became of it.
 */
export const useHeldCommand = (word?: (failure: ApiError) => string): CommandState => useSending(word ?? serverWords, true);
