import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAnswerTurns } from './answer-turns.ts';

it('answers the first at once and the others in their order, two a turn', async () => {
  const turns = createAnswerTurns();
  const done: number[] = [];
  for (let task = 0; task < 20; task += 1) turns.soon(() => done.push(task));
  expect(done).toEqual([0]);
  const seen: number[] = [];
  while (done.length < 20) {
    // One turn of the event loop after another is what is tested.
    await nextTurn();
    seen.push(done.length);
  }
  expect(done).toEqual(Array.from({ length: 20 }, (_, task) => task));
  expect(seen).toEqual([3, 5, 7, 9, 11, 13, 15, 17, 19, 20]);
});

it('answers at once again when a turn has passed, and what comes during a turn after what waits', async () => {
  const turns = createAnswerTurns();
  const done: string[] = [];
  turns.soon(() => done.push('a'));
  turns.soon(() => {
    done.push('b');
    turns.soon(() => done.push('d'));
  });
  turns.soon(() => done.push('c'));
  await nextTurn();
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'c', 'd']);
  turns.soon(() => done.push('e'));
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e']);
});
