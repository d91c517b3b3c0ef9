import { describe, expect, it } from 'vitest';
import { statRow } from '../testing/match-builder.ts';
import {
  belowZero,
  changesInWords,
  editorRows,
  emptyLine,
  firstFault,
  incrementFault,
  isOvertaken,
  isShownAsPlayed,
  isTyped,
  linesToSend,
  parseIncrement,
  statusToSend,
  totalAfter,
  type EditorRow,
} from './update-match.rules.ts';

const row = (more: Partial<EditorRow> = {}): EditorRow => ({
  _id: '1',
  name: 'Suyog',
  jerseyNumber: '7',
  image: '',
  points: 10,
  assists: 2,
  rebounds: 0,
  stored: 'played',
  ...more,
});

describe('increments', () => {
  it.each([
    ['3', 3],
    [' 12 ', 12],
    ['-4', -4],
    ['−4', -4],
    ['+2', 2],
    ['2.9', 2],
    ['3abc', 3],
    ['abc', 0],
    ['', 0],
    ['-', 0],
    ['NaN', 0],
  ])('reads %j as %j', (typed, value) => {
    expect(parseIncrement(typed)).toBe(value);
  });

  it('refuses what is beyond 999', () => {
    expect([incrementFault('points', '999'), incrementFault('points', '-999'), incrementFault('points', '1000'), incrementFault('rebounds', '-1000')]).toEqual([
      undefined,
      undefined,
      'Points must be between -999 and 999',
      'Rebounds must be between -999 and 999',
    ]);
  });

  it('says whose is beyond that, the first in the order of the sheet', () => {
    const sheet = [row(), row({ _id: '2', name: 'Kiran', jerseyNumber: '00' })];
    expect(firstFault(sheet, { '2': { ...emptyLine, assists: '1000' }, '1': { ...emptyLine, points: '3' } })).toBe('#00 Assists must be between -999 and 999');
    expect(firstFault(sheet, { '1': { ...emptyLine, points: '999' } })).toBeUndefined();
  });

  it('adds to what is stored', () => {
    expect([totalAfter(row(), { ...emptyLine, points: '3' }, 'points'), totalAfter(row(), { ...emptyLine, assists: '-3' }, 'assists')]).toEqual([13, -1]);
  });
});

describe('participation', () => {
  it("shows a stored 'DNP' as played, and sends it back as it is", () => {
    expect([isShownAsPlayed({ stored: 'DNP' }, emptyLine), statusToSend({ stored: 'DNP' }, { ...emptyLine, points: '2' })]).toEqual([true, 'DNP']);
  });

  it('sends a status only as the admin ticked it', () => {
    expect([
      statusToSend({ stored: 'DNP' }, { ...emptyLine, played: true }),
      statusToSend({ stored: 'played' }, { ...emptyLine, played: false }),
      statusToSend({ stored: undefined }, { ...emptyLine, points: '1' }),
    ]).toEqual(['played', 'Not Played', '']);
  });

  it("does not say 'played' for whoever is shown so only since numbers were recorded: it would stay when they are taken back", () => {
    expect([statusToSend({ stored: 'played' }, { ...emptyLine, points: '2' }), statusToSend({ stored: 'Not Played' }, { ...emptyLine, points: '2' })]).toEqual([
      '',
      'Not Played',
    ]);
  });

  it('ticks a player without an entry once a number is typed', () => {
    expect([
      isShownAsPlayed({ stored: undefined }, emptyLine),
      isShownAsPlayed({ stored: undefined }, { ...emptyLine, rebounds: '1' }),
      isShownAsPlayed({ stored: 'Not Played' }, { ...emptyLine, points: '1' }),
    ]).toEqual([false, true, false]);
  });
});

