import { expect, it } from 'vitest';
import { holdEveryWord } from './word-search.rules.ts';

const texts = ['Kathmandu Kings', 'Café \u0130zmir', ''];

it.each([
  ['kings', true],
  ['KATHMANDU  kings', true],
  ['kings kathmandu', true],
  ['kings\u00a0cafe\u0301', true],
  ['kings kings', true],
  ['', true],
  ['   ', true],
  ['kings biratnagar', false],
  ['kingscafé', false],
])('looks for every word of %j in any of the texts: %j', (query, held) => {
  expect(holdEveryWord(texts, query)).toBe(held);
});

it('finds words of a query in no texts only where there are none', () => {
  expect([holdEveryWord([], ''), holdEveryWord([], 'kings')]).toEqual([true, false]);
});
