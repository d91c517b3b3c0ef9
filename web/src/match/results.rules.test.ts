import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import { expect, it } from 'vitest';
import { monthGroups, tournamentToOpen } from './results.rules.ts';

const starting = (id: string, day: string): TournamentListItem => ({ _id: id, startDate: `${day}T00:00:00.000Z` }) as TournamentListItem;

it('groups tournaments by the month they start in, newest first', () => {
  const groups = monthGroups([starting('a', '2026-11-06'), starting('b', '2027-01-02'), starting('c', '2026-11-30'), starting('d', '2025-11-01')]);
  expect(groups.map(({ title, tournaments }) => [title, tournaments.map((tournament) => tournament._id)])).toEqual([
    ['January 2027', ['b']],
    ['November 2026', ['c', 'a']],
    ['November 2025', ['d']],
  ]);
});

it('opens the asked tournament, then the saved one if it still exists, then the first', () => {
  const all = [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }];
  expect(tournamentToOpen(all, ['c', 'b'])).toBe('c');
  expect(tournamentToOpen(all, [null, 'b'])).toBe('b');
  expect(tournamentToOpen(all, ['gone', undefined])).toBe('a');
  expect(tournamentToOpen([], ['a'])).toBeUndefined();
});
