import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Project } from '@playwright/test';
import { findBrowser } from './scripts/browser.ts';

// This file is read again in every worker: only the first one has to look for the browser.
const executablePath = (process.env['E2E_CHROMIUM'] ??= findBrowser() ?? '') || undefined;
const testDir = 'web/e2e';
const onPhone = / on a phone /;

/**
 * A worker, and the server that it starts, serve one project: the files whose names begin with the same word, and what of them is done on a phone,
 * begin with the season as it was planted. The longest come first, so that the workers end together.
 */
const journeys = Map.groupBy(readdirSync(join(import.meta.dirname, testDir)).filter((name) => name.endsWith('.spec.ts')), (name) => /^[a-z]+/.exec(name)?.[0] ?? name);
const projects = [...journeys]
  .map(([title, names]) => ({ title, names, text: names.map((name) => readFileSync(join(import.meta.dirname, testDir, name), 'utf8')).join('') }))
  .toSorted((a, b) => b.text.length - a.text.length)
  .flatMap(({ title, names, text }): Project[] => {
    if (!text.includes('of sizes')) return [{ name: title, testMatch: names }];
    return [{ name: title, testMatch: names, grepInvert: onPhone }, { name: `${title}, phone`, testMatch: names, grep: onPhone }];
  });

/** Pages of a journey are young: what would make their scripts quicker one day costs a tenth of the browser's time now. */
const quick = ['--js-flags=--no-turbofan --no-maglev --single-threaded-gc'];

export default defineConfig({
  testDir,
  reporter: 'list',
  globalSetup: './web/e2e/planted-season.ts',
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  projects,
  use: {
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { ...(executablePath && { executablePath }), args: [...quick, '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] },
  },
});
