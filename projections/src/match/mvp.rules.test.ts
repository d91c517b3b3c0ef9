import { expect, test } from 'vitest';
import { bestPlayer, type Performance } from './mvp.rules.ts';

const names = new Map<string, string>();
const nameOf = (playerId: string): string => names.get(playerId) ?? playerId;
const of = (playerId: string, teamId: string, points: number, assists: number, rebounds: number): Performance => ({
  playerId,
  teamId,
  points,
  assists,
  rebounds,
});

test('the recorded one, whatever the numbers, if there is a stat entry', () => {
  const rows = [of('best', 'w', 30, 9, 9), of('named', 'l', 0, 0, 1)];
  expect(bestPlayer('named', rows, 'w', nameOf)).toEqual({ player_id: 'named', recorded: true });
  expect(bestPlayer('absent', rows, 'w', nameOf)).toEqual({ player_id: 'best', recorded: false });
});

test('without a record: the winning team only; a level match has none', () => {
  const rows = [of('loser', 'l', 40, 9, 9), of('winner', 'w', 3, 0, 0)];
  expect(bestPlayer(null, rows, 'w', nameOf)).toEqual({ player_id: 'winner', recorded: false });
  expect(bestPlayer(null, rows, undefined, nameOf)).toBeUndefined();
  expect(bestPlayer(null, [], 'w', nameOf)).toBeUndefined();
});

test.each([
  // Whoever is better by a number has the later name.
  ['sum', of('z', 'w', 5, 5, 6), of('a', 'w', 15, 0, 0)],
  ['points', of('z', 'w', 10, 1, 1), of('a', 'w', 9, 2, 1)],
  ['rebounds', of('z', 'w', 10, 1, 3), of('a', 'w', 10, 3, 1)],
  ['name', of('z', 'w', 10, 1, 1), of('a', 'w', 10, 1, 1), { z: 'asha', a: 'Bina' }],
  ['id', of('a', 'w', 10, 1, 1), of('b', 'w', 10, 1, 1), { a: 'Asha', b: 'asha' }],
])('ties are decided by %s', (_, first, second, named?: Readonly<Record<string, string>>) => {
  names.clear();
  for (const [playerId, name] of Object.entries(named ?? {})) names.set(playerId, name);
  expect(bestPlayer(null, [second, first], 'w', nameOf)?.player_id).toBe(first.playerId);
  expect(bestPlayer(null, [first, second], 'w', nameOf)?.player_id).toBe(first.playerId);
});