describe('what is sent', () => {
  const rows = [
    row(),
    row({ _id: '2', name: 'Kiran', jerseyNumber: '00', stored: 'DNP' }),
    row({ _id: '3', name: 'Rohan', jerseyNumber: '9', stored: undefined, points: 0 }),
    row({ _id: '4', name: 'Anuj', jerseyNumber: '', stored: 'played' }),
  ];

  it('is only the lines that say something', () => {
    const edits = { '1': { ...emptyLine, points: '3' }, '2': emptyLine, '3': { ...emptyLine, played: false }, '4': { ...emptyLine, played: true } };
    expect(linesToSend(rows, edits)).toEqual([{ playerId: '1', points: 3, assists: 0, rebounds: 0, notplayed: '' }]);
  });

  it('says a DNP only when it was touched', () => {
    expect(linesToSend(rows, { '2': { ...emptyLine, assists: '-3' } })).toEqual([{ playerId: '2', points: 0, assists: -3, rebounds: 0, notplayed: 'DNP' }]);
    expect(linesToSend(rows, { '2': { ...emptyLine, played: true } })).toEqual([{ playerId: '2', points: 0, assists: 0, rebounds: 0, notplayed: 'played' }]);
  });

  it('stands in the footer in words', () => {
    expect(
      changesInWords(rows, {
        '1': { ...emptyLine, points: '3' },
        '2': { ...emptyLine, assists: '-3' },
        '3': { ...emptyLine, played: true },
        '4': { ...emptyLine, played: false },
      }),
    ).toEqual(['#7 Points +3', '#00 Assists −3', '#9 played', '#Anuj Not Played']);
  });

  it('tells players of one number from one another by their names', () => {
    const sheet = [row(), row({ _id: '5', name: 'Nischal Rai', points: 0 }), row({ _id: '2', name: 'Kiran', jerseyNumber: '00' })];
    const edits = { '1': { ...emptyLine, points: '3' }, '2': { ...emptyLine, assists: '1' }, '5': { ...emptyLine, points: '-2' } };
    expect(changesInWords(sheet, edits)).toEqual(['#7 Suyog Points +3', '#7 Nischal Rai Points −2', '#00 Assists +1']);
    expect(belowZero(sheet, edits)).toEqual(['#7 Nischal Rai Points −2']);
    // Also where something was typed for the other one, and taken out again.
    expect(changesInWords(sheet, { '1': { ...emptyLine, points: '3' }, '5': emptyLine })).toEqual(['#7 Points +3']);
  });

  it('names totals that would fall below 0', () => {
    expect(belowZero(rows, { '1': { ...emptyLine, assists: '-3', points: '-10' } })).toEqual(['#7 Assists −1']);
  });
});

const player = (id: string) => ({ _id: id, name: id, jerseyNumber: id, image: '' });

it('shows everybody on a team, with 0 for what is unknown', () => {
  const match = {
    team1Id: 'k',
    team1Players: [player('1'), player('2')],
    team2Players: [player('3')],
    // The second line of player 2 is from when she played for the others.
    playerStats: [
      statRow({ player_id: '1', team_id: 'k', points: 5, assists: 4, rebounds: 3, notplayed: 'DNP' }),
      statRow({ player_id: '2', team_id: 'p', points: 9 }),
    ],
  };
  const linesOf = (team: string) => editorRows(match, team).map(({ _id, points, assists, rebounds, stored }) => [_id, points, assists, rebounds, stored]);
  expect(linesOf('k')).toEqual([
    ['1', 5, 4, 3, 'DNP'],
    ['2', 0, 0, 0, undefined],
  ]);
  expect(linesOf('p')).toEqual([['3', 0, 0, 0, undefined]]);
});

it.each([
  ['nothing', {}, false],
  ['an empty line', { '1': emptyLine }, false],
  ['spaces', { '2': { ...emptyLine, points: '  ' } }, false],
  ['half a number, for the second player', { '2': { ...emptyLine, rebounds: '-' } }, true],
  ['a number', { '1': { ...emptyLine, assists: '0' } }, true],
  ['another status', { '1': { ...emptyLine, played: false } }, true],
  ['the status that is stored', { '1': { ...emptyLine, played: true } }, false],
  ['that who has no entry does not play', { '2': { ...emptyLine, played: false } }, false],
  ['something for a player of another sheet', { '9': { ...emptyLine, points: '3' } }, false],
])('knows whether something was typed: %s', (_, edits, expected) => {
  expect(isTyped([row(), row({ _id: '2', stored: undefined })], edits)).toBe(expected);
});

it.each([
  ['the same', [row(), row({ _id: '2', points: 4 })], false],
  ['another number of the second', [row(), row({ _id: '2', points: 5 })], true],
  ['another status', [row({ stored: 'DNP' }), row({ _id: '2', points: 4 })], true],
  ['the same in another order', [row({ _id: '2', points: 4 }), row()], false],
  ['one more player, of whom nothing is recorded', [row(), row({ _id: '3', points: 0, assists: 0, stored: undefined })], false],
  ['one more player with an assist', [row(), row({ _id: '3', points: 0, assists: 1, stored: undefined })], true],
  ['one more player who did not play', [row(), row({ _id: '3', points: 0, assists: 0, stored: 'DNP' })], true],
])('knows whether others have recorded meanwhile: %s', (_, now, expected) => {
  expect(isOvertaken([row(), row({ _id: '2', points: 4 })], now)).toBe(expected);
});
