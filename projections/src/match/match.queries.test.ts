import { getMatch as getMatchEndpoint, getMatchHistory as historyEndpoint, listMatchCorrections as correctionsEndpoint, listMatches as listMatchesEndpoint } from '@courtledger/contracts/match/match.api';
import { describe, expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import type { Reader } from '../kernel/read-model.ts';
import { getLeaders, getTournament, listTournamentMatches } from '../tournament/tournament.queries.ts';
import { getMatch, getMatchHistory, listMatchCorrections, listMatches, matchAtRevision } from './match.queries.ts';

const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1', { startDate: '2026-11-10' });
  log.team('a', 'Annapurna', 4, ['t1']);
  log.team('b', 'Bagmati', 4, ['t1']);
  log.match('m1', 't1', 'a', 'b', '2026-11-12', '15:30');
  return log;
};
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
  expect(match.team_2.players).toEqual([1, 2, 3, 4].map((number) => ({ _id: `b-p${String(number)}`, name: `Player b-p${String(number)}`, jerseyNumber: String(number), image: `/media/b-p${String(number)}.jpg` })));
  expect('mvp' in match || 'bestPlayer' in match).toBe(false);
  expect(getMatch(model.reader, 'nothing')).toBeUndefined();
});

test('entries add up; a row goes with the last entry that stands and comes back with a reversal of the reversal', () => {
  const log = season();
  const entry = log.stat('m1', 'a-p1', 3, 1, 2);
  log.stat('m1', 'b-p2', -1);
  using model = projected(log);
  expect(matchOf(model.reader).player_stats).toEqual([
    { player_id: 'a-p1', team_id: 'a', points: 3, assists: 1, rebounds: 2, notplayed: 'played', name: 'Player a-p1', jerseyNumber: '1', image: '/media/a-p1.jpg' },
    { player_id: 'b-p2', team_id: 'b', points: -1, assists: 0, rebounds: 0, notplayed: 'played', name: 'Player b-p2', jerseyNumber: '2', image: '/media/b-p2.jpg' },
  ]);
  const reversal = log.reverse('m1', entry);
  model.projector.apply(log.events);
  expect(matchOf(model.reader).player_stats.map(({ player_id }) => player_id)).toEqual(['b-p2']);
  const again = log.reverse('m1', reversal);
  model.projector.apply(log.events);
  expect(matchOf(model.reader).player_stats.map(({ player_id, points, assists }) => [player_id, points, assists])).toEqual([['a-p1', 3, 1], ['b-p2', -1, 0]]);
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
  expect(matchOf(model.reader).player_stats.map(({ player_id, points, notplayed }) => [player_id, points, notplayed])).toEqual([['a-p1', 0, 'played'], ['a-p2', 2, 'Not Played'], ['a-p3', 0, 'DNP']]);
});

test("'Not Played' without entries takes the row away, and the match is upcoming again; with an entry the row stays", () => {
  const log = season();
  using model = projected(log);
  const shown = () => {
    model.projector.apply(log.events);
    const { matches } = JSON.parse(listTournamentMatches(model.reader, 't1') ?? '') as { matches: { hasStats: boolean }[] };
    return [matches.map(({ hasStats }) => hasStats), matchOf(model.reader).player_stats.map(({ player_id, points, notplayed }) => [player_id, points, notplayed])];
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
  expect(list.map(({ matchId, team1Name, team2Id, tournamentName, time }) => [matchId, team1Name, team2Id, tournamentName, time])).toEqual([['m2', 'Bagmati', 'a', 'Cup t1', ''], ['m1', 'Annapurna', 'b', 'Cup t1', '15:30']]);
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
  expect(match.team_1.players.map(({ name, jerseyNumber }) => [name, jerseyNumber])).toEqual([['Ram Thapa', '00'], ['Player a-p2', '2'], ['Player a-p3', '3'], ['Player a-p4', '4'], ['Player a-p5', '5']]);
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
  for (const answer of [listMatches(model.reader), getTournament(model.reader, 't1'), listTournamentMatches(model.reader, 't1')]) expect(answer).not.toContain('m1"');
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
  expect(history[1]).toMatchObject({ actor: { role: 'admin', id: 'admin-1', name: 'Asha' }, playerName: 'Player a-p1', team_id: 'a', points: 3, assists: 1, rebounds: 0 });
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

/** The first minutes after 09:00 of a day in Kathmandu. */
const on = (log: RecordedLog, day: string): void => {
  log.start = Date.parse(`${day}T09:00:00+05:45`);
};
const correctionsOf = (log: RecordedLog) => {
  using model = projected(log);
  return correctionsEndpoint.response.parse(JSON.parse(listMatchCorrections(model.reader, 'm1') ?? '')).map(({ what, reason, afterDay }) => [what, reason, afterDay]);
};
/** Makes one command of the facts from `first` on. */
const inOneCommand = (log: RecordedLog, first: number): void => {
  const commandId = log.events[first]?.metadata.commandId ?? '';
  for (const [index, event] of log.events.entries()) {
    const metadata = { ...event.metadata, commandId };
    if (index >= first) log.events[index] = { ...event, metadata, metadataText: JSON.stringify(metadata) };
  }
};

/** A result of the match's day, taken back to nothing, and another one of the day after. @param days to which the match is moved before and after that */
const again = (...days: readonly string[]): RecordedLog => {
  const log = season();
  on(log, '2026-11-12');
  const entries = [log.stat('m1', 'a-p1', 10), log.stat('m1', 'b-p1', 8)];
  for (const entry of entries) log.reverse('m1', entry);
  const [to, back] = days;
  if (to !== undefined) log.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date: to, time: '' });
  on(log, '2026-11-13');
  log.stat('m1', 'a-p1', 33);
  if (back !== undefined) log.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date: back, time: '' });
  return log;
};

