import { expect, test } from 'vitest';
import { asked, nothingFound } from './paged-log.rules.ts';

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

test.each([
  ['0002-11-22', ''],
  ['0202-11-22', ''],
  ['0202-11-22T10:00', ''],
  ['2026-11-22', '2026-11-22'],
  ['2026-11-22T10:00', '2026-11-22T10:00'],
  ['0002', '0002'],
  ['', ''],
])('%s, as it is typed, asks for %s', (typed, wanted) => {
  expect(asked(typed)).toBe(wanted);
});
