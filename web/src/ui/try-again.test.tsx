import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState, type ReactElement } from 'react';
import { expect, it } from 'vitest';
import { TryAgain } from './try-again.tsx';

const Part = ({ heading = false }: { readonly heading?: boolean }): ReactElement => {
  const [isAway, setIsAway] = useState(true);
  return (
    <section aria-label="Entries">
      {isAway ? (
        <div>
          <TryAgain
            onRetry={() => {
              setIsAway(false);
            }}
          />
        </div>
      ) : (
        <h4 tabIndex={-1} ref={(element) => (heading ? element?.focus() : undefined)}>
          Here they are
        </h4>
      )}
    </section>
  );
};

it('leaves the focus with what stands around it, once it has done its work', async () => {
  render(<Part />);
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => {
    expect(screen.getByRole('region', { name: 'Entries' })).toHaveFocus();
  });
});

it('takes it from nothing that came in its place', async () => {
  render(<Part heading />);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await Promise.resolve();
  expect(screen.getByRole('heading')).toHaveFocus();
});

it('moves no focus that was elsewhere', async () => {
  const { rerender } = render(<TryAgain onRetry={() => {}} />);
  rerender(<p>Done</p>);
  await Promise.resolve();
  expect(document.body).toHaveFocus();
});
