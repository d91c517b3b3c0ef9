import { expect, test } from 'vitest';
import { createBodyRoom } from './body-room.ts';

test('bodies take so much together and no more, of which one address has a quarter', () => {
  const room = createBodyRoom(400);
  expect([room.take('a', 60), room.take('a', 41), room.take('a', 40), room.take('a', 1)]).toEqual([true, false, true, false]);
  expect(['b', 'c', 'd'].map((address) => room.take(address, 100))).toEqual([true, true, true]);
  expect(room.take('e', 1)).toBe(false);
  room.giveBack('a', 40);
  expect([room.take('e', 40), room.take('a', 1)]).toEqual([true, false]);
  room.giveBack('e', 40);
  expect([room.take('a', 40), room.take('e', 1)]).toEqual([true, false]);
});
