import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactElement, ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../lib/api-client.ts';
import { dismissToast, shownToasts } from '../lib/toasts.ts';
import { useCommand } from './use-command.ts';

const client = new QueryClient();
const wrapper = ({ children }: { readonly children: ReactNode }): ReactElement => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
const said = (): readonly string[] => shownToasts().map(({ kind, text }) => `${kind}: ${text}`);
const begin = (answer: Promise<unknown>) => {
  const { result, unmount } = renderHook(() => useCommand(() => 'Match not updated successfully'), { wrapper });
  const onDone = vi.fn<() => void>();
  let done: Promise<boolean> = Promise.resolve(false);
  act(() => {
    done = result.current.finish(() => answer, 'Match updated successfully', onDone);
  });
  const end = async (): Promise<void> => {
    await act(async () => {
      await done;
    });
  };
  return { result, unmount, onDone, end };
};

beforeEach(() => {
  for (const { id } of shownToasts()) dismissToast(id);
});

describe('a command', () => {
  it('says its success, and closes the dialog that it belongs to', async () => {
    const { onDone, end } = begin(Promise.resolve());
    await end();
    expect([said(), onDone.mock.calls.length]).toEqual([['success: Match updated successfully'], 1]);
  });

  it('says its success, but closes nothing, once its dialog is gone: another one may stand there', async () => {
    const answer = Promise.withResolvers<void>();
    const { unmount, onDone, end } = begin(answer.promise);
    unmount();
    answer.resolve();
    await end();
    expect([said(), onDone.mock.calls.length]).toEqual([['success: Match updated successfully'], 0]);
  });

  it('says its failure in the dialog, and by a toast once that is gone', async () => {
    const shown = begin(Promise.reject(new ApiError(500, '')));
    await shown.end();
    expect([shown.result.current.refusal, said(), shown.onDone.mock.calls.length]).toEqual(['Match not updated successfully', [], 0]);
    const answer = Promise.withResolvers<void>();
    const gone = begin(answer.promise);
    gone.unmount();
    answer.reject(new ApiError(0, ''));
    await gone.end();
    expect([said(), gone.onDone.mock.calls.length]).toEqual([['error: Match not updated successfully'], 0]);
  });
});
