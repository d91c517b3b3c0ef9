import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ApiError, apiGet } from '../lib/api-client.ts';
import { onSessionChange, whoIs, type Role } from '../lib/session.ts';
import { toastError } from '../lib/toasts.ts';

/** Tells the open dashboard that the server no longer knows the session: the server's expiry decides, not a timer of ours. */
const expired = new EventTarget();

/** Passes an answer on; a 401 also ends the dashboard of that role, with the server's words. */
export const watched = async <T>(role: Role, answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) expired.dispatchEvent(new CustomEvent<string>(role, { detail: error.message }));
    throw error;
  }
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
 * and nothing that was read for the one before is kept.
 */
export const useAccount = (role: Role): string | undefined => {
  const client = useQueryClient();
  const [, setParams] = useSearchParams();
  const [account, setAccount] = useState(() => whoIs(role));
  useEffect(
    () =>
      onSessionChange(role, () => {
        const now = whoIs(role);
        if (now === account) return;
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
