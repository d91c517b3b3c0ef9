import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * Everything that must pass: types, lint, format, boundaries, unit and fault tests, build with its size budget, journeys in a real browser.
 * Runs all steps even after a failure, so that one run shows every fault, and ends with the line `N passed, N failed`.
 * With `--faults` it runs the fault tests at their full figures instead.
 */
const root = join(import.meta.dirname, '..');
const results = mkdtempSync(join(tmpdir(), 'courtledger-results-'));
/**
 * Where tests and journeys keep their data: only at full figures are fault tests about disks, and nothing else need wait for one. Undefined where memory is no
 * place for files (there is none, or nobody may make one in it), or too small for them.
 */
const memory = ((place: string): string | undefined => {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize < 2 ** 30 ? undefined : mkdtempSync(join(place, 'courtledger-'));
  } catch {
    return undefined;
  }
})('/dev/shm');
const bin = (name: string): string => join(root, 'node_modules/.bin', name);
// The tests start hundreds of processes and threads: what one has compiled, the next one finds.
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
};
delete env['NODE_ENV'];
process.on('exit', () => {
  for (const folder of [results, memory]) if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});
/** The steps that run: they end with us. Left to themselves they would go on for minutes, in folders that are gone. */
const running = new Set<ChildProcess>();
const state = { stopping: false };
const endIfStopped = (): void => {
  if (state.stopping && running.size === 0) process.exit(1);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    state.stopping = true;
    for (const child of running) child.kill(signal);
  });
}

let passed = 0;
let failed = 0;
/** What failed, a line each, to be told again at the end: a long run's own words are far above it by then. */
const failures: string[] = [];
/** Keeps what failed, with the first words of its error: often all that is left of a run elsewhere. */
const tell = (test: string, message = ''): void => {
  const said = stripVTControlCharacters(message)
    .split('\n')
    .slice(0, 24)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  failures.push(`FAILED ${test}: ${said.slice(0, 900)}`);
};
type Extra = { readonly env?: Readonly<Record<string, string>>; readonly beside?: boolean };

