import { describe, expect, it } from 'vitest';
import {
  dayOf,
  formatAverage,
  formatBsDate,
  formatBsDayMonth,
  formatCount,
  formatDate,
  formatDayMonth,
  formatDifference,
  formatFullDate,
  formatExactInstant,
  formatInstant,
  formatLongDayMonth,
  formatMonthYear,
  formatNumber,
  formatPrize,
  formatRegistrationStart,
  formatScore,
  formatShortDate,
  formatStanding,
  formatStart,
  monogramGround,
  monogramOf,
  prizeTotal,
  scriptRuns,
} from './format.rules.ts';

describe('money', () => {
  it.each([
    ['500000', 'NPR 5,00,000'],
    ['15000', 'NPR 15,000'],
    ['999', 'NPR 999'],
    ['0', 'NPR 0'],
    ['12345678', 'NPR 1,23,45,678'],
    ['5,00,000', 'NPR 5,00,000'],
    ['1,500,000.50', 'NPR 15,00,000.5'],
    ['0.126', 'NPR 0.13'],
    ['1,5', '1,5'],
    ['TBD', 'TBD'],
    ['', 'TBD'],
    ['A bicycle', 'A bicycle'],
    ['Rs 25000', 'NPR 25,000'],
    ['Rs. 25,000', 'NPR 25,000'],
    ['rs.25000', 'NPR 25,000'],
    ['NRs. 25,000', 'NPR 25,000'],
    ['NPR 50000', 'NPR 50,000'],
    [' npr\u00a050000 ', 'NPR 50,000'],
    ['रु 25000', 'NPR 25,000'],
    ['रु. २५०००', 'NPR 25,000'],
    ['रू. २५,०००', 'NPR 25,000'],
    ['५०००', 'NPR 5,000'],
    ['10 000', 'NPR 10,000'],
    ['1 50 000', 'NPR 1,50,000'],
    ['10\u00a0000', 'NPR 10,000'],
    ['10\u202f000.50', 'NPR 10,000.5'],
    ['50,000/-', 'NPR 50,000'],
    ['Rs. 50 000 /=', 'NPR 50,000'],
    ['रु ५०,०००/-', 'NPR 50,000'],
    ['1 5', '1 5'],
    ['50k', '50k'],
    ['5-10', '5-10'],
    ['-5', '-5'],
    ['Rs', 'Rs'],
    ['/-', '/-'],
    ['Rs Rs 5', 'Rs Rs 5'],
    ['NPR 50000 each', 'NPR 50000 each'],
    ['5000/10000', '5000/10000'],
    ['USD 500', 'USD 500'],
    ['रुपैयाँ', 'रुपैयाँ'],
  ])('%j is written %j', (prize, expected) => {
    expect(formatPrize(prize)).toBe(expected);
  });
  it('is TBD when absent', () => {
    expect(formatPrize(undefined)).toBe('TBD');
  });
  it('adds first, second, third and MVP, never the entry fee', () => {
    const prizes = { firstPrize: '500000', secondPrize: '250000', thirdPrize: '100000', mvp: '25000', entryFee: '15000' };
    expect(prizeTotal(prizes)).toBe(875_000);
  });
  it('adds what is a number, and has no total when nothing is', () => {
    expect(prizeTotal({ firstPrize: '1000', secondPrize: 'TBD', thirdPrize: '', mvp: '500' })).toBe(1500);
    expect(prizeTotal({ firstPrize: '5,00,000', secondPrize: '2,50,000', thirdPrize: '100000', mvp: 'A bicycle' })).toBe(850_000);
    expect(prizeTotal({ firstPrize: 'Rs. 25,000', secondPrize: 'रू. १५,०००', thirdPrize: '10 000', mvp: '5,000/-' })).toBe(55_000);
    expect(prizeTotal({ firstPrize: 'NPR 50000', secondPrize: '५०००', thirdPrize: '50k', mvp: '5-10' })).toBe(55_000);
    expect(prizeTotal({ firstPrize: 'TBD', secondPrize: '', thirdPrize: 'TBD', mvp: 'TBD' })).toBeUndefined();
  });
});

describe('numbers', () => {
  it('uses the real minus sign, a plus for differences, an en dash between scores', () => {
    expect(formatNumber(-13)).toBe('−13');
    expect([93, -13, 0].map(formatDifference)).toEqual(['+93', '−13', '0']);
    expect([formatDifference(1), formatStanding('difference', 93), formatStanding('points', 93), formatStanding('difference', -13)]).toEqual([
      '+1',
      '+93',
      '93',
      '−13',
    ]);
    expect(formatScore(112, 98)).toBe('112–98');
    expect([7, 25.66, -0.5].map(formatAverage)).toEqual(['7.0', '25.7', '−0.5']);
    expect([
      formatCount(1, 'team'),
      formatCount(11, 'team'),
      formatCount(0, 'match', 'matches'),
      formatCount(50_325, 'fact'),
      formatCount(-1, 'point'),
      formatCount(-2, 'point'),
    ]).toEqual(['1 team', '11 teams', '0 matches', '50,325 facts', '−1 point', '−2 points']);
  });
});

