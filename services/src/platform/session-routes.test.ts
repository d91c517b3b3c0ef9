import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { auditStream } from '@courtledger/contracts/player/person.events';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import { openMemoryEventLog } from '../event-log/memory-event-log.ts';
import { createAuth, type Auth } from './auth.ts';
import type { Bound, Call, Caller, CommandReply } from './call.ts';
import { createCapabilities } from './capability.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { sessionRoutes, type SessionDeps } from './session-routes.ts';
import { openSuperAdmin } from './super-admin.ts';
import { testContext, testHandler } from './testing/command-bench.ts';
import { fakeReads, movableClock, refusalOf, temporaryFolder, type FakeReads, type MovableClock } from './testing/gate-fixtures.ts';
import { createThrottle } from './throttle.ts';
import { createTokens, type Tokens } from './tokens.ts';

const right = 'three pointers at dawn';
const secret = Buffer.alloc(32, 7);

type World = {
  readonly clock: MovableClock;
  readonly reads: FakeReads;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  readonly auth: Auth;
  readonly rehashed: string[];
  readonly log: ReturnType<typeof openMemoryEventLog>;
  call(name: string, call: Partial<Call>): Promise<CommandReply>;
};

const world = async (change: Partial<SessionDeps> = {}): Promise<World> => {
  const clock = movableClock();
  const reads = fakeReads();
  const passwords = createPasswords();
  const tokens = createTokens(secret, clock);
  const { account: superAdmin } = await openSuperAdmin(temporaryFolder(), { id: 'root', password: right }, passwords, secret);
  const auth = createAuth({ tokens, capabilities: createCapabilities(secret), reads, superAdmin, clock });
  reads.admins.set('a1', { id: 'a1', username: 'Asha', email: 'asha@example.org', passwordHash: await passwords.hash(right), tokenVersion: '5' });
  const { handler: commands, log } = testHandler(openMemoryEventLog());
  const rehashed: string[] = [];
  const rehashPassword: SessionDeps['rehashPassword'] = async (adminId, _oldHash, passwordHash) => {
    rehashed.push(adminId, passwordHash);
  };
  const routes = sessionRoutes({ auth, tokens, reads, passwords, superAdmin, throttle: createThrottle(clock), commands, rehashPassword, ...change });
  return {
    clock,
    reads,
    passwords,
    tokens,
    auth,
    rehashed,
    log,
    async call(name, call) {
      const bound: Bound | undefined = routes.find(({ endpoint }) => endpoint.name === name);
      if (bound === undefined) throw new Error(`${name} is not bound`);
      const whole: Call = {
        endpoint: bound.endpoint,
        params: {},
        query: {},
        body: {},
        files: {},
        caller: { role: 'visitor' },
        context: testContext(),
        today: '2026-11-01',
        address: '192.0.2.1',
        ...call,
      };
      return (await bound.handle(whole)) as CommandReply;
    },
  };
};
const tokenOf = (reply: CommandReply): string => (reply.body as { readonly token: string }).token;
const bearer = (token: string): { headers: { authorization: string } } => ({ headers: { authorization: `Bearer ${token}` } });
const wrong = async (it: World, body: object, address = '192.0.2.1', name = 'logInAdmin'): Promise<DomainError | undefined> =>
  refusalOf(it.call(name, { body, address }));

const logIsFull = async (): Promise<void> => {
  throw new DomainError('unavailable', 'Nothing can be saved at the moment');
};

