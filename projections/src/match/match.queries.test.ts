import {
  getMatch as getMatchEndpoint,
  getMatchHistory as historyEndpoint,
  listMatchCorrections as correctionsEndpoint,
  listMatches as listMatchesEndpoint,
} from '@courtledger/contracts/match/match.api';
import { expect, test } from 'vitest';
import { season } from '../kernel/testing/small-season.ts';
import { projected } from '../kernel/testing/projected.ts';
import type { Reader } from '../kernel/read-model.ts';
import { getLeaders, getTournament, listTournamentMatches } from '../tournament/tournament.queries.ts';
import { getMatch, getMatchHistory, listMatchCorrections, listMatches, matchAtRevision } from './match.queries.ts';

const matchOf = (reader: Reader, id = 'm1') => getMatchEndpoint.response.parse(JSON.parse(getMatch(reader, id) ?? ''));

test('a match without rows is upcoming: rosters, no statistics, no MVP', () => {
  using model = projected(season());
  const match = matchOf(model.reader);
  expect(match).toMatchObject({
    _id: 'm1',
    date: '2026-11-12T00:00:00.000Z',
    time: '15:30',
    tournament_id: { _id: 't1', name: 'Cup t1', location: 'Pokhara', startDate: '2026-11-10T00:00:00.000Z', league: 'true' },
    team_1: { _id: 'a', team_details: { name: 'Annapurna', logo: '/media/a.png' } },
    player_stats: [],
  });
  expect(match.team_2.players).toEqual(
    [1, 2, 3, 4].map((number) => ({
      _id: `b-p${String(number)}`,
      name: `Player b-p${String(number)}`,
      jerseyNumber: String(number),
      image: `/media/b-p${String(number)}.jpg`,
    })),
  );
  expect('mvp' in match || 'bestPlayer' in match).toBe(false);
  expect(getMatch(model.reader, 'nothing')).toBeUndefined();
});

test('entries add up; a row goes with the last entry that stands and comes back with a reversal of the reversal', () => {
  const log = season();
  const entry = log.stat('m1', 'a-p1', 3, 1, 2);
  log.stat('m1', 'b-p2', -1);
  using model = projected(log);
  expect(matchOf(model.reader).player_stats).toEqual([
    {
      player_id: 'a-p1',
      team_id: 'a',
      points: 3,
      assists: 1,
      rebounds: 2,
      notplayed: 'played',
      name: 'Player a-p1',
      jerseyNumber: '1',
      image: '/media/a-p1.jpg',
    },
    {
      player_id: 'b-p2',
      team_id: 'b',
      points: -1,
      assists: 0,
      rebounds: 0,
      notplayed: 'played',
      name: 'Player b-p2',
      jerseyNumber: '2',
      image: '/media/b-p2.jpg',
    },
  ]);
  const reversal = log.reverse('m1', entry);
  model.projector.apply(log.events);
  expect(matchOf(model.reader).player_stats.map(({ player_id }) => player_id)).toEqual(['b-p2']);
  const again = log.reverse('m1', reversal);
  model.projector.apply(log.events);
  expect(matchOf(model.reader).player_stats.map(({ player_id, points, assists }) => [player_id, points, assists])).toEqual([
    ['a-p1', 3, 1],
    ['b-p2', -1, 0],
  ]);
  log.reverse('m1', again);
  model.projector.apply(log.events);
  expect(matchOf(model.reader).player_stats.map(({ player_id }) => player_id)).toEqual(['b-p2']);
});

test('a recorded participation makes a row, and says the status', () => {
  const log = season();
  log.participation('m1', 'a-p1', 'played');
  log.participation('m1', 'a-p2', 'Not Played');
  log.stat('m1', 'a-p2', 2);
  log.participation('m1', 'a-p3', 'DNP');
  using model = projected(log);
  expect(matchOf(model.reader).player_stats.map(({ player_id, points, notplayed }) => [player_id, points, notplayed])).toEqual([
    ['a-p1', 0, 'played'],
    ['a-p2', 2, 'Not Played'],
    ['a-p3', 0, 'DNP'],
  ]);
});

