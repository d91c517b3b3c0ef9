import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };

it('what people run on a bare clone ends with a sentence where Node is too old, and takes the place of its shell: signals and exit codes are its own', () => {
  expect(Object.fromEntries(['start', 'test', 'seed', 'test:faults', 'ops', 'dev', 'bench'].map((name) => [name, scripts[name]]))).toEqual({
    // Installs what is missing, and passes the rest on to a Node that is new enough.
    start: 'exec node scripts/setup.mjs start', test: 'exec node scripts/setup.mjs test', seed: 'exec node scripts/setup.mjs seed', 'test:faults': 'exec node scripts/setup.mjs faults',
    ops: 'exec node --import ./scripts/need-node.mjs services/src/operations/cli.ts',
    dev: 'exec node --import ./scripts/need-node.mjs scripts/dev.ts',
    bench: 'exec node --import ./scripts/need-node.mjs scripts/bench.ts',
  });
});
