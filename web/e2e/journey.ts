import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { startServer } from '../../services/src/testing/server-process.ts';
import { serverEnvironment } from './staff.ts';

/** Runs in the server: it must not outlive a worker that was killed. */
const leaveWithParent = `const parent = process.ppid; setInterval(() => { if (process.ppid !== parent) process.exit(); }, 1000).unref();`;

/**
 * A journey's `test`: its pages are those of a server of the worker's own, the product as its users start it, with the planted season in a folder
 * of its own. What one file records no other file meets.
 */
export const test = base.extend<object, { readonly server: { readonly address: string } }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs: here nothing
    async ({}, provide) => {
      const folder = mkdtempSync(join(tmpdir(), 'courtledger-e2e-'));
      cpSync(process.env['E2E_SEASON'] ?? '', folder, { recursive: true });
      const server = startServer({ ...serverEnvironment, HOST: '127.0.0.1', DATA_DIR: folder }, leaveWithParent);
      try {
        await provide({ address: `http://127.0.0.1:${String(await server.ready)}` });
      } finally {
        server.child.kill('SIGTERM');
        await server.ended;
        if (server.logged() !== '') process.stderr.write(server.logged());
        rmSync(folder, { recursive: true, force: true });
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ server }, provide) => provide(server.address),
});
