import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { MatchEvent, Participation } from '@courtledger/contracts/match/match.events';
import { describe, expect, it } from 'vitest';
import { fold } from '../platform/stream-state.ts';
import { given, refused } from '../platform/testing/specification.ts';
import { matchDecider, type MatchCommand } from './match.decider.ts';
import type { StatLine } from './stat-recording.ts';

const rosterA = new Set(['a1', 'a2']);
const rosterB = new Set(['b1']);
const assigned: MatchEvent = {
  type: 'MatchAssigned',
  data: { matchId: 'm', tournamentId: 't', teamAId: 'A', teamBId: 'B', date: '2026-11-21', time: '14:00' },
};
const cancelled: MatchEvent = { type: 'MatchCancelled', data: { matchId: 'm' } };
const increment = (entryId: string, playerId: string, points: number, assists = 0, rebounds = 0): MatchEvent => ({
  type: 'StatIncrementRecorded',
  data: { matchId: 'm', entryId, playerId, teamId: rosterB.has(playerId) ? 'B' : 'A', points, assists, rebounds },
});
const participated = (playerId: string, notplayed: Participation, entryId?: string): MatchEvent => ({
  type: 'PlayerParticipationRecorded',
  data: { matchId: 'm', playerId, teamId: rosterB.has(playerId) ? 'B' : 'A', notplayed, ...(entryId === undefined ? {} : { entryId }) },
});
/** A status that nobody said. */
const implied = (playerId: string, notplayed: Participation, impliedBy: string): MatchEvent => ({
  type: 'PlayerParticipationRecorded',
  data: { matchId: 'm', playerId, teamId: rosterB.has(playerId) ? 'B' : 'A', notplayed, impliedBy },
});
const reversal = (entryId: string, targetEntryId: string, points: number, reason = 'Wrong player'): MatchEvent => ({
  type: 'StatEntryReversed',
  data: { matchId: 'm', entryId, targetEntryId, playerId: 'a1', teamId: 'A', points, assists: 0, rebounds: 0, reason },
});
const mvp = (playerId: string | null): MatchEvent => ({ type: 'MatchMvpNamed', data: { matchId: 'm', playerId } });

const line = (playerId: string, points = 0, notplayed: StatLine['notplayed'] = '', assists = 0, rebounds = 0): StatLine => ({
  playerId,
  points,
  assists,
  rebounds,
  notplayed,
});
const update = (team1Players: readonly StatLine[], team2Players: readonly StatLine[] = []): MatchCommand => ({
  type: 'recordMatchStats',
  team1Players,
  team2Players,
  rosterA,
  rosterB,
  entryIds: [...team1Players, ...team2Players].map((_, index) => `e${String(index + 1)}`),
});
const tap = (entryId: string, statLine: StatLine): MatchCommand => ({ type: 'recordStatIncrement', entryId, line: statLine, rosterA, rosterB });
const reverse = (targetEntryId: string, entryId: string, reason = 'Wrong player'): MatchCommand => ({
  type: 'reverseStatEntry',
  entryId,
  targetEntryId,
  reason,
});
const assign = (more: Partial<Extract<MatchCommand, { type: 'assignMatch' }>> = {}): MatchCommand => ({
  type: 'assignMatch',
  matchId: 'm',
  tournamentId: 't',
  teamAId: 'A',
  teamBId: 'B',
  date: '2026-11-21',
  time: '14:00',
  entered: new Set(['A', 'B']),
  ...more,
});
const move = (targetEntryId: string, playerId: string): MatchCommand => ({
  type: 'moveStatEntry',
  reversalId: 'r',
  entryId: 'e',
  targetEntryId,
  playerId,
  reason: 'Wrong player',
  rosterA,
  rosterB,
});
const nameMvp = (playerId: string | null): MatchCommand => ({ type: 'nameMatchMvp', playerId });
const rescheduled = (date: string, time: string): MatchEvent => ({ type: 'MatchRescheduled', data: { matchId: 'm', date, time } });

const nothing: readonly MatchEvent[] = [];

/** The fields that a command on a match that was assigned is told are wrong. */
const wrongFields = (command: MatchCommand, events: readonly MatchEvent[] = [assigned]): readonly string[] => {
  try {
    matchDecider.decide(fold(matchDecider, events), command);
    return [];
  } catch (error) {
    return error instanceof DomainError ? error.errors.map(({ path }) => path) : [];
  }
};

it('tells all that is wrong, of teams and of lines', () => {
  expect(wrongFields(assign({ entered: new Set() }), [])).toStrictEqual(['teamAId', 'teamBId']);
  expect(wrongFields(update([line('zz', 2), line('a1'), line('b1', 1000)], [line('a1')]))).toStrictEqual([
    'team1Players[0].playerId',
    'team1Players[2].playerId',
    'team1Players[2].points',
    'team2Players[0].playerId',
  ]);
  expect(wrongFields(update([line('a1', 999), line('a1', 1)], [line('b1', -999), line('b1', -1)]))).toStrictEqual([
    'team1Players[1].points',
    'team2Players[1].points',
  ]);
});

