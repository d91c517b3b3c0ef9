import { expect, test } from 'vitest';
import { correctedAfter } from './corrected.rules.ts';

const at = (time: string) => ({ at: time, what: 'Anish Limbu: −2 points', reason: 'Wrong player' });

test('a correction counts from the day after the match, by the calendar of Kathmandu', () => {
  const [same, last, next] = [at('2026-11-21T06:00:00.000Z'), at('2026-11-21T18:14:59.999Z'), at('2026-11-21T18:15:00.000Z')];
  expect(correctedAfter('2026-11-21T00:00:00.000Z', [next, last, same])).toEqual([next]);
  expect(correctedAfter('2026-11-22T00:00:00.000Z', [next])).toEqual([]);
});
