import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serverKey } from './key-file.ts';
import { temporaryFolder } from './testing/gate-fixtures.ts';

test('a key is made once, for its owner alone, and differs from the others', () => {
  const folder = temporaryFolder();
  const key = serverKey(folder, 'jwt');
  expect(key).toHaveLength(32);
  expect(serverKey(folder, 'jwt').equals(key)).toBe(true);
  expect(serverKey(folder, 'capability').equals(key)).toBe(false);
  expect(statSync(join(folder, 'keys', 'jwt.key')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(folder, 'keys')).toSorted()).toEqual(['capability.key', 'jwt.key']);
});

test('a damaged key is refused, not replaced', () => {
  const folder = temporaryFolder();
  serverKey(folder, 'jwt');
  writeFileSync(join(folder, 'keys', 'jwt.key'), 'short');
  expect(() => serverKey(folder, 'jwt')).toThrow(
    `${join(folder, 'keys', 'jwt.key')} should hold 32 bytes and holds 5: bring it back from a backup. Only when it is lost for good: move the file away, and the next start makes a new one (logins, or registrations that are under way, end)`,
  );
});

test('a folder in place of a key is named, as every file that cannot be read', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'keys', 'jwt.key');
  mkdirSync(path, { recursive: true });
  expect(() => serverKey(folder, 'jwt')).toThrow(expect.objectContaining({ code: 'EISDIR', path }));
});
