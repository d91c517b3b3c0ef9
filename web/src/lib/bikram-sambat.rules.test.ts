import { expect, it } from 'vitest';
import { bikramSambat } from './bikram-sambat.rules.ts';

const shown = (day: string): string => {
  const date = bikramSambat(day);
  return date ? `${String(date.day)} ${date.month} ${String(date.year)}` : '-';
};

it.each([
  // New Year's days as celebrated.
  ['2023-04-14', '1 Baisakh 2080'],
  ['2024-04-13', '1 Baisakh 2081'],
  ['2025-04-14', '1 Baisakh 2082'],
  ['2026-04-14', '1 Baisakh 2083'],
  // Asar 15 (rice planting) 2081, Vijaya Dashami 2082, Maghe Sankranti 2082, the election of March 2026.
  ['2024-06-29', '15 Asar 2081'],
  ['2025-10-02', '16 Ashwin 2082'],
  ['2026-01-15', '1 Magh 2082'],
  ['2026-03-05', '21 Falgun 2082'],
  // The dates that the design shows.
  ['2026-11-13', '27 Kartik 2083'],
  ['2026-11-21', '5 Mangsir 2083'],
  ['2026-12-12', '26 Mangsir 2083'],
])('%s is %s', (day, expected) => {
  expect(shown(day)).toBe(expected);
});

const day = (offset: number): string => new Date(Date.UTC(2023, 3, 14) + offset * 86_400_000).toISOString().slice(0, 10);

it('counts every day of 2080 to 2090 once, and knows where it ends', () => {
  const seen = new Set<string>();
  let offset = 0;
  while (shown(day(offset)) !== '-') seen.add(shown(day(offset++)));
  expect(seen.size).toBe(offset);
  expect(shown(day(offset - 1))).toBe('30 Chaitra 2090');
  // Eleven years from spring to spring.
  expect(day(offset)).toBe('2034-04-14');
});

it.each(['2023-04-13', '2034-04-14', '', 'soon', '2026-02-30T00:00:00'])('knows no date for %j', (text) => {
  expect(shown(text)).toBe('-');
});
