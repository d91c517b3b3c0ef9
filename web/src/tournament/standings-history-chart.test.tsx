import { render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { graphemesOf } from '@courtledger/contracts/kernel/graphemes';
import { standingRow } from '../testing/tournament-builder.ts';
import { RankChart } from './standings-history-chart.tsx';
import { fittedName, labelRoom, lineStyle, linesOfRanks, ranksOf } from './standings-history.rules.ts';

const ranks = (...teams: readonly (readonly [string, number])[]) => teams.map(([teamName, rank]) => standingRow({ teamId: teamName, teamName, rank }));
const days = [
  { date: '2026-11-06T00:00:00.000Z', matches: 2, rows: ranks(['Pokhara Panthers', 1], ['Kathmandu Kings', 2], ['Dharan Dukes', 3]) },
  { date: '2026-11-07T00:00:00.000Z', matches: 4, rows: ranks(['Kathmandu Kings', 1], ['Pokhara Panthers', 2], ['Dharan Dukes', 2]) },
] as unknown as Parameters<typeof linesOfRanks>[0];

afterEach(() => {
  vi.restoreAllMocks();
});

it('draws 32 lines of which no two are alike, and no near colours with the same dashes', () => {
  const styles = Array.from({ length: 32 }, (_, index) => lineStyle(index));
  expect(new Set(styles.map(({ stroke, strokeDasharray }) => `${stroke} ${strokeDasharray}`)).size).toBe(32);
  const [orange, , , gold, , silver, bronze, chalk] = styles.map(({ strokeDasharray }) => strokeDasharray);
  expect([new Set([orange, gold, bronze]).size, silver === chalk]).toEqual([3, false]);
});

it('puts those that end at the same rank under each other', () => {
  expect(linesOfRanks(days).map(({ teamName, below }) => [teamName, below])).toEqual([
    ['Kathmandu Kings', 0],
    ['Pokhara Panthers', 0],
    ['Dharan Dukes', 1],
  ]);
});

it('has room below the last rank for the names of those who end level there', () => {
  const level = [{ ...days[1], rows: ranks(['A', 1], ['B', 2], ['C', 2], ['D', 2]) }] as unknown as typeof days;
  const before = [{ ...days[0], rows: ranks(['A', 1], ['B', 2], ['C', 3], ['D', 4]) }, ...level] as unknown as typeof days;
  expect([ranksOf(days), ranksOf(level), ranksOf(before)]).toEqual([
    { most: 3, lowest: 3 },
    { most: 2, lowest: 4 },
    { most: 4, lowest: 4 },
  ]);
});

it('marks the chosen of two match days of the same name, a year apart', () => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ ...new DOMRect(0, 0, 1200, 320).toJSON(), width: 1200, height: 320 } as DOMRect);
  const seasons = [{ ...days[0], date: '2025-11-07T00:00:00.000Z' }, ...days] as typeof days;
  const { container } = render(<RankChart days={seasons} selected={2} />);
  const last = container.querySelectorAll('.recharts-line-dot')[2];
  expect(container.querySelector('.recharts-reference-line-line')?.getAttribute('x1')).toBe(last?.getAttribute('cx'));
  expect(container.querySelector('.recharts-xAxis-tick-labels text')?.textContent).toBe('7Nov');
});

it('marks names in Devanagari as Nepali', () => {
  const nepali = [{ ...days[0], rows: ranks(['हेटौंडा हिमालयन्स', 1], ['Dharan Dukes', 2]) }] as unknown as typeof days;
  const { container } = render(<RankChart days={nepali} selected={0} />);
  expect(Array.from(container.querySelectorAll('figcaption [lang=ne]'), (name) => name.textContent)).toEqual(['हेटौंडा हिमालयन्स']);
});

it('leaves the dots out where they would hide the lines', () => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ ...new DOMRect(0, 0, 340, 320).toJSON(), width: 340, height: 320 } as DOMRect);
  const many = Array.from({ length: 79 }, (_, index) => ({ ...days[0], date: new Date(Date.UTC(2026, 8, 1 + index)).toISOString() })) as typeof days;
  const dotsOf = (shown: typeof days): number => render(<RankChart days={shown} selected={0} />).container.querySelectorAll('.recharts-line-dot').length;
  expect([dotsOf(days), dotsOf(many)]).toEqual([6, 0]);
});

/** Latin letters of 8 pixels, and others of 12. */
const measure = (text: string): number => graphemesOf(text).reduce((sum, letter) => sum + (/^[ -ɏ…]/u.test(letter) ? 8 : 12), 0);

it('gives names the room of the widest, up to a third of a chart on a desktop', () => {
  expect([
    labelRoom(['Dharan'], 1200, measure),
    labelRoom(['Pokhara Panthers'], 1200, measure),
    labelRoom(['Pokhara Panthers'], 340, measure),
    labelRoom(['n'.repeat(200)], 900, measure),
  ]).toEqual([107, 128, 107, 290]);
});

it('cuts a name where its width ends, whatever it is written in, and no letter in two', () => {
  expect([fittedName('Pokhara Panthers', 128, measure), fittedName('Pokhara Panthers', 120, measure), fittedName('Pokhara Panthers', 72, measure)]).toEqual([
    'Pokhara Panthers',
    'Pokhara Panthe…',
    'Pokhara…',
  ]);
  const name = 'श्री राष्ट्रिय बास्केटबल क्लब काठमाडौं';
  const cut = fittedName(name, 107, measure);
  expect(measure(cut)).toBeLessThanOrEqual(107);
  expect(cut).toBe('श्री राष्ट्रिय बास्के…');
  expect(fittedName('W'.repeat(100), 107, measure)).toBe(`${'W'.repeat(12)}…`);
});

it.each([
  [340, ['Kathmandu Kin…', 'Pokhara Panth…', 'Dharan Dukes']],
  [1200, ['Kathmandu Kings', 'Pokhara Panthers', 'Dharan Dukes']],
])('names every line at its end, %i pixels wide', (width, names) => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ ...new DOMRect(0, 0, width, 320).toJSON(), width, height: 320 } as DOMRect);
  const { container } = render(<RankChart days={days} selected={1} />);
  const ends = Array.from(container.querySelectorAll('.rankchart__end'));
  expect(ends.map((end) => [end.textContent, end.getAttribute('fill')])).toEqual([
    [names[0], '#ff7a1f'],
    [names[1], '#9db9da'],
    [names[2], '#4fcb8e'],
  ]);
  const [, second, third] = ends.map((end) => Number(end.getAttribute('y')));
  expect((third ?? 0) - (second ?? 0)).toBe(15);
});
