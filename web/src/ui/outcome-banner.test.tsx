import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OutcomeBanner, type Outcome } from './outcome-banner.tsx';

/** Texts of what was scrolled into view. */
let shown: (string | null)[] = [];
beforeEach(() => {
  shown = [];
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function scroll(this: HTMLElement) {
    shown.push(this.textContent);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('a success comes into view with the focus', () => {
  render(<OutcomeBanner outcome={{ kind: 'ok', text: 'Saved' }} />);
  expect(shown).toEqual(['Saved']);
  expect(screen.getByRole('status')).toHaveFocus();
});

it('a failure comes into view at each attempt, once, and leaves the focus at the button', () => {
  const first: Outcome = { kind: 'bad', text: 'Not saved' };
  const { rerender } = render(<OutcomeBanner outcome={first} />);
  rerender(<OutcomeBanner outcome={first} />);
  expect(shown).toEqual(['Not saved']);
  rerender(<OutcomeBanner outcome={{ ...first }} />);
  expect(shown).toEqual(['Not saved', 'Not saved']);
  expect(screen.getByRole('alert')).not.toHaveFocus();
});
