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
  for (const folder of [...workspaces.flatMap((workspace) => [`${workspace}/src`, `${workspace}/package.json`]), 'web/e2e', 'web/test', 'scripts'])
    cpSync(join(here, folder), join(root, folder), { recursive: true });
  symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'));
});
afterAll(() => {
  rmSync(root, { recursive: true });
});

const run = (): { readonly status: number | null; readonly faults: readonly string[] } => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/boundaries.ts')], { encoding: 'utf8' });
  return {
    status,
    faults: stderr
      .split('\n')
      .filter((line) => line !== '')
      .toSorted(),
  };
};

const outside = [
  'process',
  'performance',
  'crypto',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'navigator',
  'console',
  'globalThis',
  'Temporal',
];
it('finds what breaks a rule of the house', () => {
  const decider = 'services/src/match/match.decider.ts';
  const projection = 'projections/src/team/team.projection.ts';
  const routes = 'services/src/match/match.routes.ts';
  const limits = 'contracts/src/kernel/limits.ts';
  const places = 'projections/src/kernel/placed.ts';
  for (const [path, line] of [
    [decider, "import { randomUUID } from 'crypto';"],
    [decider, "import { decide as decideTeam } from '@courtledger/services/team/team.decider';"],
    [decider, 'const today = Date();'],
    [decider, 'const later = async () => { await later(); };'],
    [decider, `const outside = [${outside.join(', ')}];`],
    [decider, "import sharp from 'sharp';"],
    // What a pure file needs, by itself or over others, and not for its types alone.
    [decider, "import { today } from '../platform/impure.ts';"],
    [decider, "import type { Tasks } from '../platform/tasks.ts';"],
    [places, "const load = () => import('node:os');"],
    ['web/src/match/match.rules.ts', 'const screen = document;'],
    ['web/src/match/match.rules.ts', 'type Papers = { readonly document: string };'],
    [routes, "import { decideTeam } from '../team/team.decider.ts';"],
    [routes, "import { paths } from '../../../web/src/lib/paths.ts';"],
    [routes, "import { parse } from 'yaml';"],
    [limits, 'export const askedByNobody = 1;'],
    [limits, 'export const askedHere = 1; void askedHere;'],
    [decider, 'const time = Date.now() + Math.random();'],
    [projection, "import { readFileSync } from 'node:fs';"],
    [projection, "import type { TeamRoutes } from '@courtledger/services/team/team.routes';"],
    [projection, 'const made = new Date();'],
    [limits, "import express from 'express';"],
    ['web/src/match/match-details-page.tsx', "import { TeamsTab } from '../admin/teams-tab.tsx';"],
  ] as const)
    appendFileSync(join(root, path), `${line}\n`);
  for (const [path, text] of [
    ['web/src/utils.ts', "export * from './lib/paths.ts';"],
    ['services/src/platform/impure.ts', 'const today = Date.now();'],
    ['services/src/platform/tasks.ts', "import 'node:fs'; import './turns.ts';"],
    ['services/src/platform/turns.ts', "import './tasks.ts';"],
    ['services/src/platform/broken.ts', 'const = ;'],
    ['services/src/platform/long.ts', '\n'.repeat(399)],
    ['services/src/platform/too-long.ts', '\n'.repeat(400)],
  ] as const)
    writeFileSync(join(root, path), text);
  const manifest = readFileSync(join(root, 'web/package.json'), 'utf8');
  writeFileSync(join(root, 'web/package.json'), manifest.replace('"dependencies": {', '"dependencies": { "express": "5.3.0",'));
  expect(run()).toEqual({
    status: 1,
    faults: [
      'web/package.json: express is declared, and nothing uses it',
      `${limits}: contracts import zod only, not express`,
      `${limits}: is pure and imports express`,
      `${limits}: nothing but tests asks for askedByNobody`,
      `${limits}: askedHere is exported, and nobody else names it`,
      `${projection}: projections must not import services`,
      `${projection}: is pure and imports node:fs`,
      `${projection}: is pure and reads the clock (new Date())`,
      `${decider}: names a file of its own workspace @courtledger/services/team/team.decider, not by a relative path`,
      `${decider}: is pure and imports crypto`,
      `${decider}: is pure and reads the clock (Date())`,
      ...outside.map((name) => `${decider}: is pure and uses ${name}`),
      `${decider}: is pure and awaits`,
      `${decider}: is pure and imports sharp`,
      'services/src/platform/impure.ts: is pure and calls Date.now',
      `${places}: is pure and imports node:os`,
      'web/src/match/match.rules.ts: is pure and uses document',
      `${routes}: feature match imports team's services/src/team/team.decider.ts`,
      `${routes}: ../../../web/src/lib/paths.ts leaves its workspace by a relative path`,
      `${routes}: imports yaml, which services/package.json does not declare`,
      'cycle: services/src/platform/tasks.ts -> services/src/platform/turns.ts -> services/src/platform/tasks.ts',
      'services/src/platform/broken.ts: cannot be parsed',
      'services/src/platform/too-long.ts: 401 lines (a second noun hides in a file over 400)',
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
  expect(run()).toEqual({
    status: 1,
    faults: (
      [
        ['exports', 1000],
        ['files', 40],
        ['imports', 100],
        ['packages', 20],
        ['pure', 8],
      ] as const
    ).map(only),
  });
});
