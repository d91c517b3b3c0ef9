import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Everything that must pass: types, lint, boundaries, unit and fault tests, build with its size budget, journeys in a real browser.
 * Runs all steps even after a failure, so that one run shows every fault, and ends with the line `N passed, N failed`.
 * With `--faults` it runs the fault tests at their full figures instead.
 */
const root = join(import.meta.dirname, '..');
const results = mkdtempSync(join(tmpdir(), 'courtledger-results-'));
const bin = (name: string): string => join(root, 'node_modules/.bin', name);
const env: NodeJS.ProcessEnv = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` };
delete env['NODE_ENV'];

let passed = 0;
let failed = 0;
const run = (title: string, command: string, args: readonly string[], extra: Record<string, string> = {}): boolean => {
  const started = performance.now();
  console.log(`\n== ${title}`);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...env, ...extra } });
  if (error) console.error(error.message);
  console.log(`== ${title}: ${status === 0 ? 'ok' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return status === 0;
};

/** A step that is one pass or one failure. */
const step = (title: string, command: string, args: readonly string[]): boolean => {
  const ok = run(title, command, args);
  if (ok) passed += 1;
  else failed += 1;
  return ok;
};

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** A vitest run, counted by its own report; a run that reports no test is a failure. */
const vitest = (title: string, args: readonly string[], extra: Record<string, string> = {}): void => {
  const file = join(results, `${title.replaceAll(/\W+/g, '-')}.json`);
  const ok = run(title, bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args], extra);
  const report = readJson(file) as { numPassedTests?: number; numFailedTests?: number } | undefined;
  count(ok, report?.numPassedTests ?? 0, report?.numFailedTests ?? 0);
};

const count = (ok: boolean, good: number, bad: number): void => {
  passed += good;
  failed += bad;
  if (good === 0 || (!ok && bad === 0)) failed += 1;
};

if (process.argv.includes('--faults')) {
  vitest('fault tests at full figures', ['--project', 'faults'], { FAULTS: 'full' });
} else {
  step('types', bin('tsc'), ['-b']);
  step('lint', bin('oxlint'), ['--deny-warnings']);
  step('boundaries', process.execPath, ['scripts/boundaries.ts']);
  vitest('unit tests', ['--project', 'server', '--project', 'web']);
  vitest('fault tests, small counts', ['--project', 'faults']);
  if (step('build', process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn'])) {
    step('bundle budget', process.execPath, ['scripts/bundle-budget.ts']);
    if (step('browser', process.execPath, ['scripts/browser.ts'])) {
      const file = join(results, 'playwright.json');
      const ok = run('journeys in a browser', bin('playwright'), ['test', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_NAME: file });
      const report = readJson(file) as { stats?: { expected: number; unexpected: number; flaky: number } } | undefined;
      count(ok, report?.stats?.expected ?? 0, (report?.stats?.unexpected ?? 0) + (report?.stats?.flaky ?? 0));
    }
  }
}
rmSync(results, { recursive: true, force: true });
console.log(`\n${String(passed)} passed, ${String(failed)} failed`);
process.exit(failed > 0 ? 1 : 0);
