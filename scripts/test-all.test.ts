import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'courtledger-all-'));
  onTestFinished(() => {
    rmSync(place, { recursive: true });
  });
  for (const folder of ['root/scripts', 'root/node_modules/.bin', 'root/node_modules/vite/bin', 'temporary'])
    mkdirSync(join(place, folder), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'test-all.ts'), join(place, 'root/scripts/test-all.ts'));
  for (const name of ['scripts/boundaries.ts', 'scripts/bundle-budget.ts', 'scripts/browser.ts', 'node_modules/vite/bin/vite.js'])
    writeFileSync(join(place, 'root', name), '');
});
/** What stands in for the tools, each a script of the shell. */
const tools = (scripts: Readonly<Record<'tsc' | 'oxlint' | 'oxfmt' | 'vitest' | 'playwright', string>>): void => {
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(place, 'root/node_modules/.bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(place, 'root/node_modules/.bin', name), 0o755);
  }
};
const runAll = (preload = ''): ChildProcess & { readonly stdout: NodeJS.ReadableStream } =>
  spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, join(place, 'root/scripts/test-all.ts')], {
    cwd: join(place, 'root'),
    env: { PATH: process.env['PATH'], TMPDIR: join(place, 'temporary') },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

it('told to stop it ends the steps that run, and leaves no folder behind', async () => {
  tools({
    tsc: 'exit 0',
    oxlint: 'exit 0',
    oxfmt: 'exit 0',
    vitest: `trap 'echo ended > ${place}/vitest; exit 1' TERM; echo tests run; while :; do sleep 0.1; done`,
    playwright: 'exit 0',
  });
  const child = runAll();
  let said = '';
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()));
  const ended = once(child, 'exit');
  await expect.poll(() => said).toContain('tests run');
  expect(readdirSync(join(place, 'temporary'))).toHaveLength(1);
  child.kill('SIGTERM');
  expect([await ended, existsSync(join(place, 'vitest')), readdirSync(join(place, 'temporary'))]).toEqual([[1, null], true, []]);
});

type Test = { readonly status: string; readonly fullName: string; readonly failureMessages: readonly string[] };
/** A run of the unit tests that reports these. */
const unit = (...tests: readonly Test[]): string => {
  const failed = tests.filter(({ status }) => status === 'failed').length;
  const report = {
    numPassedTests: tests.length - failed,
    numFailedTests: failed,
    testResults: tests.map((test) => ({ name: 'a.test.ts', status: test.status, assertionResults: [test] })),
  };
  return `for word in "$@"; do case $word in --outputFile.json=*) echo '${JSON.stringify(report)}' > "\${word#*=}";; esac; done; exit ${String(Math.min(failed, 1))}`;
};
const journeys = (expected: number, unexpected = 0, flaky = 0): string =>
  `echo '${JSON.stringify({ stats: { expected, unexpected, flaky } })}' > "$PLAYWRIGHT_JSON_OUTPUT_NAME"; exit ${String(Math.min(unexpected, 1))}`;
const good: Test = { status: 'passed', fullName: 'is good', failureMessages: [] };
const bad: Test = { status: 'failed', fullName: 'is bad', failureMessages: ['Error: it is not'] };

const units = 'FAILED unit tests, and fault tests at small counts';
const browser = 'FAILED journeys in a browser';
/** Seven steps that are one pass or one failure each stand beside the tests. */
it.each<[string, Parameters<typeof tools>[0], number, readonly string[]]>([
  ['all that passed', { tsc: '', oxlint: '', oxfmt: '', vitest: unit(good, good), playwright: journeys(3) }, 0, ['12 passed, 0 failed']],
  [
    'what failed, by its name, and runs the rest all the same',
    { tsc: '', oxlint: 'exit 1', oxfmt: 'exit 1', vitest: unit(good, bad), playwright: journeys(3) },
    1,
    ['FAILED format: ', 'FAILED lint: ', 'FAILED a.test.ts > is bad: Error: it is not', '9 passed, 3 failed'],
  ],
  [
    'a run without a test as a failure',
    { tsc: '', oxlint: '', oxfmt: '', vitest: unit(), playwright: journeys(0) },
    1,
    [`${units}: no test was counted`, `${browser}: no test was counted`, '7 passed, 2 failed'],
  ],
  [
    'a run without a report as a failure',
    { tsc: '', oxlint: '', oxfmt: '', vitest: '', playwright: '' },
    1,
    [`${units}: no test was counted`, `${browser}: no test was counted`, '7 passed, 2 failed'],
  ],
  [
    'an error outside of any test as a failure',
    { tsc: '', oxlint: '', oxfmt: '', vitest: unit(good).replace('exit 0', 'exit 1'), playwright: journeys(3) },
    1,
    [`${units}: an error outside of any test`, '11 passed, 1 failed'],
  ],
  [
    'a journey that passed only at the second try as a failure',
    { tsc: '', oxlint: '', oxfmt: '', vitest: unit(good), playwright: journeys(2, 0, 1) },
    1,
    ['10 passed, 1 failed'],
  ],
])('counts %s', async (_, scripts, code, told) => {
  tools(scripts);
  const child = runAll();
  const [said, ended] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const lines = said.split('\n').filter((line) => /^FAILED |^\d+ passed/.test(line));
  expect([ended, lines.slice(0, -1).toSorted(), lines.at(-1)]).toEqual([[code, null], told.slice(0, -1).toSorted(), told.at(-1)]);
});

it('runs on the disk where nothing can be made in memory', async () => {
  tools({ tsc: '', oxlint: '', oxfmt: '', vitest: unit(good).replace('for word', 'echo "memory: $TEST_MEMORY."; for word'), playwright: journeys(3) });
  // As a container has it whose memory is there to be read. This test's own folders may lie in it as well.
  const child = runAll(
    "import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; const { mkdtempSync } = fs; fs.mkdtempSync = (prefix) => { if (prefix === '/dev/shm/courtledger-') throw Object.assign(new Error('EROFS'), { code: 'EROFS' }); return mkdtempSync(prefix); }; syncBuiltinESMExports();",
  );
  const [said, ended] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect([ended, said.split('\n').filter((line) => /^memory|^\d+ passed/.test(line))]).toEqual([
    [0, null],
    ['memory: .', '11 passed, 0 failed'],
  ]);
});
