import { useEffect, useRef, type RefObject } from 'react';

/** Whether the part of the page that calls this is still there: what comes late does nothing for whoever has left it. */
export const useShown = (): Readonly<RefObject<boolean>> => {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return shown;
};
