import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.ts';

// This file is read again in every worker: only the first one has to look for the browser.
const executablePath = (process.env['E2E_CHROMIUM'] ??= findBrowser() ?? '') || undefined;
/** Pages of a journey are young: what would make their scripts quicker one day costs a tenth of the browser's time now. */
const quick = ['--js-flags=--no-turbofan --no-maglev --single-threaded-gc'];

export default defineConfig({
  testDir: 'web/e2e',
  reporter: 'list',
  globalSetup: './web/e2e/planted-season.ts',
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  use: {
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [...quick, '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
    },
  },
});
