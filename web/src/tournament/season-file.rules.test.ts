import { expect, test } from 'vitest';
import { faultOfSeason, inOrderOfPlay, reachOf, recountResults, splitSeasonFile, whenOfMatches, type Season } from './season-file.rules.ts';

const entry = (entryId: string, playerId: string, teamId: string, points: number) => ({
  type: 'StatIncrementRecorded',
  data: { matchId: 'm', entryId, playerId, teamId, points },
});
const reversal = (entryId: string, targetEntryId: string, points: number) => ({
  type: 'StatEntryReversed',
  data: { matchId: 'm', entryId, targetEntryId, playerId: 'b1', teamId: 'B', points },
});
const assigned = { type: 'MatchAssigned', data: { matchId: 'm', teamAId: 'A', teamBId: 'B' } };
const facts = [assigned, entry('1', 'a1', 'A', 20), entry('2', 'b1', 'B', 27), reversal('3', '2', -27), reversal('4', '3', 27)];
const row = (rank: number, teamId: string, won: boolean, own: number, other: number) => ({
  rank,
  teamId,
  teamName: teamId,
  played: 1,
  wins: won ? 1 : 0,
  losses: won ? 0 : 1,
  points: won ? 2 : 1,
  pointsFor: own,
  pointsAgainst: other,
  difference: own - other,
});
const season: Season = {
  format: 'courtledger-season/1',
  tournament: { name: 'Winter League' },
  teams: [
    { _id: 'A', name: 'A' },
    { _id: 'B', name: 'B' },
  ],
  facts,
  results: [{ _id: 'm', team_1: 'A', team_2: 'B', score_1: 20, score_2: 27, hasStats: true }],
  standings: [row(1, 'B', true, 27, 20), row(2, 'A', false, 20, 27)],
};

test('scores are the sum of the entries that stand', () => {
  expect(recountResults(facts)).toEqual(season.results);
  expect(recountResults(facts.slice(0, 4))).toEqual([{ ...season.results[0], score_2: 0 }]);
  expect(recountResults([...facts, { type: 'MatchCancelled', data: { matchId: 'm' } }])).toEqual([]);
});

const said = (notplayed: string) => ({ type: 'PlayerParticipationRecorded', data: { matchId: 'm', playerId: 'a1', teamId: 'A', notplayed } });

test("a status counts as statistics until it is taken back with 'Not Played'", () => {
  const result = { _id: 'm', team_1: 'A', team_2: 'B', score_1: 0, score_2: 0 };
  expect(recountResults([assigned, said('DNP')])).toEqual([{ ...result, hasStats: true }]);
  expect(recountResults([assigned, said('DNP'), said('Not Played')])).toEqual([{ ...result, hasStats: false }]);
  expect(recountResults([assigned, said('Not Played'), entry('1', 'a1', 'A', 2)])).toEqual([{ ...result, score_1: 2, hasStats: true }]);
});

test('a season that does not follow from its facts is found out', () => {
  expect(faultOfSeason(season)).toBeUndefined();
  expect(faultOfSeason({ ...season, facts: facts.slice(0, 2) })).toBe('The entries do not add up to the scores.');
  expect(faultOfSeason({ ...season, standings: [row(1, 'B', true, 30, 20), row(2, 'A', false, 20, 27)] })).toBe('The results do not give the standings of B.');
  const [first, second] = [row(1, 'B', true, 27, 20), row(2, 'A', false, 20, 27)];
  for (const standings of [
    [row(9, 'B', true, 27, 20), second],
    [{ ...first, wins: 0 }, second],
    [first, row(2, 'C', false, 20, 27)],
  ])
    expect(faultOfSeason({ ...season, standings })).toMatch('The results do not give the standings of ');
  for (const standings of [[], [first], [first, first], [first, second, row(3, 'C', false, 0, 0)]])
    expect(faultOfSeason({ ...season, standings })).toBe('The standings do not have every team once.');
  expect(faultOfSeason({ ...season, standings: season.standings.toReversed() })).toBe('The standings are not in the order of points and point difference.');
});

