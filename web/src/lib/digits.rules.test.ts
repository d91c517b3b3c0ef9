import { expect, it } from 'vitest';
import { plainFigures } from './digits.rules.ts';

it.each([
  ['\u202a+977 9841000001\u202c', '+977 9841000001'],
  ['+977\u00a09841\u2011023\u2013776', '+977 9841-023-776'],
  ['०१\u200b-४४१२३४५\u200e', '01-4412345'],
  ['\u22123', '-3'],
  ['(01) 4412345', '(01) 4412345'],
  ['गर्\u200dयो \u2013 ५,०००', 'गर्\u200dयो \u2013 5,000'],
])('takes the figures of %j as they are meant', (copied, plain) => {
  expect(plainFigures(copied)).toBe(plain);
});
