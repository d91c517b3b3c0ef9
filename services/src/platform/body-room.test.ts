import { expect, test } from 'vitest';
import { createBodyRoom } from './body-room.ts';

test('bodies take so much together and no more, of which one address has as much as it leaves to others', () => {
  const room = createBodyRoom(400);
  expect([room.take('a', 160), room.take('a', 41), room.take('a', 40), room.take('a', 1)]).toEqual([true, false, true, false]);
  expect([room.take('b', 101), room.take('b', 100), room.take('b', 1)]).toEqual([false, true, false]);
  // However many do it together, something is left for whoever comes next.
  expect([50, 25, 12].map((bytes, index) => room.take(`c${String(index)}`, bytes))).toEqual([true, true, true]);
  expect([room.take('d', 7), room.take('d', 6)]).toEqual([false, true]);
  room.giveBack('b', 100);
  expect([room.take('b', 54), room.take('b', 53)]).toEqual([false, true]);
  room.giveBack('a', 200);
  expect([room.take('a', 128), room.take('a', 127)]).toEqual([false, true]);
});
