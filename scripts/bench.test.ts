import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const bench = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'bench.ts'), ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

it('says how it is called: to who asks for it, and, before it has measured anything, to who calls it in another way', () => {
  const usage = expect.stringMatching(/^npm run bench \[-- --only a\|b\|c\|d\] .*\n$/) as string;
  expect(bench('--help')).toEqual({ status: 0, stdout: usage, stderr: '' });
  for (const wrong of [
    ['--onyl', 'a'],
    ['--only', 'toString'],
    ['--emmett-statistics', 'many'],
  ])
    expect([wrong, bench(...wrong)]).toEqual([wrong, { status: 1, stdout: '', stderr: usage }]);
});
