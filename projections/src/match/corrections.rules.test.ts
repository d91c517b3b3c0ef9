import { listMatchCorrections as correctionsEndpoint } from '@courtledger/contracts/match/match.api';
import { describe, expect, test } from 'vitest';
import { season } from '../kernel/testing/small-season.ts';
import { projected } from '../kernel/testing/projected.ts';
import type { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { listMatchCorrections } from './match.queries.ts';

/** The first minutes after 09:00 of a day in Kathmandu. */
const on = (log: RecordedLog, day: string): void => {
  log.start = Date.parse(`${day}T09:00:00+05:45`);
};
const correctionsOf = (log: RecordedLog) => {
  using model = projected(log);
  return correctionsEndpoint.response
    .parse(JSON.parse(listMatchCorrections(model.reader, 'm1') ?? ''))
    .map(({ what, reason, afterDay }) => [what, reason, afterDay]);
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

  test('a status that is taken back on the day on which it was recorded changes nothing that was told, and numbers that come after statuses are the first result', () => {
    const stray = season();
    on(stray, '2026-11-13');
    stray.participation('m1', 'a-p1', 'DNP');
    stray.participation('m1', 'a-p1', 'Not Played');
    expect(correctionsOf(stray)).toEqual([]);

    const counted = season();
    on(counted, '2026-11-12');
    counted.participation('m1', 'a-p1', 'DNP');
    on(counted, '2026-11-13');
    counted.participation('m1', 'a-p1', 'Not Played');
    on(counted, '2026-11-14');
    counted.stat('m1', 'a-p1', 20);
    expect(correctionsOf(counted)).toEqual([['Player a-p1: DNP → Not Played', lateReason, true]]);
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
      [
        ['Player a-p1: +33 points', lateReason, true],
        ['Player a-p1: −10 points', 'Wrong player', true],
      ],
      [
        ['Player a-p1: Not Played → DNP', lateReason, true],
        ['Player a-p1: DNP → Not Played', lateReason, true],
      ],
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
    expect(correctionsOf(earlier)).toEqual(
      [3, 2, 1].map((points) => [`Player a-p1: −${String(points)} point${points === 1 ? '' : 's'}`, 'Wrong player', points > 1]),
    );
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
    expect(correctionsOf(log).slice(0, 2)).toEqual([
      ['Player a-p1: +2 points', 'Wrong player', true],
      ['Player b-p1: +4 points', lateReason, true],
    ]);

    // The only line goes to another player in one command: nothing ends in between, whatever day the match was moved to meanwhile.
    for (const date of ['2026-11-12', '2026-11-20']) {
      const moved = season();
      on(moved, '2026-11-12');
      const only = moved.stat('m1', 'a-p1', 2);
      moved.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date, time: '' });
      on(moved, '2026-11-13');
      const first = moved.events.length;
      moved.reverse('m1', only);
      moved.stat('m1', 'a-p2', 2);
      inOneCommand(moved, first);
      moved.stat('m1', 'b-p1', 9);
      expect([date, correctionsOf(moved)]).toEqual([
        date,
        [
          ['Player b-p1: +9 points', lateReason, true],
          ['2 points moved from Player a-p1 to Player a-p2', 'Wrong player', true],
        ],
      ]);
    }
  });

  test('what was gone before the day of play was nothing of it: a sheet that comes later is the first one', () => {
    const [numbers, statuses] = [season(), season()];
    for (const log of [numbers, statuses]) on(log, '2026-11-12');
    numbers.reverse('m1', numbers.stat('m1', 'a-p1', 2));
    statuses.participation('m1', 'a-p1', 'DNP');
    statuses.participation('m1', 'a-p1', 'Not Played');
    for (const log of [numbers, statuses]) {
      log.record('match-m1', 'MatchRescheduled', { matchId: 'm1', date: '2026-11-14', time: '' });
      on(log, '2026-11-16');
    }
    numbers.stat('m1', 'a-p1', 20);
    statuses.participation('m1', 'b-p1', 'DNP');
    expect([correctionsOf(numbers), correctionsOf(statuses)]).toEqual([[['Player a-p1: −2 points', 'Wrong player', false]], []]);
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
    expect(correctionsOf(log)).toEqual([
      ['Player b-p2: +1 point', lateReason, true],
      ['Player a-p1: −10 points', 'Wrong player', true],
    ]);
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