test("'Not Played' without entries takes the row away, and the match is upcoming again; with an entry the row stays", () => {
  const log = season();
  using model = projected(log);
  const shown = () => {
    model.projector.apply(log.events);
    const { matches } = JSON.parse(listTournamentMatches(model.reader, 't1') ?? '') as { matches: { hasStats: boolean }[] };
    return [
      matches.map(({ hasStats }) => hasStats),
      matchOf(model.reader).player_stats.map(({ player_id, points, notplayed }) => [player_id, points, notplayed]),
    ];
  };
  log.participation('m1', 'a-p1', 'played');
  expect(shown()).toEqual([[true], [['a-p1', 0, 'played']]]);
  log.participation('m1', 'a-p1', 'Not Played');
  expect(shown()).toEqual([[false], []]);
  const entry = log.stat('m1', 'a-p1', 2);
  expect(shown()).toEqual([[true], [['a-p1', 2, 'Not Played']]]);
  log.reverse('m1', entry);
  expect(shown()).toEqual([[false], []]);
});

test('the MVP: the fallback on the winning team, then the recorded one while it has an entry', () => {
  const log = season();
  const entry = log.stat('m1', 'b-p1', 5);
  log.stat('m1', 'a-p1', 9);
  using model = projected(log);
  expect(matchOf(model.reader)).toMatchObject({ bestPlayer: { player_id: 'a-p1', recorded: false } });
  log.record('match-m1', 'MatchMvpNamed', { matchId: 'm1', playerId: 'b-p1' });
  model.projector.apply(log.events);
  expect(matchOf(model.reader)).toMatchObject({ mvp: 'b-p1', bestPlayer: { player_id: 'b-p1', recorded: true } });
  log.reverse('m1', entry);
  model.projector.apply(log.events);
  expect(matchOf(model.reader).mvp).toBeUndefined();
  expect(matchOf(model.reader).bestPlayer).toEqual({ player_id: 'a-p1', recorded: false });
  log.stat('m1', 'b-p2', 9);
  model.projector.apply(log.events);
  expect(matchOf(model.reader).bestPlayer).toBeUndefined();
});

test('the list has one fragment a match, by day and time, with the same rows', () => {
  const log = season();
  log.match('m2', 't1', 'b', 'a', '2026-11-11', '');
  log.stat('m1', 'a-p1', 3);
  using model = projected(log);
  const list = listMatchesEndpoint.response.parse(JSON.parse(listMatches(model.reader)));
  expect(list.map(({ matchId, team1Name, team2Id, tournamentName, time }) => [matchId, team1Name, team2Id, tournamentName, time])).toEqual([
    ['m2', 'Bagmati', 'a', 'Cup t1', ''],
    ['m1', 'Annapurna', 'b', 'Cup t1', '15:30'],
  ]);
  expect(list[1]?.playerStats).toEqual(matchOf(model.reader).player_stats);
  expect(list[1]?.team1Players).toEqual(matchOf(model.reader).team_1.players);
});

test('what others are called is shown everywhere at once: team, tournament, player, jersey, roster', () => {
  const log = season();
  log.stat('m1', 'a-p1', 3);
  using model = projected(log);
  log.record('team-a', 'TeamDetailsCorrected', { teamId: 'a', changes: { name: 'Annapurna II', logo: '/media/new.png' } });
  log.record('tournament-t1', 'TournamentDetailsChanged', { tournamentId: 't1', changes: { name: 'Autumn Cup', location: 'Dharan' } });
  log.person('a-p1', 'player', { name: 'Ram Thapa', phone: '9811111111', photo: '/media/ram.jpg' });
  log.record('team-a', 'PlayerJerseyNumberChanged', { teamId: 'a', playerId: 'a-p1', jerseyNumber: '00' });
  log.player('a-p5', 'a', '5');
  model.projector.apply(log.events);
  const match = matchOf(model.reader);
  expect(match.team_1.team_details).toEqual({ name: 'Annapurna II', logo: '/media/new.png' });
  expect(match.tournament_id).toMatchObject({ name: 'Autumn Cup', location: 'Dharan' });
  expect(match.team_1.players.map(({ name, jerseyNumber }) => [name, jerseyNumber])).toEqual([
    ['Ram Thapa', '00'],
    ['Player a-p2', '2'],
    ['Player a-p3', '3'],
    ['Player a-p4', '4'],
    ['Player a-p5', '5'],
  ]);
  expect(match.player_stats[0]).toMatchObject({ name: 'Ram Thapa', jerseyNumber: '00', image: '/media/ram.jpg' });
  for (const answer of [listMatches(model.reader), getTournament(model.reader, 't1'), getLeaders(model.reader, 't1'), getMatch(model.reader, 'm1')]) {
    expect(answer).toContain('Ram Thapa');
    expect(answer).not.toContain('Player a-p1"');
  }
  expect(listTournamentMatches(model.reader, 't1')).toContain('Annapurna II');
});