describe('corrections of a match', () => {
  const lateReason = 'Recorded after the match, no reason was given';

  test('an entry of a day after the match changes a result that was told already: each command is a correction', () => {
    const log = season();
    on(log, '2026-11-12');
    log.stat('m1', 'a-p1', 20);
    log.stat('m1', 'b-p1', 19);
    expect(correctionsOf(log)).toEqual([]);
    on(log, '2026-11-13');
    const first = log.events.length;
    log.stat('m1', 'b-p1', 2, 0, -1);
    log.stat('m1', 'b-p2', 0, 1);
    inOneCommand(log, first);
    log.stat('m1', 'a-p1', -1);
    expect(correctionsOf(log)).toEqual([
      ['Player a-p1: −1 point', lateReason, true],
      ['Player b-p1: +2 points, −1 rebound; Player b-p2: +1 assist', lateReason, true],
    ]);
  });

  test('a sheet that is recorded in one day is none, however late; what comes the day after is', () => {
    const log = season();
    on(log, '2026-12-12');
    log.stat('m1', 'a-p1', 20);
    log.stat('m1', 'b-p1', 19);
    expect(correctionsOf(log)).toEqual([]);
    on(log, '2026-12-13');
    log.stat('m1', 'b-p1', 2);
    expect(correctionsOf(log)).toEqual([['Player b-p1: +2 points', lateReason, true]]);
  });

  test('the day is that of Kathmandu, and a status alone is no result, whenever it was recorded', () => {
    const log = season();
    log.start = Date.parse('2026-11-12T17:00:00.000Z');
    log.participation('m1', 'a-p1', 'Not Played');
    const zero = log.events.length + 1;
    log.start = Date.parse('2026-11-12T18:14:59.999Z') - zero * 60_000;
    log.stat('m1', 'a-p1', 1);
    expect(correctionsOf(log)).toEqual([]);
    log.start = Date.parse('2026-11-12T18:15:00.000Z') - (zero + 1) * 60_000;
    log.stat('m1', 'a-p1', 2);
    expect(correctionsOf(log)).toEqual([['Player a-p1: +2 points', lateReason, true]]);

    const later = season();
    on(later, '2026-11-13');
    later.participation('m1', 'a-p1', 'Not Played');
    on(later, '2026-11-14');
    later.participation('m1', 'a-p1', 'played');
    later.stat('m1', 'a-p1', 1);
    expect(correctionsOf(later)).toEqual([]);
    on(later, '2026-11-15');
    later.stat('m1', 'a-p1', 2);
    expect(correctionsOf(later)).toHaveLength(1);

    for (const day of ['2026-11-10', '2026-11-12']) {
      const absent = season();
      on(absent, day);
      absent.participation('m1', 'a-p2', 'DNP');
      on(absent, '2026-11-13');
      absent.stat('m1', 'a-p1', 20);
      absent.stat('m1', 'b-p1', 18);
      expect([day, correctionsOf(absent)]).toEqual([day, []]);
    }
  });

  test('where statuses alone count a match, one by which it counts no more, or again, is a correction after its day', () => {
    const log = season();
    on(log, '2026-11-11');
    log.participation('m1', 'a-p1', 'DNP');
    on(log, '2026-11-12');
    log.participation('m1', 'a-p1', 'Not Played');
    log.participation('m1', 'a-p1', 'played');
    log.participation('m1', 'a-p2', 'DNP');
    on(log, '2026-11-13');
    log.participation('m1', 'a-p2', 'Not Played');
    expect(correctionsOf(log)).toEqual([]);
    log.participation('m1', 'a-p1', 'Not Played');
    const gone = ['Player a-p1: played → Not Played', lateReason, true];
    expect(correctionsOf(log)).toEqual([gone]);
    on(log, '2026-11-14');
    log.participation('m1', 'b-p1', 'DNP');
    const counted = ['Player b-p1: DNP', lateReason, true];
    expect(correctionsOf(log)).toEqual([counted, gone]);
    // Numbers tell of what came and went with them.
    const entry = log.stat('m1', 'a-p1', 2);
    log.participation('m1', 'b-p1', 'Not Played');
    on(log, '2026-11-15');
    const first = log.events.length;
    log.reverse('m1', entry);
    log.participation('m1', 'a-p1', 'Not Played');
    inOneCommand(log, first);
    expect(correctionsOf(log)).toEqual([['Player a-p1: −2 points', 'Wrong player', true], counted, gone]);
    const late = season();
    on(late, '2026-11-20');
    late.participation('m1', 'a-p1', 'DNP');
    expect(correctionsOf(late)).toEqual([]);
    // A command tells all of its statuses, in one correction.
    late.participation('m1', 'b-p1', 'played');
    on(late, '2026-11-21');
    const away = late.events.length;
    late.participation('m1', 'a-p1', 'Not Played');
    late.participation('m1', 'b-p1', 'Not Played');
    inOneCommand(late, away);
    const both = ['Player a-p1: DNP → Not Played; Player b-p1: played → Not Played', lateReason, true];
    expect(correctionsOf(late)).toEqual([both]);
    on(late, '2026-11-22');
    const back = late.events.length;
    late.participation('m1', 'a-p1', 'DNP');
    late.participation('m1', 'b-p1', 'played');
    inOneCommand(late, back);
    expect(correctionsOf(late)).toEqual([['Player a-p1: Not Played → DNP; Player b-p1: Not Played → played', lateReason, true], both]);
  });

  test('a result of the day that was taken back to nothing and recorded anew on another day has changed, whatever the match was moved to meanwhile', () => {
    const late = ['Player a-p1: +33 points', lateReason, true];
    expect([correctionsOf(again())[0], correctionsOf(again('2026-11-13', '2026-11-12'))[0]]).toEqual([late, late]);
    // Played on the later day after all: the entries of the first day were of nothing.
    expect(correctionsOf(again('2026-11-13')).map(([, , afterDay]) => afterDay)).toEqual([false, false]);
  });

  test.each([
    { moved: '2026-11-13', to: '2026-11-13' },
    { moved: '2026-11-16', to: '2026-11-13' },
    // To a day on which nothing stood, once it is told.
    { moved: '2026-11-16', to: '2026-11-30' },
  ])('what stood on the day of play, or on the one to which the match is moved, was changed by what replaced it: moved to $to on $moved', ({ moved, to }) => {
    const [numbers, statuses] = [season(), season()];
    const onBoth = (day: string): void => {
      for (const log of [numbers, statuses]) {
        on(log, day);
        if (day === moved) log.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date: to, time: '' });
      }
    };
    onBoth('2026-11-12');
    const entry = numbers.stat('m1', 'a-p1', 10);
    statuses.participation('m1', 'a-p1', 'DNP');
    onBoth('2026-11-13');
    onBoth('2026-11-14');
    numbers.reverse('m1', entry);
    statuses.participation('m1', 'a-p1', 'Not Played');
    onBoth('2026-11-15');
    numbers.stat('m1', 'a-p1', 33);
    statuses.participation('m1', 'a-p1', 'DNP');
    onBoth('2026-11-16');
    expect([correctionsOf(numbers), correctionsOf(statuses)]).toEqual([
      [['Player a-p1: +33 points', lateReason, true], ['Player a-p1: −10 points', 'Wrong player', true]],
      [['Player a-p1: Not Played → DNP', lateReason, true], ['Player a-p1: DNP → Not Played', lateReason, true]],
    ]);
  });

  test('what was told because of an earlier day stays told when the match is moved once more', () => {
    const [numbers, statuses] = [season(), season()];
    const both = [numbers, statuses];
    for (const log of both) on(log, '2026-11-08');
    const early = numbers.stat('m1', 'a-p1', 10);
    statuses.participation('m1', 'a-p1', 'DNP');
    for (const log of both) on(log, '2026-11-09');
    numbers.reverse('m1', early);
    statuses.participation('m1', 'a-p1', 'Not Played');
    for (const log of both) on(log, '2026-11-12');
    const entry = numbers.stat('m1', 'a-p1', 33);
    statuses.participation('m1', 'a-p1', 'DNP');
    numbers.reverse('m1', entry);
    statuses.participation('m1', 'a-p1', 'Not Played');
    const told = (date: string): readonly unknown[] =>
      both.map((log) => {
        log.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date, time: '' });
        return correctionsOf(log).filter(([, reason]) => reason === lateReason);
      });
    const replaced = [[['Player a-p1: +33 points', lateReason, true]], [['Player a-p1: Not Played → DNP', lateReason, true]]];
    expect([told('2026-11-12'), told('2026-11-05'), told('2026-11-19')]).toEqual([[[], []], replaced, replaced]);
  });

  test('moving the match to a later day takes no mark away, and hides nothing: it was played on the earliest day that it had while it had a result', () => {
    const log = season();
    on(log, '2026-11-12');
    log.stat('m1', 'b-p1', 1);
    const entry = log.stat('m1', 'a-p1', 20);
    log.reverse('m1', entry);
    on(log, '2026-11-13');
    const second = log.stat('m1', 'a-p1', 2);
    log.reverse('m1', second);
    log.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date: '2026-11-20', time: '' });
    const third = log.stat('m1', 'a-p1', 4);
    log.reverse('m1', third);
    expect(correctionsOf(log)).toEqual([
      ['Player a-p1: −4 points', 'Wrong player', true],
      ['Player a-p1: +4 points', lateReason, true],
      ['Player a-p1: −2 points', 'Wrong player', true],
      ['Player a-p1: +2 points', lateReason, true],
      ['Player a-p1: −20 points', 'Wrong player', false],
    ]);

    // To an earlier day: judged by it from then on, also when the match comes back.
    const earlier = season();
    const move = (date: string): void => void earlier.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date, time: '' });
    move('2026-11-20');
    on(earlier, '2026-11-20');
    earlier.stat('m1', 'b-p1', 1);
    earlier.reverse('m1', earlier.stat('m1', 'a-p1', 1));
    move('2026-11-12');
    earlier.reverse('m1', earlier.stat('m1', 'a-p1', 2));
    move('2026-11-20');
    earlier.reverse('m1', earlier.stat('m1', 'a-p1', 3));
    // An entry of the day of the first statistic belongs to the result, whenever the match was.
    expect(correctionsOf(earlier)).toEqual([3, 2, 1].map((points) => [`Player a-p1: −${String(points)} point${points === 1 ? '' : 's'}`, 'Wrong player', points > 1]));
  });

  test('what was taken back to nothing is no result: the next one begins anew, also under another day', () => {
    const log = season();
    on(log, '2026-11-12');
    const wrong = log.stat('m1', 'a-p1', 2);
    const taken = log.reverse('m1', wrong);
    log.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date: '2026-11-19', time: '' });
    on(log, '2026-11-19');
    log.stat('m1', 'a-p1', 20);
    log.stat('m1', 'b-p1', 18);
    expect(correctionsOf(log)).toEqual([['Player a-p1: −2 points', 'Wrong player', false]]);
    on(log, '2026-11-20');
    log.stat('m1', 'b-p1', 4);
    // The stray entry comes back, long after.
    log.reverse('m1', taken);
    expect(correctionsOf(log).slice(0, 2)).toEqual([['Player a-p1: +2 points', 'Wrong player', true], ['Player b-p1: +4 points', lateReason, true]]);

    // The only line goes to another player in one command: nothing ends in between.
    const moved = season();
    on(moved, '2026-11-12');
    const only = moved.stat('m1', 'a-p1', 2);
    on(moved, '2026-11-13');
    const first = moved.events.length;
    moved.reverse('m1', only);
    moved.stat('m1', 'a-p2', 2);
    inOneCommand(moved, first);
    moved.stat('m1', 'b-p1', 9);
    expect(correctionsOf(moved)).toEqual([['Player b-p1: +9 points', lateReason, true], ['2 points moved from Player a-p1 to Player a-p2', 'Wrong player', true]]);
  });

  test('statistics before its day say that a match was played by then: a later day on paper hides no correction', () => {
    const log = season();
    log.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date: '2026-12-31', time: '' });
    on(log, '2026-11-12');
    const entry = log.stat('m1', 'a-p1', 10);
    log.stat('m1', 'b-p1', 9);
    on(log, '2026-11-13');
    log.reverse('m1', entry);
    log.stat('m1', 'b-p2', 1);
    log.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date: '2026-11-12', time: '' });
    expect(correctionsOf(log)).toEqual([['Player b-p2: +1 point', lateReason, true], ['Player a-p1: −10 points', 'Wrong player', true]]);
  });

  test('a move after the day is told once, by its reversal', () => {
    const log = season();
    on(log, '2026-11-12');
    const entry = log.stat('m1', 'a-p1', 20);
    on(log, '2026-11-14');
    const first = log.events.length;
    log.reverse('m1', entry);
    log.stat('m1', 'a-p2', 20);
    inOneCommand(log, first);
    expect(correctionsOf(log)).toEqual([['20 points moved from Player a-p1 to Player a-p2', 'Wrong player', true]]);
  });
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
