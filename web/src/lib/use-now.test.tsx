import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useNow } from './use-now.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A page that shows the time: what it showed at each of its renderings, the first one too. */
const open = () => {
  const shown: number[] = [];
  const { unmount } = renderHook(() => {
    shown.push(useNow());
  });
  return { shown, leave: unmount };
};

describe('the time of a page', () => {
  it('is that of now from the first rendering on, however long no page has shown any', () => {
    open().leave();
    vi.advanceTimersByTime(2 * 3_600_000);
    const { shown, leave } = open();
    expect([...new Set(shown)]).toEqual([Date.now()]);
    leave();
  });

  it('is that of now also where the clock was set back meanwhile', () => {
    open().leave();
    vi.setSystemTime(Date.now() - 3_600_000);
    const { shown, leave } = open();
    expect([...new Set(shown)]).toEqual([Date.now()]);
    leave();
  });

  it('moves every half minute, for everything that shows it at once', () => {
    const [first, second] = [open(), open()];
    act(() => {
      vi.advanceTimersByTime(29_999);
    });
    expect(new Set([...first.shown, ...second.shown]).size).toBe(1);
    act(() => {
      vi.advanceTimersByTime(1);
    });
    expect([first.shown.at(-1), second.shown.at(-1)]).toEqual([Date.now(), Date.now()]);
    first.leave();
    second.leave();
    expect(vi.getTimerCount()).toBe(0);
  });
});
