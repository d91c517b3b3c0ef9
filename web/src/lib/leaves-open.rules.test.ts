import { describe, expect, it } from 'vitest';
import { leavesOpen } from './leaves-open.rules.ts';

describe('whether it stays open if what was sent was recorded', () => {
  it.each([0, 500, 502, 503, 504])('%i: yes', (status) => {
    expect([leavesOpen(status, false), leavesOpen(status, true)]).toEqual([true, true]);
  });

  it.each([400, 404, 409, 413, 415])('%i: no', (status) => {
    expect([leavesOpen(status, false), leavesOpen(status, true)]).toEqual([false, false]);
  });

  it.each([401, 403, 408, 425, 429])('%i: only if an earlier sending is open, of which it says nothing', (status) => {
    expect([leavesOpen(status, false), leavesOpen(status, true)]).toEqual([false, true]);
  });
});
