import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { onSessionChange, whoIs, type Role } from '../lib/session.ts';
import { toastError } from '../lib/toasts.ts';
import { hasEnded, noteEnded } from './session-watch.ts';
import { isAnythingUnsent } from './unsent.ts';

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
          if (hasEnded(role)) void client.invalidateQueries({ queryKey: [role] });
          return;
        }
        if (now === undefined && isAnythingUnsent()) {
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
