import { traceAnswer, traceKinds, tracedNumbers, type TraceAnswer } from '@courtledger/contracts/operations/audit.answers';
import { expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import type { Reader } from '../kernel/read-model.ts';
import { getTrace, type TraceQuestion } from './trace.queries.ts';

/** Two teams that meet twice; the later match was assigned first. */
const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 4, ['t1']);
  log.team('b', 'Bagmati', 4, ['t1']);
  log.match('m2', 't1', 'a', 'b', '2026-11-15');
  log.match('m1', 't1', 'b', 'a', '2026-11-12');
  log.stat('m2', 'a-p1', 30, 2, -8);
  log.stat('m1', 'b-p1', 21);
  log.stat('m1', 'a-p1', 20);
  const taken = log.stat('m1', 'a-p2', 8);
  log.stat('m2', 'b-p1', 31);
  log.reverse('m1', taken);
  log.stat('m1', 'a-p2', -3);
  return log;
};
const whole = { match: 'm1', team: 'a', player: 'a-p1', tournament: 't1' };
const ask = (reader: Reader, question: TraceQuestion): TraceAnswer => traceAnswer.parse(getTrace(reader, question));
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

test('the parts of every number add up to it, and each part that can be traced answers what it counts', () => {
  using model = projected(season());
  const asked = traceKinds.flatMap((of) => tracedNumbers[of].stats.map((stat) => ({ of, stat, ...ask(model.reader, { of, stat, ...whole }) })));
  // An average is divided once its parts are added up; a player's entries of a match are its only parts.
  const summed = asked.filter(({ of }) => of !== 'player-average' && of !== 'match-player');
  expect(summed.map(({ of, stat, parts }) => [of, stat, sum(parts.map(({ counts }) => counts))])).toEqual(
    summed.map(({ of, stat, value }) => [of, stat, value]),
  );
  expect(asked.filter(({ parts }) => parts.some(({ trace }) => trace === undefined)).map(({ of, stat }) => [of, stat])).toEqual([['player-total', 'played']]);
  // What counts a match as won or lost opens its score.
  const opened = asked
    .filter(({ of, stat }) => of !== 'standings' || stat === 'pointsFor' || stat === 'pointsAgainst')
    .flatMap(({ of, stat, parts }) => parts.flatMap(({ trace, counts }) => (trace === undefined ? [] : [{ of, stat, counts, trace }])));
  expect(opened.length).toBeGreaterThan(20);
  expect(opened.map(({ of, stat, trace }) => [of, stat, ask(model.reader, trace).value])).toEqual(opened.map(({ of, stat, counts }) => [of, stat, counts]));
});

test('the parts of a number over matches are named, with their day, as they were played', () => {
  using model = projected(season());
  const scored = ask(model.reader, { of: 'standings', stat: 'pointsFor', tournament: 't1', team: 'a' });
  expect([scored.title, scored.value]).toEqual(['Points scored by Annapurna in Cup t1', 47]);
  expect(scored.parts.map(({ label, value, counts, date, match_id }) => [label, value, counts, date, match_id])).toEqual([
    ['v Bagmati', '17–21', 17, '2026-11-12T00:00:00.000Z', 'm1'],
    ['v Bagmati', '30–31', 30, '2026-11-15T00:00:00.000Z', 'm2'],
  ]);
  expect(scored.entries.map(({ match_id, amount }) => [match_id, amount])).toEqual([
    ['m2', 30],
    ['m1', 20],
    ['m1', 8],
    ['m1', -8],
    ['m1', -3],
  ]);
  const conceded = ask(model.reader, { of: 'standings', stat: 'pointsAgainst', tournament: 't1', team: 'a' });
  expect(conceded.parts.map(({ trace }) => trace)).toEqual(['m1', 'm2'].map((match) => ({ of: 'match-team', stat: 'points', match, team: 'b' })));
});

