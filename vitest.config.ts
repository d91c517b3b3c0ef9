import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Fault tests share their code between `npm test` (small counts) and `npm run test:faults` (FAULTS=full, the figures of the faults list).
const full = process.env['FAULTS'] === 'full';
// Left alone, vitest keeps one core for itself: on two that halves it. Many tests wait for a time-out, a process or a connection: one more than there are cores
// keeps those busy; with two more, beside the journeys, they take each other's caches (a tenth of the time on two).
const maxWorkers = availableParallelism() + 1;
// At small counts nothing has to wait for a disk (scripts/test-all.ts); at full figures fault tests use a real one.
const memory = process.env['TEST_MEMORY'];
const env = memory === undefined ? {} : { TMPDIR: memory };
// One process for many files: packages and jsdom are loaded once in each. What our own modules remember ends with the file (fresh-modules.ts).
const fresh = ['./scripts/fresh-modules.ts', './services/src/testing/kept-threads.ts'];
// The cores are taken, and code is fresh in each file: what V8 does at the same time to be quicker later takes a fifth of all there is. A heap that may grow
// before it is marked, by the thread that fills it, and no compiler for what is hot.
const execArgv = ['--initial-heap-size=512', '--single-threaded-gc', '--no-turbofan'];
/** What is waited for comes when the machine has time for it: a second is a time-out only on an idle one. */
const patient = { poll: { timeout: 30_000 } };
const sharing = { isolate: false, maxWorkers, env, execArgv };
/** Its consumers drop and resume for ten times as many events at full figures. */
const contractSuite = ['services/src/event-log/event-log.test.ts', 'services/src/event-log/eventstoredb-event-log.test.ts'];
/** Not `setInterval`: jsdom draws its frames by one, and would never draw again if that had been begun with a clock that is then taken away. */
const fakeTimers = { toFake: ['setTimeout' as const, 'clearTimeout' as const, 'Date' as const] };
export default defineConfig({
  test: {
    maxWorkers,
    coverage: { provider: 'v8', include: ['*/src/**/*.{ts,tsx}'], reporter: ['text-summary'] },
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          include: ['{contracts,projections,services}/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/*.faults.test.ts', '**/node_modules/**'],
          setupFiles: fresh,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patient,
          ...sharing,
        },
      },
      // At full figures some measure time: one file after another, with the machine for itself.
      {
        test: {
          name: 'faults',
          environment: 'node',
          include: ['{contracts,projections,services}/src/**/*.faults.test.ts', ...(full ? contractSuite : [])],
          testTimeout: full ? 900_000 : 120_000,
          hookTimeout: 60_000,
          expect: patient,
          ...(full ? { fileParallelism: false } : { setupFiles: fresh, ...sharing }),
        },
      },
      {
        extends: './web/vite.config.ts',
        test: {
          name: 'web',
          root: './web',
          environment: 'jsdom',
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: ['../scripts/fresh-modules.ts', './test/setup.ts'],
          css: false,
          fakeTimers,
          testTimeout: 60_000,
          ...sharing,
        },
      },
    ],
  },
});
