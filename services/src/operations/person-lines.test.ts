import { expect, it } from 'vitest';
import { erasureLines } from './person-lines.ts';

/** What stays of a player with entries in so many matches. */
const staysOf = (matches: number): string | undefined =>
  erasureLines({
    personId: 'p',
    kind: 'player',
    name: 'Asha',
    of: '',
    erased: false,
    goes: { details: ['name'], photo: false, document: false },
    stays: { matches, as: 'Former player' },
  })[1];

it('what an erasure leaves is told in the right number', () => {
  expect([0, 1, 2].map(staysOf)).toEqual(
    ['0 matches', '1 match', '2 matches'].map(
      (matches) => `  stays: the entries in ${matches}, the place, as 'Former player', that it was erased, by whom and why`,
    ),
  );
});
