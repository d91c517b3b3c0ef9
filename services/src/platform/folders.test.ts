import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { asNobody, folderForAll } from '../event-log/testing/as-nobody.ts';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import { FolderRefused, expectPermissions, expectUsable, isInTheWayOfBackups, makeFolderSync, openDataFolder, tellForeignOwner } from './folders.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

it('makes a folder and those above it for their owner only, and leaves what is there', () => {
  const path = folder.path('a/b/c');
  makeFolderSync(path);
  makeFolderSync(path);
  expect([statSync(path).isDirectory(), statSync(folder.path('a')).mode & 0o777]).toEqual([true, 0o700]);
  symlinkSync(path, folder.path('link'));
  makeFolderSync(folder.path('link/d'));
  expect(statSync(join(path, 'd')).isDirectory()).toBe(true);
});

const refusalOf = (work: () => void): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof FolderRefused) return error.message;
    throw error;
  }
  return 'made';
};

it('refuses what is no folder and where nothing can be made, instead of trying for ever', () => {
  const file = folder.path('file');
  writeFileSync(file, '');
  expect(refusalOf(() => makeFolderSync(file))).toBe(`${file} cannot be used: ${file} is not a folder`);
  expect(refusalOf(() => makeFolderSync(join(file, 'in', 'it')))).toBe(`${join(file, 'in', 'it')} cannot be used: ${file} is not a folder`);
  expect(refusalOf(() => makeFolderSync('/proc/nope/nope'))).toBe('/proc/nope/nope cannot be used: nothing can be made in /proc');
  expect(refusalOf(() => openDataFolder('/proc/nope'))).toBe('DATA_DIR: /proc/nope cannot be used: nothing can be made in /proc');
  expect(refusalOf(() => openDataFolder('/proc'))).toBe('DATA_DIR: /proc cannot be used: nothing can be made in /proc');
  expect(refusalOf(() => openDataFolder(file))).toBe(`DATA_DIR: ${file} cannot be used: ${file} is not a folder`);
  const link = folder.path('to a disk that is not mounted');
  symlinkSync(folder.path('gone'), link);
  expect(refusalOf(() => openDataFolder(link))).toBe(`DATA_DIR: ${link} cannot be used: ${link} is a link to what is not there`);
  expect(refusalOf(() => makeFolderSync(join(link, 'a')))).toBe(`${join(link, 'a')} cannot be used: ${link} is a link to what is not there`);
  mkdirSync(folder.path('data'));
  expect(refusalOf(() => openDataFolder(folder.path('data')))).toBe('made');
});

it('tries whether a folder can be made, and makes nothing', () => {
  const file = folder.path('a file');
  writeFileSync(file, '');
  const link = folder.path('to another disk that is not mounted');
  symlinkSync(folder.path('gone'), link);
  const refused = [join(file, 'in'), join(link, 'in'), '/proc/nope/nope', '/proc'].map((path) => refusalOf(() => expectUsable(path)));
  expect(refused).toEqual([
    `${join(file, 'in')} cannot be used: ${file} is not a folder`,
    `${join(link, 'in')} cannot be used: ${link} is a link to what is not there`,
    '/proc/nope/nope cannot be used: nothing can be made in /proc',
    '/proc cannot be used: nothing can be made in /proc',
  ]);
  const before = readdirSync(folder.path('.'));
  expect([refusalOf(() => expectUsable(folder.path('new/and/deep'))), readdirSync(folder.path('.'))]).toEqual(['made', before]);
});

it('keeps the databases that are there to their owner, in a folder that everybody may look into', () => {
  const data = folder.path('open-to-all');
  mkdirSync(data);
  chmodSync(data, 0o755);
  for (const [name, mode] of [
    ['event-log.sqlite', 0o644],
    ['read-model-1.sqlite-wal', 0o664],
    ['refusals.sqlite', 0o444],
    ['notes.txt', 0o644],
  ] as const) {
    writeFileSync(join(data, name), '');
    chmodSync(join(data, name), mode);
  }
  openDataFolder(data);
  const modes = readdirSync(data)
    .toSorted()
    .map((name) => [name, statSync(join(data, name)).mode & 0o777]);
  expect([statSync(data).mode & 0o777, ...modes]).toEqual([
    0o755,
    ['event-log.sqlite', 0o600],
    ['notes.txt', 0o644],
    ['read-model-1.sqlite-wal', 0o600],
    ['refusals.sqlite', 0o400],
  ]);
});

