import {
  assignMatch,
  cancelMatch,
  getMatch,
  getMatchHistory,
  listMatchCorrections,
  listMatches,
  nameMatchMvp,
  recordMatchStats,
  recordStatIncrement,
  rescheduleMatch,
  reverseStatEntry,
} from '@courtledger/contracts/match/match.api';
import type { HistoryRow, MatchAnswer } from '@courtledger/contracts/match/match.answers';
import { withdrawTeam } from '@courtledger/contracts/tournament/tournament.api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFeatureBench, type FeatureBench } from '../platform/testing/feature-bench.ts';
import { refusal } from '../platform/testing/refusal.ts';
import { anyMatch, anyTeam, line } from '../platform/testing/season-steps.ts';

let bench: FeatureBench;
let season: Awaited<ReturnType<typeof anyMatch>>;
beforeEach(async () => {
  bench = await openFeatureBench();
  season = await anyMatch(bench);
});
afterEach(() => {
  bench.close();
});

const tap = (entryId: string, playerId: string, points: number, key?: string) =>
  bench.send(recordStatIncrement, { params: { id: season.matchId }, body: { entryId, playerId, points }, ...(key !== undefined && { key }) });
const match = async (id = season.matchId) => (await bench.read(getMatch, { params: { id } })) as MatchAnswer;
const players = () => ({ a1: season.a.playerIds[0] ?? '', a2: season.a.playerIds[1] ?? '', b1: season.b.playerIds[0] ?? '' });
const assignment = () => ({
  teamAId: season.a.teamId,
  teamBId: season.b.teamId,
  tournamentId: season.tournamentId,
  matchDate: '2026-11-27',
  matchTime: '9:30',
});
const reverse = (entryId: string, key?: string) =>
  bench.send(reverseStatEntry, { params: { id: season.matchId, entryId }, body: { reason: 'Wrong player' }, ...(key !== undefined && { key }) });

describe('assignMatch', () => {
  it('answers the match as it can be read', async () => {
    const { body: answer, pending } = await bench.send(assignMatch, { body: assignment() });
    const { message, match: assigned } = answer as { message: string; match: MatchAnswer };
    expect({ message, pending, date: assigned.date, time: assigned.time, tournament: assigned.tournament_id.name }).toStrictEqual({
      message: 'Match added succesfully',
      pending: false,
      date: '2026-11-27T00:00:00.000Z',
      time: '09:30',
      tournament: 'Dashain Cup',
    });
    expect(await match(assigned._id)).toStrictEqual(assigned);
  });

  it('refuses an unknown tournament and a team that has not entered', async () => {
    const { teamId } = await anyTeam(bench, 4, 'Late Lions');
    expect(await refusal(bench.send(assignMatch, { body: { ...assignment(), tournamentId: 'nope' } }))).toBe('not-found: There is no such tournament');
    expect(await refusal(bench.send(assignMatch, { body: { ...assignment(), teamBId: teamId } }))).toBe('invalid: teamBId has not entered this tournament');
  });

  it('loses against a withdrawal of the same moment, or wins', async () => {
    const [assigned, withdrawn] = await Promise.all([
      refusal(bench.send(assignMatch, { body: assignment() })),
      refusal(bench.send(withdrawTeam, { params: { id: season.tournamentId, teamId: season.a.teamId } })),
    ]);
    expect([assigned, withdrawn]).toStrictEqual(['accepted', 'conflict: This team has matches in the tournament']);
  });
});

