import { describe, expect, test } from 'vitest';
import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import { mayCall } from './access.ts';
import { createAuth, type Auth } from './auth.ts';
import type { AuthReads } from './auth-reads.ts';
import { cookieHeader, readCookies, setLoginCookie, setRegistrationCookie } from './auth-cookies.ts';
import type { Caller } from './call.ts';
import { createCapabilities } from './capability.ts';
import { codeOf, fakeReads, movableClock, type FakeReads, type MovableClock } from './testing/gate-fixtures.ts';
import { createTokens, type TokenRole, type Tokens } from './tokens.ts';

const secret = Buffer.alloc(32, 7);
const capabilities = createCapabilities(Buffer.alloc(32, 8));
const superAdmin = { id: 'root', tokenVersion: 's1' };
const own = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';
const unknown = '33333333-3333-4333-8333-333333333333';
const hour = 3_600_000;

type World = { readonly clock: MovableClock; readonly reads: FakeReads; readonly tokens: Tokens; readonly auth: Auth; restart(): Auth };
const world = (): World => {
  const clock = movableClock();
  const reads = fakeReads();
  reads.admins.set('a1', { id: 'a1', username: 'Asha', email: 'asha@example.org', passwordHash: 'h', tokenVersion: '5' });
  for (const teamId of [own, other])
    reads.teams.set(teamId, { capabilityHash: capabilities.capabilityFor(teamId).hash, registeredAt: new Date(clock.now()).toISOString() });
  const tokens = createTokens(secret, clock);
  const restart = (): Auth => createAuth({ tokens: createTokens(secret, clock), capabilities, reads, superAdmin, clock });
  return { clock, reads, tokens, auth: createAuth({ tokens, capabilities, reads, superAdmin, clock }), restart };
};

