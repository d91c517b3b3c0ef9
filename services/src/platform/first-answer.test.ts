import { expect, it } from 'vitest';
import { createFirstAnswer } from './first-answer.ts';

it('is made once a position and a day, and anew once the read model was replaced', () => {
  let [position, day, made] = [7n, '2026-11-26', 0];
  const first = createFirstAnswer('/tournaments/', {
    position: () => position,
    today: () => day,
    make: (today) => {
      made += 1;
      return `"${today} ${String(made)}"`;
    },
  });
  const got = (): readonly string[] => [first.get().position, first.get().json];
  expect([got(), got()]).toEqual([
    ['7', '"2026-11-26 1"'],
    ['7', '"2026-11-26 1"'],
  ]);
  position = 8n;
  expect(got()).toEqual(['8', '"2026-11-26 2"']);
  day = '2026-11-27';
  expect(got()).toEqual(['8', '"2026-11-27 3"']);
  first.forget();
  expect(first.get()).toEqual({ address: '/tournaments/', position: '8', json: '"2026-11-27 4"' });
});
