import { keep, recall } from './storage.ts';

/** A place in a page that was left: only this tab knows of it. By the page's address, as Back leads from one to the one before. */
const placeKey = (): string => `place ${location.pathname}${location.search}`;
/** What has not come by then comes to somebody who reads the top of the page. */
const patienceMs = 10_000;

/** The place that is waited for: whoever leaves the page before it can be shown has not left it. */
let awaited: number | undefined;
let isBack = false;

/** Whether this page stands, or is going to stand, where it was left, and nobody has touched it since: then nothing else may move it. */
export const isBackInPlace = (): boolean => isBack;

const note = (): void => {
  keep(placeKey(), String(awaited ?? window.scrollY), 'sessionStorage');
};

/** Where this page stood when it was left; undefined where it was not, or by another way than a reload or a step in the history. */
const placeLeft = (): number | undefined => {
  const type = (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type;
  if (type !== 'reload' && type !== 'back_forward') return undefined;
  const kept = recall(placeKey(), 'sessionStorage');
  return kept === undefined ? undefined : Number(kept);
};

/** Waits until what the page is about has come, and goes as far down as the page is long by then; whoever touches the page first stays where they are. */
const returnTo = (y: number): void => {
  [awaited, isBack] = [y, true];
  const done = new AbortController();
  const stop = (): void => {
    done.abort();
  };
  let end = -1;
  const look = (): void => {
    if (document.querySelector('.loading, [aria-busy=true]') !== null) return;
    const endBefore = end;
    end = document.documentElement.scrollHeight - window.innerHeight;
    // Only as it becomes longer: a scrollbar or a search in the page may have led its reader elsewhere, and says nothing of it.
    if (end > endBefore) window.scrollTo(0, y);
    // Its end may still come. Heights are whole numbers; a place is none where a pixel of the page is more than one of the screen.
    if (end < Math.floor(y)) return;
    changes.disconnect();
    awaited = undefined;
  };
  const changes = new MutationObserver(look);
  changes.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(stop, patienceMs);
  done.signal.addEventListener('abort', () => {
    [awaited, isBack] = [undefined, false];
    changes.disconnect();
    clearTimeout(timer);
  });
  // A reader of the screen follows a link by a click alone.
  for (const own of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'click', 'popstate'])
    window.addEventListener(own, stop, { signal: done.signal, passive: true });
};

/**
 * A page that is loaded again (F5, Back from another site, a tab that a phone had put away) stands where it was left. The browser looks for the place as well,
 * but only until the page has been fetched, and what this one shows comes later.
 * @param isKept whether a page, by its path, is to be found again so
 */
export const keepPlace = (isKept: (pathname: string) => boolean): void => {
  const y = isKept(location.pathname) ? placeLeft() : undefined;
  if (y !== undefined) returnTo(y);
  window.addEventListener('pagehide', note);
  // A phone may end a tab that nobody sees without another word.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') note();
  });
};
