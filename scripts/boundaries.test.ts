import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

let root: string;
const workspaces = ['contracts', 'projections', 'services', 'web'];
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'courtledger-boundaries-'));
  const here = join(import.meta.dirname, '..');
  for (const folder of [...workspaces.flatMap((workspace) => [`${workspace}/src`, `${workspace}/package.json`]), 'web/e2e', 'web/test', 'scripts']) cpSync(join(here, folder), join(root, folder), { recursive: true });
  symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'));
});
afterAll(() => {
  rmSync(root, { recursive: true });
});

const run = (): { readonly status: number | null; readonly faults: readonly string[] } => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/boundaries.ts')], { encoding: 'utf8' });
  return { status, faults: stderr.split('\n').filter((line) => line !== '').toSorted() };
};

it('finds what breaks a rule of the house', () => {
  const decider = 'services/src/match/match.decider.ts';
  const projection = 'projections/src/team/team.projection.ts';
  for (const [path, line] of [
    [decider, "import { randomUUID } from 'crypto';"],
    [decider, "import { decide as decideTeam } from '@courtledger/services/team/team.decider';"],
    [decider, 'const today = Date();'],
    [decider, 'const now = Temporal.Now.instant();'],
    [decider, 'const time = Date.now() + Math.random();'],
    [projection, "import { readFileSync } from 'node:fs';"],
    [projection, "import { teamRoutes } from '@courtledger/services/team/team.routes';"],
    [projection, 'const made = new Date();'],
    ['contracts/src/kernel/limits.ts', "import express from 'express';"],
    ['web/src/match/match-details-page.tsx', "import { TeamsTab } from '../admin/teams-tab.tsx';"],
  ] as const) appendFileSync(join(root, path), `${line}\n`);
  writeFileSync(join(root, 'web/src/utils.ts'), "export * from './lib/paths.ts';\n");
  const manifest = readFileSync(join(root, 'web/package.json'), 'utf8');
  writeFileSync(join(root, 'web/package.json'), manifest.replace('"dependencies": {', '"dependencies": { "express": "5.3.0",'));
  expect(run()).toEqual({
    status: 1,
    faults: [
      'web/package.json: express is declared, and nothing uses it',
      'contracts/src/kernel/limits.ts: contracts import zod only, not express',
      `${projection}: projections must not import services`,
      `${projection}: is pure and imports node:fs`,
      `${projection}: is pure and reads the clock (new Date())`,
      `${decider}: names a file of its own workspace @courtledger/services/team/team.decider, not by a relative path`,
      `${decider}: is pure and imports crypto`,
      `${decider}: is pure and reads the clock (Date())`,
      `${decider}: is pure and uses Temporal`,
      `${decider}: is pure and calls Date.now`,
      `${decider}: is pure and calls Math.random`,
      'web/src/utils.ts: a barrel (it only hands on what other files export)',
      'web/src/utils.ts: a name that says nothing',
      "web/src/match/match-details-page.tsx: feature match imports admin's web/src/admin/teams-tab.tsx",
    ].toSorted(),
  });
});

const only = ([what, least]: readonly [string, number]): string => `only 0 ${what} read, at least ${String(least)} expected: the check did not see the code`;
it('says so when it did not see the code', () => {
  for (const workspace of workspaces) {
    rmSync(join(root, workspace, 'src'), { recursive: true });
    mkdirSync(join(root, workspace, 'src'));
    writeFileSync(join(root, workspace, 'package.json'), '{}');
  }
  expect(run()).toEqual({ status: 1, faults: ([['exports', 1000], ['files', 40], ['imports', 100], ['packages', 20], ['pure', 8]] as const).map(only) });
});
