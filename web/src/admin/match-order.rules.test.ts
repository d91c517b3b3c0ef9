import { expect, it } from 'vitest';
import { inOrderOfWork } from './match-order.rules.ts';

const match = (id: string, day: string, time = '') => ({ id, date: `${day}T00:00:00.000Z`, time });

const inOrder = (...ofOneTime: readonly string[]): readonly string[] => [
  'today, early',
  'today, late',
  'today, no time',
  ...ofOneTime,
  'near, late',
  'far',
  'past, late',
  'past, early',
  'past, no time',
  'long past',
];

it('puts the matches of today first, then the nearest to come, then the latest that are past; of one day by time', () => {
  const listed = [
    match('long past', '2026-10-01'),
    match('past, late', '2026-11-25', '18:00'),
    match('past, early', '2026-11-25', '09:30'),
    match('past, no time', '2026-11-25'),
    match('today, no time', '2026-11-26'),
    match('today, late', '2026-11-26', '17:00'),
    match('today, early', '2026-11-26', '08:00'),
    match('far', '2027-01-02'),
    match('near, late', '2026-11-27', '19:00'),
    match('near', '2026-11-27', '10:00'),
    match('near as well', '2026-11-27', '10:00'),
  ];
  const sorted = (matches: typeof listed): readonly string[] => inOrderOfWork(matches, '2026-11-26').map(({ id }) => id);
  expect(sorted(listed)).toEqual(inOrder('near', 'near as well'));
  // However the list came: those of one time stay as they stood in it.
  expect(sorted(listed.toReversed())).toEqual(inOrder('near as well', 'near'));
});
