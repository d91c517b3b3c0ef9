import { expect, test } from 'vitest';
import { bestPlayer, type Performance } from './mvp.rules.ts';

const of = (playerId: string, teamId: string, points: number, assists: number, rebounds: number, name = playerId): Performance => ({ playerId, teamId, name, points, assists, rebounds });

test('the recorded one, whatever the numbers, if there is a stat entry', () => {
  const rows = [of('best', 'w', 30, 9, 9), of('named', 'l', 0, 0, 1)];
  expect(bestPlayer('named', rows, 'w')).toEqual({ player_id: 'named', recorded: true });
  expect(bestPlayer('absent', rows, 'w')).toEqual({ player_id: 'best', recorded: false });
});

test('without a record: the winning team only; a level match has none', () => {
  const rows = [of('loser', 'l', 40, 9, 9), of('winner', 'w', 3, 0, 0)];
  expect(bestPlayer(null, rows, 'w')).toEqual({ player_id: 'winner', recorded: false });
  expect(bestPlayer(null, rows, undefined)).toBeUndefined();
  expect(bestPlayer(null, [], 'w')).toBeUndefined();
});

test.each([
  ['sum', of('a', 'w', 5, 5, 6), of('b', 'w', 15, 0, 0)],
  ['points', of('a', 'w', 10, 1, 1), of('b', 'w', 9, 2, 1)],
  ['rebounds', of('a', 'w', 10, 1, 3), of('b', 'w', 10, 3, 1)],
  ['name', of('z', 'w', 10, 1, 1, 'asha'), of('a', 'w', 10, 1, 1, 'Bina')],
  ['id', of('a', 'w', 10, 1, 1, 'Asha'), of('b', 'w', 10, 1, 1, 'asha')],
])('ties are decided by %s', (_, first, second) => {
  expect(bestPlayer(null, [second, first], 'w')?.player_id).toBe(first.playerId);
  expect(bestPlayer(null, [first, second], 'w')?.player_id).toBe(first.playerId);
});
