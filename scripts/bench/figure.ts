/** A figure of the bench: a ratio (or what `unit` says) with its spread over the rounds, and the target that it is held against. */
export type Figure = {
  readonly part: string;
  readonly name: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly unit: string;
  readonly target: string;
  readonly met: boolean;
  readonly note: string;
};
export type Target = { readonly atLeast: number } | { readonly atMost: number };

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[sorted.length / 2 - 1] ?? Number.NaN)) / 2;
};

/** The value at a share of the sorted values (0.99: the 99th percentile). */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

/** The median of the rounds against its target. `part`: the letter under which the figure is asked for. */
export const figure = (part: string, name: string, values: readonly number[], target: Target, note = '', unit = ''): Figure => {
  const value = median(values);
  const [text, met] = 'atLeast' in target ? [`≥ ${String(target.atLeast)}`, value >= target.atLeast] : [`≤ ${String(target.atMost)}`, value <= target.atMost];
  return { part, name, value, least: Math.min(...values), most: Math.max(...values), unit, target: text, met, note };
};

const shown = (value: number): string => (Math.abs(value) >= 20 ? value.toFixed(0) : value.toFixed(2));

/** One line of the table of Markdown that `npm run bench` prints. */
export const row = ({ part, name, value, least, most, unit, target, met, note }: Figure): string =>
  `| ${part} | ${name} | ${shown(value)}${unit === '' ? '' : ` ${unit}`} | ${shown(least)} to ${shown(most)} | ${target} | ${met ? 'yes' : 'no'} | ${note} |`;
export const head = '|   | what, to what | median | rounds | target | met | in this run |\n| --- | --- | --- | --- | --- | --- | --- |';
