import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { uuidForm } from '@courtledger/contracts/kernel/ids';
import { problem } from '@courtledger/contracts/kernel/problem';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAllBound } from './product.ts';
import type { Logger } from './platform/logger.ts';
import { liveReadModel } from './platform/store-read-model-files.ts';
import { silentLogger } from './platform/testing/silent-logger.ts';
import { ask, type Reply } from './platform/testing/toy-gate.ts';
import { sendRaw } from './testing/raw-http.ts';
import { cookieOf, encodeForm, loggedInAdmin, openSite, pathOf, picture, registeredTeam, type Site } from './testing/site.ts';

const endpoints: readonly Endpoint[] = Object.values(allEndpoints);
const paths = [...new Set(endpoints.map(({ path }) => path))];
const reads = endpoints.filter(({ kind, method }) => kind === 'read' && method === 'GET');
const writes = endpoints.filter(({ kind }) => kind === 'command');
/** Ends only when somebody closes it. */
const isStream = ({ produces }: Endpoint): boolean => produces === 'text/event-stream';

let site: Site;
let token: string;
let webDir: string;
beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'courtledger-web-'));
  mkdirSync(join(webDir, 'assets'));
  mkdirSync(join(webDir, '.vite'));
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>Pages</title>');
  writeFileSync(join(webDir, 'assets/app-abc123.js'), 'plain');
  writeFileSync(join(webDir, 'assets/app-abc123.js.br'), 'brotli');
  writeFileSync(join(webDir, 'assets/app-abc123.js.gz'), 'gzip');
  writeFileSync(join(webDir, 'favicon.svg'), '<svg/>');
  writeFileSync(join(webDir, '.vite/manifest.json'), '{}');
  site = await openSite({ webDir });
  ({ token } = await loggedInAdmin(site));
});
afterAll(async () => {
  await site.close();
  rmSync(webDir, { recursive: true });
});
const get = async (path: string, headers: Record<string, string> = {}): Promise<Reply> => ask(site.port, 'GET', path, headers);

const undated = (reply: Reply | undefined): object => Object.fromEntries(Object.entries(reply?.headers ?? {}).filter(([name]) => name !== 'date'));