describe('assignMatch', () => {
  it('assigns two entered teams', () => {
    expect(given(matchDecider, nothing).when(assign())).toStrictEqual([assigned]);
  });
  it('may leave the time open', () => {
    expect(given(matchDecider, nothing).when(assign({ time: '' }))).toStrictEqual([{ type: 'MatchAssigned', data: { ...assigned.data, time: '' } }]);
  });
  it.each([
    ['an unknown tournament', { entered: undefined }, 'not-found', 'There is no such tournament', undefined],
    ['the same team twice', { teamBId: 'A' }, 'invalid', 'Please select exactly two teams and a match date to assign a match.', 'teamBId'],
    ['a first team that has not entered', { entered: new Set(['B']) }, 'invalid', 'teamAId has not entered this tournament', 'teamAId'],
    ['a second team that has not entered', { entered: new Set(['A']) }, 'invalid', 'teamBId has not entered this tournament', 'teamBId'],
  ] as const)('refuses %s', (_, more, code, message, path) => {
    expect(given(matchDecider, nothing).when(assign(more))).toStrictEqual(refused(code, message, path));
  });
  it('refuses to assign a match twice', () => {
    expect(given(matchDecider, [assigned]).when(assign())).toStrictEqual(refused('conflict', 'This match exists already'));
  });
});

describe('recordMatchStats', () => {
  const cases: readonly [string, readonly MatchEvent[], MatchCommand, readonly MatchEvent[]][] = [
    [
      'one entry for each line with a number',
      [],
      update([line('a1', 5), line('a2', 0, '', 2)], [line('b1', 0, '', 0, -3)]),
      [increment('e1', 'a1', 5), increment('e2', 'a2', 0, 2), increment('e3', 'b1', 0, 0, -3)],
    ],
    ['nothing for no lines', [], update([]), []],
    ['nothing for zeros without a status', [], update([line('a1')]), []],
    ["nothing for zeros with 'Not Played' and no row", [], update([line('a1', 0, 'Not Played')]), []],
    ["a participation for zeros with 'played'", [], update([line('a1', 0, 'played')]), [participated('a1', 'played')]],
    ["a participation for zeros with 'DNP'", [], update([line('a1', 0, 'DNP')]), [participated('a1', 'DNP')]],
    ["no participation when numbers say 'played' by themselves", [], update([line('a1', 2, 'played')]), [increment('e1', 'a1', 2)]],
    ["numbers together with 'Not Played'", [], update([line('a1', 2, 'Not Played')]), [participated('a1', 'Not Played'), increment('e1', 'a1', 2)]],
    [
      "'played' again when numbers come without a status",
      [participated('a1', 'DNP')],
      update([line('a1', 2)]),
      [implied('a1', 'played', 'e1'), increment('e1', 'a1', 2)],
    ],
    ["no status when it is 'DNP' already", [participated('a1', 'DNP')], update([line('a1', 0, 'DNP')]), []],
    ["no status when it is 'played' by an entry", [increment('x', 'a1', 2)], update([line('a1', 0, 'played')]), []],
    ["'Not Played' for who has a row", [increment('x', 'a1', 2)], update([line('a1', 0, 'Not Played')]), [participated('a1', 'Not Played')]],
    ['nothing for zeros without a status for who has a row', [participated('a1', 'DNP')], update([line('a1')]), []],
    ["nothing for 'Not Played' when the only entry is reversed", [increment('x', 'a1', 2), reversal('r', 'x', -2)], update([line('a1', 0, 'Not Played')]), []],
    [
      "'Not Played' that takes a recorded 'played' back",
      [participated('a1', 'played')],
      update([line('a1', 0, 'Not Played')]),
      [participated('a1', 'Not Played')],
    ],
    [
      "'Not Played' that takes a recorded 'DNP' back, its only entry reversed",
      [participated('a1', 'DNP'), increment('x', 'a1', 2), reversal('r', 'x', -2)],
      update([line('a1', 0, 'Not Played')]),
      [participated('a1', 'Not Played')],
    ],
    [
      "nothing for 'Not Played' that was taken back already",
      [participated('a1', 'played'), participated('a1', 'Not Played')],
      update([line('a1', 0, 'Not Played')]),
      [],
    ],
    [
      "'played' for numbers after the status was taken back",
      [participated('a1', 'DNP'), participated('a1', 'Not Played')],
      update([line('a1', 2)]),
      [implied('a1', 'played', 'e1'), increment('e1', 'a1', 2)],
    ],
    [
      "no status for numbers with 'Not Played' that is recorded",
      [participated('a1', 'DNP'), participated('a1', 'Not Played')],
      update([line('a1', 2, 'Not Played')]),
      [increment('e1', 'a1', 2)],
    ],
    [
      "'DNP' again after it was taken back",
      [participated('a1', 'DNP'), participated('a1', 'Not Played')],
      update([line('a1', 0, 'DNP')]),
      [participated('a1', 'DNP')],
    ],
    [
      'repeated lines as one',
      [],
      update([line('a1', 2), line('a2', 1), line('a1', 3, 'DNP', 1)]),
      [participated('a1', 'DNP'), increment('e1', 'a1', 5, 1), increment('e2', 'a2', 1)],
    ],
    ['the status of an earlier one of them', [], update([line('a1', 2, 'DNP'), line('a1', 3)]), [participated('a1', 'DNP'), increment('e1', 'a1', 5)]],
    [
      "no status when somebody said 'played' before the numbers",
      [participated('a1', 'played'), increment('x', 'a1', 2)],
      update([line('a1', 0, 'played')]),
      [],
    ],
    ['nothing for repeated lines that cancel out', [], update([line('a1', 2), line('a1', -2)]), []],
    ['repeated lines that come to 999 in the end', [], update([line('a1', 999), line('a1', 1), line('a1', -1)]), [increment('e1', 'a1', 999)]],
    ['both teams under their own ids', [], update([], [line('b1', 9)]), [increment('e1', 'b1', 9)]],
  ];
  it.each(cases)('records %s', (_, before, command, expected) => {
    expect(given(matchDecider, [assigned, ...before]).when(command)).toStrictEqual(expected);
  });
  it.each([
    ['a player of the other team', update([line('b1', 2)]), 'team1Players[0].playerId is not a player of that team', 'team1Players[0].playerId'],
    [
      'a stranger among others',
      update([line('a1', 2)], [line('b1', 1), line('zz', 2)]),
      'team2Players[1].playerId is not a player of that team',
      'team2Players[1].playerId',
    ],
    ['more than 999', update([line('a1', 1000)]), 'team1Players[0].points must be between -999 and 999', 'team1Players[0].points'],
    ['part of a point', update([line('a1', 0.5)]), 'team1Players[0].points must be between -999 and 999', 'team1Players[0].points'],
    ['less than -999', update([line('a1', 0, '', -1000)]), 'team1Players[0].assists must be between -999 and 999', 'team1Players[0].assists'],
    [
      'repeated lines that come to more than 999',
      update([line('a1', 999), line('a2', 2), line('a1', 1)]),
      'team1Players[2].points must be between -999 and 999',
      'team1Players[2].points',
    ],
  ] as const)('records nothing at all for %s', (_, command, message, path) => {
    expect(given(matchDecider, [assigned]).when(command)).toStrictEqual(refused('invalid', message, path));
  });
  it('takes 999 either way', () => {
    expect(given(matchDecider, [assigned]).when(update([line('a1', 999, '', -999)]))).toStrictEqual([increment('e1', 'a1', 999, -999)]);
  });
});

