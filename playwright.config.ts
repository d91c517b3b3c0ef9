import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.ts';

// Of this run's own, so that two runs on one machine do not meet; workers read it from the environment.
const port = (process.env['E2E_PORT'] ??= String(20_000 + (process.pid % 20_000)));
// This file is read again in every worker: only the first one may make the folder, and look for the browser.
const dataDir = (process.env['E2E_DATA_DIR'] ??= mkdtempSync(join(tmpdir(), 'courtledger-e2e-')));
const executablePath = (process.env['E2E_CHROMIUM'] ??= findBrowser() ?? '') || undefined;
/** The journeys' super admin; admins are made through it. */
const superAdmin = { SUPERADMIN_ID: 'journeys', SUPERADMIN_PASSWORD: 'a-password-for-journeys-4821' };
export default defineConfig({
  testDir: 'web/e2e',
  reporter: 'list',
  // One server and one season for all journeys: they follow one another.
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  // Visitors first: they read the season as it was planted. The staff's journeys add to it.
  projects: [
    { name: 'visitors', testMatch: /(visitor|pages|live|live-cut)\.spec\.ts$/ },
    { name: 'staff', testMatch: /(manager|admin|superadmin|operations)\.spec\.ts$/ },
  ],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { ...(executablePath && { executablePath }), args: ['--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] },
  },
  webServer: {
    // The demo season through the real commands, then the product as its users start it.
    command: `"${process.execPath}" services/src/seed.ts && exec "${process.execPath}" services/src/main.ts`,
    env: { PORT: port, HOST: '127.0.0.1', DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'warn', ...superAdmin },
    timeout: 120_000,
    url: `http://127.0.0.1:${port}/readyz`,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    reuseExistingServer: false,
  },
});
