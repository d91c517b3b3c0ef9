import { useEffect } from 'react';
import { toastError } from '../lib/toasts.ts';

/**
 * Closes a dialog about somebody as soon as there is nothing of them to show any more, and says why.
 * @param gone why, in a sentence; undefined while they are there, or no dialog is open
 * @param close the same function at every render
 */
export const useGone = (gone: string | undefined, close: () => void): void => {
  useEffect(() => {
    if (gone === undefined) return;
    toastError(gone);
    close();
  }, [gone, close]);
};
