import { listAdmins as listAdminsEndpoint } from '@courtledger/contracts/admin/admin.api';
import { expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { adminByEmail, adminById, isRevoked, listAdmins } from './admin.queries.ts';

const accounts = (): RecordedLog => {
  const log = new RecordedLog();
  log.record('admin-x', 'AdminCreated', { adminId: 'x', username: 'Asha', email: 'asha@example.org', phoneNumber: '01-5550100', passwordHash: '$argon2id$x1' });
  log.record('admin-y', 'AdminCreated', { adminId: 'y', username: 'Bina', email: 'bina@example.org', phoneNumber: '01-5550101', passwordHash: '$argon2id$y1' });
  return log;
};

test('the list of admins holds no hash, and no other table but one does', () => {
  using model = projected(accounts());
  expect(listAdminsEndpoint.response.parse(JSON.parse(listAdmins(model.reader)))).toEqual([
    { _id: 'x', username: 'Asha', email: 'asha@example.org', phoneNumber: '01-5550100' },
    { _id: 'y', username: 'Bina', email: 'bina@example.org', phoneNumber: '01-5550101' },
  ]);
  const tables = model.reader.texts("SELECT name FROM sqlite_master WHERE type = 'table'");
  expect(tables.filter((table) => JSON.stringify(model.reader.rows(`SELECT * FROM ${table}`)).includes('argon2id'))).toEqual(['credential_documents']);
});

test('an account is found by id and e-mail; its token version moves with the password, not with a rehash', () => {
  const log = accounts();
  using model = projected(log);
  const created = adminById(model.reader, 'x');
  expect(created).toMatchObject({ id: 'x', username: 'Asha', email: 'asha@example.org', passwordHash: '$argon2id$x1', tokenVersion: '2' });
  expect(adminByEmail(model.reader, 'asha@example.org')).toEqual(created);

  log.record('admin-x', 'AdminPasswordChanged', { adminId: 'x', passwordHash: '$argon2id$x2', rehash: true });
  model.projector.apply(log.events);
  expect(adminById(model.reader, 'x')).toEqual({ ...created, passwordHash: '$argon2id$x2' });

  const changed = log.record('admin-x', 'AdminPasswordChanged', { adminId: 'x', passwordHash: '$argon2id$x3', rehash: false });
  log.record('admin-x', 'AdminDetailsChanged', { adminId: 'x', changes: { email: 'new@example.org' } });
  model.projector.apply(log.events);
  expect(adminByEmail(model.reader, 'new@example.org')).toEqual({
    id: 'x',
    username: 'Asha',
    email: 'new@example.org',
    passwordHash: '$argon2id$x3',
    tokenVersion: changed.position.toString(),
  });
  expect(adminByEmail(model.reader, 'asha@example.org')).toBeUndefined();
  expect(adminById(model.reader, 'nobody')).toBeUndefined();
});

test('revoked sessions', () => {
  const log = accounts();
  log.record('audit-2026-11', 'SessionRevoked', { role: 'admin', subjectId: 'x', jti: 'j1', expires: 1000 });
  log.record('audit-2026-11', 'SessionRevoked', { role: 'superadmin', subjectId: 's', jti: 'j2', expires: 2000 });
  using model = projected(log);
  expect([isRevoked(model.reader, 'j1'), isRevoked(model.reader, 'j3')]).toEqual([true, false]);
});
