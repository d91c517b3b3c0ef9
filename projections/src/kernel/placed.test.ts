import { expect, test } from 'vitest';
import { comparePositions, displace, idsOf, place, type Placed } from './placed.ts';

test('positions are compared as numbers, beyond what a number holds', () => {
  expect(['10', '9', '9007199254740993', '9007199254740992'].toSorted(comparePositions)).toEqual(['9', '10', '9007199254740992', '9007199254740993']);
});

test('an id stands at the position of its fact, whenever that fact comes', () => {
  const list: Placed[] = [];
  place(list, 'b', 20n);
  place(list, 'c', 100n);
  expect(place(list, 'a', 3n)).toBe(true);
  expect(place(list, 'b', 200n)).toBe(false);
  expect(idsOf(list)).toEqual(['a', 'b', 'c']);
  displace(list, 'b');
  displace(list, 'unknown');
  expect(idsOf(list)).toEqual(['a', 'c']);
});
