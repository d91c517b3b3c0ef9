import { parseOptions } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { commonPasswords, isCommonPassword } from './passwords-common.ts';
import { createPasswords, expectUncommon } from './passwords.ts';
import { codeOf, refusalOf } from './testing/gate-fixtures.ts';

const storedHash = (kind: string, memory: number, passes: number): string =>
  `$${kind}$v=19$m=${memory},t=${passes},p=1$c29tZXNhbHRzb21lc2FsdA$${Buffer.alloc(32).toString('base64').replace('=', '')}`;

describe('createPasswords', () => {
  test('a hash carries the parameters that make it dear (S10)', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash('Hoops in the rain');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(parseOptions(stored)).toMatchObject({ memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32, saltLen: 16 });
    expect([
      await passwords.verify(stored, 'Hoops in the rain'),
      await passwords.verify(stored, 'hoops in the rain'),
      await passwords.verify(stored, ''),
    ]).toEqual([true, false, false]);
    expect(await passwords.hash('Hoops in the rain')).not.toBe(stored);
  });

  test('the same characters from another keyboard are the same password', async () => {
    const passwords = createPasswords();
    expect(await passwords.verify(await passwords.hash('Caf\u00E9 court'), 'Cafe\u0301 court')).toBe(true);
  });

  test('an unknown account costs the same work and never fits (S12)', async () => {
    const passwords = createPasswords();
    expect(await passwords.verify(undefined, 'anything')).toBe(false);
    expect(passwords.verifications()).toBe(1);
  });

  test('weaker hashes are made again', () => {
    const passwords = createPasswords();
    expect(
      [
        storedHash('argon2id', 19_456, 2),
        storedHash('argon2id', 65_536, 3),
        storedHash('argon2id', 4096, 2),
        storedHash('argon2id', 19_456, 1),
        storedHash('argon2i', 19_456, 2),
      ].map((stored) => passwords.needsRehash(stored)),
    ).toEqual([false, false, true, true, true]);
  });

  test('forty at once: two run, some wait, the rest are told to come again (S11)', async () => {
    const passwords = createPasswords({ waiting: 6 });
    const stored = await passwords.hash('Hoops in the rain');
    const outcomes = await Promise.all(Array.from({ length: 40 }, async () => refusalOf(passwords.verify(stored, 'wrong'))));
    expect(outcomes.filter((refusal) => refusal === undefined)).toHaveLength(8);
    expect(outcomes.filter((refusal) => refusal?.code === 'throttled' && refusal.retryAfter === 2)).toHaveLength(32);
    expect(passwords.verifications()).toBe(8);
    expect(await passwords.verify(stored, 'Hoops in the rain')).toBe(true);
  });
});

describe('common passwords (S10)', () => {
  test('more than three thousand of the list are long enough, and none is accepted', () => {
    let count = 0;
    const accepted: string[] = [];
    for (const password of commonPasswords(8)) {
      count += 1;
      if (!isCommonPassword(password)) accepted.push(password);
    }
    expect(accepted).toEqual([]);
    expect(count).toBeGreaterThan(3000);
  });

  test.each([
    'password',
    'Password1',
    'PASSWORD123',
    'p@ssw0rd',
    'P@$$w0rd!',
    'passw0rd2026',
    '12345678',
    '123456789',
    '1234567890',
    '87654321',
    '11111111',
    '00000000',
    'qwertyuiop',
    'qwerty123',
    'Qwerty1!',
    '1q2w3e4r',
    '1qaz2wsx',
    'zaq12wsx',
    'asdfghjkl',
    'abcd1234',
    'aaaaaaaa',
    'abcabcabc',
    '12121212',
    'iloveyou',
    'letmein1',
    'Welcome1',
    'welcome123',
    'Admin123',
    'admin1234',
    'administrator',
    'superadmin',
    'Superadmin1',
    'football1',
    'baseball',
    'basketball',
    'Basketball1',
    'superman',
    'batman123',
    'sunshine',
    'princess1',
    'dragon123',
    'monkey123',
    'master123',
    'trustno1',
    'starwars',
    'michael1',
    'jordan23',
    'changeme',
    'changeme1',
    'test1234',
    'courtledger',
    'CourtLedger1',
    'nepal123',
    'kathmandu',
    'Kathmandu1',
    'pokhara123',
    'ｐａｓｓｗｏｒｄ',
    'hellohello',
    '123password',
    'Nepal@2026',
    'computer',
    'internet',
    'liverpool',
    'chelsea1',
    'a1b2c3d4',
    '147258369',
    'qazwsxedc',
    'zxcvbnm123',
  ])('%s is common', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  test.each([
    'correct horse battery staple',
    'Hoops-Nepal-2026',
    'gh7Kq2mZ',
    'three pointers at dawn',
    'Tr0ub4dor&3-x',
    'नेपालमा बास्केटबल',
    'basketball under the stars',
    '9841 rim 2207',
    'passwordless tournament',
  ])('%s is not', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });

  test('is an error of the field', () => {
    expect(
      codeOf(() => {
        expectUncommon('password1');
      }),
    ).toBe('invalid');
    expect(
      codeOf(() => {
        expectUncommon('three pointers at dawn');
      }),
    ).toBe('none');
  });
});
