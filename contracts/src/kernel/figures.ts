const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1.4 MB`, at a terminal and on a page alike: decimal units, one digit after the point from kB on. */
export const bytesText = (bytes: number): string => {
  let [value, unit] = [bytes, 0];
  // Rounded before the unit is chosen: there is no "1000.0 kB".
  while (Number(value.toFixed(1)) >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? String(value) : value.toFixed(1)} ${units[unit] ?? 'B'}`;
};
