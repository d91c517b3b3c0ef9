import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Tabs } from './tabs.tsx';

const ids = ['one', 'two', 'three', 'four', 'five'] as const;
const show = (selected: (typeof ids)[number]) => (
  <Tabs label="Things" tabs={ids.map((id) => ({ id, title: id }))} selected={selected} onSelect={() => {}}>
    What is chosen
  </Tabs>
);

/** Five tabs of 100 px each in a row of so many pixels: jsdom lays nothing out. */
const layOut = (width: number): void => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width);
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(500);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(100);
  vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function offsetLeft(this: HTMLElement) {
    return ids.findIndex((id) => id === this.textContent) * 100;
  });
};
afterEach(() => {
  vi.restoreAllMocks();
});

it('scrolls the selected tab into view and marks the edges that cut others off', () => {
  layOut(250);
  const { rerender } = render(show('one'));
  const list = screen.getByRole('tablist', { name: 'Things' });
  expect(list).toHaveAttribute('data-cut', 'end');
  rerender(show('three'));
  expect([list.scrollLeft, list.getAttribute('data-cut')]).toEqual([90, 'both']);
  rerender(show('five'));
  // A browser stops at 250, the end; jsdom takes what it is given.
  expect(list.scrollLeft).toBe(290);
  expect(list).toHaveAttribute('data-cut', 'start');
  rerender(show('two'));
  expect([list.scrollLeft, list.getAttribute('data-cut')]).toEqual([60, 'both']);
  list.scrollLeft = 0;
  fireEvent.scroll(list);
  expect(list).toHaveAttribute('data-cut', 'end');
});

it('marks nothing where all tabs fit', () => {
  layOut(500);
  render(show('one'));
  expect(screen.getByRole('tablist', { name: 'Things' })).not.toHaveAttribute('data-cut');
});