describe('every endpoint', () => {
  it('is bound exactly once', () => {
    expect(endpoints.length).toBeGreaterThan(40);
    expect(site.opened.bound.map(({ endpoint }) => endpoint.name).toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted());
    expect(() => expectAllBound(site.opened.bound.slice(1), endpoints)).toThrow(`Not bound exactly once: ${site.opened.bound[0]?.endpoint.name}`);
    expect(() => expectAllBound([...site.opened.bound, ...site.opened.bound.slice(0, 1)], endpoints)).toThrow('Not bound exactly once');
    expect(() => expectAllBound([], [])).toThrow('Not bound exactly once');
  });

  it.each(paths)('at %s answers 405 with Allow to other methods', async (path) => {
    const methods = endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
    const reply = await ask(site.port, 'PATCH', pathOf({ path }));
    expect(reply.status).toBe(405);
    expect(reply.headers.allow?.split(', ').toSorted()).toEqual([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted());
    problem.parse(reply.json());
  });

  it.each(reads.filter((endpoint) => !isStream(endpoint)).map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s answers HEAD as GET, with or without a trailing slash',
    async (_, endpoint) => {
      const path = pathOf(endpoint);
      const headers = endpoint.access === 'public' ? {} : { authorization: `Bearer ${token}` };
      // A question without which there is nothing to answer.
      const query = endpoint.name === 'getTrace' ? '?of=match-team&stat=points&match=none&team=none' : '';
      const replies = [
        await get(`${path}${query}`, headers),
        await get(`${path}/${query}`, headers),
        await ask(site.port, 'HEAD', `${path}${query}`, headers),
        await ask(site.port, 'HEAD', `${path}/${query}`, headers),
      ];
      expect(new Set(replies.map(({ status }) => status)).size).toBe(1);
      // checkSuperAdminToken answers 401 to every other role.
      expect([200, 401, 403, 404]).toContain(replies[0]?.status);
      // A problem names its request, in texts of one length; answers are the same to the byte.
      for (const reply of replies) expect(undated(reply)).toEqual(undated(replies[0]));
      expect([replies[2]?.text, replies[3]?.text]).toEqual(['', '']);
    },
  );

  it('answers OPTIONS without effect, and no other site', async () => {
    for (const path of paths) {
      const reply = await ask(site.port, 'OPTIONS', pathOf({ path }), { origin: 'https://evil.example', 'access-control-request-method': 'POST' });
      expect([reply.status, reply.headers['access-control-allow-origin'], reply.headers['access-control-allow-methods']]).toEqual([204, undefined, undefined]);
    }
  });
});

const policy = {
  'content-security-policy':
    "default-src 'self';script-src 'self';script-src-attr 'none';style-src 'self' 'unsafe-inline';img-src 'self' data: blob:;font-src 'self' data:;media-src 'self';connect-src 'self';object-src 'none';base-uri 'self';form-action 'self';frame-ancestors 'none';manifest-src 'self';worker-src 'self' blob:",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};
const others = new Set([
  'connection',
  'date',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-type',
  'cache-control',
  'etag',
  'vary',
  'x-read-position',
  'x-commit-position',
  'retry-after',
  'www-authenticate',
  'allow',
  'content-disposition',
  'content-encoding',
  'set-cookie',
  'x-accel-buffering',
]);
/** What stands in an answer beside its own matters: exactly the policy, and nothing that names the maker. */
const policyOf = (reply: Reply): object => Object.fromEntries(Object.entries(reply.headers).filter(([name]) => !others.has(name)));

describe('headers (S24)', () => {
  it.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))('of %s, answered and refused', async (_, endpoint) => {
    const method = isStream(endpoint) ? 'HEAD' : endpoint.method;
    // A token of its own: one of the endpoints is the logout.
    const spare = (await site.call(allEndpoints.logInAdmin, { json: { email: 'asha@example.org', password: 'copper-meadow-71' } })).token;
    for (const headers of [{}, { authorization: `Bearer ${spare}` }, { authorization: 'Bearer forged' }]) {
      const reply = await ask(site.port, method, pathOf(endpoint), headers);
      expect(policyOf(reply)).toEqual(policy);
      expect(reply.headers['www-authenticate']).toBe(reply.status === 401 ? 'Bearer' : undefined);
      expect(reply.headers['cache-control']).toBe(
        reply.status === 200 && endpoint.access === 'public' && endpoint.kind === 'read' && !isStream(endpoint) ? 'no-cache' : 'no-store',
      );
    }
  });

  it.each(['/', '/upcoming', '/assets/app-abc123.js', '/assets/none.js', '/favicon.svg', '/healthz', '/readyz', '/metrics', '/api', '/api/none'])(
    'of %s',
    async (path) => {
      expect(policyOf(await get(path))).toEqual(policy);
    },
  );

  it('of pictures allow nothing at all', async () => {
    const { teamId } = await registeredTeam(site, 'Header Hawks', 1);
    const team = (await site.call(allEndpoints.listTeams, { token })).find(({ _id }) => _id === teamId);
    const logo = team?.team_details.logo ?? '';
    for (const path of [logo, '/media/none.png']) {
      const reply = await get(path);
      expect([reply.status, String(reply.headers['content-security-policy']).replaceAll(/\s*;\s*/g, '; '), reply.headers['x-content-type-options']]).toEqual([
        path === logo ? 200 : 404,
        path === logo ? "default-src 'none'; sandbox" : "default-src 'none'; sandbox; frame-ancestors 'none'",
        'nosniff',
      ]);
    }
    const shown = await get(logo);
    expect([shown.headers['content-type'], shown.headers['cache-control']]).toEqual(['image/png', 'public, no-cache']);
  });
});