describe('recordStatIncrement', () => {
  it.each([
    ['numbers', [], line('a1', 2), [increment('e', 'a1', 2)]],
    ['numbers of the other team', [], line('b1', 0, '', 1), [increment('e', 'b1', 0, 1)]],
    ['a status alone, under its own id', [], line('a1', 0, 'DNP'), [participated('a1', 'DNP', 'e')]],
    ['a status alone once', [participated('a1', 'DNP', 'e')], line('a1', 0, 'DNP'), []],
    ['a status alone once, though another was recorded since', [participated('a1', 'DNP', 'e'), participated('a1', 'played', 'f')], line('a1', 0, 'DNP'), []],
    ['a status alone that changes nothing, under its own id', [increment('x', 'a1', 2)], line('a1', 0, 'played'), [participated('a1', 'played', 'e')]],
    [
      'it once, though another was recorded since',
      [increment('x', 'a1', 2), participated('a1', 'played', 'e'), participated('a1', 'DNP')],
      line('a1', 0, 'played'),
      [],
    ],
    ["'Not Played' without a row, under its own id", [], line('a1', 0, 'Not Played'), [participated('a1', 'Not Played', 'e')]],
    [
      "'Not Played' without a row once, though numbers came since",
      [participated('a1', 'Not Played', 'e'), increment('x', 'a1', 2)],
      line('a1', 0, 'Not Played'),
      [],
    ],
    ['the id beside the numbers only', [], line('a1', 2, 'DNP'), [participated('a1', 'DNP'), increment('e', 'a1', 2)]],
    ['the same entry once', [increment('e', 'a1', 2)], line('a1', 2), []],
    ["the same entry with 'played' said", [increment('e', 'a1', 2)], line('a1', 2, 'played'), []],
    ['the same entry with its status once', [participated('a1', 'DNP'), increment('e', 'a1', 2)], line('a1', 2, 'DNP'), []],
    ['the same entry after it was reversed', [increment('e', 'a1', 2), reversal('r', 'e', -2)], line('a1', 2), []],
  ] as const)('records %s', (_, before, statLine, expected) => {
    expect(given(matchDecider, [assigned, ...before]).when(tap('e', statLine))).toStrictEqual(expected);
  });
  const other = 'This entry was recorded with other content';
  it.each([
    ['a stranger', [], line('zz', 2), 'invalid', 'playerId is not a player of this match', 'playerId'],
    ['more than 999', [], line('a1', 1000), 'invalid', 'points must be between -999 and 999', 'points'],
    ['nothing at all', [], line('a1'), 'invalid', 'A statistic or a status is required', 'points'],
    ['other numbers under one id', [increment('e', 'a1', 2)], line('a1', 3), 'conflict', other, undefined],
    ['other assists under one id', [increment('e', 'a1', 2, 1)], line('a1', 2), 'conflict', other, undefined],
    ['other rebounds under one id', [increment('e', 'a1', 2, 0, 1)], line('a1', 2), 'conflict', other, undefined],
    ['another player under one id', [increment('e', 'a1', 2)], line('a2', 2), 'conflict', other, undefined],
    ['another status under one id', [increment('e', 'a1', 2)], line('a1', 2, 'DNP'), 'conflict', other, undefined],
    ['another status under the id of a status', [participated('a1', 'DNP', 'e')], line('a1', 0, 'played'), 'conflict', other, undefined],
    ['numbers under the id of a status that changed nothing', [participated('a1', 'Not Played', 'e')], line('a1', 3), 'conflict', other, undefined],
    ['another player under the id of a status', [participated('a1', 'DNP', 'e')], line('a2', 0, 'DNP'), 'conflict', other, undefined],
    ['numbers under the id of a status', [participated('a1', 'DNP', 'e')], line('a1', 2, 'DNP'), 'conflict', other, undefined],
    ['nothing at all under the id of a status', [participated('a1', 'played', 'e')], line('a1'), 'invalid', 'A statistic or a status is required', 'points'],
    ["a reversal's id", [increment('x', 'a1', 2), reversal('e', 'x', -2)], line('a1', -2), 'conflict', other, undefined],
  ] as const)('refuses %s', (_, before, statLine, code, message, path) => {
    expect(given(matchDecider, [assigned, ...before]).when(tap('e', statLine))).toStrictEqual(refused(code, message, path));
  });
});