const inTheWay = (path: string): boolean => isInTheWayOfBackups('/data', path);
it('keeps backups out of what they copy', () => {
  expect(['/data', '/data/keys', '/data/keys/x', '/data/media/x/y', '/data/documents/x', '/data/folds/x'].map(inTheWay)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(['/data/backups/x', '/data/keys-of-old', '/datakeys', '/elsewhere/keys', '/'].map(inTheWay)).toEqual([false, false, false, false, false]);
});

it('says when root uses the folder of another user, whose server could not use what root makes there', () => {
  const place = folderForAll();
  onTestFinished(() => place.remove());
  const data = place.path('.');
  const told: unknown[] = [];
  const logger = { warn: (event: string, fields?: { readonly reason?: unknown }) => void told.push([event, fields?.reason]) };
  tellForeignOwner(data, logger);
  chownSync(data, 65_534, 65_534);
  tellForeignOwner(data, logger);
  asNobody(() => tellForeignOwner(data, logger));
  expect(told).toEqual([
    ['DATA_DIR belongs to another user', `${data} is of user 65534, and this runs as root: a server of that user may not use the files that root makes there`],
  ]);
});

it('names what this user may not use in a folder of data: not missing, nor damaged', () => {
  const place = folderForAll();
  onTestFinished(() => place.remove());
  const data = place.path('.');
  const refused = (): string => asNobody(() => refusalOf(() => expectPermissions(data)));
  mkdirSync(join(data, 'keys'));
  chmodSync(join(data, 'keys'), 0o777);
  expect(refused()).toBe('made');
  for (const name of ['refusals.sqlite', 'operations.json', 'erasures.jsonl', 'keys/persons.sqlite', 'keys/season.pem']) {
    const path = join(data, name);
    writeFileSync(path, '', { mode: 0o000 });
    expect([name, refused()]).toEqual([name, `DATA_DIR: this user may not use ${path}: look at who owns it, and at its mode`]);
    rmSync(path);
  }
  // What root has left when it was used by mistake is named at once; a read model that is only read would stand still.
  const left = ['operations.json', 'read-model-2.sqlite', 'read-model-2.sqlite-shm', 'read-model.live', 'folds/half-finished'].map((name) => join(data, name));
  mkdirSync(join(data, 'folds'));
  chmodSync(join(data, 'folds'), 0o777);
  for (const path of left) writeFileSync(path, '', { mode: path.endsWith('sqlite') ? 0o444 : 0o000 });
  expect(refused()).toBe(`DATA_DIR: this user may not use ${left.join(', ')}: look at who owns them, and at their modes`);
  writeFileSync(join(data, 'keys', 'jwt.key'), '', { mode: 0o000 });
  expect(refused()).toBe(
    `DATA_DIR: this user may not use ${[...left.slice(0, 4), join(data, 'keys', 'jwt.key')].join(', ')} and 1 more: look at who owns them, and at their modes`,
  );
  for (const path of [...left, join(data, 'keys', 'jwt.key')]) rmSync(path);
  // At the root of a disk of its own stands what is root's.
  mkdirSync(join(data, 'keys', 'lost+found'), { mode: 0o700 });
  // To be read is enough for a key that is made once.
  writeFileSync(join(data, 'keys', 'email.key'), '', { mode: 0o444 });
  expect(refused()).toBe('made');
  // To be read is not enough for the folder: SQLite would call its file damaged.
  for (const mode of [0o755, 0o700]) {
    chmodSync(join(data, 'keys'), mode);
    expect([mode, refused()]).toEqual([mode, `DATA_DIR: this user may not use ${join(data, 'keys')}: look at who owns it, and at its mode`]);
  }
});
