import { expect, it } from 'vitest';
import { tournament } from '../testing/tournament-builder.ts';
import { eventNameFound, findTournaments, splitMatch } from './tournament-search.rules.ts';

const all = [
  tournament({ name: 'Himalayan Hoops League', eventName: 'Himalayan Hoops League', location: 'Kathmandu' }),
  tournament({ name: 'Terai Night League', eventName: 'Mithila Mahotsav', location: 'Janakpur' }),
  tournament({ name: 'राष्ट्रिय प्रतियोगिता', eventName: 'राष्ट्रिय प्रतियोगिता', location: 'Chitwan' }),
];

it.each([
  [' LEAGUE ', ['Himalayan Hoops League', 'Terai Night League']],
  ['league janak', ['Terai Night League']],
  ['राष्ट्रिय', ['राष्ट्रिय प्रतियोगिता']],
  ['mahotsav', ['Terai Night League']],
  ['mahotsav \u00a0 NIGHT janakpur', ['Terai Night League']],
  // No word begins in one of the texts and ends in the next.
  ['leaguemithila', []],
  ['mahotsav hoops', []],
  ['zzz', []],
  ['', []],
  ['  ', []],
])('finds by any word of the names or the place, whatever the case: %j', (query, names) => {
  expect(findTournaments(all, query).map(({ name }) => name)).toEqual(names);
});

it.each([
  ['mahotsav', 'Mithila Mahotsav'],
  ['mahotsav janakpur', 'Mithila Mahotsav'],
  ['night', undefined],
  ['janakpur', undefined],
])('names the event where what was searched is found by that alone: %j', (query, name) => {
  expect(eventNameFound(tournament({ name: 'Terai Night League', eventName: 'Mithila Mahotsav', location: 'Janakpur' }), query)).toBe(name);
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
