import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import * as fields from './fields.ts';
import { NAME_MAX } from './limits.ts';

/** What a field makes of a value: the value, or the text of its first refusal. `absent` leaves the field out. */
const absent = Symbol('absent');
const read = (field: z.ZodType, value: unknown): unknown => {
  const result = z.object({ x: field }).safeParse(value === absent ? {} : { x: value });
  return result.success
    ? { x: result.data.x }
    : fields
        .fieldErrors(result.error, [])
        .map(({ path, message }) => `${path}: ${message}`)
        .join('; ');
};
type Case = readonly [given: unknown, out: unknown];
const table = (name: string, field: z.ZodType, good: readonly Case[], bad: readonly Case[]): void => {
  describe(`${name} as a field`, () => {
    it.each(good.map(([given, out]) => [inspect(given, { maxStringLength: 40 }), given, out]))('reads %s', (_title, given, out) => {
      expect(read(field, given)).toEqual({ x: out });
    });
    it.each(bad.map(([given, text]) => [inspect(given, { maxStringLength: 40 }), given, text]))('refuses %s', (_title, given, text) => {
      expect(read(field, given)).toBe(`x: ${String(text)}`);
    });
  });
};
const everywhere = (values: readonly unknown[], text: string): Case[] => values.map((value) => [value, text]);
const noText = [1, true, [], {}, ['a']];

table(
  'text',
  fields.text(),
  [
    ['  Kathmandu  ', 'Kathmandu'],
    // Decomposed e + acute becomes one code point; Devanagari with a joiner stays as it is.
    ['Ame\u0301lie', 'Amélie'],
    ['क्\u200dष', 'क्\u200dष'],
    // Astral characters count once, though they are two code units.
    ['😀'.repeat(NAME_MAX), '😀'.repeat(NAME_MAX)],
  ],
  [
    ...everywhere([absent, null, '', '   ', '\u200b', '\u00a0\ufeff', '\u3164\u115f\uffa0', '\u2800', '\u034f\ufe0f\u{e0100}'], 'x is required'),
    ['a'.repeat(NAME_MAX + 1), 'x must be at most 120 characters long'],
    ['😀'.repeat(NAME_MAX + 1), 'x must be at most 120 characters long'],
    ...everywhere(['a\u0000b', 'a\nb', 'a\u202eb', 'a\u2028b', '\ud800x', 'caf\ufffd', ...noText], 'x is not valid'),
  ],
);
const marks = (count: number): string => `a${'\u0300'.repeat(count)}${'\u0316'.repeat(count)}`;
describe('a text of combining marks in the wrong order', () => {
  it.each([
    ['text', fields.text()],
    ['optional text', fields.optionalText()],
  ])('is refused as %s without being put in order, which would take as long as the square of its length', (_title, field) => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    try {
      expect(read(field, marks(16_000))).toBe('x: x must be at most 120 characters long');
      expect(normalize).not.toHaveBeenCalled();
    } finally {
      normalize.mockRestore();
    }
  });
  it('is put in order where it may be short enough, also one that decomposed is four times as long', () => {
    const composed = '\u1f82'.repeat(NAME_MAX);
    expect(read(fields.text(), composed.normalize('NFD'))).toEqual({ x: composed });
    expect(read(fields.text(), marks(59))).toEqual({ x: marks(59).normalize('NFC') });
  });
});
table('free text', fields.text({ lines: true }), [['one\ntwo\tthree', 'one\ntwo\tthree']], everywhere(['a\u0007', 'caf\ufffd'], 'x is not valid'));
table(
  'text of a least length',
  fields.text({ message: 'Too short', min: 3 }),
  [
    ['abc', 'abc'],
    ['😀😀😀', '😀😀😀'],
  ],
  everywhere([absent, null, 'ab', ' ab ', '😀😀', 7], 'Too short'),
);
table(
  'optional text',
  fields.optionalText({ max: 3 }),
  [
    [absent, ''],
    [null, ''],
    [' ', ''],
    ['\u200b', ''],
    ['\u3164', ''],
    [' abc ', 'abc'],
  ],
  [['abcd', 'x must be at most 3 characters long'], ...everywhere(['\ufffd', 5], 'x is not valid')],
);

