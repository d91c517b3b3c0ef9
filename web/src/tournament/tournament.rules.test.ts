import { describe, expect, it } from 'vitest';
import { findTournaments, splitMatch } from './tournament-search.rules.ts';
import { isLeague, isRegisterable, longestWord, titleSize, untilTomorrow } from './tournament.rules.ts';

it("opens registration only for the text 'true'", () => {
  expect(['true', 'True', 'false', '', 'Registration closed'].map(isRegisterable)).toEqual([true, false, false, false, false]);
  expect(['true', 'false', ''].map(isLeague)).toEqual([true, false, false]);
});

it('measures a name by its longest word', () => {
  expect(['Valley Winter Classic 2083', 'Kathmandu-Lalitpur Derby', 'अन्तर विश्वविद्यालयस्तरीय', '', ' '].map(longestWord)).toEqual([7, 9, 19, 0, 0]);
});

it('sets long names smaller', () => {
  expect(['Valley Winter Classic 2083', 'x'.repeat(28), 'x'.repeat(29), 'x'.repeat(48), 'x'.repeat(49)].map(titleSize)).toEqual([
    '',
    '',
    'is-long',
    'is-long',
    'is-longer',
  ]);
});

it('waits for the end of the day in Kathmandu, and a minute', () => {
  expect(['2026-12-31T23:59:00+05:45', '2027-01-01T00:00:00+05:45', '2027-01-01T18:14:59Z'].map((now) => untilTomorrow(Date.parse(now)))).toEqual([
    120_000, 86_460_000, 61_000,
  ]);
});

describe('the search', () => {
  const all = [
    { name: 'Himalayan Hoops League', location: 'Kathmandu' },
    { name: 'Terai Night League', location: 'Janakpur' },
    { name: 'राष्ट्रिय प्रतियोगिता', location: 'Chitwan' },
  ];
  it('finds by any word of name or place, whatever the case', () => {
    expect(findTournaments(all, ' LEAGUE ').map((found) => found.name)).toEqual(['Himalayan Hoops League', 'Terai Night League']);
    expect(findTournaments(all, 'league janak').map((found) => found.name)).toEqual(['Terai Night League']);
    expect(findTournaments(all, 'राष्ट्रिय').map((found) => found.location)).toEqual(['Chitwan']);
    expect(findTournaments(all, 'zzz')).toEqual([]);
    expect(findTournaments(all, '  ')).toEqual([]);
  });
  it('marks where the query stands', () => {
    expect(splitMatch('Terai Night League', 'night')).toEqual([
      { text: 'Terai ', hit: false, at: 0 },
      { text: 'Night', hit: true, at: 6 },
      { text: ' League', hit: false, at: 11 },
    ]);
    expect(splitMatch('Terai', 'zzz')).toEqual([{ text: 'Terai', hit: false, at: 0 }]);
    expect(splitMatch('İİ Istanbul Cup', 'istanbul').map(({ text }) => text)).toEqual(['İİ ', 'Istanbul', ' Cup']);
  });
});
