import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.ts';

const port = 3300;
// This file is read again in every worker: only the first one may make the folder, and look for the browser.
const dataDir = (process.env['E2E_DATA_DIR'] ??= mkdtempSync(join(tmpdir(), 'courtledger-e2e-')));
const executablePath = (process.env['E2E_CHROMIUM'] ??= findBrowser() ?? '') || undefined;
export default defineConfig({
  testDir: 'web/e2e',
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { ...(executablePath && { executablePath }), args: ['--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] },
  },
  webServer: {
    command: 'node services/src/main.ts',
    env: { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir },
    url: `http://127.0.0.1:${port}/readyz`,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    reuseExistingServer: false,
  },
});
