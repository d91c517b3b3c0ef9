import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Whether the page is being put on paper: nobody can open there what a screen keeps behind a tab. */
export const useIsPrinting = (): boolean => {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const follow = ({ type }: Event): void => {
      // The page is taken as it stands when this returns.
      flushSync(() => {
        setIsPrinting(type === 'beforeprint');
      });
    };
    window.addEventListener('beforeprint', follow);
    window.addEventListener('afterprint', follow);
    return () => {
      window.removeEventListener('beforeprint', follow);
      window.removeEventListener('afterprint', follow);
    };
  }, []);
  return isPrinting;
};
