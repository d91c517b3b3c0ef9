import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it.each<[string | number, string]>([
  ['Kathmandu Kings', 'Kathmandu Kings'],
  [-13, '-13'],
  ['', ''],
  ['Kings, Kathmandu', '"Kings, Kathmandu"'],
  ['The "Kings"', '"The ""Kings"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-13', "'-13"],
  ['@SUM(1)', "'@SUM(1)"],
  ['\t=1', '"\'\t=1"'],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(1)', "'＠SUM(1)"],
  ['x;=1+1', '"x;=1+1"'],
  ['x\t=1+1', '"x\t=1+1"'],
])('the cell %j stands as %j', (value, expected) => {
  expect(csvOf([[value, 1]])).toBe(`${expected},1\r\n`);
});

it('is a line for each row', () => {
  expect(
    csvOf([
      ['Rank', 'Team'],
      [1, 'Kings'],
    ]),
  ).toBe('Rank,Team\r\n1,Kings\r\n');
});
