import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentType, ReactElement } from 'react';
import { expect, it, vi } from 'vitest';
import { failureText } from '../lib/api-client.ts';
import { lazyPart } from './lazy-part.tsx';

const Chart = ({ of }: { readonly of: string }): ReactElement => <p>{`Chart of ${of}`}</p>;
const declare = (load: () => Promise<ComponentType<{ readonly of: string }>>) =>
  lazyPart(load, ({ error, refetch }, { of }) => (
    <button type="button" onClick={() => void refetch()}>
      {error ? `${failureText(error, '')}, ${of}` : 'Loading'}
    </button>
  ));

it('leaves the page as it is when it does not come, and is fetched anew when that is asked for', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  const load = vi
    .fn<() => Promise<typeof Chart>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue(Chart);
  const LazyChart = declare(load);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const page = (more: ReactElement | null) => (
    <QueryClientProvider client={client}>
      <h1>Standings</h1>
      <LazyChart of="Kings" />
      {more}
    </QueryClientProvider>
  );
  const { rerender } = render(page(null));
  await userEvent.click(await screen.findByRole('button', { name: 'The server does not answer, Kings' }));
  expect(await screen.findByText('Chart of Kings')).toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'Standings' })).toBeInTheDocument();
  // Once here, it is here: no spinner, and no second fetch, also after a command has made every answer stale.
  await client.invalidateQueries();
  rerender(page(<LazyChart of="Queens" />));
  expect(screen.getByText('Chart of Queens')).toBeInTheDocument();
  expect(load).toHaveBeenCalledTimes(2);
});

it('comes by itself once there is a network again', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  const load = vi
    .fn<() => Promise<typeof Chart>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue(Chart);
  const LazyChart = declare(load);
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <LazyChart of="Kings" />
    </QueryClientProvider>,
  );
  expect(await screen.findByRole('button', { name: 'The server does not answer, Kings' })).toBeInTheDocument();
  act(() => {
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
  });
  expect(await screen.findByText('Chart of Kings')).toBeInTheDocument();
});

it('is told apart from the others', async () => {
  const [One, Two] = [declare(async () => () => <p>One</p>), declare(async () => () => <p>Two</p>)];
  render(
    <QueryClientProvider client={new QueryClient()}>
      <One of="" />
      <Two of="" />
    </QueryClientProvider>,
  );
  expect(await screen.findByText('One')).toBeInTheDocument();
  expect(await screen.findByText('Two')).toBeInTheDocument();
});
