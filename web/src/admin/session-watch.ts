import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ApiError, apiGet } from '../lib/api-client.ts';
import { onSessionChange, whoIs, type Role } from '../lib/session.ts';
import { toastError } from '../lib/toasts.ts';
import { useUnloadQuestion } from '../lib/unload-question.ts';

/** Tells the open dashboard that the server no longer knows the session: the server's expiry decides, not a timer of ours. */
const expired = new EventTarget();

/** How many dialogs hold what was typed and not sent: the dashboard stays for them when the session ends. */
let unsent = 0;
/** The sessions that have ended meanwhile, with the server's words. */
let ended: ReadonlyMap<Role, string> = new Map();
const endedListeners = new Set<() => void>();
const noteEnded = (role: Role, said: string | undefined): void => {
  if (ended.get(role) === said) return;
  const now = new Map(ended);
  if (said === undefined) now.delete(role);
  else now.set(role, said);
  ended = now;
  for (const listener of endedListeners) listener();
};
const onEnded = (listener: () => void): (() => void) => {
  endedListeners.add(listener);
  return () => {
    endedListeners.delete(listener);
  };
};

/** Passes an answer on; a 401 also ends the dashboard of that role, with the server's words, unless a dialog holds something. */
export const watched = async <T>(role: Role, answer: Promise<T>): Promise<T> => {
  try {
    const given = await answer;
    noteEnded(role, undefined);
    return given;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      if (unsent > 0) noteEnded(role, error.message);
      else expired.dispatchEvent(new CustomEvent<string>(role, { detail: error.message }));
    }
    throw error;
  }
};

/** For a dialog: keeps the dashboard open as long as something in it is not sent, and the page, unless its reader insists. Gives why the session ended meanwhile; what stands there can be sent once somebody has logged in beside it. */
export const useUnsent = (changed: boolean): string | undefined => {
  const client = useQueryClient();
  useUnloadQuestion(changed);
  useEffect(() => {
    if (!changed) return undefined;
    unsent += 1;
    return () => {
      unsent -= 1;
      if (unsent > 0) return;
      // Whether it has ended for good is asked again: what was put off is done then.
      for (const role of ended.keys()) {
        noteEnded(role, undefined);
        void client.invalidateQueries({ queryKey: [role] });
      }
    };
  }, [changed, client]);
  const sessions = useSyncExternalStore(onEnded, () => ended);
  return changed ? [...sessions.values()][0] : undefined;
};

/** Reads with the token of a role; a 401 ends its dashboard. */
export const readAs = <T>(role: Role, path: string, signal: AbortSignal): Promise<T> => watched(role, apiGet<T>(path, { signal, as: role }));

/** Calls back once a read of this role was answered 401. */
export const useSessionEnd = (role: Role, onEnd: (/** Why, in the server's words; empty where there are none. */ said: string) => void): void => {
  useEffect(() => {
    const end = (event: Event): void => {
      onEnd((event as CustomEvent<string>).detail);
    };
    expired.addEventListener(role, end);
    return () => {
      expired.removeEventListener(role, end);
    };
  }, [role, onEnd]);
};

/**
 * Who is logged in as this role; undefined when nobody is. Another tab may log out, or log in as somebody else: that shows here at once,
 * and nothing that was read for the one before is kept. Only a dialog that holds what was typed waits after a logout, as for any session that has ended.
 */
export const useAccount = (role: Role): string | undefined => {
  const client = useQueryClient();
  const [, setParams] = useSearchParams();
  const [account, setAccount] = useState(() => whoIs(role));
  useEffect(
    () =>
      onSessionChange(role, () => {
        const now = whoIs(role);
        if (now === account) {
          // The same again, beside a dialog that waited for it: what could not be read is read.
          if (ended.has(role)) void client.invalidateQueries({ queryKey: [role] });
          return;
        }
        if (now === undefined && unsent > 0) {
          noteEnded(role, 'You have logged out in another tab.');
          return;
        }
        client.removeQueries({ queryKey: [role] });
        if (now !== undefined) {
          toastError('Somebody else has logged in in another tab.');
          // Which tab was open is of the one before as well.
          setParams({}, { replace: true });
        }
        setAccount(now);
      }),
    [role, account, client, setParams],
  );
  return account;
};
