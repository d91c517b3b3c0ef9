import { describe, expect, it } from 'vitest';
import { matchesFilter } from './list-filter.rules.ts';

const team = ['Kathmandu Kings', 'Biratnagar', undefined, 'Coach 2083', '9000000000'];

it.each([
  ['', true],
  ['  ', true],
  ['kings', true],
  ['kings biratnagar', true],
  ['biratnagar  KINGS', true],
  ['kathmandu  kings', true],
  ['kings 9000', true],
  ['2083', true],
  ['coach 2083', true],
  ['kings pokhara', false],
  ['kings 9800', false],
  ['undefined', false],
])('a filter %j goes word by word: %j', (typed, left) => {
  expect(matchesFilter(typed, team)).toBe(left);
});

describe('a number', () => {
  it.each([
    '9000000000',
    '9000 000 000',
    '+977 9000000000',
    '+977-9000-000000',
    '00977 9000000000',
    '9779000000000',
    '(9000) 000000',
    '\u202a+977\u00a09000\u2011000000\u202c',
    '९००० ०००',
    '+977 9',
    '000000',
  ])('typed as %j finds the phone', (typed) => {
    expect(matchesFilter(typed, team)).toBe(true);
  });

  it.each(['9000 000 001', '+977 9800000000', '977', '+977', '+', '- -', '( )'])('typed as %j finds another one, or none', (typed) => {
    expect(matchesFilter(typed, team)).toBe(false);
  });

  it('is found whole, not group by group', () => {
    expect(['9841000001', '9841000010'].map((phone) => matchesFilter('9841 000 001', ['Suyog', phone]))).toEqual([true, false]);
  });

  it('is found where the phone is kept in groups, with the code of the country or without', () => {
    expect(['+977 1-5970456', '+977', '15970456', '97 715', '01 5970456'].map((typed) => matchesFilter(typed, ['+977-1-5970456']))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(['01 5970456', '+977 1 5970456', '(01) 597'].map((typed) => matchesFilter(typed, ['01-5970456']))).toEqual([true, true, true]);
  });

  it('begins like the code of the country where it has no more than ten figures', () => {
    expect(['9779 841', '9779841023'].map((typed) => matchesFilter(typed, ['9779841023']))).toEqual([true, true]);
  });

  it('may be a part of a day, in its own order alone', () => {
    const match = ['Kings', '21 November 2026', '2026-11-21'];
    expect(['2026-11-21', '2026-11', '21', '21 2026', '1 12', '61 12'].map((typed) => matchesFilter(typed, match))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
