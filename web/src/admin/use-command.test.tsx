import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactElement, ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../lib/api-client.ts';
import { dismissToast, shownToasts } from '../lib/toasts.ts';
import { useCommand, useHeldCommand } from './use-command.ts';

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
    expect([said(), gone.onDone.mock.calls.length]).toEqual([['error: Match not updated successfully. It is not known whether this was recorded.'], 0]);
  });
});

it("of its own says the server's words, or that there was no answer", async () => {
  const { result } = renderHook(() => useCommand(), { wrapper });
  const refusals: (string | undefined)[] = [];
  for (const failure of [new ApiError(0, ''), new ApiError(502, ''), new ApiError(409, 'Too late')]) {
    await act(async () => result.current.run(() => Promise.reject(failure)));
    refusals.push(result.current.refusal);
  }
  expect(refusals).toEqual(['The server does not answer', 'Something went wrong', 'Too late']);
});

const failing = (status: number) => () => Promise.reject(new ApiError(status, ''));
const start = (use: typeof useCommand = useHeldCommand) => {
  const { result } = renderHook(() => use(), { wrapper });
  const run = (command: () => Promise<unknown>): Promise<boolean> => act(async () => result.current.run(command));
  return { result, run, held: () => [result.current.unsettled, result.current.held] };
};

it.each([
  [0, '', true, true],
  [500, 'Internal Server Error', true, true],
  [502, '', true, true],
  [503, '', true, true],
  [503, 'It is not known whether this was saved.', true, true],
  [503, 'Nothing can be saved at the moment.', false, false],
  [400, '', false, false],
  [401, '', false, false],
  [404, 'No such match', false, true],
  [409, 'Too late', false, true],
])('that holds nothing: %i "%s" may have been recorded: %s; what is shown is read again: %s', async (status, message, doubtful, again) => {
  const { result, run, held } = start(useCommand);
  const reread = vi.spyOn(client, 'invalidateQueries');
  await run(() => Promise.reject(new ApiError(status, message)));
  expect([result.current.doubtful, ...held(), reread.mock.calls.length]).toEqual([doubtful, false, false, again ? 1 : 0]);
  reread.mockRestore();
});

it('marks each field that the answer refuses until that field is forgotten, or all are, or it is sent again; its words go with the first change', async () => {
  const { result, run } = start(useCommand);
  const refused = new ApiError(400, 'name is required', [
    { path: 'name', message: 'name is required' },
    { path: 'age', message: 'age must be a number' },
  ]);
  const shown = (): readonly unknown[] => [result.current.refusal, result.current.faultOf('name'), result.current.faultOf('age')];
  await run(() => Promise.reject(refused));
  expect(shown()).toEqual(['name is required', 'name is required', 'age must be a number']);
  act(() => {
    result.current.forget('name');
  });
  expect(shown()).toEqual([undefined, undefined, 'age must be a number']);
  act(() => {
    result.current.forget();
  });
  expect(shown()).toEqual([undefined, undefined, undefined]);
  await run(() => Promise.reject(refused));
  await run(() => Promise.resolve());
  expect(shown()).toEqual([undefined, undefined, undefined]);
});

describe('a command that is held', () => {
  it.each([0, 500, 502, 503])('that got no word of its outcome (%i) is sent again as it was, whatever is asked for, until there is word', async (status) => {
    const { result, run, held } = start();
    const first = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(new ApiError(status, ''))
      .mockRejectedValueOnce(new ApiError(status, ''))
      .mockResolvedValueOnce();
    const other = vi.fn<() => Promise<void>>().mockResolvedValue();
    await run(first);
    expect(held()).toEqual([true, true]);
    result.current.forget();
    expect(result.current.failure?.status).toBe(status);
    expect([await run(other), held()]).toEqual([false, [true, true]]);
    expect([await run(other), held()]).toEqual([true, [false, false]]);
    expect([first.mock.calls.length, other.mock.calls.length]).toEqual([3, 0]);
    await run(other);
    expect([first.mock.calls.length, other.mock.calls.length]).toEqual([3, 1]);
  });

  it('that broke in the middle of its answer is open as well', async () => {
    const { run, held } = start();
    await run(() => Promise.reject(new SyntaxError('Unexpected end of JSON input')));
    expect(held()).toEqual([true, true]);
  });

  it.each([400, 401, 403, 404, 409, 413, 415, 429])('that was refused (%i) was not recorded: the form is free', async (status) => {
    const { run, held } = start();
    await run(failing(status));
    expect(held()).toEqual([false, false]);
  });

  it.each([
    [401, true],
    [403, true],
    [429, true],
    [400, false],
    [404, false],
    [409, false],
  ])('that is open stays so after %i: %s, since the server says some before it looks for the key', async (status, open) => {
    const { run, held } = start();
    await run(vi.fn<() => Promise<void>>().mockRejectedValueOnce(new ApiError(0, '')).mockRejectedValueOnce(new ApiError(status, '')));
    await run(failing(418));
    expect(held()).toEqual([open, open]);
  });

  it('is held while it is under way; of one that holds nothing neither that nor a lost answer holds anything', async () => {
    const answer = Promise.withResolvers<void>();
    const keyed = start();
    let done: Promise<boolean> | undefined;
    act(() => {
      done = keyed.result.current.run(() => answer.promise);
    });
    expect([keyed.result.current.busy, ...keyed.held()]).toEqual([true, false, true]);
    answer.resolve();
    await act(async () => {
      await done;
    });
    expect([keyed.result.current.busy, ...keyed.held()]).toEqual([false, false, false]);
    const plain = start(useCommand);
    await plain.run(failing(0));
    expect(plain.held()).toEqual([false, false]);
  });
});