table(
  'phone10',
  fields.phone10('Valid'),
  [
    ['9812345678', '9812345678'],
    [' 9812345678 ', '9812345678'],
  ],
  everywhere([absent, null, '', '981234567', '98123456789', '98-1234567', '+981234567', '९८१२३४५६७८', '٩٨١٢٣٤٥٦٧٨', 9812345678], 'Valid'),
);
table(
  'contactPhone',
  fields.contactPhone(),
  [
    ['+977 1-4123456', '+977 1-4123456'],
    ['1234567', '1234567'],
    ['1'.repeat(20), '1'.repeat(20)],
  ],
  [
    ...everywhere([absent, '', null], 'x is required'),
    ...everywhere(['123456', '1'.repeat(21), '123456a', '(01) 412345', '-------', '१२३४५६७८'], 'x must be 7 to 20 digits, spaces, + or -'),
    [1234567, 'x is not valid'],
  ],
);
table(
  'email',
  fields.email(),
  [[' Ram.Thapa+x@Example.COM.np ', 'ram.thapa+x@example.com.np']],
  [
    ...everywhere([absent, null, '', ' '], 'x is required'),
    ...everywhere(
      ['a', 'a@b', '@b.np', 'a@.np', 'a..b@c.np', 'a b@c.np', 'a@b.np\n.x', 'a@b.12', `${'a'.repeat(250)}@b.np`, 'a@-b.np'],
      'x must be a valid e-mail address',
    ),
    [3, 'x is not valid'],
  ],
);
table(
  'optional email',
  fields.optionalEmail(),
  [
    [absent, ''],
    [null, ''],
    ['', ''],
    ['A@b.np', 'a@b.np'],
  ],
  [
    ['a@b', 'x must be a valid e-mail address'],
    [3, 'x must be a valid e-mail address'],
  ],
);
table(
  'password',
  fields.password(),
  [
    [' spaces ok ', ' spaces ok '],
    ['😀'.repeat(8), '😀'.repeat(8)],
    ['a'.repeat(128), 'a'.repeat(128)],
  ],
  [
    ...everywhere([absent, null, ''], 'x is required'),
    ...everywhere(['1234567', '😀'.repeat(7), 'a'.repeat(129), '\ud83dabcdefgh'], 'x must be 8 to 128 characters long'),
    [12345678, 'x is not valid'],
  ],
);
table(
  'changed password',
  fields.changedPassword(),
  [
    [absent, undefined],
    [null, undefined],
    ['', undefined],
    ['12345678', '12345678'],
  ],
  everywhere(['short', '\ud83dabcdefgh'], 'x must be 8 to 128 characters long'),
);
table(
  'credential',
  fields.credential(),
  [
    [absent, ''],
    [null, ''],
    [5, ''],
    [{}, ''],
    ['a'.repeat(1025), ''],
    [' as it is ', ' as it is '],
  ],
  [],
);

table(
  'day',
  fields.day(),
  [
    ['2026-11-01', '2026-11-01'],
    [' 2026-10-31T18:15:00Z ', '2026-11-01'],
  ],
  [
    ...everywhere([absent, null, '', ' '], 'x is required'),
    ...everywhere(['2026-02-30', 'soon', '२०२६-११-०१'], 'x must be a calendar date'),
    [20261101, 'x is not valid'],
  ],
);
table(
  'time of day',
  fields.timeOfDay(),
  [
    ['', ''],
    [null, ''],
    [' 7:05 ', '07:05'],
  ],
  everywhere(['25:00', 705], 'x must be a time such as 14:30, or empty'),
);
table(
  'optional time of day',
  fields.optionalTimeOfDay(),
  [
    [absent, ''],
    [null, ''],
    ['7:05', '07:05'],
  ],
  [['noon', 'x must be a time such as 14:30, or empty']],
);

