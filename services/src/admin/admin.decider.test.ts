import type { AdminEmailEvent, AdminEvent } from '@courtledger/contracts/admin/admin.events';
import { describe, expect, it } from 'vitest';
import { given, refused } from '../platform/testing/specification.ts';
import { adminEmailDecider } from './admin-email.decider.ts';
import { adminDecider, type AdminCommand } from './admin.decider.ts';

const account = { adminId: 'a', username: 'Asha', email: 'asha@example.com', phoneNumber: '9800000000', passwordHash: 'h1' };
const created: AdminEvent = { type: 'AdminCreated', data: account };
const password = (passwordHash: string, rehash = false): AdminEvent => ({ type: 'AdminPasswordChanged', data: { adminId: 'a', passwordHash, rehash } });
const change = (more: Partial<Extract<AdminCommand, { type: 'changeAdmin' }>> = {}): AdminCommand => ({
  type: 'changeAdmin',
  username: undefined,
  email: undefined,
  phoneNumber: undefined,
  passwordHash: undefined,
  ...more,
});
const claimed = (adminId: string): AdminEmailEvent => ({ type: 'AdminEmailClaimed', data: { adminId } });
const released = (adminId: string): AdminEmailEvent => ({ type: 'AdminEmailReleased', data: { adminId } });

describe('an admin', () => {
  const cases: readonly [string, readonly AdminEvent[], AdminCommand, readonly AdminEvent[]][] = [
    ['is created', [], { type: 'createAdmin', account }, [created]],
    [
      'changes what differs',
      [created],
      change({ username: 'Asha', email: 'new@example.com' }),
      [{ type: 'AdminDetailsChanged', data: { adminId: 'a', changes: { email: 'new@example.com' } } }],
    ],
    [
      'changes details and password together',
      [created],
      change({ phoneNumber: '1234567', passwordHash: 'h2' }),
      [{ type: 'AdminDetailsChanged', data: { adminId: 'a', changes: { phoneNumber: '1234567' } } }, password('h2')],
    ],
    ['changes nothing for nothing', [created], change(), []],
    ['is rehashed', [created], { type: 'rehashPassword', oldHash: 'h1', passwordHash: 'h2' }, [password('h2', true)]],
    ['keeps a password that was set meanwhile', [created, password('h3')], { type: 'rehashPassword', oldHash: 'h1', passwordHash: 'h2' }, []],
  ];
  it.each(cases)('%s', (_, before, command, expected) => {
    expect(given(adminDecider, before).when(command)).toStrictEqual(expected);
  });
  it('is created once, and not changed before', () => {
    expect(given(adminDecider, [created]).when({ type: 'createAdmin', account })).toStrictEqual(refused('conflict', 'This admin exists already'));
    expect(given(adminDecider, []).when(change())).toStrictEqual(refused('not-found', 'There is no such admin'));
  });
});

describe('an e-mail address', () => {
  const cases: readonly [string, readonly AdminEmailEvent[], 'claimEmail' | 'releaseEmail', readonly AdminEmailEvent[]][] = [
    ['is claimed', [], 'claimEmail', [claimed('a')]],
    ['is claimed once', [claimed('a')], 'claimEmail', []],
    ['is released', [claimed('a')], 'releaseEmail', [released('a')]],
    ['is not released by another', [claimed('b')], 'releaseEmail', []],
    ['is free again', [claimed('b'), released('b')], 'claimEmail', [claimed('a')]],
  ];
  it.each(cases)('%s', (_, before, type, expected) => {
    expect(given(adminEmailDecider, before).when({ type, adminId: 'a' })).toStrictEqual(expected);
  });
  it('belongs to at most one account', () => {
    expect(given(adminEmailDecider, [claimed('b')]).when({ type: 'claimEmail', adminId: 'a' })).toStrictEqual(
      refused('conflict', 'This e-mail address is already in use', 'email'),
    );
  });
});