describe('recordMatchStats', () => {
  it('adds increments and answers the match', async () => {
    const { a1, b1 } = players();
    await bench.send(recordMatchStats, { body: { matchId: season.matchId, team1Players: [line(a1, 10)], team2Players: [line(b1, 8, { rebounds: 3 })] } });
    const { body } = await bench.send(recordMatchStats, { body: { matchId: season.matchId, team1Players: [line(a1, -2)] } });
    expect((body as { message: string }).message).toBe('Match updated successfully');
    expect((body as { match: MatchAnswer }).match.player_stats).toStrictEqual([
      {
        player_id: a1,
        team_id: season.a.teamId,
        points: 8,
        assists: 0,
        rebounds: 0,
        notplayed: 'played',
        name: 'Player 1',
        jerseyNumber: '1',
        image: expect.stringMatching(/^\/media\/image-\d+\.png$/) as string,
      },
      {
        player_id: b1,
        team_id: season.b.teamId,
        points: 8,
        assists: 0,
        rebounds: 3,
        notplayed: 'played',
        name: 'Player 1',
        jerseyNumber: '1',
        image: expect.stringMatching(/^\/media\/image-\d+\.png$/) as string,
      },
    ]);
    expect(await match()).toStrictEqual((body as { match: MatchAnswer }).match);
  });

  it('records nothing when one player is not on that team', async () => {
    const { a1, a2 } = players();
    const before = await bench.facts();
    expect(await refusal(bench.send(recordMatchStats, { body: { matchId: season.matchId, team1Players: [line(a1, 2)], team2Players: [line(a2, 2)] } }))).toBe(
      'invalid: team2Players[0].playerId is not a player of that team',
    );
    expect(await refusal(bench.send(recordMatchStats, { body: { matchId: 'nope', team1Players: [line(a1, 2)] } }))).toBe('not-found: There is no such match');
    expect(await bench.facts()).toHaveLength(before.length);
  });

  it('answers a repeated key as the first time, although more was recorded since', async () => {
    const { a1 } = players();
    const body = { matchId: season.matchId, team1Players: [line(a1, 10)] };
    const first = await bench.send(recordMatchStats, { body, key: 'k1' });
    await bench.send(recordMatchStats, { body, key: 'k2' });
    for (const restart of [false, true]) {
      if (restart) bench.restart();
      expect(await bench.send(recordMatchStats, { body, key: 'k1' })).toStrictEqual(first);
      expect(await refusal(bench.send(recordMatchStats, { body: { ...body, team1Players: [line(a1, 11)] }, key: 'k1' }))).toBe(
        'key-reused: This Idempotency-Key was used with another body',
      );
    }
    expect((await match()).player_stats[0]?.points).toBe(20);
  });

  it('answers from its own stream while the read model is behind', async () => {
    const { a1 } = players();
    bench.delay(true);
    const { body, pending } = await bench.send(recordMatchStats, { body: { matchId: season.matchId, team1Players: [line(a1, 10)] } });
    expect(pending).toBe(true);
    bench.delay(false);
    expect(await match()).toStrictEqual((body as { match: MatchAnswer }).match);
  });
});

describe('recordStatIncrement', () => {
  it('answers the entry, once and again', async () => {
    const { a1 } = players();
    const entry = {
      entryId: 'tap-1',
      matchId: season.matchId,
      player_id: a1,
      team_id: season.a.teamId,
      points: 2,
      assists: 0,
      rebounds: 0,
      notplayed: 'played',
    };
    const first = await tap('tap-1', a1, 2);
    expect(first.body).toStrictEqual(entry);
    expect((await tap('tap-1', a1, 2)).body).toStrictEqual(entry);
    expect(await refusal(tap('tap-1', a1, 3))).toBe('conflict: This entry was recorded with other content');
    expect((await match()).player_stats[0]?.points).toBe(2);
  });

  it('counts 40 taps of the same moment', async () => {
    const { a1, b1 } = players();
    await Promise.all(Array.from({ length: 40 }, async (_, index) => tap(`tap-${String(index)}`, index % 2 === 0 ? a1 : b1, 1)));
    expect((await match()).player_stats.map(({ points }) => points)).toStrictEqual([20, 20]);
  });

  it('takes a status alone, and refuses a stranger', async () => {
    const { b1 } = players();
    const { body } = await bench.send(recordStatIncrement, { params: { id: season.matchId }, body: { entryId: 'e', playerId: b1, notplayed: 'DNP' } });
    expect(body).toStrictEqual({
      entryId: 'e',
      matchId: season.matchId,
      player_id: b1,
      team_id: season.b.teamId,
      points: 0,
      assists: 0,
      rebounds: 0,
      notplayed: 'DNP',
    });
    expect(await refusal(reverse('e'))).toBe('conflict: This entry holds a status only: record another status instead');
    expect(await refusal(tap('x', 'stranger', 2))).toBe('invalid: playerId is not a player of this match');
    expect(await refusal(bench.send(recordStatIncrement, { params: { id: 'nope' }, body: { entryId: 'e', playerId: b1, points: 1 } }))).toBe(
      'not-found: There is no such match',
    );
  });
});