/** An entry `e`, and reversals r1, r2 … of one another: it counts after an even number of them. */
const chain = (reversals: number): readonly MatchEvent[] => [
  increment('e', 'a1', 2),
  ...Array.from({ length: reversals }, (_, index) => reversal(`r${String(index + 1)}`, index === 0 ? 'e' : `r${String(index)}`, index % 2 === 0 ? -2 : 2)),
];
describe('reverseStatEntry', () => {
  it('adds the negated numbers under its own id', () => {
    expect(given(matchDecider, [assigned, increment('e', 'a1', 2)]).when(reverse('e', 'r'))).toStrictEqual([reversal('r', 'e', -2)]);
  });
  describe('of a player who was down as not playing', () => {
    const down = [assigned, participated('a1', 'DNP')];
    const tapped = [...down, implied('a1', 'played', 'e'), increment('e', 'a1', 2)];
    const undone = [...tapped, reversal('r', 'e', -2), implied('a1', 'DNP', 'r')];
    const again = [...undone, reversal('r2', 'r', 2), implied('a1', 'played', 'r2')];
    const withNumbers = [...down, increment('e', 'a1', 2), implied('a1', 'played', 'f'), increment('f', 'a1', 2)];
    it.each([
      ['makes that so again', tapped, reverse('e', 'r'), [reversal('r', 'e', -2), implied('a1', 'DNP', 'r')]],
      ['not while another entry says that he played', [...tapped, increment('f', 'a1', 3)], reverse('e', 'r'), [reversal('r', 'e', -2)]],
      [
        'when the last of these goes, whichever it is',
        [...tapped, increment('f', 'a1', 2), reversal('q', 'e', -2)],
        reverse('f', 'r'),
        [reversal('r', 'f', -2), implied('a1', 'DNP', 'r')],
      ],
      ['and makes him played when it is reversed', undone, reverse('r', 'r2'), [reversal('r2', 'r', 2), implied('a1', 'played', 'r2')]],
      ['and so on', again, reverse('r2', 'r3'), [reversal('r3', 'r2', -2), implied('a1', 'DNP', 'r3')]],
      ['which more of such numbers say no second time', tapped, update([line('a1', 3)]), [increment('e1', 'a1', 3)]],
      ['as a new entry does', undone, update([line('a1', 2)]), [implied('a1', 'played', 'e1'), increment('e1', 'a1', 2)]],
      ['also where other numbers came with that status', withNumbers, reverse('f', 'r'), [reversal('r', 'f', -2), implied('a1', 'DNP', 'r')]],
      ['and these change nothing when they go', withNumbers, reverse('e', 'r'), [reversal('r', 'e', -2)]],
      ['nor when they come back', [...down, increment('e', 'a1', 2), reversal('r', 'e', -2)], reverse('r', 'r2'), [reversal('r2', 'r', 2)]],
      [
        'also where other numbers were there before that was said',
        [assigned, increment('x', 'a1', 8), participated('a1', 'Not Played'), implied('a1', 'played', 'e'), increment('e', 'a1', 2)],
        reverse('e', 'r'),
        [reversal('r', 'e', -2), implied('a1', 'Not Played', 'r')],
      ],
      [
        'since the last time that it was said',
        [...tapped, participated('a1', 'DNP'), implied('a1', 'played', 'f'), increment('f', 'a1', 2)],
        reverse('f', 'r'),
        [reversal('r', 'f', -2), implied('a1', 'DNP', 'r')],
      ],
      [
        'nothing where somebody said that he played',
        [...down, participated('a1', 'played'), increment('e', 'a1', 2)],
        reverse('e', 'r'),
        [reversal('r', 'e', -2)],
      ],
      ['nothing where that was said since', [...tapped, participated('a1', 'played')], reverse('e', 'r'), [reversal('r', 'e', -2)]],
      ['nothing where another status was said since', [...tapped, participated('a1', 'DNP')], reverse('e', 'r'), [reversal('r', 'e', -2)]],
      ['nothing where nobody had said anything', [assigned, increment('e', 'a1', 2)], reverse('e', 'r'), [reversal('r', 'e', -2)]],
      [
        'which is recorded when somebody says it, with numbers',
        tapped,
        update([line('a1', 3, 'played')]),
        [participated('a1', 'played'), increment('e1', 'a1', 3)],
      ],
      ['or without', tapped, update([line('a1', 0, 'played')]), [participated('a1', 'played')]],
      ['as is the status that had come back', undone, update([line('a1', 0, 'DNP')]), [participated('a1', 'DNP')]],
      ['once', [...undone, participated('a1', 'DNP')], update([line('a1', 0, 'DNP')]), []],
    ] satisfies readonly (readonly [string, readonly MatchEvent[], MatchCommand, readonly MatchEvent[]])[])('%s', (_, events, command, expected) => {
      expect(given(matchDecider, events).when(command)).toStrictEqual(expected);
    });
  });
  it('may itself be reversed', () => {
    expect(given(matchDecider, [assigned, increment('e', 'a1', 2), reversal('r', 'e', -2)]).when(reverse('r', 'r2', 'It was right'))).toStrictEqual([
      reversal('r2', 'r', 2, 'It was right'),
    ]);
  });
  it('refuses an id that another entry has', () => {
    expect(given(matchDecider, [assigned, increment('e', 'a1', 2), increment('f', 'a1', 3)]).when(reverse('e', 'f'))).toStrictEqual(
      refused('conflict', 'This entry was recorded with other content'),
    );
  });
  it('restores an entry whatever else stands', () => {
    expect(given(matchDecider, [assigned, ...chain(1), increment('f', 'a2', 3)]).when(reverse('r1', 'r2'))).toStrictEqual([reversal('r2', 'r1', 2)]);
  });
  it.each([
    ['an unknown entry', [], 'e', 'not-found', 'There is no such entry in this match'],
    ['a status alone', [participated('a1', 'DNP', 'e')], 'e', 'conflict', 'This entry holds a status only: record another status instead'],
    ['a second reversal', [increment('e', 'a1', 2), reversal('r', 'e', -2)], 'e', 'conflict', 'This entry is reversed already'],
    [
      'a second reversal though the first is reversed',
      [increment('e', 'a1', 2), reversal('r', 'e', -2), reversal('r2', 'r', 2)],
      'e',
      'conflict',
      'This entry was taken back and restored: take the restoring back, or move the entry',
    ],
    ['a second reversal though the first counts again', chain(3), 'e', 'conflict', 'This entry is reversed already'],
    ['what took an entry back that somebody restored', chain(2), 'r1', 'conflict', 'This entry was restored already'],
    ['the same once it was taken back again', chain(3), 'r1', 'conflict', 'This entry was restored already, and taken back again since'],
    ['what restored an entry that somebody took back again', chain(3), 'r2', 'conflict', 'This entry is taken back again already'],
    ['the same once it was restored again', chain(4), 'r2', 'conflict', 'This entry was taken back again already, and restored since'],
    ['what took a restored entry back, restored again', chain(4), 'r3', 'conflict', 'This entry was restored already'],
  ] as const)('refuses %s', (_, before, target, code, message) => {
    expect(given(matchDecider, [assigned, ...before]).when(reverse(target, 'new'))).toStrictEqual(refused(code, message));
  });
});