test('of reversals it is said which take an entry back, and which restore it', () => {
  const log = season();
  const entry = log.stat('m1', 'a-p1', 5);
  log.reverse('m1', log.reverse('m1', log.reverse('m1', entry)));
  using model = projected(log);
  const { entries } = ask(model.reader, { of: 'match-player', stat: 'points', match: 'm1', player: 'a-p1' });
  expect(entries.map(({ amount, reversed, restores }) => [amount, reversed, restores])).toEqual([
    [20, false, false],
    [5, true, false],
    [-5, false, false],
    [5, true, true],
    [-5, false, false],
  ]);
});

test('a number is named in words, and its sign is that of all texts', () => {
  using model = projected(season());
  const title = (of: TraceQuestion['of'], stat: string): string => ask(model.reader, { of, stat, ...whole }).title;
  expect(tracedNumbers.standings.stats.map((stat) => title('standings', stat).replace(' Annapurna in Cup t1', ''))).toEqual([
    'Rank of',
    'Matches played by',
    'Wins of',
    'Losses of',
    'Standings points of',
    'Points scored by',
    'Points conceded by',
    'Point difference of',
  ]);
  expect([title('match-team', 'points'), title('match-team', 'assists'), title('match-player', 'rebounds')]).toEqual(
    ['Score of Annapurna', 'Assists of Annapurna', 'Rebounds of Player a-p1'].map((told) => `${told} in Bagmati v Annapurna (2026-11-12 15:30)`),
  );
  expect([title('player-total', 'played'), title('player-total', 'points'), title('player-average', 'assists')]).toEqual([
    'Matches played by Player a-p1 in Cup t1',
    'Points of Player a-p1 in Cup t1',
    'Assists of Player a-p1 per match in Cup t1',
  ]);
  const average = ask(model.reader, { of: 'player-average', stat: 'rebounds', player: 'a-p1' });
  expect([average.value, average.rule, average.parts.map(({ value }) => value)]).toEqual([-4, '−8 rebounds in 2 matches played, to one decimal.', ['0', '−8']]);
});

test('the table of then is explained by the matches of then, also by one that was cancelled since', () => {
  const log = season();
  log.match('m3', 't1', 'a', 'b', '2026-11-16');
  const entry = log.stat('m3', 'a-p1', 20);
  const { position = 0n, time = '' } = log.events.at(-1) ?? {};
  log.reverse('m3', entry);
  log.record('match-m3', 'MatchCancelled', { matchId: 'm3' });
  using model = projected(log);
  const { stats } = tracedNumbers.standings;
  for (const asOf of [
    { kind: 'position', position },
    { kind: 'time', time },
  ] as const) {
    const then = stats.map((stat) => ({ stat, ...ask(model.reader, { of: 'standings', stat, tournament: 't1', team: 'a', asOf }) }));
    expect(then.map(({ stat, parts }) => [stat, sum(parts.map(({ counts }) => counts))])).toEqual(then.map(({ stat, value }) => [stat, value]));
    expect(then.map(({ entries }) => entries.some(({ match_id }) => match_id === 'm3'))).toEqual(stats.map((stat) => stat !== 'pointsAgainst'));
    expect(then.find(({ stat }) => stat === 'played')?.value).toBe(3);
  }
  expect(ask(model.reader, { of: 'standings', stat: 'played', tournament: 't1', team: 'a' })).toMatchObject({
    value: 2,
    parts: [{ match_id: 'm1' }, { match_id: 'm2' }],
  });
});

test('only players have numbers, from when they are in a team on: a coach has none, nor has whoever came later', () => {
  const log = season();
  log.person('a-coach', 'coach', { name: 'Bikash Gurung', phone: '9811111111' }, 'a');
  log.record('team-a', 'CoachAppointed', { teamId: 'a', personId: 'a-coach' });
  const { position = 0n, time = '' } = log.events.at(-1) ?? {};
  log.player('a-p9', 'a', '9');
  using model = projected(log);
  const values = (player: string, asOf?: TraceQuestion['asOf']): readonly unknown[] =>
    (['player-total', 'player-average', 'match-player'] as const).map((of) => getTrace(model.reader, { of, stat: 'points', match: 'm1', player, asOf })?.value);
  expect([values('a-coach'), values('a-p9'), values('a-p4')]).toEqual([
    [undefined, undefined, undefined],
    [0, 0, 0],
    [0, 0, 0],
  ]);
  for (const asOf of [
    { kind: 'position', position },
    { kind: 'time', time },
  ] as const)
    expect([values('a-p9', asOf), values('a-p4', asOf)]).toEqual([
      [undefined, undefined, undefined],
      [0, 0, 0],
    ]);
});

