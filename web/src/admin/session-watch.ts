import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { ApiError, apiGet } from '../lib/api-client.ts';
import type { Role } from '../lib/session.ts';
import { useUnloadQuestion } from '../lib/unload-question.ts';
import { holdUnsent, isAnythingUnsent } from './unsent.ts';

/** Tells the open dashboard that the server no longer knows the session: the server's expiry decides, not a timer of ours. */
const expired = new EventTarget();

/** The sessions that have ended while a dialog held something, with the server's words: the dashboard stays for it. */
let ended: ReadonlyMap<Role, string> = new Map();
const endedListeners = new Set<() => void>();
const onEnded = (listener: () => void): (() => void) => {
  endedListeners.add(listener);
  return () => {
    endedListeners.delete(listener);
  };
};

/** Keeps in mind why a session has ended; with undefined, that it has not. */
export const noteEnded = (role: Role, said: string | undefined): void => {
  if (ended.get(role) === said) return;
  const now = new Map(ended);
  if (said === undefined) now.delete(role);
  else now.set(role, said);
  ended = now;
  for (const listener of endedListeners) listener();
};

/** Whether a dashboard stays although its session has ended. */
export const hasEnded = (role: Role): boolean => ended.has(role);

/** Passes an answer on; a 401 also ends the dashboard of that role, with the server's words, unless a dialog holds something. */
export const watched = async <T>(role: Role, answer: Promise<T>): Promise<T> => {
  try {
    const given = await answer;
    noteEnded(role, undefined);
    return given;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      if (isAnythingUnsent()) noteEnded(role, error.message);
      else expired.dispatchEvent(new CustomEvent<string>(role, { detail: error.message }));
    }
    throw error;
  }
};

/** Reads with the token of a role; a 401 ends its dashboard. */
export const readAs = <T>(role: Role, path: string, signal: AbortSignal): Promise<T> => watched(role, apiGet<T>(path, { signal, as: role }));

/** Calls back once a read of this role was answered 401. `said`: why, in the server's words; empty where there are none. */
export const useSessionEnd = (role: Role, onEnd: (said: string) => void): void => {
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
 * For a dialog: keeps the dashboard open as long as something in it is not sent, and the page, unless its reader insists. Gives why the session ended
 * meanwhile; what stands there can be sent once somebody has logged in beside it.
 */
export const useUnsent = (changed: boolean): string | undefined => {
  const client = useQueryClient();
  useUnloadQuestion(changed);
  useEffect(() => {
    if (!changed) return undefined;
    const release = holdUnsent();
    return () => {
      release();
      if (isAnythingUnsent()) return;
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