describe('logging in', () => {
  test('answers a token and sets it as a cookie', async () => {
    const it = await world();
    const admin = await it.call('logInAdmin', { body: { email: ' Asha@Example.org ', password: right } });
    expect(it.tokens.read(tokenOf(admin))).toMatchObject({ role: 'admin', subject: 'a1', version: '5' });
    expect(admin.cookies).toEqual([{ name: 'cl_admin', value: tokenOf(admin), path: '/api', maxAgeSeconds: 3600 }]);
    expect(it.auth.authenticate(bearer(tokenOf(admin)), { name: 'listTeams', access: 'admin' })).toMatchObject({ role: 'admin', id: 'a1', name: 'Asha' });
    const chief = await it.call('logInSuperAdmin', { body: { id: 'root', password: right } });
    expect(chief.cookies?.map(({ name }) => name)).toEqual(['cl_superadmin']);
    expect(it.auth.authenticate(bearer(tokenOf(chief)), { name: 'listAdmins', access: 'superadmin' }).role).toBe('superadmin');
    expect(await it.log.head()).toBe('start');
  });

  test('says the same, and works the same, whatever is wrong (S12)', async () => {
    const it = await world();
    const attempts: [string, object][] = [
      ['logInAdmin', { email: 'asha@example.org', password: 'wrong' }],
      ['logInAdmin', { email: 'nobody@example.org', password: 'wrong' }],
      ['logInAdmin', { email: 'nobody@example.org', password: right }],
      ['logInAdmin', { email: '', password: '' }],
      ['logInSuperAdmin', { id: 'root', password: 'wrong' }],
      ['logInSuperAdmin', { id: 'nobody', password: right }],
    ];
    const seen: unknown[] = [];
    for (const [index, [name, body]] of attempts.entries()) {
      const before = it.passwords.verifications();
      // Each is counted alone.
      const refusal = await wrong(it, body, `192.0.2.${index}`, name);
      seen.push([refusal?.code, refusal?.message, it.passwords.verifications() - before]);
    }
    expect(seen).toEqual(attempts.map(() => ['unauthenticated', 'Invalid Credentials', 1]));
  });

  test('a hundred wrong attempts: few are evaluated, and the right password from another address still works (S11)', async () => {
    const it = await world();
    const codes: (string | undefined)[] = [];
    // One after another, as a guesser waits for answers.
    for (let attempt = 0; attempt < 100; attempt += 1) codes.push((await wrong(it, { email: 'asha@example.org', password: `guess ${attempt}` }))?.code);
    expect(codes.filter((code) => code === 'unauthenticated')).toHaveLength(4);
    expect(codes.filter((code) => code === 'throttled')).toHaveLength(96);
    expect(it.passwords.verifications()).toBe(4);
    expect(tokenOf(await it.call('logInAdmin', { body: { email: 'asha@example.org', password: right }, address: '192.0.2.2' }))).not.toBe('');
    expect((await wrong(it, { email: 'asha@example.org', password: right }))?.code).toBe('throttled');
    it.clock.advance(15 * 60_000);
    expect(await wrong(it, { email: 'asha@example.org', password: right })).toBeUndefined();
  });

  test('what was not looked at does not count against anybody', async () => {
    const it = await world({ passwords: createPasswords({ waiting: 0 }) });
    const refusals = await Promise.all(Array.from({ length: 4 }, async () => wrong(it, { email: 'asha@example.org', password: right })));
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(2);
    const later = await Promise.all(Array.from({ length: 2 }, async () => wrong(it, { email: 'asha@example.org', password: right })));
    expect(later).toEqual([undefined, undefined]);
  });

  test('an old hash is made again, and a log that takes no writes keeps nobody out (S10)', async () => {
    const it = await world();
    it.reads.admins.set('a1', {
      id: 'a1',
      username: 'Asha',
      email: 'asha@example.org',
      passwordHash: await hash(right, { memoryCost: 4096 }),
      tokenVersion: '5',
    });
    await it.call('logInAdmin', { body: { email: 'asha@example.org', password: right } });
    const [adminId, made = ''] = it.rehashed;
    expect([adminId, it.passwords.needsRehash(made), await it.passwords.verify(made, right)]).toEqual(['a1', false, true]);
    expect((await wrong(it, { email: 'asha@example.org', password: 'wrong' }))?.code).toBe('unauthenticated');
    expect(it.rehashed).toHaveLength(2);

    const full = await world({ rehashPassword: logIsFull, reads: it.reads });
    expect(full.tokens.read(tokenOf(await full.call('logInAdmin', { body: { email: 'asha@example.org', password: right } })))?.subject).toBe('a1');
  });
});

describe('logging out (S7)', () => {
  test.each([
    ['logOutAdmin', 'logInAdmin', { email: 'asha@example.org', password: right }, 'cl_admin', 'a1'],
    ['logOutSuperAdmin', 'logInSuperAdmin', { id: 'root', password: right }, 'cl_superadmin', 'superadmin'],
  ] as const)('%s ends this token at once and for good', async (logOut, logIn, body, cookie, subjectId) => {
    const it = await world();
    const endpoint = logOut === 'logOutAdmin' ? ({ name: 'listTeams', access: 'admin' } as const) : ({ name: 'listAdmins', access: 'superadmin' } as const);
    const [token, second] = [tokenOf(await it.call(logIn, { body })), tokenOf(await it.call(logIn, { body }))];
    const caller: Caller = it.auth.authenticate(bearer(token), endpoint);
    const context = testContext();
    const reply = await it.call(logOut, { caller, context });
    expect([reply.position, reply.cookies]).toEqual([1n, [{ name: cookie, value: '', path: '/api', maxAgeSeconds: 0 }]]);
    const claims = it.tokens.read(token);
    const events = await it.log.readStream(auditStream(context.time));
    expect(events?.map(({ type, data, metadata }) => ({ type, data, actor: metadata.actor.role }))).toEqual([
      { type: 'SessionRevoked', data: { role: claims?.role, subjectId, jti: claims?.jti, expires: claims?.expires }, actor: 'admin' },
    ]);
    expect((await refusalOf((async () => it.auth.authenticate(bearer(token), endpoint))()))?.code).toBe('unauthenticated');
    expect(it.auth.authenticate(bearer(second), endpoint).role).toBe(caller.role);
  });

  test('with a key that another session has used ends this one as well', async () => {
    const it = await world();
    const body = { email: 'asha@example.org', password: right };
    const sessions: string[] = [];
    for (let session = 0; session < 2; session += 1) {
      const token = tokenOf(await it.call('logInAdmin', { body }));
      sessions.push(it.tokens.read(token)?.jti ?? '');
      await it.call('logOutAdmin', { caller: it.auth.authenticate(bearer(token), { name: 'logOutAdmin', access: 'admin' }), context: testContext('log-out') });
    }
    // What is recorded counts after a restart.
    expect((await it.log.readStream(auditStream(testContext().time)))?.map(({ data }) => (data as { readonly jti: string }).jti)).toEqual(sessions);
  });
});
