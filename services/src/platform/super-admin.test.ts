import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp, type App } from '../app.ts';
import { testConfig } from '../testing/site.ts';
import { KeyRefused } from './key-file.ts';
import { createPasswords } from './passwords.ts';
import { openSuperAdmin } from './super-admin.ts';
import { temporaryFolder } from './testing/gate-fixtures.ts';
import { silentLogger } from './testing/silent-logger.ts';

const passwords = createPasswords();
const secret = Buffer.alloc(32, 3);

test('the first start makes a password, keeps its hash only, and shows it once (S9)', async () => {
  const folder = temporaryFolder();
  const first = await openSuperAdmin(folder, undefined, passwords, secret);
  const made = first.madePassword ?? '';
  expect([first.account.id, made]).toEqual(['superadmin', expect.stringMatching(/^([a-z2-9]{6}-){3}[a-z2-9]{6}$/)]);
  expect(await passwords.verify(first.account.passwordHash, made)).toBe(true);
  for (const guess of ['', 'superadmin', 'admin', 'password', 'courtledger']) {
    expect(await passwords.verify(first.account.passwordHash, guess)).toBe(false);
  }
  const path = join(folder, 'keys', 'super-admin.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'keys'))).toEqual(['super-admin.json']);
  expect(readFileSync(path, 'utf8')).not.toContain(made);
  expect(await openSuperAdmin(folder, undefined, passwords, secret)).toEqual({ account: first.account, madePassword: undefined });
});

test('a start that fails makes no password: the next one would not show it', async () => {
  const folder = temporaryFolder();
  const started = (): App => createApp({ config: testConfig(folder, { superAdmin: undefined }), logger: silentLogger });
  // In the place of a folder.
  writeFileSync(join(folder, 'media'), '');
  const first = started();
  await expect(first.open()).rejects.toThrow('EEXIST');
  await first.close(0);
  rmSync(join(folder, 'media'));
  const second = started();
  expect((await second.open()).madePassword?.id).toBe('superadmin');
  await second.close(0);
});

test('the environment wins, writes nothing, and a change of it is another token version', async () => {
  const folder = temporaryFolder();
  const open = async (id: string, password: string, key = secret): Promise<string> =>
    (await openSuperAdmin(folder, { id, password }, passwords, key)).account.tokenVersion;
  const made = await openSuperAdmin(folder, undefined, passwords, secret);
  const version = await open('root', 'three pointers at dawn');
  expect(await open('root', 'three pointers at dawn')).toBe(version);
  const others = [
    made.account.tokenVersion,
    await open('root', 'three pointers at dusk'),
    await open('chief', 'three pointers at dawn'),
    await open('root', 'three pointers at dawn', Buffer.alloc(32, 4)),
  ];
  expect(new Set([version, ...others]).size).toBe(5);
  const { account, madePassword } = await openSuperAdmin(folder, { id: 'root', password: 'three pointers at dawn' }, passwords, secret);
  expect([account.id, madePassword, await passwords.verify(account.passwordHash, 'three pointers at dawn')]).toEqual(['root', undefined, true]);
  expect((await openSuperAdmin(folder, undefined, passwords, secret)).account).toEqual(made.account);
});

test('a damaged file is not replaced by a fresh password', async () => {
  const folder = temporaryFolder();
  await openSuperAdmin(folder, undefined, passwords, secret);
  const path = join(folder, 'keys', 'super-admin.json');
  for (const content of ['', '{', '{"id":"superadmin"}']) {
    writeFileSync(path, content);
    await expect(openSuperAdmin(folder, undefined, passwords, secret)).rejects.toSatisfy(
      (error: unknown) => error instanceof KeyRefused && error.message.startsWith(`${path} is damaged: restore it, remove it`),
    );
    expect(readFileSync(path, 'utf8')).toBe(content);
  }
});
