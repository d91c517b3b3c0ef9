import { expect, it, vi } from 'vitest';
import { accountOf, bearerFor, endSession, startSession } from './session.ts';

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

it('reads whom a token names, in any script, and nothing from what is no token', () => {
  const payload = Buffer.from(JSON.stringify({ sub: 'सुपर-admin' })).toString('base64url');
  for (const [token, name] of [[`a.${payload}.c`, 'सुपर-admin'], ['a.b.c', ''], ['', ''], [`a.${Buffer.from('{}').toString('base64url')}.c`, '']] as const) {
    localStorage.setItem('stoken', token);
    expect(accountOf('superadmin')).toBe(name);
  }
  localStorage.clear();
  expect(accountOf('superadmin')).toBe('');
});