describe('dates', () => {
  const wire = '2026-12-12T00:00:00.000Z';
  it('shows the calendar day that the wire means, wherever the browser is', () => {
    expect(dayOf(wire)).toBe('2026-12-12');
    expect(formatDate(wire)).toBe('12 December 2026');
    expect(formatFullDate(wire)).toBe('Saturday, 12 December 2026');
    expect(formatDayMonth(wire)).toBe('12 Dec');
    expect(formatLongDayMonth('2026-11-01T00:00:00.000Z')).toBe('1 November');
    expect(formatMonthYear(wire)).toBe('December 2026');
    expect(formatBsDayMonth(wire)).toBe('26 Mangsir');
    expect(formatBsDate(wire)).toBe('26 Mangsir 2083');
  });
  it('shows nothing for nothing', () => {
    expect([formatDate(''), formatFullDate(undefined), formatBsDate('2050-01-01'), dayOf('soon')]).toEqual(['', '', '', '']);
  });
  it.each([
    ['2026-11-21T10:11:12.000Z', '21 Nov, 15:56'],
    ['2025-11-21T10:11:12.000Z', '21 Nov 2025, 15:56'],
    // In Kathmandu it is this year already.
    ['2025-12-31T18:15:00.000Z', '1 Jan, 00:00'],
    ['2026-12-31T18:15:00.000Z', '1 Jan 2027, 00:00'],
  ])('the instant %s in Kathmandu, seen in 2026: %s', (at, expected) => {
    expect(formatInstant(at, Date.parse('2026-11-21T12:00:00Z'))).toBe(expected);
  });
  it.each([
    ['2026-11-08T00:00:00.000Z', '8 Nov'],
    ['2025-11-08T00:00:00.000Z', '8 Nov 2025'],
    ['2027-01-01T00:00:00.000Z', '1 Jan 2027'],
    ['', ''],
  ])('the day %s, seen in the first minutes of 2026 in Kathmandu: %s', (day, expected) => {
    expect(formatShortDate(day, Date.parse('2025-12-31T18:15:00.000Z'))).toBe(expected);
  });
  it('shows an instant of an audit with seconds, and always with the year', () => {
    expect(formatExactInstant('2026-11-21T10:11:12.000Z')).toBe('21 Nov 2026, 15:56:12');
  });
  it.each([
    ['2026-11-01', 'Registration opened 1 November'],
    ['2026-11-21', 'Registration opened 21 November'],
    ['2026-11-22', 'Registration opens 22 November'],
    ['2027-01-15', 'Registration opens 15 January 2027'],
    ['2025-12-31', 'Registration opened 31 December 2025'],
  ])('a registration of %s, seen on 21 November 2026: %s', (day, expected) => {
    expect(formatRegistrationStart(`${day}T00:00:00.000Z`, Date.parse('2026-11-20T18:30:00Z'))).toBe(expected);
  });
  it.each([
    ['16:30', '2026-11-21T08:45:00Z', 'Starts in 2 hours'],
    ['16:30', '2026-11-21T10:00:00Z', 'Starts in 45 minutes'],
    ['16:30', '2026-11-21T10:44:00Z', 'Starts in 1 minute'],
    ['16:30', '2026-11-18T10:45:00Z', 'Starts in 3 days'],
    // 85 days before for both, though more than 85 and a half times 24 hours for one of them.
    ['06:30', '2026-08-28T06:15:00Z', 'Starts in 85 days'],
    ['20:30', '2026-08-28T02:15:00Z', 'Starts in 85 days'],
    // In Kathmandu it is the next day already.
    ['20:30', '2026-11-18T18:30:00Z', 'Starts in 2 days'],
    ['23:50', '2026-11-20T18:30:00Z', 'Starts in 24 hours'],
    ['23:30', '2026-11-20T17:45:00Z', 'Starts in 1 day'],
    ['16:30', '2026-11-21T09:45:00Z', 'Starts in 1 hour'],
    ['16:30', '2026-11-21T09:46:00Z', 'Starts in 59 minutes'],
    ['16:30', '2026-11-21T10:45:00Z', 'No statistics yet'],
    ['16:30', '2026-11-21T11:00:00Z', 'No statistics yet'],
    ['', '2026-11-18T10:45:00Z', '21 November 2026'],
  ])('a match at %j, seen at %s: %s', (time, now, expected) => {
    expect(formatStart('2026-11-21T00:00:00.000Z', time, Date.parse(now))).toBe(expected);
  });
});

describe('names', () => {
  it.each([
    ['Bhaktapur Durbar Square', 'BD'],
    ['Kings', 'K'],
    ['हेटौंडा हिमालयन्स', 'हे'],
    ['क्षेत्री क्लब', 'क्षे'],
    ['  ', '?'],
  ])('the monogram of %j is %j', (name, expected) => {
    expect(monogramOf(name)).toBe(expected);
  });
  it('gives an id the same ground every time, and uses all grounds', () => {
    const grounds = Array.from({ length: 200 }, (_, index) => monogramGround(`team-${String(index)}`));
    expect(new Set(grounds).size).toBe(6);
    expect(['team-0', 'team-41', 'क्लब', '01a21eb7-075e-7001-9095-2f00aa'].map(monogramGround)).toEqual(['#5A3326', '#57243A', '#5A3326', '#1F4A45']);
  });
  it('splits a text by script', () => {
    expect(scriptRuns('Coach हेटौंडा हिमालयन्स २०८३ (U18)')).toEqual([
      { text: 'Coach ', nepali: false },
      { text: 'हेटौंडा हिमालयन्स २०८३', nepali: true },
      { text: ' (U18)', nepali: false },
    ]);
    expect(scriptRuns('Kings')).toEqual([{ text: 'Kings', nepali: false }]);
    expect(scriptRuns('')).toEqual([]);
  });
});
