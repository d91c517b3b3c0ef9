import { changeAdmin, checkAdminToken, checkSuperAdminToken, createAdmin, listAdmins } from '@courtledger/contracts/admin/admin.api';
import { adminStream } from '@courtledger/contracts/admin/admin.events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { admin, openFeatureBench, superAdmin, type FeatureBench } from '../platform/testing/feature-bench.ts';
import { refusal } from '../platform/testing/refusal.ts';
import { emailStream, rehashPassword } from './admin.routes.ts';

let bench: FeatureBench;
beforeEach(async () => {
  bench = await openFeatureBench();
});
afterEach(() => {
  bench.close();
});

const account = { username: 'Asha', email: 'Asha@Example.com', phoneNumber: '9800000000', password: 'court-side-7788' };
const create = async (more: object = {}, key?: string) => {
  const { body } = await bench.send(createAdmin, { caller: superAdmin, body: { ...account, ...more }, ...(key !== undefined && { key }) });
  return body as { _id: string };
};
const change = (id: string, body: object, key?: string) =>
  bench.send(changeAdmin, { caller: superAdmin, params: { id }, body, ...(key !== undefined && { key }) });
const types = async (stream?: string) => (await bench.facts(stream)).map(({ type }) => type);
const inUse = 'conflict: This e-mail address is already in use';

describe('createAdmin', () => {
  it('answers the account without its password, and lists it', async () => {
    const body = await create({}, 'k');
    expect(body).toStrictEqual({ _id: body._id, username: 'Asha', email: 'asha@example.com', phoneNumber: '9800000000' });
    expect(await bench.read(listAdmins, { caller: superAdmin })).toStrictEqual([body]);
    expect(await bench.read(checkSuperAdminToken, { caller: superAdmin })).toStrictEqual([body]);
    expect(await types()).toStrictEqual(['AdminEmailClaimed', 'AdminCreated']);
    bench.restart();
    expect(await create({}, 'k')).toStrictEqual(body);
  });

  it('refuses an e-mail in use, also at once, and a common password', async () => {
    expect(await Promise.all([refusal(create()), refusal(create({ username: 'Other' }))])).toStrictEqual(['accepted', inUse]);
    expect(await refusal(create({ username: 'Third', email: 'ASHA@example.com' }))).toBe(inUse);
    expect(await refusal(create({ email: 'b@example.com', password: 'password' }))).toBe('invalid: This password is too common, please choose another one');
    expect(await types()).toStrictEqual(['AdminEmailClaimed', 'AdminCreated']);
  });

  it('names no address in the name of a stream', async () => {
    await create();
    expect((await bench.facts()).map(({ stream }) => stream).join(' ')).not.toContain('example');
  });
});

describe('changeAdmin', () => {
  it('moves the claim with the address', async () => {
    const { _id: id } = await create();
    const { body } = await change(id, { email: 'new@example.com' }, 'k');
    expect(body).toMatchObject({ email: 'new@example.com', username: 'Asha' });
    expect((await types()).slice(2)).toStrictEqual(['AdminEmailClaimed', 'AdminDetailsChanged', 'AdminEmailReleased']);
    expect(await types(emailStream(bench.deps.emailKey, 'asha@example.com'))).toStrictEqual(['AdminEmailClaimed', 'AdminEmailReleased']);
    await create();
    bench.restart();
    expect((await change(id, { email: 'new@example.com' }, 'k')).body).toStrictEqual(body);
    expect(await refusal(change(id, { email: 'asha@example.com' }))).toBe(inUse);
  });

  it('keeps the password when it is empty, changes it when it is not', async () => {
    const { _id: id } = await create();
    await change(id, { username: 'Asha R', password: '' });
    await change(id, { password: 'another-good-one' });
    expect((await types()).slice(2)).toStrictEqual(['AdminDetailsChanged', 'AdminPasswordChanged']);
    expect(await refusal(change(id, { password: '12345678' }))).toBe('invalid: This password is too common, please choose another one');
  });

  it('does not know an unknown admin', async () => {
    expect(await refusal(change('nope', { username: 'x' }))).toBe('not-found: There is no such admin');
  });
});

it('says whose token it is', async () => {
  const { _id } = await create();
  expect(await bench.read(checkAdminToken, { caller: { ...admin, id: _id } as typeof admin })).toStrictEqual({
    _id,
    username: 'Asha',
    email: 'asha@example.com',
  });
});

it('rehashes a password unless another was set meanwhile', async () => {
  const { _id } = await create();
  const [, created] = await bench.facts();
  const passwordHash = String((created?.data as { passwordHash?: string } | undefined)?.passwordHash);
  const context = {
    commandId: 'login',
    keyed: false,
    fingerprint: '',
    correlationId: 'r',
    actor: { role: 'system', id: 's', name: 'Login' },
    time: '2026-11-21T06:00:00.000Z',
  } as const;
  await rehashPassword(bench.deps, _id, passwordHash, 'stronger', context);
  await rehashPassword(bench.deps, _id, passwordHash, 'too late', context);
  expect((await bench.facts(adminStream(_id))).map(({ data }) => data).at(-1)).toStrictEqual({ adminId: _id, passwordHash: 'stronger', rehash: true });
});
