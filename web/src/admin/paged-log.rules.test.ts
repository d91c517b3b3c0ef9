import { expect, test } from 'vitest';
import { nothingFound } from './paged-log.rules.ts';

test.each([
  ['', '', true, 'Nothing'],
  ['', '', false, 'Nothing on this page'],
  ['2026-11-20', '2026-11-20', true, 'Nothing'],
  ['', '2026-11-21', false, 'Nothing on this page'],
  ['2026-11-22', '2026-11-21', true, '“From” is later than “To”: no day is between them'],
  ['2026-11-22', '2026-11-21', false, '“From” is later than “To”: no day is between them'],
])('nothing from “%s” to “%s”, on the only page: %s', (from, to, isWhole, said) => {
  expect(nothingFound({ from, to }, 'Nothing', isWhole)).toBe(said);
});
