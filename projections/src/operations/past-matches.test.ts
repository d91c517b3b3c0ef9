import type { AsOf } from '@courtledger/contracts/kernel/fields';
import { expect, test } from 'vitest';
import type { Reader } from '../kernel/read-model.ts';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { getMatch } from '../match/match.queries.ts';
import { getPlayer } from '../player/player.queries.ts';
import { getStandings } from '../tournament/standings.queries.ts';
import { listAudit } from './audit.queries.ts';
import { getMatchAsOf, getPlayerAsOf } from './past-matches.ts';
import { getTrace } from './trace.queries.ts';

const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 2, ['t1']);
  log.team('b', 'Bagmati', 2, ['t1']);
  log.match('m1', 't1', 'a', 'b');
  log.stat('m1', 'a-p1', 30, 2, -8);
  log.stat('m1', 'b-p1', 21);
  return log;
};
const parsed = (text: string | undefined): unknown => JSON.parse(text ?? 'null');
const answersOf = (reader: Reader): unknown => [getMatch(reader, 'm1'), getPlayer(reader, 'a-p1'), getStandings(reader, 't1', undefined)].map(parsed);
const answersThen = (reader: Reader, until: AsOf): unknown =>
  [getMatchAsOf(reader, 'm1', until), getPlayerAsOf(reader, 'a-p1', until), getStandings(reader, 't1', until)].map(parsed);

