import { act, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { dismissToast, shownToasts, toastSuccess } from '../lib/toasts.ts';
import { Toaster } from './toaster.tsx';

afterEach(() => {
  vi.restoreAllMocks();
});

const covered = (): string => document.documentElement.style.getPropertyValue('--toasts');

it('tells the page how much of its top is covered, so that what is focused is scrolled clear of it', () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function height(this: HTMLElement) {
    return this.classList.contains('toasts') ? 60 * this.childElementCount : 0;
  });
  render(<Toaster />);
  expect(covered()).toBe('0px');
  act(() => {
    toastSuccess('Player added successfully!');
    toastSuccess('Player added successfully!');
  });
  expect(covered()).toBe('120px');
  act(() => {
    for (const { id } of shownToasts()) dismissToast(id);
  });
  expect(covered()).toBe('0px');
});
