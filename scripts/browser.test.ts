import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('says in a sentence what to do where there is no Chromium and none can be installed', () => {
  // Whatever this machine has: there is no browser, and nobody here may install one.
  const preload =
    "import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; const { existsSync } = fs; fs.existsSync = (path) => !/chrom|edge/i.test(path) && existsSync(path); syncBuiltinESMExports(); process.getuid = () => 1000;";
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, join(import.meta.dirname, 'browser.ts')],
    { encoding: 'utf8' },
  );
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    'No Chromium was found, and none could be installed: run npx playwright install chromium, or set CHROMIUM_PATH\n',
  ]);
});
