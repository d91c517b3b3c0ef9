import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../lib/api-client.ts';
import { getBackup, getLogVerification, getRebuild } from './audit.data.ts';
import { useJobCommand } from './use-job-command.ts';

const refetch = vi.fn<() => Promise<void>>().mockResolvedValue();
const Job = ({ endedAt }: { readonly endedAt: string | null | undefined }): ReactElement => {
  const command = useJobCommand({ refetch }, endedAt);
  return (
    <button type="button" onClick={() => void command.run(async () => Promise.reject(new ApiError(409, 'A rebuild is running')))}>
      {command.refusal ?? 'Rebuild'}
    </button>
  );
};

it('reads the status again once for each job that ends, and not for one that had ended before', () => {
  const client = new QueryClient();
  const invalidate = vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
  const at = (endedAt: string | null | undefined): ReactElement => (
    <QueryClientProvider client={client}>
      <Job endedAt={endedAt} />
    </QueryClientProvider>
  );
  const { rerender } = render(at(undefined));
  const read: number[] = [];
  for (const endedAt of ['10:00', '10:00', null, '10:05', '10:05', '10:06'] as const) {
    rerender(at(endedAt));
    read.push(invalidate.mock.calls.length);
  }
  expect(read).toEqual([0, 0, 0, 1, 1, 2]);
  expect(invalidate).toHaveBeenCalledWith({ queryKey: ['superadmin', 'operations'] });
});

it('a refusal asks at once what is in the way, and is forgotten when that has ended', async () => {
  const user = userEvent.setup();
  const client = new QueryClient();
  const at = (endedAt: string | null): ReactElement => (
    <QueryClientProvider client={client}>
      <Job endedAt={endedAt} />
    </QueryClientProvider>
  );
  const { rerender } = render(at('10:00'));
  refetch.mockClear();
  await user.click(screen.getByRole('button'));
  expect([(await screen.findByText('A rebuild is running')).tagName, refetch.mock.calls.length]).toEqual(['BUTTON', 1]);
  rerender(at(null));
  expect(screen.getByRole('button').textContent).toBe('A rebuild is running');
  rerender(at('10:05'));
  expect(screen.getByRole('button').textContent).toBe('Rebuild');
});

const every = (options: { readonly refetchInterval?: unknown }, data: unknown): unknown =>
  (options.refetchInterval as (query: object) => unknown)({ state: { data } });

it('a job that was begun elsewhere is looked for as often as the status', () => {
  expect([
    ...[null, { state: 'switched' }, { state: 'running' }].map((job) => every(getRebuild(), { job })),
    ...[null, { state: 'whole' }, { state: 'running' }].map((verification) => every(getLogVerification(), { verification })),
    ...[null, { state: 'done' }, { state: 'running' }].map((backup) => every(getBackup(), { backup })),
  ]).toEqual([5000, 5000, 700, 5000, 5000, 700, 5000, 5000, 700]);
});
