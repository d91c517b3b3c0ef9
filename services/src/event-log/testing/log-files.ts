import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for one log, and its removal. */
export const temporaryFolder = (place = tmpdir()): { readonly path: (name: string) => string; readonly remove: () => void } => {
  const folder = mkdtempSync(join(place, 'courtledger-log-'));
  return { path: (name) => join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) };
};
