import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { startServer } from '../../services/src/testing/server-process.ts';
import { serverEnvironment } from './staff.ts';

/** Runs in the server: it must not outlive a worker that was killed. */
const leaveWithParent = `const parent = process.ppid; setInterval(() => { if (process.ppid !== parent) process.exit(); }, 1000).unref();`;

const onPhone = /\bon a phone$/;
type Season = { readonly file: string; readonly isPhone: boolean };

/** A server of the product as its users start it, on a copy of the planted season. */
const begin = async (): Promise<{ readonly address: string; readonly end: () => Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'courtledger-e2e-'));
  cpSync(process.env['E2E_SEASON'] ?? '', folder, { recursive: true });
  const server = startServer({ ...serverEnvironment, HOST: '127.0.0.1', DATA_DIR: folder }, leaveWithParent);
  const end = async (): Promise<void> => {
    server.child.kill('SIGTERM');
    await server.ended;
    if (server.logged() !== '') process.stderr.write(server.logged());
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { address: `http://127.0.0.1:${String(await server.ready)}`, end };
  } catch (error) {
    await end();
    throw error;
  }
};

/**
 * A journey's `test`: its pages are those of a server of the worker's own. What one file records no other file meets, and what is done on a phone begins with
 * the season as it was planted, since it was done at a desk before.
 */
export const test = base.extend<object, { readonly serverOf: (season: Season) => Promise<string> }>({
  serverOf: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs: here nothing
    async ({}, provide) => {
      let running: (Awaited<ReturnType<typeof begin>> & Season) | undefined;
      try {
        await provide(async ({ file, isPhone }) => {
          if (running === undefined || running.file !== file || (isPhone && !running.isPhone)) {
            await running?.end();
            running = undefined;
            running = { ...(await begin()), file, isPhone };
          }
          return running.address;
        });
      } finally {
        await running?.end();
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ serverOf }, provide, { file, titlePath }) => provide(await serverOf({ file, isPhone: titlePath.some((title) => onPhone.test(title)) })),
});
