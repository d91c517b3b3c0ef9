import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { expect, it } from 'vitest';
import { ApiError } from '../lib/api-client.ts';
import { ListState } from './list-state.tsx';

/** A list of names, answered so (a number: refused with that status), and read again when the test says so. */
const show = (...answers: (readonly string[] | number)[]): { readonly again: () => Promise<void> } => {
  const read = async (): Promise<readonly string[]> => {
    const next = answers.shift() ?? 500;
    if (typeof next === 'number') throw new ApiError(next, '');
    return next;
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const Names = (): ReactElement => {
    const query = useQuery({ queryKey: ['names'], queryFn: read });
    return (
      <ListState query={query} empty="Nobody yet" shown={query.data?.length ?? 0} failed={(error) => `Failed with ${String(error?.status)}`}>
        <ul>
          {query.data?.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      </ListState>
    );
  };
  render(
    <QueryClientProvider client={client}>
      <Names />
    </QueryClientProvider>,
  );
  return { again: () => act(() => client.refetchQueries()) };
};

it('keeps a list that was read when it cannot be read again, says so, and asks once more', async () => {
  const { again } = show(['Sita'], 503, ['Sita', 'Ram']);
  expect(await screen.findByText('Sita')).toBeInTheDocument();
  await again();
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed with 503');
  expect(screen.getByText('Sita')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Ram')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it.each([401, 403, 404])('shows nothing that was read before beside an answer that says no (%i)', async (status) => {
  const { again } = show(['Sita'], status);
  expect(await screen.findByText('Sita')).toBeInTheDocument();
  await again();
  expect(await screen.findByRole('alert')).toHaveTextContent(`Failed with ${String(status)}`);
  expect(screen.queryByText('Sita')).not.toBeInTheDocument();
});

it('asks again for a list that never came', async () => {
  show(0, []);
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Nobody yet')).toBeInTheDocument();
});
