import { getPlayer as getPlayerEndpoint, listPlayers as listPlayersEndpoint } from '@courtledger/contracts/player/player.api';
import { expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { adminPlayer, getPlayer, listPlayers } from './player.queries.ts';

const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 4, ['t1']);
  log.team('b', 'Bagmati', 4, ['t1']);
  log.match('m1', 't1', 'a', 'b', '2026-11-12');
  log.match('m2', 't1', 'b', 'a', '2026-11-14');
  log.match('m3', 't1', 'b', 'a', '2026-11-13');
  log.stat('m1', 'a-p1', 3, 1);
  log.stat('m2', 'a-p1', 4, 0, 2);
  log.participation('m3', 'a-p1', 'DNP');
  return log;
};

test('totals, averages over matches played, and the history newest first', () => {
  using model = projected(season());
  const player = getPlayerEndpoint.response.parse(JSON.parse(getPlayer(model.reader, 'a-p1') ?? ''));
  expect(player).toMatchObject({
    name: 'Player a-p1',
    jerseyNumber: '1',
    age: 21,
    height: 180,
    weight: 75,
    currentTeam: { _id: 'a', name: 'Annapurna' },
    total_points: 7,
    total_assists: 1,
    total_rebounds: 2,
    matches_played: 2,
    averages: { points: 3.5, assists: 0.5, rebounds: 1 },
  });
  expect(player.match_history.map(({ match_id, notplayed, points }) => [match_id._id, notplayed, points])).toEqual([
    ['m2', 'played', 4],
    ['m3', 'DNP', 0],
    ['m1', 'played', 3],
  ]);
  expect(player.match_history[0]?.match_id).toEqual({
    _id: 'm2',
    date: '2026-11-14T00:00:00.000Z',
    team_1: { _id: 'b', team_details: { name: 'Bagmati' } },
    team_2: { _id: 'a', team_details: { name: 'Annapurna' } },
    tournament_id: { _id: 't1', name: 'Cup t1' },
  });
  expect(getPlayer(model.reader, 'nothing')).toBeUndefined();
});

test('no phone and no document in the public profile; both in the admin list', () => {
  using model = projected(season());
  expect(getPlayer(model.reader, 'a-p1')).not.toMatch(/9811111111|doc-|mobileNumber|"document"/);
  const players = listPlayersEndpoint.response.parse(JSON.parse(listPlayers(model.reader)));
  expect(players).toHaveLength(8);
  expect(players[0]).toMatchObject({ _id: 'a-p1', mobileNumber: '9811111111', document: true, total_points: 7 });
  expect(listPlayers(model.reader)).not.toContain('doc-a-p1');
  expect(JSON.parse(adminPlayer(model.reader, 'a-p1') ?? '')).toEqual(players[0]);
});

test('a reversed entry takes its match out of the history and the averages', () => {
  const log = season();
  log.reverse('m2', 'entry-' + String(log.events.findIndex(({ stream, type }) => stream === 'match-m2' && type === 'StatIncrementRecorded')));
  using model = projected(log);
  const player = getPlayerEndpoint.response.parse(JSON.parse(getPlayer(model.reader, 'a-p1') ?? ''));
  expect(player).toMatchObject({ total_points: 3, matches_played: 1, averages: { points: 3, assists: 1, rebounds: 0 } });
  expect(player.match_history.map(({ match_id }) => match_id._id)).toEqual(['m3', 'm1']);
});

test('an erased player is a former player, with the same numbers', () => {
  const log = season();
  log.erase('a-p1', 'player');
  using model = projected(log);
  expect(getPlayerEndpoint.response.parse(JSON.parse(getPlayer(model.reader, 'a-p1') ?? ''))).toMatchObject({
    name: 'Former player',
    image: '',
    age: 0,
    height: 0,
    weight: 0,
    total_points: 7,
  });
  expect(JSON.parse(adminPlayer(model.reader, 'a-p1') ?? '')).toMatchObject({ mobileNumber: '', document: false });
});

test('no players is an empty list', () => {
  using model = projected(new RecordedLog());
  expect(listPlayers(model.reader)).toBe('[]');
});