describe('a correction that says on which preview it was decided', () => {
  const before = [assigned, increment('x', 'a1', 2)];
  it.each([
    ['the match as it is', { revision: 1, stands: true }, 'accepted'],
    ['the match before its last fact', { revision: 0, stands: true }, 'outdated'],
    ['other standings', { revision: 1, stands: false }, 'outdated'],
  ])('on %s', (_, previewed, outcome) => {
    const outdated = refused('conflict', 'The match or the standings changed since the preview: look at it again');
    for (const command of [reverse('x', 'r'), move('x', 'a2')])
      expect(given(matchDecider, before).when({ ...command, previewed } as MatchCommand)).toStrictEqual(
        outcome === 'accepted' ? given(matchDecider, before).when(command) : outdated,
      );
  });
  it('is told in other words what could not be done either way', () => {
    expect(
      given(matchDecider, [...before, reversal('q', 'x', -2)]).when({ ...reverse('x', 'r'), previewed: { revision: 1, stands: false } } as MatchCommand),
    ).toStrictEqual(refused('conflict', 'This entry is reversed already'));
  });
});

describe('moveStatEntry', () => {
  const recorded = [assigned, increment('x', 'a1', 2, 1)];
  it('reverses the entry and gives its numbers to the other player, of either team', () => {
    const reversed = {
      type: 'StatEntryReversed',
      data: {
        matchId: 'm',
        entryId: 'r',
        targetEntryId: 'x',
        playerId: 'a1',
        teamId: 'A',
        points: -2,
        assists: -1,
        rebounds: 0,
        reason: 'Wrong player',
        movedToEntryId: 'e',
      },
    };
    expect(given(matchDecider, recorded).when(move('x', 'a2'))).toStrictEqual([reversed, increment('e', 'a2', 2, 1)]);
    expect(given(matchDecider, recorded).when(move('x', 'b1'))).toStrictEqual([reversed, increment('e', 'b1', 2, 1)]);
  });
  it('makes a player who was DNP played', () => {
    expect(given(matchDecider, [...recorded, participated('a2', 'DNP')]).when(move('x', 'a2'))).toStrictEqual([
      {
        type: 'StatEntryReversed',
        data: {
          matchId: 'm',
          entryId: 'r',
          targetEntryId: 'x',
          playerId: 'a1',
          teamId: 'A',
          points: -2,
          assists: -1,
          rebounds: 0,
          reason: 'Wrong player',
          movedToEntryId: 'e',
        },
      },
      implied('a2', 'played', 'e'),
      increment('e', 'a2', 2, 1),
    ]);
  });
  it('back from a player who was DNP leaves him DNP', () => {
    const events = [
      assigned,
      increment('x', 'a1', 2),
      participated('a2', 'DNP'),
      half('r', 'x', 'a1', -2, 'e'),
      implied('a2', 'played', 'e'),
      increment('e', 'a2', 2),
    ];
    expect(given(matchDecider, events).when({ ...move('e', 'a1'), reversalId: 'n', entryId: 'n2' } as MatchCommand)).toStrictEqual([
      half('n', 'e', 'a2', -2, 'n2'),
      increment('n2', 'a1', 2),
      implied('a2', 'DNP', 'n'),
    ]);
  });
  it('between two who were DNP changes the status of both', () => {
    const events = [assigned, participated('a1', 'DNP'), participated('a2', 'DNP'), implied('a1', 'played', 'x'), increment('x', 'a1', 2)];
    expect(given(matchDecider, events).when(move('x', 'a2'))).toStrictEqual([
      half('r', 'x', 'a1', -2, 'e'),
      implied('a2', 'played', 'e'),
      increment('e', 'a2', 2),
      implied('a1', 'DNP', 'r'),
    ]);
  });
  const restored = [...recorded, reversal('q', 'x', -2), reversal('q2', 'q', 2)];
  it('moves an entry that was taken back and restored: what stands of it is reversed, at the end of the chain', () => {
    const events = [assigned, increment('x', 'a1', 2), reversal('q', 'x', -2), reversal('q2', 'q', 2)];
    const moved = [half('r', 'q2', 'a1', -2, 'e'), increment('e', 'a2', 2)];
    expect(given(matchDecider, events).when(move('x', 'a2'))).toStrictEqual(moved);
    // It counts once from then on, wherever it is brought back.
    const all = [...events, ...moved];
    expect(given(matchDecider, all).when(reverse('r', 'n'))).toStrictEqual(
      refused('conflict', 'This was moved: move the entry back instead, or take it back there first'),
    );
    expect(given(matchDecider, all).when({ ...move('x', 'b1'), reversalId: 'n', entryId: 'n2' } as MatchCommand)).toStrictEqual(
      refused('conflict', 'This entry is reversed already'),
    );
    expect(given(matchDecider, all).when({ ...move('e', 'a1'), reversalId: 'n', entryId: 'n2' } as MatchCommand)).toStrictEqual([
      half('n', 'e', 'a2', -2, 'n2'),
      increment('n2', 'a1', 2),
    ]);
    // Restored twice, and restored where a move has brought it.
    const twice = [...events, reversal('q3', 'q2', -2), reversal('q4', 'q3', 2)];
    expect(given(matchDecider, twice).when(move('x', 'a2'))).toStrictEqual([half('r', 'q4', 'a1', -2, 'e'), increment('e', 'a2', 2)]);
    const there = [...all, half('s', 'e', 'a2', -2), half('s2', 's', 'a2', 2)];
    expect(given(matchDecider, there).when({ ...move('e', 'a1'), reversalId: 'n', entryId: 'n2' } as MatchCommand)).toStrictEqual([
      half('n', 's2', 'a2', -2, 'n2'),
      increment('n2', 'a1', 2),
    ]);
  });
  it.each([
    ['an unknown entry', recorded, 'y', 'a2', refused('not-found', 'There is no such entry in this match')],
    ['a reversed entry', [...recorded, reversal('q', 'x', -2)], 'x', 'a2', refused('conflict', 'This entry is reversed already')],
    ['a reversal', [...recorded, reversal('q', 'x', -2)], 'q', 'a2', refused('conflict', 'A reversal cannot be moved: reverse it, and move the entry itself')],
    ['what took a restored entry back', restored, 'q', 'a2', refused('conflict', 'A reversal cannot be moved: move the entry itself, which counts')],
    ['what restored an entry', restored, 'q2', 'a2', refused('conflict', 'A reversal cannot be moved: move the entry itself, which counts')],
    [
      'a status alone',
      [assigned, participated('a1', 'DNP', 'x')],
      'x',
      'a2',
      refused('conflict', 'This entry holds a status only: record another status instead'),
    ],
    ['a stranger', recorded, 'x', 'z9', refused('invalid', 'playerId is not a player of this match', 'playerId')],
    ['the same player', recorded, 'x', 'a1', refused('invalid', 'This entry is of that player already', 'playerId')],
    ['a cancelled match', [...recorded, reversal('q', 'x', -2), cancelled], 'x', 'a2', refused('conflict', 'This match was cancelled')],
  ] as const)('refuses %s', (_, events, target, playerId, refusal) => {
    expect(given(matchDecider, events).when(move(target, playerId))).toStrictEqual(refusal);
  });
});

