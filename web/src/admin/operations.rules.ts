import { formatCount } from '../lib/format.rules.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1.4 MB`: decimal units, one digit after the point from kB on. */
export const bytesInWords = (bytes: number): string => {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? String(value) : value.toFixed(1)} ${units[unit] ?? 'B'}`;
};

/** `12 seconds`, `3 minutes`, `2 hours`: rounded up, so that it never says nothing is left. */
export const durationInWords = (seconds: number): string => {
  if (seconds < 90) return formatCount(Math.ceil(seconds), 'second');
  if (seconds < 5400) return formatCount(Math.ceil(seconds / 60), 'minute');
  return formatCount(Math.ceil(seconds / 3600), 'hour');
};

/** `48,213` with the digits grouped as on the rest of the site. */
export const countInWords = (count: number): string => count.toLocaleString('en-IN');
