import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one test, removed with `using`. */
export const scratchFolder = (): Disposable & { readonly file: (name: string) => string } => {
  const folder = mkdtempSync(join(tmpdir(), 'courtledger-read-model-'));
  return {
    file: (name) => join(folder, name),
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