describe('what is not the API', () => {
  it('is the page, for every address without a file of its own', async () => {
    for (const path of [
      '/',
      '/upcoming',
      '/tournament/x.y',
      '/player/123',
      '/deep/er/path',
      '/favicon.ico',
      '/robots.txt',
      '/foo/bar.png',
      '/player/x.png',
      '/none.js',
      '/.env',
      '/.vite/manifest.json',
      '/%2evite/manifest.json',
      '/data/event-log.sqlite',
      '/../event-log.sqlite',
    ]) {
      const reply = await get(path);
      expect([reply.status, reply.headers['content-type'], reply.headers['cache-control'], reply.text]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
        '<!doctype html><title>Pages</title>',
      ]);
      expect((await get(path, { 'if-none-match': reply.headers.etag ?? '' })).status).toBe(304);
    }
    expect([(await ask(site.port, 'HEAD', '/')).text, (await ask(site.port, 'POST', '/')).status]).toEqual(['', 405]);
  });

  it('is a built file, in the smallest form that is taken', async () => {
    const forms = await Promise.all(
      ['', 'gzip', 'gzip, br'].map(async (encoding) => get('/assets/app-abc123.js', encoding === '' ? {} : { 'accept-encoding': encoding })),
    );
    expect(forms.map(({ text, headers }) => [text, headers['content-encoding'], headers['content-type'], headers['cache-control'], headers.vary])).toEqual(
      [
        ['plain', undefined],
        ['gzip', 'gzip'],
        ['brotli', 'br'],
      ].map(([text, encoding]) => [text, encoding, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable', 'Accept-Encoding']),
    );
    expect((await get('/favicon.svg')).headers['content-type']).toBe('image/svg+xml');
  });

  it.each([
    '/assets/none.js',
    '/assets/',
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2f..%2fetc%2fpasswd',
    '/media/none.png',
    '/media/../event-log.sqlite',
    '/media/%2e%2e%2fkeys%2fjwt.key',
  ])('is 404 at %s', async (path) => {
    const reply = await get(path);
    expect([reply.status, reply.text]).toEqual([404, 'Not found\n']);
  });

  it('is JSON where the API has no such address', async () => {
    for (const path of ['/api/none', '/api/favicon.ico']) {
      const reply = await get(path);
      expect([reply.status, reply.headers['content-type'], problem.parse(reply.json()).message]).toEqual([
        404,
        'application/problem+json; charset=utf-8',
        'There is no such address',
      ]);
    }
  });

  it('says what is missing when nothing was built', async () => {
    const bare = await openSite();
    try {
      const reply = await ask(bare.port, 'GET', '/');
      expect(reply.status).toBe(503);
      expect(reply.text).toContain('npm run build');
    } finally {
      await bare.close();
    }
  });

  it('is a problem in our own words, at once and on record, where a page or a picture fails', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'courtledger-web-'));
    // Neither can be read as a file.
    mkdirSync(join(folder, 'index.html'));
    const failures: string[] = [];
    const ids: unknown[] = [];
    const error: Logger['error'] = (event, failure, fields) => {
      failures.push(`${event}: ${String((failure as NodeJS.ErrnoException).code)}`);
      ids.push(fields?.['requestId']);
    };
    const broken = await openSite({ webDir: folder }, { logger: { ...silentLogger, error } });
    try {
      const picturePath = `/media/${'a'.repeat(24)}.png`;
      symlinkSync(join(broken.config.dataDir, picturePath), join(broken.config.dataDir, picturePath));
      for (const path of ['/about', picturePath]) {
        const reply = await ask(broken.port, 'GET', path);
        const { message, instance } = problem.parse(reply.json());
        expect([reply.status, reply.headers['content-type'], message]).toEqual([500, 'application/problem+json; charset=utf-8', 'Internal Server Error']);
        // Under which the log has the details.
        expect([instance, ids.at(-1)]).toEqual([expect.stringMatching(uuidForm), instance]);
      }
      expect(failures).toEqual(['outside the API a request failed: EISDIR', 'outside the API a request failed: ELOOP']);
    } finally {
      await broken.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('is a problem at an address that nobody can read', async () => {
    const { status, text } = await sendRaw(site.port, Buffer.from('GET http://[ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'));
    expect([status, text.includes('The address of the request cannot be read')]).toEqual([400, true]);
  });

  it('says whether the site is well', async () => {
    expect((await get('/healthz')).json()).toEqual({ status: 'ok' });
    const ready = await get('/readyz');
    expect([ready.status, readyAnswer.parse(ready.json())]).toEqual([
      200,
      { status: 'ready', checks: { log: 'ok', readModel: 'ok', projections: 'ok' }, writes: true, reason: null },
    ]);
  });

  it('gives metrics to this machine, or the super admin, and to nobody behind a proxy', async () => {
    await get('/api/tournaments');
    await get('/api/tournaments');
    const metrics = await get('/metrics');
    expect([metrics.status, metrics.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(metrics.text).toMatch(/courtledger_requests_total\{endpoint="listTournaments",status="200"\} [2-9]/);
    expect(metrics.text).toMatch(/courtledger_read_model_lag 0\n/);
    const proxied = { 'x-forwarded-for': '203.0.113.9' };
    expect((await get('/metrics', proxied)).status).toBe(404);
    expect((await get('/metrics', { ...proxied, authorization: `Bearer ${token}` })).status).toBe(404);
    for (const header of ['forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'x-forwarded-host', 'x-forwarded-proto'])
      expect([header, (await get('/metrics', { [header]: '203.0.113.9' })).status]).toEqual([header, 404]);
    const { token: superToken } = await site.call(allEndpoints.logInSuperAdmin, { json: { id: 'root', password: 'swift-harbour-lantern' } });
    expect((await get('/metrics', { ...proxied, authorization: `Bearer ${superToken}` })).status).toBe(200);
  });
});

describe('the description', () => {
  it('names every endpoint, and the page needs no script', async () => {
    const document = (await site.call(allEndpoints.getOpenApi)) as unknown as { paths: Record<string, Record<string, { operationId: string }>> };
    const names = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(names.toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted());
    const page = await get('/api/docs');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const { name } of endpoints) expect(page.text).toContain(`id="${name}"`);
    expect(page.text).toContain('id="problem-conflict"');
    expect(page.text).not.toMatch(/<script|javascript:| on\w+=/i);
  });
});

describe('requests from other sites (S4, S5)', () => {
  it.each(writes.map((endpoint) => [endpoint.name, endpoint] as const))('cannot use %s with a cookie', async (_, endpoint) => {
    const before = await site.events();
    const cookie = `cl_admin=${token}; cl_superadmin=${token}`;
    const attempts: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${site.port}.evil.example` },
      { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' },
    ];
    for (const attempt of attempts) {
      const reply = await ask(site.port, endpoint.method, pathOf(endpoint), { ...attempt, cookie, 'content-type': 'application/x-www-form-urlencoded' }, 'a=b');
      expect([reply.status, problem.parse(reply.json()).message, reply.headers['access-control-allow-origin']]).toEqual([
        403,
        'This request came from another site',
        undefined,
      ]);
    }
    expect(await site.events()).toBe(before);
  });
});

describe('reads and positions', () => {
  it('refuse a query that says a name twice', async () => {
    const path = '/api/tournaments/none/standings';
    const reply = await get(`${path}?asOf=1&asOf=2`);
    expect([reply.status, problem.parse(reply.json()).errors?.map((error) => error.path)]).toEqual([400, ['asOf']]);
    expect((await get(`${path}?asOf=1`)).status).toBe(404);
    // A name that means nothing here means nothing twice.
    expect((await get('/api/tournaments?utm=1&utm=2')).status).toBe(200);
  });

  it('show a write at once, at its position, and 304 until the next', async () => {
    const before = await get('/api/tournaments');
    const form = {
      name: 'Position Cup',
      location: 'Lalitpur',
      startDate: '2026-12-01',
      endDate: '2026-12-02',
      registeringStartDate: '2026-11-01',
      registerable: 'true',
      league: 'false',
      'organizer[name]': 'Hoops',
      'organizer[phoneNumber]': '9800000000',
      'prizePool[firstPrize]': '1',
      'prizePool[secondPrize]': '1',
      'prizePool[thirdPrize]': '1',
      'prizePool[mvp]': '1',
      'prizePool[entryFee]': '1',
      posterImage: await picture(),
      organizerImage: await picture(),
    };
    const created = await site.send(allEndpoints.createTournament, { token, form });
    expect(created.status).toBe(201);
    const position = String(created.headers['x-commit-position']);
    const after = await get('/api/tournaments', { 'x-min-position': position, 'if-none-match': before.headers.etag ?? '' });
    expect([after.status, after.headers['x-read-position'], after.text.includes('Position Cup')]).toEqual([200, position, true]);
    expect((await get('/api/tournaments', { 'x-min-position': position, 'if-none-match': after.headers.etag ?? '' })).status).toBe(304);
    expect((await get('/api/tournaments', { 'x-min-position': 'soon' })).status).toBe(400);
    const late = await get('/api/tournaments', { 'x-min-position': '999999999' });
    expect([late.status, late.headers['retry-after'], problem.parse(late.json()).status]).toEqual([503, '1', 503]);
    // What somebody asks for is no position that the log has.
    expect((await get('/metrics')).text).toMatch(/courtledger_read_model_lag 0\n/);
  });
});

it('answers a registration again whose answer was lost, when the network has registered all that it may', async () => {
  const throttled = await openSite({ rateLimit: true });
  try {
    const register = async (number: number): Promise<Reply> =>
      throttled.send(allEndpoints.registerTeam, {
        form: { name: `Team ${String(number)}`, origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: await picture() },
        headers: { 'idempotency-key': `k${String(number)}` },
      });
    const replies: Reply[] = [];
    for (let number = 1; number <= 20; number += 1) {
      replies.push(await register(number));
    }
    const again = await register(20);
    expect([replies.every(({ status }) => status === 201), again.status, again.text]).toEqual([true, 201, replies[19]?.text]);
    expect((await register(21)).status).toBe(429);
    // The same key at an address that is spelled in another way is another command.
    const { bytes, contentType } = await encodeForm({ name: 'Team 20', origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: await picture() });
    const head = `POST http://other${pathOf(allEndpoints.registerTeam)} HTTP/1.1\r\nHost: other\r\nIdempotency-Key: k20\r\nContent-Type: ${contentType}\r\nContent-Length: ${String(bytes.length)}\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(throttled.port, Buffer.concat([Buffer.from(head), bytes]))).status).toBe(429);
  } finally {
    await throttled.close();
  }
});

it('lets a registration go on while the read model stands still', async () => {
  const slow = await openSite({ store: { kind: 'sqlite' } });
  const lock = new Database(join(slow.config.dataDir, liveReadModel(slow.config.dataDir)));
  try {
    lock.exec('BEGIN IMMEDIATE');
    const first = await slow.send(allEndpoints.registerTeam, {
      form: { name: 'Dharan Dukes', origin: 'Dharan', teamPrimaryNumber: '9811111111', logo: await picture() },
    });
    expect([first.status, first.headers['x-projection']]).toEqual([201, 'pending']);
    const { _id: teamId } = first.json() as { _id: string };
    const second = await slow.send(allEndpoints.appointCoach, {
      cookie: cookieOf(first),
      form: { teamId, coachname: 'Bikash Gurung', coachphoneNumber: '9822222222', contact_number_2: '9833333333', coachImage: await picture() },
    });
    expect([second.status, second.headers['x-projection']]).toEqual([200, 'pending']);
  } finally {
    lock.close();
    await slow.close();
  }
});

it.each(['application/json', 'multipart/form-data; boundary=x'])(
  'answers a command that neither announces a body nor sends one (%s), and does not wait for it',
  async (type) => {
    for (const path of ['/api/tournaments/requests', '/api/team/create-team-step-1']) {
      const { status, text } = await sendRaw(
        site.port,
        Buffer.from(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n`),
      );
      expect([status, text.includes('"errors"')]).toEqual([400, true]);
    }
  },
);
