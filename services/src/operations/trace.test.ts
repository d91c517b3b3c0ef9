import { getMatch, recordMatchStats } from '@courtledger/contracts/match/match.api';
import { traceKinds, tracedNumbers, traceStats } from '@courtledger/contracts/operations/audit.answers';
import { getSuperAdminTrace, getTrace } from '@courtledger/contracts/operations/audit.api';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import { getLeaders } from '@courtledger/contracts/tournament/tournament.api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, season, type Season, type Site } from '../testing/site.ts';

let site: Site;
let played: Season;
let [a1, b1] = ['', ''];
beforeAll(async () => {
  site = await openSite();
  played = await season(site);
  [a1 = ''] = played.teams[0].players;
  [b1 = ''] = played.teams[1].players;
  await site.call(recordMatchStats, {
    token: played.token,
    json: { matchId: played.matchId, team1Players: [{ playerId: a1, points: 20, rebounds: 3 }], team2Players: [{ playerId: b1, points: 27 }] },
  });
});
afterAll(async () => site.close());

const traceOf = async (query: Record<string, string>) => site.call(getTrace, { token: played.token, query });

describe('trace', () => {
  it('tells the entries and the people behind a number, for every kind of number', async () => {
    const { matchId, tournamentId, teams } = played;
    const total = await traceOf({ of: 'match-player', stat: 'points', match: matchId, player: a1 });
    expect(total).toMatchObject({
      title: 'Points of Player 1 (number 1 of Pokhara Lynx) in Pokhara Lynx v Dharan Dukes',
      value: 20,
      entries: [
        { amount: 20, runningTotal: 20, actor: { role: 'admin', name: 'Asha Rai' }, playerName: 'Player 1 (number 1 of Pokhara Lynx)', reversed: false },
      ],
    });
    expect(await traceOf({ of: 'match-team', stat: 'points', match: matchId, team: teams[1].teamId })).toMatchObject({
      value: 27,
      parts: [{ label: 'Player 1 (number 1 of Dharan Dukes)', counts: 27, player_id: b1 }],
      entries: [{ amount: 27 }],
    });
    expect(await traceOf({ of: 'player-total', stat: 'rebounds', player: a1 })).toMatchObject({
      value: 3,
      parts: [{ label: 'Pokhara Lynx v Dharan Dukes', counts: 3 }],
      entries: [{ amount: 3 }],
    });
    expect(await traceOf({ of: 'player-average', stat: 'points', player: a1 })).toMatchObject({
      value: 20,
      rule: '20 points in 1 match played, to one decimal.',
    });
    expect(await traceOf({ of: 'standings', stat: 'difference', tournament: tournamentId, team: teams[0].teamId })).toMatchObject({
      value: -7,
      parts: [{ label: 'v Dharan Dukes', value: '20–27', counts: -7 }],
      entries: [{ amount: 20 }, { amount: 27 }],
    });
    expect(await traceOf({ of: 'standings', stat: 'rank', tournament: tournamentId, team: teams[0].teamId })).toMatchObject({
      title: 'Rank of Pokhara Lynx in Winter League',
      value: 2,
      parts: [
        { label: 'Dharan Dukes', value: '2 points, +7', counts: 1 },
        { label: 'Pokhara Lynx', value: '1 point, −7', counts: 1 },
      ],
      entries: [{ amount: 20, actor: { name: 'Asha Rai' } }, { amount: 27 }],
    });
    expect(
      await site.call(getSuperAdminTrace, { token: played.superToken, query: { of: 'match-player', stat: 'points', match: matchId, player: a1 } }),
    ).toStrictEqual(total);
    expect(
      (await site.refused(getTrace, { token: played.token, query: { of: 'match-player', stat: 'points', match: matchId, player: 'nobody' } })).message,
    ).toBe('There is no such number');
    expect((await site.send(getTrace, { token: played.token, query: { of: 'everything', stat: 'points' } })).status).toBe(400);
  });

  it('answers the number that was asked for: every statistic of a kind, of one tournament too', async () => {
    const { matchId, tournamentId, teams } = played;
    const match = await site.call(getMatch, { params: { id: matchId } });
    for (const { teamId } of teams) {
      const own = match.player_stats.filter(({ team_id }) => team_id === teamId);
      for (const stat of ['points', 'assists', 'rebounds'] as const) {
        const { value, parts, entries } = await traceOf({ of: 'match-team', stat, match: matchId, team: teamId });
        const sum = own.reduce((total, row) => total + row[stat], 0);
        expect([stat, value, parts.reduce((total, { counts }) => total + counts, 0), entries.reduce((total, { amount }) => total + amount, 0)]).toStrictEqual([
          stat,
          sum,
          sum,
          sum,
        ]);
      }
    }
    expect(await traceOf({ of: 'match-team', stat: 'rebounds', match: matchId, team: teams[0].teamId })).toMatchObject({
      title: 'Rebounds of Pokhara Lynx in Pokhara Lynx v Dharan Dukes',
      value: 3,
      rule: "The sum of its players' rebounds.",
    });
    expect(await traceOf({ of: 'player-total', stat: 'played', player: a1 })).toMatchObject({
      title: 'Matches played by Player 1',
      value: 1,
      parts: [{ label: 'Pokhara Lynx v Dharan Dukes', value: 'played', counts: 1 }],
      entries: [{ type: 'StatIncrementRecorded', amount: 1, actor: { name: 'Asha Rai' } }],
    });
    const [leader] = (await site.call(getLeaders, { params: { id: tournamentId } })).points;
    expect(await traceOf({ of: 'player-total', stat: 'points', player: leader?.player_id ?? '', tournament: tournamentId })).toMatchObject({
      title: 'Points of Player 1 in Winter League',
      value: leader?.total,
      rule: 'The sum over the matches of the tournament.',
      entries: [{ amount: 27 }],
    });
    expect(await traceOf({ of: 'player-average', stat: 'points', player: leader?.player_id ?? '', tournament: tournamentId })).toMatchObject({
      title: 'Points of Player 1 per match in Winter League',
      value: leader?.average,
    });
    expect((await site.send(getTrace, { token: played.token, query: { of: 'player-total', stat: 'points', player: a1, tournament: 'nowhere' } })).status).toBe(
      404,
    );
  });

  it('refuses a statistic that numbers of the kind do not have, and a question that lacks whose number it is: with the list', async () => {
    for (const stat of [...traceStats, 'steals']) {
      for (const of of traceKinds) {
        const answer = await site.send(getTrace, {
          token: played.token,
          query: { of, stat, match: played.matchId, player: a1, team: played.teams[0].teamId, tournament: played.tournamentId },
        });
        const known: readonly string[] = tracedNumbers[of].stats;
        const refusal = fieldTexts.oneOf(known).replace('{field}', `stat of ${of}`);
        expect([of, stat, answer.status, (answer.json() as { readonly message?: string }).message]).toStrictEqual([
          of,
          stat,
          ...(known.includes(stat) ? [200, undefined] : [400, refusal]),
        ]);
      }
    }
    const lacking = await site.refused(getTrace, { token: played.token, query: { of: 'match-team', stat: 'points' } });
    expect(lacking.errors).toStrictEqual([
      { path: 'match', message: 'match is required' },
      { path: 'team', message: 'team is required' },
    ]);
  });
});
