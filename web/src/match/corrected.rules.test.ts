import { expect, test } from 'vitest';
import { correctedInWords, isCorrectedAfterDay } from './corrected.rules.ts';

const correction = (afterDay: boolean) => ({ at: '2026-11-21T06:00:00.000Z', what: 'Anish Limbu: −2 points', reason: 'Wrong player', afterDay });

test('one correction after the day of the match is enough for the mark', () => {
  expect(isCorrectedAfterDay([])).toBe(false);
  expect(isCorrectedAfterDay([correction(false), correction(false)])).toBe(false);
  expect(isCorrectedAfterDay([correction(false), correction(true)])).toBe(true);
});

test('the count is in words while there are words for it', () => {
  expect([1, 2, 3].map(correctedInWords)).toEqual(['Corrected once', 'Corrected twice', 'Corrected 3 times']);
});
