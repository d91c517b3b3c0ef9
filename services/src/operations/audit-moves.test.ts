import { getMatch, getMatchHistory, moveStatEntry, nameMatchMvp, recordMatchStats, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import type { AuditAnswer } from '@courtledger/contracts/operations/audit.answers';
import { getAuditCsv, getTrace, listAudit } from '@courtledger/contracts/operations/audit.api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSite, season, type Season, type Site } from '../testing/site.ts';

let site: Site;
let played: Season;
beforeEach(async () => {
  site = await openSite();
  played = await season(site);
});
afterEach(async () => site.close());

it('a move to somebody who was down as not playing is found as a move, and tells the change of status by itself', async () => {
  const { token, matchId, tournamentId } = played;
  const [
    {
      players: [a = ''],
    },
    {
      teamId,
      players: [b = ''],
    },
  ] = played.teams;
  const zeros = { points: 0, assists: 0, rebounds: 0 };
  await site.call(recordMatchStats, { token, json: { matchId, team1Players: [], team2Players: [{ playerId: b, ...zeros, notplayed: 'DNP' }] } });
  await site.call(recordStatIncrement, { token, params: { id: matchId }, json: { entryId: 'tap', playerId: a, points: 3 } });
  const before = await site.events();
  await site.call(moveStatEntry, { token, params: { id: matchId, entryId: 'tap' }, json: { playerId: b, reason: 'Number 5, not 4' } });
  expect(await site.events()).toBe(before + 3);

  const told = async (query: Readonly<Record<string, string>>) =>
    (await site.call(listAudit, { token, query })).lines.map(({ type, player_id, after }) => [type, player_id, after]);
  const move = ['StatEntryMoved', b, expect.stringContaining('3 points')];
  const status = ['PlayerParticipationRecorded', b, 'played'];
  expect(
    await Promise.all(
      [{}, { match: matchId }, { team: teamId }, { player: b }, { player: a }, { tournament: tournamentId }].map(async (about) =>
        told({ ...about, type: 'StatEntryMoved' }),
      ),
    ),
  ).toStrictEqual(Array.from({ length: 6 }, () => [move]));
  // Newest first: the move is told where it begins.
  expect((await told({ match: matchId })).slice(0, 2)).toStrictEqual([status, move]);
  expect((await told({ player: b })).filter(([type]) => type !== 'PlayerAddedToTeam').slice(0, 2)).toStrictEqual([move, status]);
  expect((await told({ player: a })).slice(0, 1)).toStrictEqual([move]);
  expect(await told({ match: matchId, type: 'PlayerParticipationRecorded', limit: '1' })).toStrictEqual([status]);
  // What made the match count for them is the status, which nobody moved.
  const { entries } = await site.call(getTrace, { token, query: { of: 'player-total', stat: 'played', player: b } });
  expect(entries.map(({ type, amount, movedFrom, movedTo }) => [type, amount, movedFrom, movedTo])).toStrictEqual([
    ['PlayerParticipationRecorded', 1, undefined, undefined],
  ]);
  expect((await site.send(getAuditCsv, { token, query: { match: matchId, type: 'StatEntryMoved' } })).text).toContain('Number 5, not 4');

  // Page by page nothing is lost, though the move of a player who was given the entry is told where it ends, and what was refused stands between.
  expect((await site.send(moveStatEntry, { token, params: { id: matchId, entryId: 'tap' }, json: { playerId: b, reason: 'Once more' } })).status).toBe(409);
  const paged = async (query: Readonly<Record<string, string>>) => {
    const types: string[] = [];
    for (let from: string | null = ''; from !== null;) {
      const page: AuditAnswer = await site.call(listAudit, { token, query: { ...query, limit: '2', ...(from !== '' && { before: from }) } });
      types.push(...page.lines.map(({ type }) => type));
      from = page.next;
    }
    return types;
  };
  for (const query of [{ match: matchId, player: b }, { match: matchId, player: a }, { match: matchId, team: teamId }, { match: matchId }]) {
    const whole = (await site.call(listAudit, { token, query: { ...query, limit: '100' } })).lines.map(({ type }) => type);
    expect([query, (await paged(query)).toSorted((x, y) => x.localeCompare(y))]).toStrictEqual([query, whole.toSorted((x, y) => x.localeCompare(y))]);
    expect([query, whole.includes('Refused')]).toStrictEqual([query, true]);
  }

  // Moved back, the status is as it was said; nobody has said it again.
  const moved = (await site.call(getMatchHistory, { token, params: { id: matchId } })).at(-1)?.entryId ?? '';
  await site.call(moveStatEntry, { token, params: { id: matchId, entryId: moved }, json: { playerId: a, reason: 'It was number 4' } });
  const [back] = (await site.call(listAudit, { token, query: { match: matchId, type: 'PlayerParticipationRecorded' } })).lines;
  expect([back?.what, back?.before, back?.after]).toStrictEqual([
    'The status of Player 1 (number 1 of Dharan Dukes) in Pokhara Lynx v Dharan Dukes followed from the entries',
    'played',
    'DNP',
  ]);
  const statuses = (await site.call(getMatchHistory, { token, params: { id: matchId } })).filter(({ type }) => type === 'PlayerParticipationRecorded');
  expect(statuses.map(({ notplayed, impliedBy }) => [notplayed, impliedBy !== undefined])).toStrictEqual([
    ['DNP', false],
    ['played', true],
    ['DNP', true],
  ]);
  expect(
    (await site.call(getMatch, { params: { id: matchId } })).player_stats.map(({ player_id, points, notplayed }) => [player_id, points, notplayed]),
  ).toStrictEqual([
    [b, 0, 'DNP'],
    [a, 3, 'played'],
  ]);
});

it('who was the MVP and is it no more has that in the audit as well', async () => {
  const { token, matchId } = played;
  const [
    {
      teamId,
      players: [a = ''],
    },
    {
      players: [b = ''],
    },
  ] = played.teams;
  await site.call(recordMatchStats, { token, json: { matchId, team1Players: [{ playerId: a, points: 3 }], team2Players: [{ playerId: b, points: 4 }] } });
  for (const playerId of [a, b, null]) {
    await site.call(nameMatchMvp, { token, params: { id: matchId }, json: { playerId } });
  }
  const told = async (query: Readonly<Record<string, string>>) =>
    (await site.call(listAudit, { token, query: { ...query, type: 'MatchMvpNamed' } })).lines.map(({ before, after }) => `${before ?? ''} → ${after ?? ''}`);
  const [one, other] = ['Player 1 (number 1 of Pokhara Lynx)', 'Player 1 (number 1 of Dharan Dukes)'];
  const [named, replaced, withdrawn] = [`none → ${one}`, `${one} → ${other}`, `${other} → none`];
  expect(await Promise.all([{ player: a }, { player: b }, { match: matchId }, { team: teamId }].map(told))).toStrictEqual([
    [replaced, named],
    [withdrawn, replaced],
    [withdrawn, replaced, named],
    [withdrawn, replaced, named],
  ]);
});