const half = (entryId: string, targetEntryId: string, playerId: string, points: number, movedToEntryId?: string): MatchEvent => ({
  type: 'StatEntryReversed',
  data: {
    matchId: 'm',
    entryId,
    targetEntryId,
    playerId,
    teamId: 'A',
    points,
    assists: 0,
    rebounds: 0,
    reason: 'Wrong player',
    ...(movedToEntryId !== undefined && { movedToEntryId }),
  },
});
describe('half of a move', () => {
  const moved = [assigned, increment('x', 'a1', 2), half('r', 'x', 'a1', -2, 'e'), increment('e', 'a2', 2)];
  const back = { ...move('e', 'a1'), reversalId: 'r2', entryId: 'e2' } as MatchCommand;
  const movedBack = [...moved, half('r2', 'e', 'a2', -2, 'e2'), increment('e2', 'a1', 2)];
  const takenBack = [...moved, half('q', 'e', 'a2', -2)];
  const once = refused('conflict', 'This was moved: move the entry back instead, or take it back there first');
  it('is moved back, or taken back where it stands', () => {
    expect(given(matchDecider, moved).when(back)).toStrictEqual(movedBack.slice(moved.length));
    expect(given(matchDecider, moved).when(reverse('e', 'q'))).toStrictEqual(takenBack.slice(moved.length));
    expect(given(matchDecider, takenBack).when(reverse('r', 'n'))).toStrictEqual([half('n', 'r', 'a1', 2)]);
    expect(given(matchDecider, takenBack).when(reverse('q', 'n'))).toStrictEqual([half('n', 'q', 'a2', 2)]);
  });
  it.each([
    ['the first player while the second has it', moved, 'r'],
    ['the first player again after it was moved on', movedBack, 'r'],
    ['the second player after it was moved back', movedBack, 'r2'],
    ['the second player after the first got it back', [...takenBack, half('n', 'r', 'a1', 2)], 'q'],
    ['the first player after the second got it back', [...takenBack, half('n', 'q', 'a2', 2)], 'r'],
  ])('is not given back to %s', (_, events, target) => {
    expect(given(matchDecider, events).when(reverse(target, 'new'))).toStrictEqual(once);
  });
});