test('a cancelled match is gone from every list and count', () => {
  const log = season();
  log.match('m2', 't1', 'b', 'a');
  log.record('match-m1', 'MatchCancelled', { matchId: 'm1' });
  using model = projected(log);
  expect(getMatch(model.reader, 'm1')).toBeUndefined();
  expect(listMatchCorrections(model.reader, 'm1')).toBeUndefined();
  for (const answer of [listMatches(model.reader), getTournament(model.reader, 't1'), listTournamentMatches(model.reader, 't1')])
    expect(answer).not.toContain('m1"');
  expect(getMatchHistory(model.reader, 'm1')).toContain('MatchCancelled');
});

test('history: who, when, what, running totals and the reversal that stands', () => {
  const log = season();
  const entry = log.stat('m1', 'a-p1', 3, 1, 0, 'e1');
  log.stat('m1', 'a-p1', 2, 0, 0, 'e2');
  const reversal = log.reverse('m1', entry, 'r1');
  log.reverse('m1', reversal, 'r2');
  log.reverse('m1', entry, 'r3');
  log.participation('m1', 'a-p1', 'played');
  log.record('match-m1', 'MatchMvpNamed', { matchId: 'm1', playerId: null });
  using model = projected(log);
  const history = historyEndpoint.response.parse(JSON.parse(getMatchHistory(model.reader, 'm1') ?? ''));
  expect(history.map(({ type, entryId, runningTotal, reversed, reversedBy }) => [type, entryId, runningTotal?.points, reversed, reversedBy])).toEqual([
    ['MatchAssigned', undefined, undefined, false, undefined],
    ['StatIncrementRecorded', 'e1', 3, true, 'r3'],
    ['StatIncrementRecorded', 'e2', 5, false, undefined],
    ['StatEntryReversed', 'r1', 2, true, 'r2'],
    ['StatEntryReversed', 'r2', 5, false, undefined],
    ['StatEntryReversed', 'r3', 2, false, undefined],
    ['PlayerParticipationRecorded', undefined, 2, false, undefined],
    ['MatchMvpNamed', undefined, undefined, false, undefined],
  ]);
  expect(history[1]).toMatchObject({
    actor: { role: 'admin', id: 'admin-1', name: 'Asha' },
    playerName: 'Player a-p1',
    team_id: 'a',
    points: 3,
    assists: 1,
    rebounds: 0,
  });
  expect(history[3]).toMatchObject({ targetEntryId: 'e1', points: -3, reason: 'Wrong player' });
  expect(getMatchHistory(model.reader, 'nothing')).toBeUndefined();

  const corrections = correctionsEndpoint.response.parse(JSON.parse(listMatchCorrections(model.reader, 'm1') ?? ''));
  expect(corrections.map(({ what, reason }) => [what, reason])).toEqual([
    ['Player a-p1: −3 points, −1 assist', 'Wrong player'],
    ['Player a-p1: +3 points, +1 assist', 'Wrong player'],
    ['Player a-p1: −3 points, −1 assist', 'Wrong player'],
  ]);
  expect(listMatchCorrections(model.reader, 'nothing')).toBeUndefined();
});

test('the stored answer says which revision of its stream it shows', () => {
  const log = season();
  log.stat('m1', 'a-p1', 3);
  using model = projected(log);
  expect(matchAtRevision(model.reader, 'm1')).toEqual({ revision: 1, answer: getMatch(model.reader, 'm1') });
  log.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date: '2026-11-15', time: '' });
  model.projector.apply(log.events);
  expect(matchAtRevision(model.reader, 'm1')?.revision).toBe(2);
  expect(matchAtRevision(model.reader, 'nothing')).toBeUndefined();
});