test('a match that a player played is told by one fact: the status that was recorded last, or the first entry that stands', () => {
  const log = season();
  log.tournament('t2');
  log.record('tournament-t2', 'TeamEnteredTournament', { tournamentId: 't2', teamId: 'a' });
  log.record('tournament-t2', 'TeamEnteredTournament', { tournamentId: 't2', teamId: 'b' });
  log.match('m3', 't2', 'a', 'b', '2026-11-17');
  log.match('m4', 't1', 'a', 'b', '2026-11-18');
  const first = log.stat('m3', 'a-p1', 2);
  const second = log.stat('m3', 'a-p1', 3);
  log.stat('m3', 'a-p1', 4);
  log.reverse('m3', first);
  log.participation('m2', 'a-p1', 'DNP');
  log.participation('m2', 'a-p1', 'played');
  const { position = 0n } = log.events.at(-1) ?? {};
  log.stat('m2', 'a-p1', 1);
  log.participation('m2', 'a-p2', 'DNP');
  log.participation('m4', 'a-p1', 'DNP');
  log.record('match-m4', 'MatchCancelled', { matchId: 'm4' });
  const twenty = log.events
    .map(({ data }) => data as { readonly entryId?: string; readonly points?: number } | null)
    .find((data) => data?.points === 20)?.entryId;
  using model = projected(log);
  const told = (tournament?: string): readonly unknown[] => {
    const { value, parts, entries } = ask(model.reader, { of: 'player-total', stat: 'played', player: 'a-p1', tournament });
    return [
      value,
      parts.map(({ match_id }) => match_id),
      entries.map(({ match_id, playerName, entryId, position: at }) => [match_id, playerName, entryId ?? at]),
    ];
  };
  const here = ['m1', 'Player a-p1', twenty];
  const said = ['m2', 'Player a-p1', position.toString()];
  expect([told(), told('t1')]).toEqual([
    [3, ['m1', 'm2', 'm3'], [here, ['m3', 'Player a-p1', second], said]],
    [2, ['m1', 'm2'], [here, said]],
  ]);
});

test('a rank says by what the team stands before or behind those with as many points, and tells each team above', () => {
  const log = season();
  log.team('c', 'Chitwan', 4, ['t1']);
  const later = [
    ['a', 9, 'b', 5],
    ['a', 5, 'b', 4],
    ['a', 10, 'c', 5],
    ['b', 12, 'c', 7],
  ] as const;
  for (const [index, [home, scored, guest, conceded]] of later.entries()) {
    const match = `later-${String(index)}`;
    log.match(match, 't1', home, guest, '2026-11-17');
    log.stat(match, `${home}-p1`, scored);
    log.stat(match, `${guest}-p1`, conceded);
  }
  using model = projected(log);
  const rank = (team: string): unknown => {
    const { value, rule, parts } = ask(model.reader, { of: 'standings', stat: 'rank', tournament: 't1', team });
    return [value, rule, parts.map(({ label, value: points }) => [label, points])];
  };
  const byWhat = 'One more than the teams above: by points, then point difference, then wins, then the matches among them, then points scored.';
  const level = 'Level on points (8) and point difference (+5) with';
  const [bagmati, annapurna] = [
    ['Bagmati', '8 points, +5'],
    ['Annapurna', '8 points, +5'],
  ];
  expect([rank('b'), rank('a'), rank('c')]).toEqual([
    [1, `${byWhat} ${level} Annapurna; placed by points scored overall (73).`, [bagmati]],
    [2, `${byWhat} ${level} Bagmati; placed by points scored overall (71).`, [bagmati, annapurna]],
    [3, byWhat, [bagmati, annapurna, ['Chitwan', '2 points, −10']]],
  ]);
});
