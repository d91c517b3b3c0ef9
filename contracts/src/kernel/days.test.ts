import { describe, expect, it } from 'vitest';
import { dayToWire, kathmanduDay, kathmanduTime, parseDay, parseInstant, parseMoment, parseTimeOfDay } from './days.ts';

describe('parseDay', () => {
  it.each([
    ['2026-11-01', '2026-11-01'],
    ['2028-02-29', '2028-02-29'],
    // A picker in Kathmandu sends 1 November so; one millisecond earlier it is still 31 October there.
    ['2026-10-31T18:15:00Z', '2026-11-01'],
    ['2026-10-31T18:15:00.000Z', '2026-11-01'],
    ['2026-10-31T18:14:59.999Z', '2026-10-31'],
    ['2026-11-01T18:14:59Z', '2026-11-01'],
    ['2026-11-01T00:00:00+05:45', '2026-11-01'],
    ['2026-11-01T00:00:00+0545', '2026-11-01'],
    ['2026-10-31T13:15:00-05:00', '2026-11-01'],
    // No offset: a wall clock in Kathmandu, whatever the server's own zone is.
    ['2026-11-01T23:59', '2026-11-01'],
    ['2026-11-01 00:00:00', '2026-11-01'],
    ['2025-12-31T18:15:00Z', '2026-01-01'],
    ['Sun Nov 01 2026 00:00:00 GMT+0545 (Nepal Time)', '2026-11-01'],
    ['Sun Nov 01 2026 00:00:00 GMT+0545', '2026-11-01'],
    ['Sat Oct 31 2026 18:15:00 GMT+0000 (Coordinated Universal Time)', '2026-11-01'],
    ['Sat Oct 31 2026 18:14:59 GMT+0000', '2026-10-31'],
    ['Sun Nov 01 2026', '2026-11-01'],
    ['Sat, 31 Oct 2026 18:15:00 GMT', '2026-11-01'],
  ])('reads %s as %s', (text, day) => {
    expect(parseDay(text)).toBe(day);
  });

  it.each([
    '',
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-11-00',
    '2026-11-31',
    '2026-1-1',
    '20261101',
    '01-11-2026',
    '11/01/2026',
    '2026-02-30T10:00:00Z',
    '2026-11-01T24:00:00Z',
    '2026-11-01T10:60:00Z',
    '2026-11-01T10:00:61Z',
    '2026-11-01T10:00:00+15:00',
    '2026-11-01T10:00:00+05:75',
    '+012026-11-01T00:00:00Z',
    '0000-01-01',
    '0050-06-01',
    '1899-12-31',
    '2200-01-01',
    '2199-12-31T18:15:00Z',
    '९९९९-११-०१',
    '२०२६-११-०१',
    'Sun Foo 01 2026',
    'Mon Feb 30 2026 00:00:00 GMT+0545',
    'Invalid Date',
    'tomorrow',
    '1793491200000',
    '2026-11-01\u0000',
  ])('refuses %j', (text) => {
    expect(parseDay(text)).toBeUndefined();
  });
});

describe('days of Kathmandu', () => {
  it('change at 18:15 UTC', () => {
    const midnight = Date.UTC(2026, 9, 31, 18, 15);
    expect([kathmanduDay(midnight - 1), kathmanduDay(midnight)]).toEqual(['2026-10-31', '2026-11-01']);
  });

  it('go out as UTC midnight', () => {
    expect(dayToWire('2026-11-01')).toBe('2026-11-01T00:00:00.000Z');
    expect(parseDay(dayToWire('2026-11-01'))).toBe('2026-11-01');
  });
});

