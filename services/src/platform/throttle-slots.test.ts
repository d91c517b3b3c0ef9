import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { refusalOf } from './testing/gate-fixtures.ts';
import { createSlots } from './throttle-slots.ts';

/** Pieces of work that note when they begin and end when they are told to, one after another. */
const stage = (options: { readonly atOnce: number; readonly waiting: number }) => {
  const slots = createSlots({ ...options, refusal: 'Too many' });
  const begun: string[] = [];
  const running: (() => void)[] = [];
  const ask = async (name: string, asker?: string): Promise<string> =>
    (
      await refusalOf(
        slots.run(async () => {
          begun.push(name);
          await new Promise<void>((resolve) => {
            running.push(resolve);
          });
        }, asker),
      )
    )?.code ?? 'done';
  const endOne = async (): Promise<void> => {
    await nextTurn();
    running.shift()?.();
    await nextTurn();
  };
  return { begun, ask, endOne };
};

test('so many pieces of work run at once, so many wait, and the rest is refused', async () => {
  const { begun, ask, endOne } = stage({ atOnce: 2, waiting: 2 });
  const asked = ['a', 'b', 'c', 'd'].map(async (name) => ask(name));
  expect([await ask('e'), begun]).toEqual(['throttled', ['a', 'b']]);
  await endOne();
  expect(begun).toEqual(['a', 'b', 'c']);
  const late = ask('f');
  for (let count = 0; count < 4; count += 1) await endOne();
  expect([await Promise.all(asked), await late, begun]).toEqual([['done', 'done', 'done', 'done'], 'done', ['a', 'b', 'c', 'd', 'f']]);
  // All places are free again.
  const [first, second] = [ask('g'), ask('h')];
  await nextTurn();
  expect(begun.slice(5)).toEqual(['g', 'h']);
  await endOne();
  await endOne();
  expect([await first, await second]).toEqual(['done', 'done']);
});

test('those who wait take turns, whoever came with how much', async () => {
  const { begun, ask, endOne } = stage({ atOnce: 1, waiting: 20 });
  const asked = [ask('x1', 'x'), ask('x2', 'x'), ask('x3', 'x'), ask('x4', 'x'), ask('y1', 'y'), ask('z1', 'z'), ask('y2', 'y')];
  for (let count = 0; count < 7; count += 1) await endOne();
  await Promise.all(asked);
  expect(begun).toEqual(['x1', 'x2', 'y1', 'z1', 'x3', 'y2', 'x4']);
});

test('one asker may hold as many places of the queue as are left to others', async () => {
  const { ask, endOne } = stage({ atOnce: 1, waiting: 4 });
  const asked = [ask('x1', 'x'), ask('x2', 'x'), ask('x3', 'x')];
  expect(await ask('x4', 'x')).toBe('throttled');
  asked.push(ask('y1', 'y'), ask('z1', 'z'));
  expect(await ask('w1', 'w')).toBe('throttled');
  for (let count = 0; count < 5; count += 1) await endOne();
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['done']));
});
