import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect, it, vi } from 'vitest';
import { useFreshStatus } from './use-fresh-status.ts';

const Job = ({ endedAt }: { readonly endedAt: string | null | undefined }): ReactElement => {
  useFreshStatus(endedAt);
  return <p>A job</p>;
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
