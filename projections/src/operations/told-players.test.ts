import type { Correction, HistoryRow } from '@courtledger/contracts/match/match.answers';
import { expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { getMatchHistory, listMatchCorrections } from '../match/match.queries.ts';
import { listAudit, sentencesOf } from './audit.queries.ts';
import { previewFacts } from './preview.queries.ts';
import { playersOfMatches } from './told-players.ts';
import { getTrace } from './trace.queries.ts';

const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 3, ['t1']);
  log.team('b', 'Bagmati', 3, ['t1']);
  log.match('m1', 't1', 'a', 'b');
  return log;
};
/** The reversal and the entry of a move in one command. */
const move = (log: RecordedLog, entry: string, to: string, points: number): void => {
  log.reverse('m1', entry, 'taken');
  log.stat('m1', to, points, 0, 0, 'given');
  const command = log.events.at(-1)?.metadata.commandId ?? '';
  for (const index of [log.events.length - 2, log.events.length - 1]) {
    const event = log.events[index];
    if (event === undefined) throw new Error('nothing is recorded');
    const metadata = { ...event.metadata, commandId: command };
    log.events[index] = { ...event, metadata, metadataText: JSON.stringify(metadata) };
  }
};
const auditOf = (log: RecordedLog, type?: string) => {
  using model = projected(log);
  return listAudit(model.reader, { match: 'm1' }, { type, limit: 20, accounts: false }).lines.map(({ what, before, after }) => [what, before, after]);
};

test('a move between two erased players says which is which, wherever it is told, by the jersey numbers of then', () => {
  const log = season();
  move(log, log.stat('m1', 'a-p1', 4, 0, 0, 'first'), 'a-p2', 4);
  log.record('team-a', 'PlayerJerseyNumberChanged', { teamId: 'a', playerId: 'a-p1', jerseyNumber: '77' });
  log.stat('m1', 'a-p1', 1);
  log.stat('m1', 'b-p1', 2);
  log.erase('a-p1', 'player');
  // One alone needs nothing more.
  expect(auditOf(log, 'StatEntryMoved').map(([what]) => what)).toEqual(['Moved 4 points from Former player to Player a-p2 in Annapurna v Bagmati']);
  log.erase('a-p2', 'player');
  const [from, to, later] = ['Former player (number 1)', 'Former player (number 2)', 'Former player (number 77)'];
  expect(auditOf(log, 'StatEntryMoved')).toEqual([
    [
      `Moved 4 points from ${from} to ${to} in Annapurna v Bagmati`,
      `${from}: 4 points, 0 assists, 0 rebounds; ${to}: 0 points, 0 assists, 0 rebounds`,
      `${from}: 0 points, 0 assists, 0 rebounds; ${to}: 4 points, 0 assists, 0 rebounds`,
    ],
  ]);
  expect(['StatEntryReversed', 'StatIncrementRecorded'].map((type) => auditOf(log, type).map(([what]) => what))).toEqual([
    [`Reversed an entry of ${from} in Annapurna v Bagmati: −4 points, moved to ${to}`],
    [
      'Recorded 2 points for Player b-p1 in Annapurna v Bagmati',
      `Recorded 1 point for ${later} in Annapurna v Bagmati`,
      `Recorded 4 points for ${to} in Annapurna v Bagmati, moved from ${from}`,
      `Recorded 4 points for ${from} in Annapurna v Bagmati`,
    ],
  ]);
  using model = projected(log);
  const history = JSON.parse(getMatchHistory(model.reader, 'm1') ?? '') as readonly HistoryRow[];
  expect(history.map(({ playerName }) => playerName)).toEqual([undefined, from, from, to, later, 'Player b-p1']);
  const corrections = JSON.parse(listMatchCorrections(model.reader, 'm1') ?? '') as readonly Correction[];
  expect(corrections.map(({ what }) => what)).toEqual([`4 points moved from ${from} to ${to}`]);
  const trace = getTrace(model.reader, { of: 'match-team', stat: 'points', match: 'm1', team: 'a' });
  // Of a match as a whole: by every number that an entry says.
  const whole = 'Former player (number 1, now 77)';
  expect([trace?.parts.map(({ label }) => label), getTrace(model.reader, { of: 'match-player', stat: 'points', match: 'm1', player: 'a-p1' })?.title]).toEqual([
    [whole, to],
    `Points of ${whole} in Annapurna v Bagmati`,
  ]);
  expect(trace?.entries.map(({ playerName, movedFrom, movedTo }) => [playerName, movedFrom?.playerName, movedTo?.playerName])).toEqual([
    [from, undefined, to],
    [from, undefined, to],
    [to, from, undefined],
    [later, undefined, undefined],
  ]);
  const entry = log.events.find(({ type, data }) => type === 'StatIncrementRecorded' && (data as { readonly entryId: string }).entryId === 'given');
  if (entry === undefined) throw new Error('nothing was moved');
  expect(sentencesOf(model.reader)({ ...entry, at: entry.time, data: entry.data as object })).toBe(
    `Moved 4 points from ${from} to ${to} in Annapurna v Bagmati`,
  );
  // What would be recorded now is told by the numbers of now.
  const told = previewFacts(model.reader, 'm1', [
    { type: 'StatIncrementRecorded', data: { matchId: 'm1', entryId: 'e', playerId: 'a-p2', teamId: 'a', points: 9, assists: 0, rebounds: 0 } },
  ])?.told;
  expect(told?.players.map(({ name }) => name)).toEqual([to]);
});