const say = async (entryId: string, playerId: string, notplayed: 'played' | 'Not Played' | 'DNP') =>
  bench.send(recordStatIncrement, { params: { id: season.matchId }, body: { entryId, playerId, notplayed } });
describe('recordStatIncrement with a status alone', () => {
  it('answers a repetition as the first, and appends nothing, whatever was said since', async () => {
    const { a1 } = players();
    const first = await say('e', a1, 'DNP');
    await say('f', a1, 'played');
    bench.restart();
    const again = await say('e', a1, 'DNP');
    expect(again.body).toStrictEqual(first.body);
    expect(
      ((await bench.read(getMatchHistory, { params: { id: season.matchId } })) as HistoryRow[]).map(({ type, entryId, notplayed }) => [
        type,
        entryId,
        notplayed,
      ]),
    ).toStrictEqual([
      ['MatchAssigned', undefined, undefined],
      ['PlayerParticipationRecorded', 'e', 'DNP'],
      ['PlayerParticipationRecorded', 'f', 'played'],
    ]);
    expect((await match()).player_stats.map(({ notplayed }) => notplayed)).toStrictEqual(['played']);
    expect(await refusal(say('e', a1, 'played'))).toBe('conflict: This entry was recorded with other content');
  });
  it("takes a mistaken status back with 'Not Played'", async () => {
    const { a1 } = players();
    await say('e', a1, 'played');
    await say('f', a1, 'Not Played');
    expect((await match()).player_stats).toStrictEqual([]);
    // Nothing is left to take back: nothing is recorded.
    expect((await say('g', a1, 'Not Played')).body).toMatchObject({ entryId: 'g', notplayed: 'Not Played' });
  });
});

describe('reverseStatEntry', () => {
  it('takes an entry back, and a reversal back', async () => {
    const { a1 } = players();
    await tap('tap-1', a1, 2);
    const { body } = await reverse('tap-1', 'k');
    const { entryId } = body as { entryId: string };
    expect(body).toStrictEqual({
      entryId,
      targetEntryId: 'tap-1',
      matchId: season.matchId,
      player_id: a1,
      team_id: season.a.teamId,
      points: -2,
      assists: 0,
      rebounds: 0,
      reason: 'Wrong player',
    });
    expect((await match()).player_stats).toStrictEqual([]);
    expect(await refusal(reverse('tap-1'))).toBe('conflict: This entry is reversed already');
    bench.restart();
    expect((await reverse('tap-1', 'k')).body).toStrictEqual(body);
    await reverse(entryId);
    expect((await match()).player_stats[0]?.points).toBe(2);
    expect(await bench.read(listMatchCorrections, { params: { id: season.matchId } })).toHaveLength(2);
    expect(await bench.read(getMatchHistory, { params: { id: season.matchId } })).toHaveLength(4);
  });
});

it('names, moves and cancels a match', async () => {
  const { a1 } = players();
  const params = { id: season.matchId };
  expect(await refusal(bench.send(nameMatchMvp, { params, body: { playerId: a1 } }))).toBe('conflict: The MVP needs statistics in this match');
  await tap('tap-1', a1, 2);
  expect(((await bench.send(nameMatchMvp, { params, body: { playerId: a1 } })).body as MatchAnswer).mvp).toBe(a1);
  expect(((await bench.send(nameMatchMvp, { params, body: { playerId: null } })).body as MatchAnswer).mvp).toBeUndefined();
  expect(((await bench.send(rescheduleMatch, { params, body: { time: '8:05' } })).body as MatchAnswer).time).toBe('08:05');
  expect(await refusal(bench.send(cancelMatch, { params }))).toBe(
    "conflict: A match with statistics cannot be cancelled. Take its entries back, and set whoever is then still shown as played to 'Not Played' in Update Match.",
  );
  await bench.send(reverseStatEntry, { params: { ...params, entryId: 'tap-1' }, body: { reason: 'Never played' } });
  expect((await bench.send(cancelMatch, { params })).body).toStrictEqual({ message: 'Match cancelled' });
  expect(await bench.read(getMatch, { params })).toBeUndefined();
  expect(await bench.read(listMatches)).toStrictEqual([]);
  expect(await refusal(tap('tap-2', a1, 2))).toBe('conflict: This match was cancelled');
});