type Sent = { readonly bearer?: string; readonly cookies?: Readonly<Record<string, string>> };
const request = ({ bearer, cookies }: Sent): { headers: { authorization?: string; cookie?: string } } => ({
  headers: {
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(cookies && {
      cookie: Object.entries(cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; '),
    }),
  },
});
const issue = ({ tokens }: World, role: TokenRole): string => (role === 'admin' ? tokens.issue('admin', 'a1', '5') : tokens.issue('superadmin', 'root', 's1'));
const registration = (teamId: string): Readonly<Record<string, string>> => ({ [`cl_reg_${teamId}`]: capabilities.capabilityFor(teamId).token });
const { appointCoach, listTeams, listAdmins, listTournaments, checkAdminToken, checkSuperAdminToken } = allEndpoints;

/** Role of the caller, or the code of the refusal. */
const outcome = ({ auth }: { readonly auth: Auth }, endpoint: Endpoint, sent: Sent, teamId?: unknown): string => {
  let role = '';
  const code = codeOf(() => {
    role = auth.authenticate(request(sent), endpoint, teamId).role;
  });
  return code === 'none' ? role : code;
};

/** What the table of the api-contract says. */
const expected = (endpoint: Endpoint, role: Caller['role'] | 'bad'): string => {
  if (endpoint.access === 'public') return 'visitor';
  if (role === 'visitor' || role === 'bad') return 'unauthenticated';
  if (mayCall(endpoint, role)) return role;
  return endpoint.name === 'checkAdminToken' || endpoint.name === 'checkSuperAdminToken' || (role === 'registrant' && endpoint.access !== 'registrant')
    ? 'unauthenticated'
    : 'forbidden';
};

describe('every route with every caller', () => {
  test('there are endpoints of every kind of access, each with a row in the table', () => {
    const counts = Object.groupBy(Object.values(allEndpoints) as Endpoint[], ({ access }) => access);
    for (const access of ['public', 'registrant', 'admin', 'superadmin'] as const) expect(counts[access]?.length ?? 0).toBeGreaterThan(2);
    for (const endpoint of Object.values(allEndpoints) as Endpoint[]) expect(mayCall(endpoint, 'visitor')).toBe(endpoint.access === 'public');
  });

  test.each((Object.values(allEndpoints) as Endpoint[]).map((endpoint) => [endpoint.name, endpoint] as const))('%s', (_name, endpoint) => {
    const it = world();
    const expired = issue(it, 'admin');
    const wrongVersion = it.tokens.issue('admin', 'a1', '4');
    const unknownAccount = it.tokens.issue('admin', 'a9', '5');
    it.clock.advance(hour);
    const rows: [string, Sent, Caller['role'] | 'bad'][] = [
      ['none', {}, 'visitor'],
      ['Bearer null', { bearer: 'null' }, 'visitor'],
      ['Bearer undefined', { bearer: 'undefined' }, 'visitor'],
      ['capability', { cookies: registration(own) }, 'registrant'],
      ['admin', { bearer: issue(it, 'admin') }, 'admin'],
      ['admin by cookie', { cookies: { cl_admin: issue(it, 'admin') } }, 'admin'],
      ['super admin', { bearer: issue(it, 'superadmin') }, 'superadmin'],
      ['super admin by cookie', { cookies: { cl_superadmin: issue(it, 'superadmin') } }, 'superadmin'],
      ['expired', { bearer: expired }, 'bad'],
      ['expired by cookie', { cookies: { cl_admin: expired, cl_superadmin: expired } }, 'bad'],
      ['before the password change', { bearer: wrongVersion }, 'bad'],
      ['no such account', { bearer: unknownAccount }, 'bad'],
      ['forged', { bearer: 'a.b.c' }, 'bad'],
    ];
    expect(rows.map(([name, sent]) => [name, outcome(it, endpoint, sent, own)])).toEqual(rows.map(([name, , role]) => [name, expected(endpoint, role)]));
  });
});

test('a good token of an admin says where its account came to be, while the read model may not show that yet', () => {
  const it = world();
  let isBehind = true;
  const auth = createAuth({ tokens: it.tokens, capabilities, reads: it.reads, superAdmin, clock: it.clock, isBehind: () => isBehind });
  const token = it.tokens.issue('admin', 'a9', '12');
  const sent: readonly Sent[] = [
    { bearer: token },
    { cookies: { cl_admin: token } },
    { bearer: 'null', cookies: { cl_admin: token } },
    { bearer: `${token}x` },
    { bearer: issue(it, 'superadmin'), cookies: { cl_admin: token } },
    {},
  ];
  const places = (): readonly (bigint | undefined)[] => sent.map((one) => auth.restsOn(request(one)));
  expect(places()).toEqual([12n, 12n, 12n, undefined, undefined, undefined]);
  isBehind = false;
  expect(places()).toEqual([undefined, undefined, undefined, undefined, undefined, undefined]);
});

describe('registrants (S1)', () => {
  test('a call on each team with each credential', () => {
    const it = world();
    const admin = issue(it, 'admin');
    const rows: [Sent, string, string][] = [
      [{}, 'unauthenticated', 'unauthenticated'],
      [{ cookies: registration(own) }, 'registrant', 'forbidden'],
      [{ cookies: { ...registration(own), ...registration(other) } }, 'registrant', 'registrant'],
      [{ cookies: { [`cl_reg_${own}`]: capabilities.capabilityFor(other).token } }, 'unauthenticated', 'unauthenticated'],
      [{ cookies: { [`cl_reg_${own}`]: 'forged' } }, 'unauthenticated', 'unauthenticated'],
      [{ bearer: admin }, 'admin', 'admin'],
      [{ bearer: 'stale', cookies: registration(own) }, 'registrant', 'forbidden'],
      [{ bearer: 'stale' }, 'unauthenticated', 'unauthenticated'],
      [{ bearer: issue(it, 'superadmin'), cookies: registration(own) }, 'forbidden', 'forbidden'],
      [{ bearer: admin, cookies: registration(own) }, 'admin', 'admin'],
      [{ cookies: { ...registration(own), cl_admin: admin } }, 'registrant', 'admin'],
      [{ cookies: { ...registration(own), cl_admin: 'stale' } }, 'registrant', 'unauthenticated'],
    ];
    expect(rows.map(([sent]) => [outcome(it, appointCoach, sent, own), outcome(it, appointCoach, sent, other)])).toEqual(
      rows.map(([, first, second]) => [first, second]),
    );
  });

  test('a team of somebody else and one that does not exist cannot be told apart', () => {
    const it = world();
    const refusal = (teamId: string): unknown => {
      try {
        it.auth.authenticate(request({ cookies: registration(own) }), appointCoach, teamId);
        return undefined;
      } catch (error) {
        return error instanceof DomainError ? [error.code, error.message, error.errors] : error;
      }
    };
    expect(refusal(other)).toEqual(['forbidden', 'You are not allowed to do this', []]);
    expect(refusal(unknown)).toEqual(refusal(other));
  });

  test('a registration ends after 24 hours, and with it the call of its cookie', () => {
    const it = world();
    it.clock.advance(24 * hour - 1);
    expect(outcome(it, appointCoach, { cookies: registration(own) }, own)).toBe('registrant');
    it.clock.advance(1);
    expect(outcome(it, appointCoach, { cookies: registration(own) }, own)).toBe('unauthenticated');
  });

  test("a team that is registered and not projected yet is its registrant's already, and nobody else's", () => {
    const it = world();
    let isBehind = true;
    const auth = createAuth({ tokens: it.tokens, capabilities, reads: it.reads, superAdmin, clock: it.clock, isBehind: () => isBehind });
    const sent = [
      { cookies: registration(unknown) },
      { cookies: { [`cl_reg_${unknown}`]: capabilities.capabilityFor(own).token } },
      { cookies: registration(own) },
    ];
    const outcomes = (): string[][] =>
      sent.map((one) => [
        codeOf(() => {
          auth.expectCredential(request(one), appointCoach);
        }),
        outcome({ auth }, appointCoach, one, unknown),
      ]);
    expect(outcomes()).toEqual([
      ['none', 'registrant'],
      ['unauthenticated', 'unauthenticated'],
      ['none', 'forbidden'],
    ]);
    isBehind = false;
    expect(outcomes()).toEqual([
      ['unauthenticated', 'unauthenticated'],
      ['unauthenticated', 'unauthenticated'],
      ['none', 'forbidden'],
    ]);
  });

  test("a call without a team is nobody's, and left to the check of the body", () => {
    const it = world();
    for (const teamId of [undefined, 7, [own], { own }])
      expect(it.auth.authenticate(request({ cookies: registration(own) }), appointCoach, teamId)).toEqual({ role: 'registrant', teamId: '' });
  });

  test('a stranger is turned away before the body is read', () => {
    const it = world();
    const turned = (sent: Sent): string =>
      codeOf(() => {
        it.auth.expectCredential(request(sent), appointCoach);
      });
    const strangers: readonly Sent[] = [
      {},
      { bearer: 'null' },
      { cookies: { theme: 'dark' } },
      { bearer: 'x' },
      { cookies: { cl_admin: 'x' } },
      { cookies: { [`cl_reg_${own}`]: 'forged' } },
      { bearer: 'x', cookies: { cl_reg_made: 'up' } },
    ];
    expect(strangers.map(turned)).toEqual(strangers.map(() => 'unauthenticated'));
    expect([turned({ bearer: issue(it, 'superadmin') }), turned({ bearer: issue(it, 'superadmin'), cookies: registration(own) })]).toEqual([
      'forbidden',
      'forbidden',
    ]);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`cl_reg_${String(index)}`, 'over']));
    // Whose registration it is stands in the body.
    expect(
      [
        { cookies: { ...many, ...registration(own) } },
        { cookies: registration(own) },
        { bearer: 'x', cookies: registration(own) },
        { bearer: issue(it, 'admin') },
        { cookies: { cl_admin: issue(it, 'admin') } },
      ].map(turned),
    ).toEqual(['none', 'none', 'none', 'none', 'none']);
  });
});

