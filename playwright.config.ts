import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Project } from '@playwright/test';
import { findBrowser } from './scripts/browser.ts';

// This file is read again in every worker: only the first one has to look for the browser.
const executablePath = (process.env['E2E_CHROMIUM'] ??= findBrowser() ?? '') || undefined;
const testDir = 'web/e2e';
const onPhone = / on a phone /;

/**
 * A worker, and the server that it starts, serve one project: each file, and of each file what is done on a phone, begins with the season as it was
 * planted. The longest come first, so that the workers end together.
 */
const journeys = readdirSync(join(import.meta.dirname, testDir)).filter((name) => name.endsWith('.spec.ts'))
  .map((name) => ({ name, path: join(import.meta.dirname, testDir, name) }))
  .toSorted((a, b) => statSync(b.path).size - statSync(a.path).size);
const projects = journeys.flatMap(({ name, path }): Project[] => {
  const title = name.replace('.spec.ts', '');
  const testMatch = name;
  if (!readFileSync(path, 'utf8').includes('of sizes')) return [{ name: title, testMatch }];
  return [{ name: title, testMatch, grepInvert: onPhone }, { name: `${title}, phone`, testMatch, grep: onPhone }];
});

export default defineConfig({
  testDir,
  reporter: 'list',
  globalSetup: './web/e2e/planted-season.ts',
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  projects,
  use: {
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { ...(executablePath && { executablePath }), args: ['--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] },
  },
});
