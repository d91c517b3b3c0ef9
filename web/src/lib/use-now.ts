import { useSyncExternalStore } from 'react';

const everyMs = 30_000;
/** React asks for the time several times while it renders, and wants one answer. */
const sameMs = 1000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** While nothing shows the time nothing keeps it: the first that does so looks at the clock. */
const read = (): number => {
  if (timer === undefined && Math.abs(Date.now() - now) > sameMs) now = Date.now();
  return now;
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, everyMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The time in milliseconds, to half a minute; one clock for the whole page. */
export const useNow = (): number => useSyncExternalStore(subscribe, read, read);