test('who changed the number after a match is told with the one of then, and of now; a number that two wore in it tells nobody apart', () => {
  const log = season();
  const change = (playerId: string, jerseyNumber: string): void =>
    void log.record('team-a', 'PlayerJerseyNumberChanged', { teamId: 'a', playerId, jerseyNumber });
  const entry = log.stat('m1', 'a-p1', 4);
  log.stat('m1', 'a-p2', 2);
  for (const player of ['a-p1', 'a-p2']) log.erase(player, 'player');
  change('a-p1', '9');
  change('a-p1', '77');
  change('a-p2', '1');
  const namesOfNow = () => {
    using model = projected(log);
    const trace = getTrace(model.reader, { of: 'match-team', stat: 'points', match: 'm1', team: 'a' });
    return {
      parts: trace?.parts.map(({ label }) => label),
      entries: trace?.entries.map(({ playerName, movedTo }) => [playerName, movedTo?.playerName].filter((name) => name !== undefined)),
    };
  };
  expect(namesOfNow()).toEqual({
    parts: ['Former player (number 1, now 77)', 'Former player (number 2, now 1)'],
    entries: [['Former player (number 1)'], ['Former player (number 2)']],
  });
  change('a-p2', '12');
  log.stat('m1', 'a-p2', 1);
  change('a-p2', '22');
  // Who was given it is told by the number of then, not of the entry that was taken.
  move(log, entry, 'a-p2', 4);
  expect(namesOfNow()).toEqual({
    parts: ['Former player (number 2, then 12, now 22)'],
    entries: [
      ['Former player (number 1)', 'Former player (number 22)'],
      ['Former player (number 2)'],
      ['Former player (number 12)'],
      ['Former player (number 77)', 'Former player (number 22)'],
      ['Former player (number 22)'],
    ],
  });
  change('a-p2', '1');
  log.stat('m1', 'a-p2', 1);
  const [first, second] = ['Former player (id …a-p1)', 'Former player (id …a-p2)'];
  expect(namesOfNow()).toEqual({ parts: [second], entries: [[first, second], [second], [second], [first, second], [second], [second]] });
});

test('of two with one number the team is told, and of those whose number nobody knows the end of the id', () => {
  const log = season();
  for (const player of ['a-p1', 'b-p1', 'b-p2']) log.stat('m1', player, 1);
  for (const player of ['a-p1', 'b-p1', 'b-p2', 'a-p3']) log.erase(player, 'player');
  using model = projected(log);
  const names = { player: () => 'Former player', team: (id: string) => (id === 'a' ? 'Annapurna' : 'Bagmati') };
  const told = playersOfMatches(model.reader, names);
  expect(['a-p1', 'b-p1', 'b-p2'].map(told('m1'))).toEqual([
    'Former player (number 1 of Annapurna)',
    'Former player (number 1 of Bagmati)',
    'Former player (number 2)',
  ]);
  // Before anybody had a number, and in a match of which nothing is told.
  expect([told('m1', 0n)('b-p2'), told('m2')('b-p2'), told('m2', undefined, ['a-p3'])('b-p2')]).toEqual([
    'Former player (id …b-p2)',
    'Former player',
    'Former player (number 2)',
  ]);
});

test('an MVP that is withdrawn is not said to be named, in the audit and in the lines of events', () => {
  const log = season();
  log.stat('m1', 'a-p1', 3);
  log.record('match-m1', 'MatchMvpNamed', { matchId: 'm1', playerId: 'a-p1' });
  const withdrawn = log.record('match-m1', 'MatchMvpNamed', { matchId: 'm1', playerId: null });
  expect(auditOf(log, 'MatchMvpNamed')).toEqual([
    ['Withdrew the MVP of Annapurna v Bagmati', 'Player a-p1', 'none'],
    ['Named the MVP of Annapurna v Bagmati', 'none', 'Player a-p1'],
  ]);
  using model = projected(log);
  expect(sentencesOf(model.reader)({ ...withdrawn, at: withdrawn.time, data: withdrawn.data as object })).toBe('Withdrew the MVP of Annapurna v Bagmati');
});