test('match, player and standings are told as they were: names of teams and tournaments, rosters, jerseys and numbers', () => {
  const log = season();
  const then = log.events.at(-1);
  if (then === undefined) throw new Error('nothing is recorded');
  let before: unknown;
  {
    using model = projected(log);
    before = answersOf(model.reader);
  }
  // Each of these is recorded after the last fact of the tournament, too: a time is cut in each stream by itself.
  log.record('team-a', 'TeamDetailsCorrected', { teamId: 'a', changes: { name: 'Annapurna II' } });
  const renamed = log.events.at(-1);
  log.record('tournament-t1', 'TournamentDetailsChanged', { tournamentId: 't1', changes: { name: 'Winter Cup', location: 'Lalitpur', league: 'false' } });
  log.record('team-a', 'PlayerJerseyNumberChanged', { teamId: 'a', playerId: 'a-p1', jerseyNumber: '77' });
  log.player('a-p3', 'a', '3');
  log.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date: '2026-11-15', time: '' });
  log.stat('m1', 'b-p2', 40);
  using model = projected(log);
  expect(answersThen(model.reader, { kind: 'position', position: then.position })).toEqual(before);
  expect(answersThen(model.reader, { kind: 'time', time: then.time })).toEqual(before);
  for (const until of [
    { kind: 'position', position: log.head },
    { kind: 'time', time: '2030-01-01T00:00:00.000Z' },
  ] as const)
    expect(answersThen(model.reader, until)).toEqual(answersOf(model.reader));
  // Whoever asks why a number of then was what it was, or for the audit of then, reads the same names.
  const score = { of: 'match-team', stat: 'points', match: 'm1', team: 'a' } as const;
  expect(
    [then.position, undefined].map(
      (position) => getTrace(model.reader, { ...score, ...(position !== undefined && { asOf: { kind: 'position', position } }) })?.title,
    ),
  ).toEqual(['Score of Annapurna in Annapurna v Bagmati', 'Score of Annapurna II in Annapurna II v Bagmati']);
  const assigned = (asOf: AsOf | undefined) =>
    listAudit(model.reader, { match: 'm1' }, { asOf, type: 'MatchAssigned', limit: 9, accounts: false }).lines.map(({ what }) => what);
  expect([assigned({ kind: 'position', position: then.position }), assigned(undefined)]).toEqual([
    ['Assigned the match Annapurna v Bagmati'],
    ['Assigned the match Annapurna II v Bagmati'],
  ]);
  const text = JSON.stringify(answersThen(model.reader, { kind: 'time', time: renamed?.time ?? '' }));
  expect([text.includes('Annapurna II'), text.includes('"Annapurna"'), text.includes('Winter Cup'), text.includes('"77"')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('a player of then has the matches of then, newest first: by day, time and assignment, without those whose entries were taken back, or that were cancelled', () => {
  const log = new RecordedLog();
  log.tournament('t1');
  for (const id of ['a', 'b']) log.team(id, `Team ${id}`, 1, ['t1']);
  const matches = [
    ['late', '2026-11-12', '17:30'],
    ['early', '2026-11-12', '09:30'],
    ['later', '2026-11-13', ''],
    ['twin', '2026-11-12', '09:30'],
    ['reversed', '2026-11-14', ''],
    ['cancelled', '2026-11-14', ''],
  ] as const;
  for (const [id, date, time] of matches) log.match(id, 't1', 'a', 'b', date, time);
  for (const [id] of matches) {
    const entry = log.stat(id, 'a-p1', 2);
    if (id === 'reversed' || id === 'cancelled') log.reverse(id, entry);
  }
  log.record('match-cancelled', 'MatchCancelled', { matchId: 'cancelled' });
  const until: AsOf = { kind: 'position', position: log.head };
  using before = projected(log);
  const shown = getPlayer(before.reader, 'a-p1');
  expect((parsed(shown) as { match_history: { match_id: { _id: string } }[] }).match_history.map(({ match_id }) => match_id._id)).toEqual([
    'later',
    'late',
    'twin',
    'early',
  ]);
  log.stat('later', 'a-p1', 3);
  using after = projected(log);
  expect(parsed(getPlayerAsOf(after.reader, 'a-p1', until))).toEqual(parsed(shown));
});

test('personal details and pictures are those of now: what is erased or corrected is so in the past', () => {
  const log = season();
  const then: AsOf = { kind: 'position', position: log.head };
  log.record('team-a', 'TeamDetailsCorrected', { teamId: 'a', changes: { logo: '/media/new.png' } });
  log.person('a-p1', 'player', { name: 'Aman', phone: '9811111111', age: 22, height: 199, weight: 75, photo: '/media/aman.jpg' }, 'a');
  log.erase('b-p1', 'player');
  using model = projected(log);
  const text = JSON.stringify(answersThen(model.reader, then));
  expect(['Player a-p1', 'Player b-p1', 'a-p1.jpg', '/media/a.png'].filter((old) => text.includes(old))).toEqual([]);
  expect(['Aman', 'Former player', '"height":199', 'aman.jpg', 'new.png'].filter((now) => !text.includes(now))).toEqual([]);
});

const at = (position: bigint): AsOf => ({ kind: 'position', position });
test('a position among the facts of one command means all of them: half a move was never shown to anybody', () => {
  const log = season();
  const entry = log.stat('m1', 'a-p1', 6);
  const before = log.head;
  log.reverse('m1', entry);
  log.stat('m1', 'b-p2', 6);
  const command = log.events.at(-1)?.metadata.commandId ?? '';
  for (const index of [log.events.length - 2, log.events.length - 1]) {
    const event = log.events[index];
    if (event === undefined) throw new Error('nothing is recorded');
    const metadata = { ...event.metadata, commandId: command };
    log.events[index] = { ...event, metadata, metadataText: JSON.stringify(metadata) };
  }
  const [half, whole] = [log.events.at(-2)?.position ?? 0n, log.head];
  log.stat('m1', 'b-p2', 1);
  using model = projected(log);
  // Positions have holes: one between the two halves is among them as well.
  for (const position of [half, half + 1n]) expect(answersThen(model.reader, at(position))).toEqual(answersThen(model.reader, at(whole)));
  const scores = [before, half, whole, log.head].map(
    (position) => getTrace(model.reader, { of: 'match-team', stat: 'points', match: 'm1', team: 'a', asOf: at(position) })?.value,
  );
  expect(scores).toEqual([36, 30, 30, 30]);
  for (const bounds of [{ asOf: at(half) }, { to: at(half) }, { from: at(half), to: at(half) }, { asOf: at(half), type: 'StatEntryMoved' }]) {
    // Told once, and at one position, whatever a page begins or ends with.
    expect(
      listAudit(model.reader, { match: 'm1' }, { ...bounds, limit: 2, accounts: false })
        .lines.filter(({ position }) => BigInt(position ?? '') >= half)
        .map(({ type, position }) => [type, position]),
    ).toEqual([['StatEntryMoved', String(half)]]);
  }
  // It began before that.
  const sinceEntry = [undefined, 'StatEntryMoved'].map(
    (type) => listAudit(model.reader, { match: 'm1' }, { from: at(whole), to: at(whole), type, limit: 2, accounts: false }).lines,
  );
  expect(sinceEntry).toEqual([[], []]);
});

test('where the clock was set back, every answer cuts a time in each match by itself', () => {
  const log = season();
  log.match('m2', 't1', 'a', 'b', '2026-11-13');
  const dayBefore = log.start;
  log.start += 48 * 3_600_000;
  log.stat('m1', 'a-p1', 100);
  log.start = dayBefore + 24 * 3_600_000;
  log.stat('m2', 'a-p1', 7);
  const asOf: AsOf = { kind: 'time', time: new Date(log.start + 6 * 3_600_000).toISOString() };
  using model = projected(log);
  const traced = (of: 'standings' | 'player-total') =>
    getTrace(model.reader, {
      of,
      stat: of === 'standings' ? 'pointsFor' : 'points',
      tournament: 't1',
      ...(of === 'standings' ? { team: 'a' } : { player: 'a-p1' }),
      asOf,
    });
  const [match, player, standings] = answersThen(model.reader, asOf) as [
    { player_stats: { player_id: string; points: number }[] },
    { total_points: number },
    { rows: { teamName: string; pointsFor: number }[] },
  ];
  expect([
    match.player_stats.find(({ player_id }) => player_id === 'a-p1')?.points,
    player.total_points,
    standings.rows.find(({ teamName }) => teamName === 'Annapurna')?.pointsFor,
  ]).toEqual([30, 37, 37]);
  for (const of of ['standings', 'player-total'] as const)
    expect([of, traced(of)?.value, traced(of)?.entries.map(({ amount }) => amount)]).toEqual([of, 37, [30, 7]]);
});

test('where a clock was set back, a player is there once anything of the team up to that time stands after', () => {
  const log = season();
  log.start += 3_600_000;
  log.player('a-p9', 'a', '9');
  log.stat('m1', 'a-p9', 4);
  log.start -= 3_600_000;
  log.stat('m1', 'a-p1', 1);
  const match: AsOf = { kind: 'time', time: log.events.at(-1)?.time ?? '' };
  log.record('team-a', 'PlayerJerseyNumberChanged', { teamId: 'a', playerId: 'a-p1', jerseyNumber: '77' });
  const team: AsOf = { kind: 'time', time: log.events.at(-1)?.time ?? '' };
  using model = projected(log);
  const rosterAt = (until: AsOf): boolean => (getMatchAsOf(model.reader, 'm1', until) ?? '').includes('{"_id":"a-p9"');
  const pointsAt = (until: AsOf): unknown => (parsed(getPlayerAsOf(model.reader, 'a-p9', until)) as { total_points: number } | null)?.total_points;
  // As the match of the same time has them among the players of the team.
  expect([rosterAt(team), pointsAt(team), pointsAt(match)]).toEqual([true, 4, undefined]);
  expect(pointsAt({ kind: 'position', position: 2n ** 64n })).toBe(4);
});
