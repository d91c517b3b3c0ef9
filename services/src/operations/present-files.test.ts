import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { PresentFiles } from './present-files.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'courtledger-present-'));
  onTestFinished(() => {
    rmSync(place, { recursive: true });
  });
});
const put = (path: string): void => {
  writeFileSync(join(place, path), '');
};
/** Sets when a folder was changed last, in ms before now. */
const changed = (folder: string, ago: number): void => {
  const time = (Date.now() - ago) / 1000;
  utimesSync(join(place, folder), time, time);
};
const hour = 3_600_000;

it('tells what stands in either folder, and of a folder that is gone nothing', async () => {
  const files = new PresentFiles(place);
  mkdirSync(join(place, 'media'));
  put('media/a.jpg');
  const isThere = await files.read();
  expect(['media/a.jpg', 'documents/a.jpg', 'a.jpg'].map(isThere)).toEqual([true, false, false]);
  renameSync(join(place, 'media'), join(place, 'documents'));
  expect(['media/a.jpg', 'documents/a.jpg'].map(await files.read())).toEqual([false, true]);
});

it('lists a folder anew when its time says that something came or went, and not before', async () => {
  const files = new PresentFiles(place);
  mkdirSync(join(place, 'media'));
  put('media/a.jpg');
  const time = new Date(Date.now() - hour);
  utimesSync(join(place, 'media'), time, time);
  const paths = ['media/a.jpg', 'media/b.jpg'];
  expect(paths.map(await files.read())).toEqual([true, false]);
  renameSync(join(place, 'media/a.jpg'), join(place, 'media/b.jpg'));
  utimesSync(join(place, 'media'), time, time);
  expect(paths.map(await files.read())).toEqual([true, false]);
  changed('media', 2 * hour);
  expect(paths.map(await files.read())).toEqual([false, true]);
});

it('does not rely on the time of a folder that was changed shortly before', async () => {
  const files = new PresentFiles(place);
  mkdirSync(join(place, 'media'));
  const time = new Date(Date.now() - 1000);
  utimesSync(join(place, 'media'), time, time);
  expect(['media/a.jpg'].map(await files.read())).toEqual([false]);
  put('media/a.jpg');
  utimesSync(join(place, 'media'), time, time);
  expect(['media/a.jpg'].map(await files.read())).toEqual([true]);
});