table(
  'short number',
  fields.shortNumber('Valid age is required'),
  [
    ['0', 0],
    [0, 0],
    ['007', 7],
    [' 21 ', 21],
    [999, 999],
  ],
  everywhere([absent, null, '', '1000', 1000, '-1', -1, '1.5', 1.5, '१२', '1e2', true, []], 'Valid age is required'),
);
table(
  'jersey number',
  fields.jerseyNumber(),
  [
    ['0', '0'],
    ['00', '00'],
    [7, '7'],
    [' 23 ', '23'],
  ],
  everywhere([absent, null, '', '1234', '७', 'A1', 1.5, -1, {}], 'Jersey number is required'),
);
table(
  'increment',
  fields.increment(),
  [
    [absent, 0],
    [null, 0],
    ['', 0],
    ['abc', 0],
    ['१२', 0],
    [true, 0],
    [{}, 0],
    [['5'], 0],
    ['5', 5],
    ['-3', -3],
    [' 12abc', 12],
    ['2.9', 2],
    [2.9, 2],
    [-2.9, -2],
    ['-0', 0],
    [-0.5, 0],
    [999, 999],
    ['-999', -999],
    ['1e9', 1],
  ],
  everywhere([1000, -1000, '1000', '-1000', 1e21, '999999999999999999999', Number.POSITIVE_INFINITY], 'x must be between -999 and 999'),
);
table(
  'status said',
  fields.statusSaid(),
  [
    [absent, ''],
    [null, ''],
    ['', ''],
    ['played', 'played'],
    ['Not Played', 'Not Played'],
    ['DNP', 'DNP'],
  ],
  everywhere(['Played', 'not played', 'dnp', true, 1], "x must be 'played', 'Not Played' or 'DNP'"),
);
table(
  'id',
  fields.id(),
  [
    [' abc ', 'abc'],
    ['../etc/passwd', '../etc/passwd'],
    ['a'.repeat(5000), 'a'.repeat(5000)],
  ],
  [...everywhere([absent, null, '', ' '], 'x is required'), [7, 'x is not valid']],
);
table(
  'entry id',
  fields.entryId(),
  [['0190-ab_C', '0190-ab_C']],
  [...everywhere([absent, null, ''], 'x is required'), ...everywhere(['a b', 'a'.repeat(65), 'ए', 'a/b', 7], 'x is not valid')],
);
table(
  'true or false',
  fields.trueOrFalse(),
  [
    ['true', true],
    [' false ', false],
    [true, true],
    [false, false],
  ],
  everywhere([absent, null, '', 'yes', 1], "x must be 'true' or 'false'"),
);
table(
  'optional truth',
  fields.optionalTruth(),
  [
    [absent, false],
    [null, false],
    ['', false],
    ['true', true],
  ],
  [['yes', "x must be 'true' or 'false'"]],
);
table(
  'list',
  fields.list(fields.id(), 2),
  [
    [absent, []],
    [null, []],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  ],
  [
    ['a', 'x must be a list'],
    [{}, 'x must be a list'],
    [['a', 'b', 'c'], 'x must have at most 2 lines'],
  ],
);
table(
  'as of',
  fields.asOf(),
  [
    ['0', { kind: 'position', position: 0n }],
    ['9007199254740993', { kind: 'position', position: 9007199254740993n }],
    ['1'.repeat(21), { kind: 'position', position: 2n ** 63n - 1n }],
    ['2026-11-01T10:00:00Z', { kind: 'time', time: '2026-11-01T10:00:00.000Z' }],
    ['2026-11-01', { kind: 'time', time: '2026-11-01T18:14:59.999Z' }],
  ],
  everywhere([null, '', 'yesterday', '-1', '1.5', '2026-02-30', 'Sat Nov 21 2026', 'November 1, 2026', '1'.repeat(41)], 'x must be a time or a position'),
);
table(
  'starting at',
  fields.startingAt(),
  [
    ['17', { kind: 'position', position: 17n }],
    ['2026-11-01T10:00', { kind: 'time', time: '2026-11-01T04:15:00.000Z' }],
    ['2026-11-01', { kind: 'time', time: '2026-10-31T18:15:00.000Z' }],
  ],
  everywhere([null, '', 'yesterday', '2026-02-30'], 'x must be a time or a position'),
);
table(
  'since',
  fields.sinceMoment(),
  [
    ['2026-11-01', '2026-10-31T18:15:00.000Z'],
    ['2026-11-01T10:00:00+05:45', '2026-11-01T04:15:00.000Z'],
  ],
  everywhere(['', '17', 'soon', '2026-02-30'], 'x is not valid'),
);
table(
  'until',
  fields.untilMoment(),
  [
    ['2026-11-01', '2026-11-01T18:14:59.999Z'],
    ['2026-11-01T10:00:00Z', '2026-11-01T10:00:00.000Z'],
  ],
  everywhere(['', '17', 'soon', '2026-02-30'], 'x is not valid'),
);

describe('group', () => {
  it('takes a plain text under its name for nothing', () => {
    expect(read(fields.optionalGroup({ name: fields.text() }), 'Ram')).toEqual({ x: undefined });
    expect(read(fields.group({ name: fields.text() }), 'Ram')).toBe('x[name]: x[name] is required');
  });
});

describe('wireName', () => {
  it.each([
    [['organizer', 'name'], 'organizer[name]'],
    [['team1Players', 0, 'points'], 'team1Players[0].points'],
    [['team1Players', 3], 'team1Players[3]'],
    [[], ''],
  ])('%j is %s', (path, name) => {
    expect(fields.wireName(path)).toBe(name);
  });
});

describe('fieldErrors', () => {
  it("words what the validator would have worded itself, so that no library's text gets out", () => {
    const bare = z.object({ a: z.string(), b: z.number(), c: z.email(), d: z.strictObject({}), e: z.literal('x'), f: z.array(z.int()).min(2) });
    const result = bare.safeParse({ b: 'x', c: 'x', d: { more: 1 }, e: 'y', f: [1.5] });
    expect(fields.fieldErrors(result.error ?? new z.ZodError([]), ['f', 'a'])).toEqual([
      { path: 'f[0]', message: 'f[0] is not valid' },
      { path: 'a', message: 'a is required' },
      { path: 'b', message: 'b is not valid' },
      { path: 'c', message: 'c is not valid' },
      { path: 'd', message: 'd is not valid' },
      { path: 'e', message: 'e is not valid' },
    ]);
  });

  it('speaks of the body as a whole when it is no object', () => {
    const result = z.object({ a: z.string() }).safeParse([]);
    expect(fields.fieldErrors(result.error ?? new z.ZodError([]), [])).toEqual([{ path: '', message: 'The request body is not valid' }]);
  });
});

const named = (path: string) => ({ path, message: path });

describe('inFieldOrder', () => {
  it('orders by exact name, then by the name of the list, and keeps the rest as it came', () => {
    const order = ['b', 'o[y]', 'o[x]', 'l'];
    expect(fields.inFieldOrder(['z', 'l[1].p', 'o[x]', 'y', 'l[0].q', 'o[y]', 'b'].map(named), order).map(({ path }) => path)).toEqual([
      'b',
      'o[y]',
      'o[x]',
      'l[1].p',
      'l[0].q',
      'z',
      'y',
    ]);
  });
});
