import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noSettings } from '../../services/src/testing/no-settings.ts';
import { serverEnvironment } from './staff.ts';

/** Once for all journeys: the demo season through the real commands, into a folder that each server takes a copy of (`E2E_SEASON`). Answers its removal. */
export default function plantSeason(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'courtledger-season-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const { status, stderr, error } = spawnSync(process.execPath, [join(import.meta.dirname, '../../services/src/seed.ts')], {
    env: { ...process.env, ...noSettings, ...serverEnvironment, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (error || status !== 0) {
    remove();
    throw error ?? new Error(`The season could not be planted: ${stderr}`);
  }
  process.env['E2E_SEASON'] = folder;
  return remove;
}