test('a number beyond all numbers is none: what it adds up to could be shown as nothing', () => {
  const endless = {
    ...season,
    facts: [
      assigned,
      JSON.parse(
        '{"type":"StatIncrementRecorded","data":{"matchId":"m","entryId":"1","playerId":"a1","teamId":"A","points":1e999}}',
      ) as Season['facts'][number],
    ],
    results: [{ ...season.results[0], score_1: null, score_2: 0 } as unknown as Season['results'][number]],
  };
  expect(faultOfSeason(endless)).toBe('The entries do not add up to the scores.');
});

const dayOf = (date: unknown): string | undefined => whenOfMatches([{ type: 'MatchAssigned', data: { matchId: 'm', date } }]).get('m')?.day;

test('the day of a match is one that a calendar has, and nothing that only looks like one', () => {
  expect(dayOf('2026-11-03')).toBe('2026-11-03');
  for (const date of ['1823-05-005(', '2923-25-49 Nov', '2026-13-01', '2026-02-30', '2026', '+012026-11-03', '', 20261103]) expect(dayOf(date)).toBeUndefined();
});

const upTo = (time: string) => reachOf({ ...season, position: '9', facts: [{ ...assigned, time }] });

test('the last fact is of a moment that a calendar has: 30 February is no 2 March', () => {
  expect(upTo('2026-03-02T10:00:00.000Z')).toEqual({ position: '9', at: '2026-03-02T10:00:00.000Z' });
  expect(['2026-02-30T10:00:00.000Z', '2026-13-01T10:00:00.000Z', '2026-03-02T25:00:00.000Z'].map(upTo)).toEqual([undefined, undefined, undefined]);
});

const placed = (matchId: string, date: string, time: string, type = 'MatchAssigned') => ({ type, data: { matchId, date, time } });

test('results stand in the order in which they were played, however late one was assigned or moved', () => {
  const known = whenOfMatches([
    placed('late', '2026-11-05', '18:00'),
    placed('undated', 'soon', ''),
    placed('moved', '2026-11-01', '09:00'),
    placed('early', '2026-11-05', '09:30'),
    placed('twin', '2026-11-05', '18:00'),
    placed('moved', '2026-11-06', '07:00', 'MatchRescheduled'),
    placed('timeless', '2026-11-05', ''),
  ]);
  const results = ['late', 'undated', 'moved', 'early', 'twin', 'timeless'].map((_id) => ({ _id }));
  expect(inOrderOfPlay(results, known).map(({ _id }) => _id)).toEqual(['timeless', 'early', 'late', 'twin', 'moved', 'undated']);
});

test('what an editor of texts adds is no part of what was signed', () => {
  const lines = [JSON.stringify(season), JSON.stringify({ algorithm: 'Ed25519', publicKey: 'k', signature: 's' })];
  for (const file of [lines.join('\n'), `${lines.join('\r\n')}\r\n`, `\uFEFF${lines.join('\r\n')}`])
    expect(new TextDecoder().decode(splitSeasonFile(new TextEncoder().encode(file))?.signed)).toBe(lines[0]);
});

test('a file is two lines of JSON', () => {
  const bytes = new TextEncoder().encode(`${JSON.stringify(season)}\n${JSON.stringify({ algorithm: 'Ed25519', publicKey: 'k', signature: 's' })}\n`);
  expect(splitSeasonFile(bytes)?.season).toEqual(season);
  const broken = [
    { tournament: undefined },
    { tournament: null },
    { tournament: {} },
    { teams: [null] },
    { facts: undefined },
    { results: 'none' },
    { standings: undefined },
    { standings: [{ rank: 1 }] },
  ];
  for (const part of broken)
    expect(
      splitSeasonFile(
        new TextEncoder().encode(`${JSON.stringify({ ...season, ...part })}\n${JSON.stringify({ algorithm: 'Ed25519', publicKey: 'k', signature: 's' })}\n`),
      ),
    ).toBeUndefined();
  expect(splitSeasonFile(new TextEncoder().encode('{}'))).toBeUndefined();
  expect(splitSeasonFile(new TextEncoder().encode('{}\n{}\n'))).toBeUndefined();
});