describe('precedence', () => {
  test('a bearer counts before the login cookie, also when it is bad', () => {
    const it = world();
    const cookies = { cl_admin: issue(it, 'admin') };
    expect(outcome(it, listTeams, { bearer: 'null', cookies })).toBe('admin');
    expect(outcome(it, listTeams, { bearer: 'stale', cookies })).toBe('unauthenticated');
    expect(outcome(it, listTeams, { bearer: issue(it, 'superadmin'), cookies })).toBe('forbidden');
  });

  test('each role has its own cookie', () => {
    const it = world();
    const cookies = { cl_admin: issue(it, 'admin'), cl_superadmin: issue(it, 'superadmin') };
    expect(outcome(it, listTeams, { cookies })).toBe('admin');
    expect(outcome(it, listAdmins, { cookies })).toBe('superadmin');
    expect(outcome(it, listTeams, { cookies: { cl_admin: 'stale', cl_superadmin: cookies.cl_superadmin } })).toBe('unauthenticated');
  });

  test('both checks of a token answer 401 to any other role', () => {
    const it = world();
    expect(outcome(it, checkAdminToken, { bearer: issue(it, 'superadmin') })).toBe('unauthenticated');
    expect(outcome(it, checkSuperAdminToken, { bearer: issue(it, 'admin') })).toBe('unauthenticated');
    expect(outcome(it, checkAdminToken, { cookies: { cl_superadmin: issue(it, 'superadmin') } })).toBe('unauthenticated');
  });

  test('public routes look at nothing', () => {
    const it = world();
    expect(it.auth.authenticate(request({ bearer: 'stale', cookies: { cl_admin: 'stale' } }), listTournaments)).toEqual({ role: 'visitor' });
  });
});