describe('parseInstant', () => {
  it.each([
    ['2026-11-01T10:00:00.5Z', '2026-11-01T10:00:00.500Z'],
    ['2026-11-01T10:00:00.123456789Z', '2026-11-01T10:00:00.123Z'],
    ['2026-11-01T10:00', '2026-11-01T04:15:00.000Z'],
    ['2026-11-01T10:00:59Z', '2026-11-01T10:00:59.000Z'],
    ['2026-11-01T10:00+05:45', '2026-11-01T04:15:00.000Z'],
    ['2026-11-01T10:00-03:30', '2026-11-01T13:30:00.000Z'],
    ['2026-11-01T10:00+14:59', '2026-10-31T19:01:00.000Z'],
    ['Sun Nov 01 2026 10:00:00 GMT+0545', '2026-11-01T04:15:00.000Z'],
    ['Sun Nov 01 2026', '2026-10-31T18:15:00.000Z'],
  ])('reads %s as %s', (text, time) => {
    expect(new Date(parseInstant(text) ?? Number.NaN).toISOString()).toBe(time);
  });

  // Undefined, and not a number that is none: that would be an error further on.
  it.each([
    '2026-02-30T10:00',
    '2026-02-30T10:00Z',
    '2026-11-01T10:00:60Z',
    '2026-11-01T10:00+05:60',
    '2026-11-01T10:00+15:00',
    'Mon Feb 30 2026',
    'Sun Nov 01 2026 10:00:00 GMT+1500',
  ])('refuses %s', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

describe('parseTimeOfDay', () => {
  it.each([
    ['', ''],
    ['7:05', '07:05'],
    ['07:05', '07:05'],
    ['0:00', '00:00'],
    ['23:59', '23:59'],
  ])('reads %j as %j', (text, time) => {
    expect(parseTimeOfDay(text)).toBe(time);
  });

  it.each(['24:00', '7:5', '7:60', '07:05:00', '7', '7.05', '-1:00', '७:०५', '7:05 pm'])('refuses %j', (text) => {
    expect(parseTimeOfDay(text)).toBeUndefined();
  });
});

describe('kathmanduTime', () => {
  it('is an instant that every reader of ISO times takes alike, also where a day ends', () => {
    expect([kathmanduTime('2026-11-22', '17:00'), kathmanduTime('2026-11-22', '24:00')].map((text) => new Date(text).toISOString())).toEqual([
      '2026-11-22T11:15:00.000Z',
      '2026-11-22T18:15:00.000Z',
    ]);
  });
});

describe('parseMoment', () => {
  it('takes a day for its first or its last millisecond in Kathmandu, and a time as it is', () => {
    expect([parseMoment('2026-11-22', 'start'), parseMoment('2026-11-22', 'end')]).toEqual([
      Date.parse('2026-11-22T00:00:00.000+05:45'),
      Date.parse('2026-11-22T23:59:59.999+05:45'),
    ]);
    for (const edge of ['start', 'end'] as const)
      expect([parseMoment('2026-11-22T10:30', edge), parseMoment('2026-11-22T10:30:00Z', edge)]).toEqual([
        Date.parse('2026-11-22T10:30:00+05:45'),
        Date.parse('2026-11-22T10:30:00Z'),
      ]);
    for (const text of ['', '17', 'soon', '2026-02-30', 'Sun Nov 01 2026']) expect(parseMoment(text, 'start')).toBeUndefined();
  });

  it('takes any year, in texts that sort as their moments do', () => {
    const texts = ['0001-01-01', '1066-10-14T09:00Z', '2026-11-22', '2200-01-01', '9999-12-30T23:00:00-05:00'];
    expect(texts.map((text) => new Date(parseMoment(text, 'start') ?? Number.NaN).toISOString())).toEqual([
      '0000-12-31T18:15:00.000Z',
      '1066-10-14T09:00:00.000Z',
      '2026-11-21T18:15:00.000Z',
      '2199-12-31T18:15:00.000Z',
      '9999-12-31T04:00:00.000Z',
    ]);
    expect(parseMoment('9999-12-31T23:59:59-05:00', 'end')).toBe(Date.UTC(9999, 11, 31, 23, 59, 59, 999));
    for (const text of ['9999-02-30', '0001-13-01', '2200-01-01T24:00Z']) expect(parseMoment(text, 'end')).toBeUndefined();
  });
});
