import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };

it('what people run on a bare clone ends with a sentence where Node is too old, and takes the place of its shell: signals and exit codes are its own', () => {
  expect(Object.fromEntries(['start', 'test', 'seed', 'test:faults', 'ops', 'dev', 'bench'].map((name) => [name, scripts[name]]))).toEqual({
    // Installs what is missing, and passes the rest on to a Node that is new enough.
    start: 'exec node scripts/setup.mjs start',
    test: 'exec node scripts/setup.mjs test',
    seed: 'exec node scripts/setup.mjs seed',
    'test:faults': 'exec node scripts/setup.mjs faults',
    ops: 'exec node --import ./scripts/need-node.mjs services/src/operations/cli.ts',
    dev: 'exec node --import ./scripts/need-node.mjs scripts/dev.ts',
    bench: 'exec node --import ./scripts/need-node.mjs scripts/bench.ts',
  });
});

it('says what to do where Node is too old: what an installation brings, or a newer one where it brings none', () => {
  const root = mkdtempSync(join(tmpdir(), 'courtledger-node-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true });
  });
  mkdirSync(join(root, 'scripts'));
  copyFileSync(join(import.meta.dirname, 'need-node.mjs'), join(root, 'scripts/need-node.mjs'));
  const said = (machine: string): string => {
    const preload = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } }); Object.defineProperty(process, 'platform', { value: '${machine}' }); Object.defineProperty(process, 'arch', { value: 'x64' })`;
    return spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, join(root, 'scripts/need-node.mjs')], {
      encoding: 'utf8',
    }).stderr;
  };
  const old = 'This needs Node 22.18 or newer, and this is v20.19.0.';
  expect([said('linux'), said('darwin')]).toEqual([`${old} Run "npm start" or "npm ci" first: that brings its own Node.\n`, `${old} Install a newer Node.\n`]);
  mkdirSync(join(root, 'node_modules'));
  expect(said('linux')).toBe(`${old} Install a newer Node.\n`);
});