describe('revocation (S7)', () => {
  test('a changed password, a logout and a lost account end a token, also after a restart', () => {
    const it = world();
    const token = issue(it, 'admin');
    const after = (): string[] => [outcome(it, listTeams, { bearer: token }), outcome({ auth: it.restart() }, listTeams, { bearer: token })];
    expect(after()).toEqual(['admin', 'admin']);

    const account = it.reads.adminById('a1');
    if (account === undefined) throw new Error('no account');
    it.reads.admins.set('a1', { ...account, tokenVersion: '9' });
    expect(after()).toEqual(['unauthenticated', 'unauthenticated']);
    it.reads.admins.delete('a1');
    expect(after()).toEqual(['unauthenticated', 'unauthenticated']);
    it.reads.admins.set('a1', { ...account, passwordHash: 'rehashed' });
    expect(after()).toEqual(['admin', 'admin']);

    const jti = it.tokens.read(token)?.jti ?? '';
    it.reads.revoked.add(jti);
    expect(after()).toEqual(['unauthenticated', 'unauthenticated']);
  });

  test('a logout counts here before it is projected', () => {
    const it = world();
    const [token, second] = [issue(it, 'admin'), issue(it, 'admin')];
    const claims = it.tokens.read(token);
    if (claims === undefined) throw new Error('no claims');
    it.auth.revoke(claims.jti, claims.expires);
    expect([outcome(it, listTeams, { bearer: token }), outcome(it, listTeams, { bearer: second })]).toEqual(['unauthenticated', 'admin']);
  });

  test('an account is read again when accounts have changed in the read model, and only then', () => {
    const it = world();
    const token = issue(it, 'admin');
    const seen = { changes: 1n, reads: 0 };
    const reads: AuthReads = {
      ...it.reads,
      adminById: (id) => {
        seen.reads += 1;
        return it.reads.adminById(id);
      },
    };
    const auth = createAuth({ tokens: it.tokens, capabilities, reads, superAdmin, clock: it.clock, accountChanges: () => seen.changes });
    const outcomes = (): string[] => Array.from({ length: 3 }, () => outcome({ auth }, listTeams, { bearer: token }));
    expect([outcomes(), seen.reads]).toEqual([['admin', 'admin', 'admin'], 1]);
    it.reads.admins.set('a1', { id: 'a1', username: 'Asha', email: 'asha@example.org', passwordHash: 'h', tokenVersion: '9' });
    seen.changes = 2n;
    expect([outcomes(), seen.reads]).toEqual([['unauthenticated', 'unauthenticated', 'unauthenticated'], 2]);
    // Another file says something else at the same count.
    it.reads.admins.set('a1', { id: 'a1', username: 'Asha', email: 'asha@example.org', passwordHash: 'h', tokenVersion: '5' });
    expect([outcomes(), seen.reads]).toEqual([['unauthenticated', 'unauthenticated', 'unauthenticated'], 2]);
    auth.forget();
    expect([outcomes(), seen.reads]).toEqual([['admin', 'admin', 'admin'], 3]);
    it.clock.advance(hour);
    seen.changes = 3n;
    expect([outcomes(), seen.reads]).toEqual([['unauthenticated', 'unauthenticated', 'unauthenticated'], 3]);
  });

  test("another super admin's password ends the tokens of the one before", () => {
    const it = world();
    const token = issue(it, 'superadmin');
    const changed = createAuth({ tokens: it.tokens, capabilities, reads: it.reads, superAdmin: { id: 'root', tokenVersion: 's2' }, clock: it.clock });
    const renamed = createAuth({ tokens: it.tokens, capabilities, reads: it.reads, superAdmin: { id: 'chief', tokenVersion: 's1' }, clock: it.clock });
    expect([it.auth, changed, renamed].map((auth) => outcome({ auth }, listAdmins, { bearer: token }))).toEqual([
      'superadmin',
      'unauthenticated',
      'unauthenticated',
    ]);
  });
});

describe('cookies', () => {
  test('are read by name, the first one counting, nonsense left out', () => {
    expect(Object.fromEntries(readCookies('a=1; b="2"; a=3; =x; c; d=;e=ä; f=x y'))).toEqual({ a: '1', b: '2', d: '' });
    expect(readCookies(undefined).size).toBe(0);
    expect(readCookies(Array.from({ length: 500 }, (_, index) => `c${index}=1`).join(';')).size).toBe(200);
  });

  test('are written for the API alone', () => {
    expect(cookieHeader(setLoginCookie('admin', 'T'), true)).toBe('cl_admin=T; Max-Age=3600; Path=/api; HttpOnly; SameSite=Strict; Secure');
    expect(cookieHeader(setRegistrationCookie(own, 'T'), false)).toBe(`cl_reg_${own}=T; Max-Age=86400; Path=/api; HttpOnly; SameSite=Strict`);
  });
});
