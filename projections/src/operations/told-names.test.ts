import { expect, it } from 'vitest';
import { countText, numbersText, totalsText } from './told-names.ts';

it('tells one of a thing in the singular, whatever the sign, and any other count in the plural', () => {
  expect([0, 1, -1, 2, -12].map((count) => countText(count, 'match', 'matches'))).toStrictEqual(['0 matches', '1 match', '−1 match', '2 matches', '−12 matches']);
  expect(totalsText({ points: 1, assists: 1, rebounds: 1 })).toBe('1 point, 1 assist, 1 rebound');
  expect(totalsText({ points: 0, assists: -1, rebounds: 2 })).toBe('0 points, −1 assist, 2 rebounds');
  expect(numbersText({ points: 1, assists: 0, rebounds: -2 })).toBe('1 point, −2 rebounds');
  expect(numbersText({ points: 0, assists: 0, rebounds: 0 })).toBe('nothing');
});
