import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeLogLock } from '../event-log/log-lock.ts';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import { openSite } from '../testing/site.ts';
import { leftoverFolders, openDrillPlace, removeLeftovers, removeTemporary, stagedName } from './leftovers.ts';

let child: ChildProcess | undefined;
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  child?.kill('SIGKILL');
  folder.remove();
});

const now = Date.parse('2026-11-21T10:00:00Z');
const make = (name: string): void => {
  mkdirSync(folder.path(name));
  writeFileSync(join(folder.path(name), 'persons.sqlite'), 'keys');
};

it('what a killed restore staged is removed, and nothing that only looks like it', () => {
  const ours = stagedName(now);
  const others = ['.restore-me', '.restore-2026-11-21T10-00-00-000Z-mine', '.drill-sergeant', 'before-restore-2026-11-21T10-00-00-000Z'];
  for (const name of [ours, ...others]) make(name);
  writeFileSync(folder.path('.restore-2026-11-20T10-00-00-000Z'), 'a file');
  expect(leftoverFolders(folder.path(''))).toEqual([ours]);
  expect(removeLeftovers(folder.path(''))).toEqual([ours]);
  expect(
    readdirSync(folder.path(''))
      .filter((name) => !name.startsWith('event-log'))
      .toSorted(),
  ).toEqual([...others, '.restore-2026-11-20T10-00-00-000Z'].toSorted());
});

it('what a restore that runs, or one that has to be ended, has staged stays', () => {
  const ours = stagedName(now);
  make(ours);
  const lock = takeLogLock(folder.path('event-log.sqlite'));
  expect(removeLeftovers(folder.path(''))).toEqual([]);
  lock.release();
  writeFileSync(folder.path('restore.json'), JSON.stringify({ staged: ours, aside: 'x', names: [] }));
  expect(removeLeftovers(folder.path(''))).toEqual([]);
  expect(existsSync(folder.path(ours))).toBe(true);
});

it('the place of a drill stays as long as its process lives, and goes after a kill', async () => {
  const module = JSON.stringify(new URL('./leftovers.ts', import.meta.url).href);
  const holder = spawn(
    process.execPath,
    [
      '--expose-gc',
      '--input-type=module',
      '-e',
      `const { openDrillPlace } = await import(${module}); openDrillPlace(${JSON.stringify(folder.path(''))}, ${String(now)}); process.stdout.write('made'); globalThis.gc(); setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  child = holder;
  const ended = once(holder, 'exit');
  await once(holder.stdout, 'data');
  const [place = ''] = leftoverFolders(folder.path(''));
  writeFileSync(join(folder.path(place), 'persons.sqlite'), 'keys');
  expect([place.startsWith('.drill-2026-11-21T10-00-00-000Z-'), removeLeftovers(folder.path(''))]).toEqual([true, []]);
  holder.kill('SIGKILL');
  await ended;
  expect([removeLeftovers(folder.path('')), leftoverFolders(folder.path(''))]).toEqual([[place], []]);
});

it('a place of this process is no leftover; one that was killed before it had its lock goes when it is old', () => {
  const place = openDrillPlace(folder.path(''), now);
  const cut = '.drill-2026-11-21T10-00-00-000Z-0123456789ab';
  make(cut);
  expect(removeLeftovers(folder.path(''))).toEqual([]);
  utimesSync(folder.path(cut), now / 1000, Date.now() / 1000 - 120);
  expect(removeLeftovers(folder.path(''))).toEqual([cut]);
  place.remove();
  expect(leftoverFolders(folder.path(''))).toEqual([]);
});

const filesOf = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((name) =>
    readdirSync(folder.path(name))
      .filter((one) => one.startsWith('.tmp-'))
      .map((one) => join(name, one))
      .toSorted(),
  );

it('a start removes files that a killed process had not put in their place, and nothing that only looks like them or that another gateway may be making', async () => {
  for (const name of ['data', 'data/keys', 'data/folds']) mkdirSync(folder.path(name));
  const [ours, young] = ['.tmp-A-b_C0123456-operations.json', '.tmp-abcdefghijkl-email.key'];
  const others = ['.tmp-mine', '.tmp-short-restore.json', '.tmp-A-b_C0123456-'];
  for (const name of [ours, ...others]) writeFileSync(join(folder.path('data'), name), 'x');
  mkdirSync(folder.path('data/.tmp-A-b_C0123456-folder'));
  writeFileSync(folder.path('data/folds/.tmp-A-b_C0123456-half-finished'), 'x');
  for (const name of [ours, young]) writeFileSync(join(folder.path('data/keys'), name), 'x');
  utimesSync(join(folder.path('data/keys'), ours), now / 1000, Date.now() / 1000 - 120);
  const site = await openSite({ store: { kind: 'sqlite' }, dataDir: folder.path('data') });
  await site.close();
  const left = [...others, '.tmp-A-b_C0123456-folder'].map((name) => join('data', name)).toSorted();
  expect(filesOf('data', 'data/keys', 'data/folds')).toEqual([...left, join('data/keys', young)]);
  expect(removeTemporary(folder.path('data'), Date.now() + 120_000)).toEqual([join(folder.path('data/keys'), young)]);
});
