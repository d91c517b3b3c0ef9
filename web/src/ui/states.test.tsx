import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { EmptyState } from './states.tsx';

it('needs no file for the drawing above what could not be loaded: there may be no network to fetch one', () => {
  const { container } = render(<EmptyState text="The standings could not be loaded." />);
  expect(screen.getByText('The standings could not be loaded.')).toBeInTheDocument();
  expect(Array.from(container.querySelectorAll('img, svg'), ({ tagName, ariaHidden }) => [tagName, ariaHidden])).toEqual([['svg', 'true']]);
  expect(container.innerHTML).not.toMatch(/href|src=|url\(/);
});
