import { act, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { dismissToast, shownToasts, toastError, toastSuccess } from '../lib/toasts.ts';
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

const texts = (): readonly (string | null)[] => Array.from(document.querySelectorAll('.toast'), (toast) => toast.textContent);

it('takes a failure off once the same has succeeded, or failed again; what is about something else stays', () => {
  render(<Toaster />);
  act(() => {
    toastError('The team was not added', 'entry');
    toastError('The player was not added', 'player');
    toastError('No network', 'player');
  });
  expect(texts()).toEqual(['The team was not added', 'No network']);
  act(() => {
    toastSuccess('Player added successfully!', 'player');
    toastSuccess('Player added successfully!', 'player');
    toastError('Somebody else has logged in in another tab.');
  });
  expect(texts()).toEqual(['The team was not added', 'Player added successfully!', 'Player added successfully!', 'Somebody else has logged in in another tab.']);
});
