import { useEffect } from 'react';

/** Has the browser ask, in its own words, before it leaves the page with something that was typed and not sent. */
export const useUnloadQuestion = (unsent: boolean): void => {
  useEffect(() => {
    if (!unsent) return undefined;
    const ask = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
    };
  }, [unsent]);
};
