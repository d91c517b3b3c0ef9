import { describe, expect, it } from 'vitest';
import { tournamentDateErrors } from './tournament.rules.ts';

describe('tournamentDateErrors', () => {
  it.each([
    ['2026-11-01', '2026-11-02', '2026-11-03', []],
    ['2026-11-01', '2026-11-01', '2026-11-01', []],
    ['2026-11-01', '2026-11-03', '2026-11-02', ['endDate']],
    ['2026-11-04', '2026-11-03', '2026-11-03', ['registeringStartDate']],
    ['2026-11-04', '2026-11-03', '2026-11-02', ['endDate', 'registeringStartDate']],
    ['2026-12-31', '2027-01-01', '2027-01-02', []],
  ])('registration %s, start %s, end %s', (registeringStartDate, startDate, endDate, wrong) => {
    expect(tournamentDateErrors({ startDate, endDate, registeringStartDate }).map(({ path }) => path)).toEqual(wrong);
  });
});
