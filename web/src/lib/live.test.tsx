import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { markLive, useIsLive } from './live.ts';

it('shows a match as live on its day: what is recorded of an earlier day corrects it', () => {
  const today = kathmanduDay(Date.now());
  const { result } = renderHook(() => [useIsLive({ _id: 'today', date: `${today}T00:00:00.000Z` }), useIsLive({ _id: 'earlier', date: '2025-10-26T00:00:00.000Z' }), useIsLive({ _id: 'other', date: today })]);
  expect(result.current).toEqual([false, false, false]);
  act(() => {
    markLive('today');
    markLive('earlier');
  });
  expect(result.current).toEqual([true, false, false]);
});