/** Runs a command to its end. `beside`: other steps run at the same time, so that its output is shown in one piece when it has ended. */
const run = async (title: string, command: string, args: readonly string[], extra: Extra = {}): Promise<boolean> => {
  if (state.stopping) return false;
  const started = performance.now();
  if (extra.beside !== true) console.log(`\n== ${title}`);
  const child = spawn(command, args, { cwd: root, stdio: extra.beside === true ? ['ignore', 'pipe', 'pipe'] : 'inherit', env: { ...env, ...extra.env } });
  running.add(child);
  const pieces: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece: Buffer) => pieces.push(piece));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('error', (error) => {
    console.error(error.message);
    resolve(null);
  });
  child.on('close', resolve);
  const status = await promise;
  running.delete(child);
  endIfStopped();
  if (extra.beside === true) process.stdout.write(`\n== ${title}\n${Buffer.concat(pieces).toString()}`);
  console.log(`== ${title}: ${status === 0 ? 'ok' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return status === 0;
};

/** A step that is one pass or one failure. */
const step = async (title: string, command: string, args: readonly string[], own: Readonly<Record<string, string>> = {}): Promise<boolean> => {
  const ok = await run(title, command, args, { beside: true, env: own });
  if (ok) passed += 1;
  else {
    failed += 1;
    tell(title);
  }
  return ok;
};

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

const count = (title: string, ok: boolean, good: number, bad: number): void => {
  passed += good;
  failed += bad;
  if (good > 0 && (ok || bad > 0)) return;
  failed += 1;
  tell(title, good === 0 ? 'no test was counted' : 'an error outside of any test');
};

type VitestReport = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string; readonly failureMessages: readonly string[] }[];
  }[];
};
type PlaywrightSuite = {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly ok: boolean;
    readonly file: string;
    readonly title: string;
    readonly tests: readonly {
      readonly projectName: string;
      readonly results: readonly { readonly error?: { readonly message?: string; readonly location?: { readonly line: number } } }[];
    }[];
  }[];
};

/** A vitest run, counted by its own report; a run that reports no test is a failure. */
const vitest = async (title: string, args: readonly string[], extra: Readonly<Record<string, string>> = {}): Promise<void> => {
  const file = join(results, 'vitest.json');
  const ok = await run(title, bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args], { env: extra });
  const report = readJson(file) as VitestReport | undefined;
  for (const { name, status, message, assertionResults } of report?.testResults ?? []) {
    const bad = assertionResults.filter((test) => test.status === 'failed');
    for (const test of bad) tell(`${relative(root, name)} > ${test.fullName}`, test.failureMessages[0]);
    if (status === 'failed' && bad.length === 0) tell(relative(root, name), message);
  }
  count(title, ok, report?.numPassedTests ?? 0, report?.numFailedTests ?? 0);
};

/**
 * The journeys, counted in the same way; one that passed only at the second try failed.
 * @param only words of the names of those that are wanted; all of them without
 */
const journeys = async (title: string, only: readonly string[] = []): Promise<void> => {
  const file = join(results, 'playwright.json');
  const ok = await run(title, bin('playwright'), ['test', ...only, '--reporter=list,json'], {
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...(memory !== undefined && { TMPDIR: memory }) },
    beside: true,
  });
  const report = readJson(file) as
    | (PlaywrightSuite & { readonly stats?: { readonly expected: number; readonly unexpected: number; readonly flaky: number } })
    | undefined;
  const look = ({ suites = [], specs = [] }: PlaywrightSuite): void => {
    for (const spec of specs) {
      if (spec.ok) continue;
      const [failure] = spec.tests.flatMap(({ projectName, results: tries }) =>
        tries.flatMap(({ error }) => (error === undefined ? [] : [{ projectName, error }])),
      );
      tell(`web/e2e/${spec.file}:${String(failure?.error.location?.line ?? 0)} (${failure?.projectName ?? ''}) > ${spec.title}`, failure?.error.message);
    }
    for (const suite of suites) look(suite);
  };
  look(report ?? {});
  count(title, ok, report?.stats?.expected ?? 0, (report?.stats?.unexpected ?? 0) + (report?.stats?.flaky ?? 0));
};

/**
 * Types, lint, format and boundaries, one after another: each uses what cores there are. The first two are written in Go, and collect no garbage before they have two
 * gigabytes: a fifth of their time.
 */
const check = async (): Promise<void> => {
  const roomy = { GOGC: 'off', GOMEMLIMIT: '2GiB' };
  await step('types', bin('tsc'), ['-b'], roomy);
  await step('lint', bin('oxlint'), ['--deny-warnings'], roomy);
  // It fails also where it finds nothing to read.
  await step('format', bin('oxfmt'), ['--check']);
  await step('boundaries', process.execPath, ['scripts/boundaries.ts']);
};
/** Answers whether the journeys have what they need. */
const build = async (): Promise<boolean> => {
  if (!(await step('build', process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn']))) return false;
  await step('bundle budget', process.execPath, ['scripts/bundle-budget.ts']);
  return step('browser', process.execPath, ['scripts/browser.ts']);
};

if (process.argv.includes('--faults')) {
  if (await build()) await journeys('stored scripts in a browser', ['hostile']);
  await vitest('fault tests at full figures', ['--project', 'faults'], { FAULTS: 'full' });
} else {
  // Side by side: journeys wait for pages, and many tests for a process or a time-out.
  const browse = async (): Promise<void> => {
    if (await build()) await journeys('journeys in a browser');
  };
  await Promise.all([check(), browse(), vitest('unit tests, and fault tests at small counts', [], memory === undefined ? {} : { TEST_MEMORY: memory })]);
}
for (const line of failures) console.log(line);
console.log(`\n${String(passed)} passed, ${String(failed)} failed`);
process.exit(failed > 0 ? 1 : 0);
