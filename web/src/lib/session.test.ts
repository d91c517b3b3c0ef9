import { expect, it, vi } from 'vitest';
import { accountOf, bearerFor, endSession, staffRole, startSession } from './session.ts';

it('keeps the tokens under their keys; after an hour only the key named token goes', () => {
  vi.useFakeTimers();
  try {
    localStorage.clear();
    localStorage.setItem('token', 'left over');
    startSession('admin', 'a');
    startSession('superadmin', 's');
    expect([localStorage.getItem('atoken'), localStorage.getItem('stoken')]).toEqual(['a', 's']);
    vi.advanceTimersByTime(3_599_999);
    expect(localStorage.getItem('token')).toBe('left over');
    vi.advanceTimersByTime(1);
    expect([localStorage.getItem('token'), bearerFor('admin'), bearerFor('superadmin')]).toEqual([null, 'a', 's']);
    endSession('admin');
    expect([bearerFor('admin'), bearerFor('superadmin')]).toEqual([undefined, 's']);
  } finally {
    vi.useRealTimers();
  }
});

it('lasts as long as the page where the browser keeps nothing', () => {
  localStorage.clear();
  const refusing = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Refused', 'QuotaExceededError');
  });
  try {
    startSession('admin', 'a');
    expect([bearerFor('admin'), staffRole(), localStorage.getItem('atoken')]).toEqual(['a', 'admin', null]);
    endSession('admin');
    expect([bearerFor('admin'), staffRole()]).toEqual([undefined, undefined]);
    startSession('admin', 'b');
  } finally {
    refusing.mockRestore();
  }
  startSession('admin', 'c');
  expect([bearerFor('admin'), localStorage.getItem('atoken')]).toEqual(['c', 'c']);
  endSession('admin');
  expect(bearerFor('admin')).toBeUndefined();
});

it('reads whom a token names, in any script, and nothing from what is no token', () => {
  const payload = Buffer.from(JSON.stringify({ sub: 'सुपर-admin' })).toString('base64url');
  for (const [token, name] of [
    [`a.${payload}.c`, 'सुपर-admin'],
    ['a.b.c', ''],
    ['', ''],
    [`a.${Buffer.from('{}').toString('base64url')}.c`, ''],
    [`a.${Buffer.from('null').toString('base64url')}.c`, ''],
  ] as const) {
    localStorage.setItem('stoken', token);
    expect(accountOf('superadmin')).toBe(name);
  }
  localStorage.clear();
  expect(accountOf('superadmin')).toBe('');
});

const token = (exp: number): string => `a.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.c`;
it('acts as an admin before a super admin, but not with a token that has expired while the other has not', () => {
  const [past, future] = [token(Date.now() / 1000 - 1), token(Date.now() / 1000 + 60)];
  for (const [admin, superAdmin, role] of [
    [undefined, undefined, undefined],
    [undefined, past, 'superadmin'],
    [future, future, 'admin'],
    [past, future, 'superadmin'],
    [past, past, 'admin'],
    [past, undefined, 'admin'],
    ['unreadable', future, 'admin'],
  ] as const) {
    localStorage.clear();
    if (admin !== undefined) localStorage.setItem('atoken', admin);
    if (superAdmin !== undefined) localStorage.setItem('stoken', superAdmin);
    expect(staffRole()).toBe(role);
  }
  localStorage.clear();
});
