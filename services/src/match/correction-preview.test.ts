import {
  assignMatch,
  getMatch,
  getMatchHistory,
  moveStatEntry,
  previewMove,
  previewReversal,
  recordStatIncrement,
  reverseStatEntry,
} from '@courtledger/contracts/match/match.api';
import type { HistoryRow, MatchAnswer } from '@courtledger/contracts/match/match.answers';
import { matchStream } from '@courtledger/contracts/match/match.events';
import type { PreviewAnswer } from '@courtledger/contracts/operations/audit.answers';
import { correctTeam } from '@courtledger/contracts/team/team.api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFeatureBench, type FeatureBench } from '../platform/testing/feature-bench.ts';
import { testContext, testHandler } from '../platform/testing/command-bench.ts';
import { refusal } from '../platform/testing/refusal.ts';
import { anyMatch } from '../platform/testing/season-steps.ts';
import { matchDecider, type MatchCommand } from './match.decider.ts';

let bench: FeatureBench;
let season: Awaited<ReturnType<typeof anyMatch>>;
let [a1, a2, b1] = ['', '', ''];
beforeEach(async () => {
  bench = await openFeatureBench();
  season = await anyMatch(bench);
  [a1 = '', a2 = ''] = season.a.playerIds;
  [b1 = ''] = season.b.playerIds;
  await tap('e1', a1, 10);
  await tap('e2', b1, 9);
});
afterEach(() => {
  bench.close();
});

const outdated = 'conflict: The match or the standings changed since the preview: look at it again';
const tap = async (entryId: string, playerId: string, points: number, matchId = season.matchId) =>
  bench.send(recordStatIncrement, { params: { id: matchId }, body: { entryId, playerId, points } });
const params = (entryId: string) => ({ id: season.matchId, entryId });
const preview = async (entryId = 'e1') => (await bench.read(previewReversal, { params: params(entryId) })) as PreviewAnswer;
const reverse = async (previewed: string | undefined, key?: string, entryId = 'e1') =>
  bench.send(reverseStatEntry, {
    params: params(entryId),
    body: { reason: 'Wrong player', ...(previewed !== undefined && { previewed }) },
    ...(key !== undefined && { key }),
  });
const points = async () => ((await bench.read(getMatch, { params: { id: season.matchId } })) as MatchAnswer).player_stats.map((row) => row.points);

it('takes back what was previewed, and answers a repetition as the first time, whatever was recorded since', async () => {
  const { previewed } = await preview();
  const first = await reverse(previewed, 'k');
  await tap('e3', a1, 50);
  for (const restart of [false, true]) {
    if (restart) bench.restart();
    expect(await reverse(previewed, 'k')).toStrictEqual(first);
  }
  expect(await refusal(reverse(previewed))).toBe('conflict: This entry is reversed already');
  expect(await points()).toStrictEqual([50, 9]);
});

it('refuses what was decided on another result of the match, and takes it with the preview of now', async () => {
  const { previewed, after } = await preview();
  expect([after.score_1, after.score_2]).toStrictEqual([0, 9]);
  await tap('e3', a1, 50);
  expect(await refusal(reverse(previewed))).toBe(outdated);
  expect(await points()).toStrictEqual([60, 9]);
  const now = await preview();
  expect([now.after.score_1, now.after.score_2]).toStrictEqual([50, 9]);
  expect((await reverse(now.previewed)).body).toMatchObject({ targetEntryId: 'e1', points: -10 });
  expect(await points()).toStrictEqual([50, 9]);
});

it('compares nothing where no preview is named, and refuses a name that it never gave', async () => {
  expect(await refusal(reverse('none'))).toBe(outdated);
  const { previewed } = await preview();
  expect(await refusal(reverse(previewed.replace(/-.*/, '-x')))).toBe(outdated);
  await tap('e3', a1, 50);
  await reverse(undefined);
  expect(await refusal(reverse('', undefined, 'e2'))).toBe('accepted');
  expect(await points()).toStrictEqual([50]);
});

it('refuses what was decided on other standings, or other names', async () => {
  const { body } = await bench.send(assignMatch, {
    body: { teamAId: season.a.teamId, teamBId: season.b.teamId, tournamentId: season.tournamentId, matchDate: '2026-11-27', matchTime: '' },
  });
  const first = await preview();
  // A match without statistics is in no standings: the preview says the same.
  expect((await preview()).previewed).toBe(first.previewed);
  await tap('o1', b1, 4, (body as { match: MatchAnswer }).match._id);
  expect(await refusal(reverse(first.previewed))).toBe(outdated);
  const second = await preview();
  await bench.send(correctTeam, { params: { id: season.a.teamId }, body: { name: 'Sauraha Rhinos' }, files: [] });
  expect(await refusal(reverse(second.previewed))).toBe(outdated);
  expect(await refusal(reverse((await preview()).previewed))).toBe('accepted');
});

