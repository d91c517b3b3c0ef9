import { useEffect } from 'react';

/** Drops the clicks that go on with a double click begun before, until another click begins; returns how to stop. */
const dropSecondClick = (): (() => void) => {
  const hear = (event: MouseEvent): void => {
    if (event.detail <= 1) {
      stop();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const stop = (): void => {
    window.removeEventListener('click', hear, true);
  };
  window.addEventListener('click', hear, true);
  return stop;
};

/**
 * For what covers the page and goes again: the second click of the double click that opened or closed it is none. Whoever made it has not seen what it would
 * press.
 */
export const useSecondClickDropped = (): void => {
  useEffect(() => {
    const stop = dropSecondClick();
    return () => {
      stop();
      dropSecondClick();
    };
  }, []);
};
