import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

type Locked = {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
};
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { readonly packages: Readonly<Record<string, Locked>> };
const marker = 'node_modules/';
/** Every package of the lock file: one of several versions stands there several times. */
const installed = Object.entries(lock.packages).flatMap(([path, locked]) => {
  const at = path.lastIndexOf(marker);
  return at < 0 || locked.link === true ? [] : [{ ...locked, name: path.slice(at + marker.length), version: locked.version ?? '' }];
});

/** The lowest version without a known hole (faults list, 'Version floors'), of what we use and of what somebody may bring along one day. */
const floors: Readonly<Record<string, string>> = {
  multer: '2.3.0',
  express: '5.0.0',
  'body-parser': '2.3.0',
  'path-to-regexp': '8.4.0',
  'proxy-addr': '2.0.8',
  qs: '6.16.0',
  'express-rate-limit': '8.2.2',
  jsonwebtoken: '9.0.3',
  jws: '4.0.1',
  sharp: '0.35.4',
  // Below it SQLite is older than 3.51.3; the start asks the library itself (R24).
  'better-sqlite3': '13.0.0',
  vite: '8.0.0',
  'react-router': '7.14.1',
  'react-router-dom': '7.14.1',
  morgan: '1.11.0',
  uuid: '11.1.1',
};
const ours = [
  'multer',
  'express',
  'body-parser',
  'path-to-regexp',
  'proxy-addr',
  'qs',
  'jsonwebtoken',
  'jws',
  'sharp',
  'better-sqlite3',
  'vite',
  'react-router',
  'react-router-dom',
  'uuid',
];

const numbersOf = (version: string): readonly number[] => version.split('.', 3).map((part) => Number.parseInt(part, 10));
const isBelow = (version: string, floor: string): boolean => {
  const [own, least] = [numbersOf(version), numbersOf(floor)];
  const at = own.findIndex((part, index) => part !== least[index]);
  // A release candidate of the floor is not the floor.
  return at < 0 ? version.includes('-') : !((own[at] ?? Number.NaN) > (least[at] ?? Number.NaN));
};

describe('packages (S28)', () => {
  it('stand at or above the lowest version without a known hole', () => {
    const guarded = installed.filter(({ name }) => floors[name] !== undefined);
    expect([...new Set(guarded.map(({ name }) => name))].toSorted()).toEqual(ours.toSorted());
    expect(guarded.filter(({ name, version }) => isBelow(version, floors[name] ?? '')).map(({ name, version }) => `${name} ${version}`)).toEqual([]);
  });

  it.each([
    ['2.2.9', '2.3.0', true],
    ['2.3.0', '2.3.0', false],
    ['2.10.0', '2.3.0', false],
    ['3.0.0', '2.3.0', false],
    ['1.99.99', '2.3.0', true],
    ['2.3.0-rc.1', '2.3.0', true],
    ['', '2.3.0', true],
  ])('version %s against the floor %s', (version, floor, below) => {
    expect(isBelow(version, floor)).toBe(below);
  });

  it('are locked by what is in them, and none may run a script when it is installed', () => {
    expect(installed.length).toBeGreaterThan(300);
    expect(installed.filter(({ integrity }) => integrity?.startsWith('sha512-') !== true).map(({ name }) => name)).toEqual([]);
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
    // Native parts come prebuilt. This one's script only prints advice: a new name here is to be looked at first.
    expect(installed.filter(({ hasInstallScript }) => hasInstallScript === true).map(({ name }) => name)).toEqual(['protobufjs']);
  });

  it('are listed, every one that a build is made of, without asking anybody', () => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'sbom', '--', '--offline'], { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000 });
    expect([status, stderr]).toEqual([0, '']);
    const bill = JSON.parse(stdout) as {
      readonly bomFormat: string;
      readonly components: readonly { readonly name: string; readonly group?: string; readonly version: string }[];
    };
    const listed = new Set(bill.components.map(({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name} ${version}`));
    // What is for another system than this one's may be missing.
    const needed = installed.filter(({ optional, devOptional }) => optional !== true && devOptional !== true).map(({ name, version }) => `${name} ${version}`);
    expect([bill.bomFormat, needed.length > 250]).toEqual(['CycloneDX', true]);
    expect(needed.filter((one) => !listed.has(one))).toEqual([]);
    // The image keeps its own.
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toMatch(/npm run -s sbom > sbom\.cdx\.json/);
  }, 60_000);
});