it('takes a preview for the correction alone of which it is', async () => {
  const move = async (playerId: string, previewed: string, key?: string) =>
    bench.send(moveStatEntry, { params: params('e1'), body: { playerId, reason: 'Number 5', previewed }, ...(key !== undefined && { key }) });
  const moved = async (playerId: string) => (await bench.read(previewMove, { params: params('e1'), body: { playerId } })) as PreviewAnswer;
  expect(await refusal(move(a2, (await preview()).previewed))).toBe(outdated);
  expect(await refusal(move(a2, (await moved(b1)).previewed))).toBe(outdated);
  const { previewed } = await moved(a2);
  const first = await move(a2, previewed, 'k');
  await tap('e3', a1, 50);
  expect(await move(a2, previewed, 'k')).toStrictEqual(first);
  expect(((await bench.read(getMatchHistory, { params: { id: season.matchId } })) as HistoryRow[]).map(({ type }) => type)).toStrictEqual([
    'MatchAssigned',
    'StatIncrementRecorded',
    'StatIncrementRecorded',
    'StatEntryReversed',
    'StatIncrementRecorded',
    'StatIncrementRecorded',
  ]);
});

it('lets one of two through that were decided on the same preview', async () => {
  const [first, second] = [await preview('e1'), await preview('e2')];
  const outcomes = await Promise.all([refusal(reverse(first.previewed, 'k1', 'e1')), refusal(reverse(second.previewed, 'k2', 'e2'))]);
  expect(outcomes).toStrictEqual(['accepted', outdated]);
});

it('lets one of two through that were decided on the same standings, in different matches', async () => {
  const { body } = await bench.send(assignMatch, {
    body: { teamAId: season.a.teamId, teamBId: season.b.teamId, tournamentId: season.tournamentId, matchDate: '2026-11-27', matchTime: '' },
  });
  const other = (body as { match: MatchAnswer }).match._id;
  await tap('o1', b1, 4, other);
  const otherParams = { id: other, entryId: 'o1' };
  const [first, second] = [await preview('e1'), (await bench.read(previewReversal, { params: otherParams })) as PreviewAnswer];
  const inOther = bench.send(reverseStatEntry, { params: otherParams, body: { reason: 'Wrong player', previewed: second.previewed } });
  expect(await Promise.all([refusal(inOther), refusal(reverse(first.previewed))])).toStrictEqual(['accepted', outdated]);
});

it('refuses what was decided on a read model that was behind', async () => {
  bench.delay(true);
  await tap('e3', a1, 50);
  const behind = await preview();
  expect([behind.after.score_1, await refusal(reverse(behind.previewed))]).toStrictEqual([0, outdated]);
  bench.delay(false);
  expect(await refusal(reverse((await preview()).previewed))).toBe('accepted');
});

it('previews beside entries of whatever name', async () => {
  for (const entryId of ['preview', 'preview-reversal', 'preview-entry']) {
    await tap(entryId, a2, 1);
  }
  expect((await preview()).after.score_1).toBe(3);
  const moved = (await bench.read(previewMove, { params: params('e1'), body: { playerId: b1 } })) as PreviewAnswer;
  expect([moved.after.score_1, moved.after.score_2]).toStrictEqual([3, 19]);
});

const reversalOn = (revision: number): MatchCommand => ({
  type: 'reverseStatEntry',
  entryId: 'r',
  targetEntryId: 'x',
  reason: 'Wrong player',
  previewed: { revision, stands: true },
});
it('decides on what other gateways wrote as well', async () => {
  const stream = matchStream('m');
  const { log, handler: one } = testHandler(undefined, { soleWriter: false });
  const { handler: other } = testHandler(log, { soleWriter: false });
  const everyone = { has: (): boolean => true };
  const entry = (entryId: string): MatchCommand => ({
    type: 'recordStatIncrement',
    entryId,
    line: { playerId: 'p', points: 2, assists: 0, rebounds: 0, notplayed: '' },
    rosterA: everyone,
    rosterB: everyone,
  });
  await one.handle(
    matchDecider,
    stream,
    { type: 'assignMatch', matchId: 'm', tournamentId: 't', teamAId: 'a', teamBId: 'b', date: '2026-11-21', time: '', entered: everyone },
    testContext(),
  );
  await one.handle(matchDecider, stream, entry('x'), testContext());
  await other.handle(matchDecider, stream, entry('y'), testContext());
  // What `one` has at hand is behind, in both directions of the comparison.
  expect(await refusal(one.handle(matchDecider, stream, reversalOn(1), testContext('k')))).toBe(outdated);
  await other.handle(matchDecider, stream, entry('z'), testContext());
  const { revision } = await one.handle(matchDecider, stream, reversalOn(3), testContext('k'));
  expect([revision, (await other.handle(matchDecider, stream, reversalOn(3), testContext('k'))).replayed]).toStrictEqual([4, true]);
});