describe('nameMatchMvp', () => {
  it.each([
    ['a player with an entry', [increment('e', 'a1', 2)], 'a1', [mvp('a1')]],
    ['a player with a recorded participation', [participated('b1', 'DNP')], 'b1', [mvp('b1')]],
    ['the same one once', [increment('e', 'a1', 2), mvp('a1')], 'a1', []],
    ['nobody any more', [increment('e', 'a1', 2), mvp('a1')], null, [mvp(null)]],
    ['nobody again', [], null, []],
    ['a player whose reversal was reversed', [increment('e', 'a1', 2), reversal('r', 'e', -2), reversal('r2', 'r', 2)], 'a1', [mvp('a1')]],
  ] as const)('names %s', (_, before, playerId, expected) => {
    expect(given(matchDecider, [assigned, ...before]).when(nameMvp(playerId))).toStrictEqual(expected);
  });
  it.each([
    ['no statistics', []],
    ['only a reversed entry', [increment('e', 'a1', 2), reversal('r', 'e', -2)]],
    ['only a reversed entry, who was named before', [increment('e', 'a1', 2), mvp('a1'), reversal('r', 'e', -2)]],
    ['a status that was taken back', [participated('a1', 'played'), participated('a1', 'Not Played')]],
  ] as const)('refuses a player with %s', (_, before) => {
    expect(given(matchDecider, [assigned, ...before]).when(nameMvp('a1'))).toStrictEqual(refused('conflict', 'The MVP needs statistics in this match'));
  });
});

