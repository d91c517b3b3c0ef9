import { expect, it } from 'vitest';
import { downloadName } from './download-names.ts';

it.each([
  ['Valley Winter Classic 2083', 'Valley Winter Classic 2083 standings.csv'],
  ['हेटौंडा खुला प्रतियोगिता', 'हेटौंडा खुला प्रतियोगिता standings.csv'],
  ['U-16/U-18: "Boys" <A|B>?', 'U-16 U-18 Boys A B standings.csv'],
  ['..\\..\\up', 'up standings.csv'],
  ['\u202Egnp.exe\u200B', 'gnp.exe standings.csv'],
  ['श्री\u200Dमान', 'श्री\u200Dमान standings.csv'],
  ['???', 'standings.csv'],
  ['x'.repeat(100), `${'x'.repeat(60)} standings.csv`],
  // Four characters are one letter: one for which there is no room is left out as a whole.
  ['क्षि'.repeat(30), `${'क्षि'.repeat(15)} standings.csv`],
  [`x${'क्षि'.repeat(30)}`, `x${'क्षि'.repeat(14)} standings.csv`],
])('%s is saved as %s', (name, saved) => {
  expect(downloadName(name, 'standings.csv')).toBe(saved);
});
