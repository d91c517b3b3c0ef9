import { expect, it } from 'vitest';
import { ageText, countedText, secondsText } from './figures.ts';

it('rounds seconds before they are split into minutes, hours and days', () => {
  expect([0, 9.94, 9.96, 59.4, 59.5, 119.4, 119.7, 3599.4, 3599.6, 7260].map(secondsText)).toEqual([
    '0.0 s',
    '9.9 s',
    '10 s',
    '59 s',
    '1 min 0 s',
    '1 min 59 s',
    '2 min 0 s',
    '59 min 59 s',
    '1 h 0 min',
    '2 h 1 min',
  ]);
  expect(ageText('2026-11-22T10:00:00.000Z', '2026-11-22T10:01:59.700Z')).toBe('2 min 0 s ago');
});

it('tells what is older than two days in days', () => {
  expect([172_740, 172_800, 356_400, 86_400_000].map(secondsText)).toEqual(['47 h 59 min', '2 d 0 h', '4 d 3 h', '1,000 d 0 h']);
});

it('does not show what a clock that ran ahead has dated as new', () => {
  const ages = ['2026-11-22T10:00:00.900Z', '2026-11-22T10:00:02.000Z', '2027-11-22T10:00:00.000Z'].map((instant) =>
    ageText(instant, '2026-11-22T10:00:00.000Z'),
  );
  expect(ages).toEqual([
    '0.0 s ago',
    "dated 2026-11-22T10:00:02.000Z, ahead of this machine's clock",
    "dated 2027-11-22T10:00:00.000Z, ahead of this machine's clock",
  ]);
});

it('counts one in the singular', () => {
  expect([countedText(0, 'event'), countedText(1, 'event'), countedText(1234, 'erased event')]).toEqual(['0 events', '1 event', '1,234 erased events']);
});
