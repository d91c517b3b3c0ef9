import { expect, it } from 'vitest';
import { bytesText } from './figures.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [999_999, '1.0 MB'],
  [1_449_000, '1.4 MB'],
  [999_960_000, '1.0 GB'],
  [2_500_000_000_000, '2.5 TB'],
  [2_000_000_000_000_000, '2000.0 TB'],
])('%i bytes are %s', (bytes, words) => {
  expect(bytesText(bytes)).toBe(words);
});
