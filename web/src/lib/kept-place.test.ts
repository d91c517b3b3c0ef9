import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isBackInPlace, keepPlace } from './kept-place.ts';

const scrollTo = vi.fn<(x: number, y: number) => void>();

beforeEach(() => {
  sessionStorage.clear();
  scrollTo.mockClear();
  vi.stubGlobal('scrollTo', scrollTo);
  vi.stubGlobal('innerHeight', 700);
  window.history.replaceState(null, '', '/events?tournament=t1');
});
afterEach(() => {
  // Whatever still waits for its content.
  window.dispatchEvent(new Event('wheel'));
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const leaveAt = (y: number): void => {
  vi.stubGlobal('scrollY', y);
  window.dispatchEvent(new Event('pagehide'));
};
/** The page is loaded, still without what it is about. */
const load = (type: NavigationTimingType, isKept = true): void => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming]);
  document.body.innerHTML = '<output class="loading">Loading...</output>';
  keepPlace(() => isKept);
};
const show = async (height: number, html = '<h1>Match Results</h1>'): Promise<void> => {
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(height);
  document.body.innerHTML = html;
  await Promise.resolve();
};

keepPlace(() => true);

it.each(['reload', 'back_forward'] as const)('finds its place again once its content has come: %s', async (type) => {
  leaveAt(900);
  load(type);
  await show(2000, '<div aria-busy="true"></div>');
  expect(scrollTo).not.toHaveBeenCalled();
  await show(1600);
  expect(scrollTo.mock.calls).toEqual([[0, 900]]);
  await show(2400);
  expect(scrollTo).toHaveBeenCalledTimes(1);
});

it('finds the place of each page again, one after the other', async () => {
  leaveAt(900);
  window.history.replaceState(null, '', '/standings/t1');
  leaveAt(300);
  load('back_forward');
  await show(2000);
  leaveAt(300);
  window.dispatchEvent(new Event('wheel'));
  window.history.replaceState(null, '', '/events?tournament=t1');
  load('back_forward');
  await show(2000);
  expect(scrollTo.mock.calls).toEqual([
    [0, 300],
    [0, 900],
  ]);
});

it('goes as far as a page is long that has become shorter, and further where its end comes later', async () => {
  leaveAt(900);
  load('reload');
  await show(1599);
  expect(scrollTo.mock.calls).toEqual([[0, 900]]);
  // Left again meanwhile, it is not forgotten how far down it was.
  leaveAt(899);
  window.dispatchEvent(new Event('wheel'));
  load('reload');
  await show(1599);
  await show(1600);
  await show(2400);
  expect(scrollTo.mock.calls).toEqual([
    [0, 900],
    [0, 900],
    [0, 900],
  ]);
});

it('leaves a reader of a page that has become shorter where a scrollbar or a search has led them, whatever changes there', async () => {
  leaveAt(900);
  load('reload');
  await show(1500);
  await show(1500, '<h1>Standings</h1>');
  expect(scrollTo.mock.calls).toEqual([[0, 900]]);
  await show(1550);
  expect(scrollTo.mock.calls).toEqual([
    [0, 900],
    [0, 900],
  ]);
});

it('knows the end of a page again where a pixel of it is more than one of the screen', async () => {
  leaveAt(1290.4);
  load('reload');
  await show(1990);
  leaveAt(300);
  load('reload');
  await show(1990);
  expect(scrollTo.mock.calls).toEqual([
    [0, 1290.4],
    [0, 300],
  ]);
});

it('begins at the top of what is opened anew, at another address, and where forms have a place of their own', async () => {
  leaveAt(900);
  load('navigate');
  await show(2000);
  load('reload', false);
  await show(2000);
  window.history.replaceState(null, '', '/events?tournament=t2');
  load('reload');
  await show(2000);
  expect(scrollTo).not.toHaveBeenCalled();
});

// A click as browsers make it, the first of its kind: what drops the second one of a double click may still stand on the page that this file shares with
// others.
it.each([new Event('touchstart'), new MouseEvent('click', { detail: 1 })])(
  'leaves whoever has touched the page meanwhile where they are: $type',
  async (touched) => {
    leaveAt(900);
    load('reload');
    window.dispatchEvent(touched);
    await show(2000);
    expect(scrollTo).not.toHaveBeenCalled();
  },
);

it('still knows the place after a page that was loaded again before its content came', async () => {
  leaveAt(900);
  load('reload');
  leaveAt(0);
  load('reload');
  await show(2000);
  expect(scrollTo).toHaveBeenLastCalledWith(0, 900);
  leaveAt(300);
  load('reload');
  await show(2000);
  expect(scrollTo).toHaveBeenLastCalledWith(0, 300);
});

it('says that nothing else may move the page, also where it was left at its top, until it is touched', async () => {
  leaveAt(0);
  load('navigate');
  expect(isBackInPlace()).toBe(false);
  load('reload');
  expect(isBackInPlace()).toBe(true);
  await show(2000);
  expect(isBackInPlace()).toBe(true);
  window.dispatchEvent(new Event('pointerdown'));
  expect(isBackInPlace()).toBe(false);
});

it('keeps the place of a tab that nobody looks at any more', async () => {
  vi.stubGlobal('scrollY', 400);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  load('reload');
  await show(2000);
  expect(scrollTo.mock.calls).toEqual([[0, 400]]);
});
