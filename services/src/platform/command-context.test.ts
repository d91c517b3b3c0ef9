import { expect, it } from 'vitest';
import type { Caller } from './call.ts';
import { actorOf, commandContext, createdId, type CommandOrigin } from './command-context.ts';
import { createEventIds, derivedId } from './event-ids.ts';

const admin: Caller = { role: 'admin', id: 'a1', name: 'Asha', jti: 'j', expires: 1 };
const origin = (more: Partial<CommandOrigin> = {}): CommandOrigin => ({
  caller: admin,
  method: 'POST',
  path: '/api/match/match/update',
  idempotencyKey: 'key',
  correlationId: 'r',
  time: '2026-11-21T06:00:00.000Z',
  body: { matchId: 'm', lines: [{ a: 1, b: 2 }] },
  fileHashes: {},
  ...more,
});
const context = (more: Partial<CommandOrigin> = {}) => commandContext(origin(more), () => 'fresh');

it('knows a command again by caller, method, path and key', () => {
  const { commandId } = context();
  expect(commandId).toMatch(/^[0-9a-f]{64}$/);
  expect(context({ body: {}, correlationId: 'other', path: '/api/match/match/update/' }).commandId).toBe(commandId);
  for (const more of [{ caller: { ...admin, id: 'a2' } }, { method: 'PUT' }, { path: '/api/other' }, { idempotencyKey: 'another' }] as const)
    expect(context(more).commandId).not.toBe(commandId);
  const visitor = context({ caller: { role: 'visitor' } }).commandId;
  expect(context({ caller: { role: 'registrant', teamId: 't' } }).commandId).toBe(visitor);
});

it('knows a body again whatever the order of its names, and no other body', () => {
  const { fingerprint } = context();
  expect(fingerprint).toMatch(/^[0-9a-f]{32}$/);
  expect(context({ body: { lines: [{ b: 2, a: 1 }], matchId: 'm' } }).fingerprint).toBe(fingerprint);
  for (const more of [{ body: { matchId: 'm', lines: [{ a: 1, b: 3 }] } }, { body: { matchId: 'm', lines: [] } }, { fileHashes: { logo: 'ab' } }])
    expect(context(more).fingerprint).not.toBe(fingerprint);
});

it('makes the fingerprint under the key, so that what is in the body cannot be guessed from the log', () => {
  expect(context({ idempotencyKey: 'another' }).fingerprint).not.toBe(context().fingerprint);
});

it('remembers nothing of a command without a key', () => {
  expect(context({ idempotencyKey: undefined })).toStrictEqual({
    commandId: 'fresh',
    keyed: false,
    fingerprint: '',
    correlationId: 'r',
    actor: { role: 'admin', id: 'a1', name: 'Asha' },
    time: '2026-11-21T06:00:00.000Z',
  });
});

it('names actors without phone or e-mail', () => {
  const cases: readonly [Caller, string, string][] = [
    [admin, 'a1', 'Asha'],
    [{ ...admin, name: 'asha@example.com' }, 'a1', 'Admin'],
    [{ ...admin, name: '+977 98-000 000' }, 'a1', 'Admin'],
    [{ ...admin, name: 'Asha 7' }, 'a1', 'Asha 7'],
    [{ role: 'superadmin', id: 'root@example.com', name: 'root@example.com', jti: 'j', expires: 1 }, 'superadmin', 'Super admin'],
    [{ role: 'registrant', teamId: 't' }, 't', 'Team registration'],
    [{ role: 'visitor' }, 'visitor', 'Visitor'],
  ];
  for (const [caller, id, name] of cases) expect(actorOf(caller)).toStrictEqual({ role: caller.role, id, name });
});

it('gives what a keyed command creates the same id again, each thing its own', () => {
  const ids = [createdId(context(), 'team', () => 'fresh'), createdId(context(), 'contact', () => 'fresh')];
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(derivedId(context().commandId, 'team')).toBe(ids[0]);
  expect(createdId(context({ idempotencyKey: undefined }), 'team', () => 'fresh')).toBe('fresh');
});

it('makes event ids that rise, also while the clock stands or goes back', () => {
  let now = 1_800_000_000_000;
  const newId = createEventIds({ now: () => now });
  const ids: string[] = [];
  for (let index = 0; index < 10_000; index += 1) {
    if (index === 5000) now -= 86_400_000;
    ids.push(newId());
  }
  now += 200_000_000;
  ids.push(newId());
  expect(ids).toStrictEqual([...new Set(ids)].toSorted());
  expect(ids[0]?.slice(0, 13)).toBe('01a3185c-5000');
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
