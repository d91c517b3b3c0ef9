import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * For what goes away once it has done its work (`Try again`): the focus, where it was on it, goes to the nearest of what stands around it and is left. It would
 * fall to the top of the page.
 */
export const useFocusLeft = <E extends HTMLElement>(): RefObject<E | null> => {
  const place = useRef<E>(null);
  useLayoutEffect(() => {
    const element = place.current;
    return () => {
      if (element === null || document.activeElement !== element) return;
      const around: HTMLElement[] = [];
      for (let one = element.parentElement; one !== null && one !== document.body; one = one.parentElement) around.push(one);
      // After the commit: what came in its place may have taken the focus.
      queueMicrotask(() => {
        const left = around.find((one) => one.isConnected);
        if (left === undefined || document.activeElement !== document.body) return;
        if (!left.hasAttribute('tabindex')) left.tabIndex = -1;
        left.focus({ preventScroll: true });
      });
    };
  }, []);
  return place;
};
