import { useEffect, useRef } from 'react';

/** What Back closes, the newest last. */
const open: (() => void)[] = [];
/** Where the page stands in the history of this tab: React Router numbers its entries (`idx`). Unknown where something else has made the entry. */
let here: number | undefined;
/** A step of ours is under way, back to where the page stands. */
let returning = false;

const numberOf = (state: unknown): number | undefined =>
  typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number' ? state.idx : undefined;

const stay = (event: PopStateEvent): void => {
  const wasReturning = returning;
  returning = false;
  const there = numberOf(event.state);
  if (there === here) {
    // The router heard nothing of the step, and hears nothing of the way back.
    if (wasReturning) event.stopImmediatePropagation();
    return;
  }
  const close = open.at(-1);
  if (close === undefined || here === undefined || there === undefined) return;
  event.stopImmediatePropagation();
  returning = true;
  window.history.go(here - there);
  close();
};

/**
 * Has `useBackCloses` hear of each step before the router does. To be called before a router is there: a browser tells of a step in the order of listening
 * alone.
 */
export const listenBeforeRouter = (): void => {
  window.addEventListener('popstate', stay);
};

/**
 * The browser's Back (and Forward) does to a dialog what Escape does, and the page stays: on a phone Back is what closes things, and leaving the page would
 * lose what was typed. To another site, and out of the tab, it leads as ever: there the browser asks.
 * @param within for what can stand in a dialog, or in a page: there Back leaves it alone
 */
export const useBackCloses = (close: () => void, { within = false }: { readonly within?: boolean } = {}): void => {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (within && open.length === 0) return undefined;
    const mine = (): void => {
      latest.current();
    };
    here = numberOf(window.history.state);
    open.push(mine);
    return () => {
      open.splice(open.indexOf(mine), 1);
    };
  }, [within]);
};