describe('rescheduleMatch', () => {
  it.each([
    ['day and time', '2026-12-01', '09:30', [rescheduled('2026-12-01', '09:30')]],
    ['the day only', '2026-12-01', undefined, [rescheduled('2026-12-01', '14:00')]],
    ['the time only', undefined, '', [rescheduled('2026-11-21', '')]],
    ['nothing for the same', '2026-11-21', '14:00', []],
    ['nothing for nothing', undefined, undefined, []],
  ] as const)('changes %s', (_, date, time, expected) => {
    expect(given(matchDecider, [assigned]).when({ type: 'rescheduleMatch', date, time })).toStrictEqual(expected);
  });
  it.each([
    ['leaves the time of then', '2026-12-02', undefined, [rescheduled('2026-12-02', '09:30')]],
    ['leaves the day of then', undefined, '10:00', [rescheduled('2026-12-01', '10:00')]],
    ['goes back', '2026-11-21', '14:00', [rescheduled('2026-11-21', '14:00')]],
    ['changes nothing for the same', '2026-12-01', '09:30', []],
  ] as const)('once more: %s', (_, date, time, expected) => {
    expect(given(matchDecider, [assigned, rescheduled('2026-12-01', '09:30')]).when({ type: 'rescheduleMatch', date, time })).toStrictEqual(expected);
  });
});

describe('cancelMatch', () => {
  it('cancels a match without statistics', () => {
    expect(given(matchDecider, [assigned]).when({ type: 'cancelMatch' })).toStrictEqual([cancelled]);
  });
  it('cancels a match that is upcoming again', () => {
    for (const reversals of [1, 3]) expect(given(matchDecider, [assigned, ...chain(reversals)]).when({ type: 'cancelMatch' })).toStrictEqual([cancelled]);
  });
  it('cancels a match whose only status was taken back', () => {
    expect(given(matchDecider, [assigned, participated('a1', 'DNP'), participated('a1', 'Not Played')]).when({ type: 'cancelMatch' })).toStrictEqual([
      cancelled,
    ]);
  });
  it.each([
    ['an entry', increment('e', 'a1', 2)],
    ['a participation', participated('a1', 'played')],
  ])('refuses a match with %s', (_, event) => {
    expect(given(matchDecider, [assigned, event]).when({ type: 'cancelMatch' })).toStrictEqual(
      refused(
        'conflict',
        "A match with statistics cannot be cancelled. Take its entries back, and set whoever is then still shown as played to 'Not Played' in Update Match.",
      ),
    );
  });
});

const writes: readonly MatchCommand[] = [
  update([line('a1', 2)]),
  tap('e', line('a1', 2)),
  reverse('e', 'r'),
  { type: 'nameMatchMvp', playerId: null },
  { type: 'rescheduleMatch', date: undefined, time: undefined },
  { type: 'cancelMatch' },
];
it.each(writes.map((command) => [command.type, command] as const))('%s is refused for a match that is cancelled or unknown', (_, command) => {
  expect(given(matchDecider, [assigned, cancelled]).when(command)).toStrictEqual(refused('conflict', 'This match was cancelled'));
  expect(given(matchDecider, nothing).when(command)).toStrictEqual(refused('not-found', 'There is no such match'));
});
