import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { dismissToast, shownToasts, toastError, toastSuccess } from '../lib/toasts.ts';
import { Toaster } from './toaster.tsx';

afterEach(() => {
  vi.restoreAllMocks();
});

const texts = (): readonly (string | null)[] => Array.from(document.querySelectorAll('.toast'), (toast) => toast.textContent);
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

it('reads a success out: it comes into a box that is there before, and is no such box itself', () => {
  render(<Toaster />);
  const box = document.querySelector('[aria-live]');
  expect([box?.getAttribute('aria-live'), box?.textContent]).toEqual(['polite', '']);
  act(() => {
    toastSuccess('Player added successfully!');
    toastError('Failed to add team. Please try again.');
  });
  expect(document.querySelector('[aria-live]')).toBe(box);
  expect(Array.from(box?.children ?? [], (toast) => [toast.textContent, toast.getAttribute('role')])).toEqual([
    ['Player added successfully!', null],
    ['Failed to add team. Please try again.', 'alert'],
  ]);
});

it('keeps the focus with the messages when one is dismissed, also the last', async () => {
  render(<Toaster />);
  act(() => {
    toastError('Not saved');
    toastError('Failed');
  });
  for (const left of [['Failed'], []]) {
    screen.getAllByRole('button', { name: 'Dismiss' })[0]?.focus();
    await userEvent.keyboard('{Enter}');
    expect(texts()).toEqual(left);
    await waitFor(() => {
      expect(document.activeElement).toBe(document.querySelector('.toasts'));
    });
  }
});

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
  expect(texts()).toEqual([
    'The team was not added',
    'Player added successfully!',
    'Player added successfully!',
    'Somebody else has logged in in another tab.',
  ]);
});
