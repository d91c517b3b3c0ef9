import { nothing } from '@courtledger/contracts/kernel/answers';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { conflict, DomainError } from '@courtledger/contracts/kernel/errors';
import { id, text } from '@courtledger/contracts/kernel/fields';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Call, Caller } from './call.ts';
import { bindCommand, bindRead } from './endpoint.ts';
import { bySpecificity } from './endpoint-mount.ts';
import { ask, openToyGate, toyEndpoint, type ToyGate } from './testing/toy-gate.ts';

let gate: ToyGate | undefined;
afterEach(async () => gate?.close());
const open = async (...given: Parameters<typeof openToyGate>): Promise<ToyGate> => (gate = await openToyGate(...given));

const getToy = bindRead(toyEndpoint({}), (call) =>
  call.params['id'] === 'none' ? { missing: 'Toy not found' } : { json: JSON.stringify({ id: call.params['id'] }) },
);
const calls: Call[] = [];
const makeToy = bindCommand(
  toyEndpoint({
    name: 'makeToy',
    kind: 'command',
    method: 'POST',
    path: '/toys',
    bodyKind: 'json',
    body: z.object({ name: text(), colour: id() }),
    fieldOrder: ['colour', 'name'],
    status: 201,
  }),
  async (call) => {
    calls.push(call);
    return { body: { made: true }, position: 12n };
  },
);
const json = { 'content-type': 'application/json' };

describe('binding', () => {
  it('keeps reads and commands apart', () => {
    expect(() => bindCommand(toyEndpoint({}), async () => ({ body: {}, position: 1n }))).toThrow('getToy is a read: bind it with bindRead');
    expect(() => bindRead(toyEndpoint({ kind: 'command', name: 'makeToy' }), () => ({ json: '' }))).toThrow('makeToy is a command: bind it with bindCommand');
  });

  it('tries fixed paths before parameters', () => {
    expect(['/a/:id', '/a/requests', '/a/:id/b', '/a', '/a/requests/:id', '/a/:id/c.csv'].toSorted(bySpecificity)).toEqual([
      '/a',
      '/a/requests',
      '/a/requests/:id',
      '/a/:id',
      '/a/:id/b',
      '/a/:id/c.csv',
    ]);
  });
});

describe('addresses', () => {
  it('accepts a trailing slash, HEAD wherever GET is, and any text as an id', async () => {
    const { port } = await open([getToy]);
    for (const path of ['/api/toys/7', '/api/toys/7/']) expect((await ask(port, 'GET', path)).json()).toEqual({ id: '7' });
    const get = await ask(port, 'GET', '/api/toys/8');
    const head = await ask(port, 'HEAD', '/api/toys/8');
    expect([head.status, head.text]).toEqual([200, '']);
    const { date: _1, ...same } = get.headers;
    const { date: _2, ...headers } = head.headers;
    expect(headers).toEqual(same);
    expect((await ask(port, 'GET', '/api/toys/a%20b%2Fc')).json()).toEqual({ id: 'a b/c' });
    for (const broken of ['/api/toys/%zz', '/api/toys/%c3%28']) expect((await ask(port, 'GET', broken)).status).toBe(404);
  });

  it('answers 404 as a problem under /api, and 405 with Allow', async () => {
    const { port } = await open([getToy, makeToy]);
    const missing = await ask(port, 'GET', '/api/nowhere');
    expect([missing.status, missing.headers['content-type'], missing.headers['cache-control']]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
      'no-store',
    ]);
    expect(missing.json()).toMatchObject({ status: 404, message: 'There is no such address', detail: 'There is no such address' });
    const wrong = await ask(port, 'DELETE', '/api/toys');
    expect([wrong.status, wrong.headers.allow, wrong.json()]).toMatchObject([405, 'POST, OPTIONS', { message: 'This address takes POST' }]);
    const wrongRead = await ask(port, 'POST', '/api/toys/7/');
    expect([wrongRead.status, wrongRead.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect([(await ask(port, 'OPTIONS', '/api/toys')).status, (await ask(port, 'OPTIONS', '/api/toys')).headers.allow]).toEqual([204, 'POST, OPTIONS']);
    expect((await ask(port, 'GET', '/api/TOYS/7')).status).toBe(404);
  });
});

describe('reads', () => {
  it('answer a strong tag of the body and the position, and 304 to who has them', async () => {
    const { port } = await open([getToy]);
    const first = await ask(port, 'GET', '/api/toys/7');
    expect(first.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'x-read-position': '7',
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^"[\w-]{27}"$/) as string,
    });
    for (const path of ['/api/toys/7', '/api/toys/7/']) {
      const again = await ask(port, 'GET', path, { 'if-none-match': first.headers.etag ?? '' });
      expect([again.status, again.text, again.headers.etag, again.headers['content-length']]).toEqual([304, '', first.headers.etag, undefined]);
    }
    expect((await ask(port, 'GET', '/api/toys/8', { 'if-none-match': first.headers.etag ?? '' })).status).toBe(200);
    expect((await ask(port, 'GET', '/api/toys/none')).json()).toMatchObject({ status: 404, message: 'Toy not found' });
  });

  it('are made once for an address, whatever stands behind it that they do not read', async () => {
    let made = 0;
    const toy = bindRead(toyEndpoint({ access: 'public', path: '/counted', query: nothing }), () => ({ json: `{"made":${String((made += 1))}}` }));
    const { port } = await open([toy]);
    for (const query of ['', '?a=1', '?a=2', '#x', '/?b'])
      expect((await ask(port, 'GET', `/api/counted${query}`)).json()).toEqual({ made: query === '/?b' ? 2 : 1 });
  });

  it('are answered from ready bytes until the position moves, the same to the byte', async () => {
    let asked = 0;
    const counting = bindRead(toyEndpoint({}), () => ({ json: JSON.stringify({ asked: (asked += 1) }) }));
    const { port, model, hotReads, lines } = await open([counting]);
    const first = await ask(port, 'GET', '/api/toys/1');
    const second = await ask(port, 'GET', '/api/toys/1');
    const { date: _1, ...one } = first.headers;
    const { date: _2, ...two } = second.headers;
    expect([second.text, two]).toEqual([first.text, one]);
    expect([asked, hotReads]).toEqual([1, ['getToy 200']]);
    expect((await ask(port, 'GET', '/api/toys/1', { 'if-none-match': first.headers.etag ?? '' })).status).toBe(304);
    expect(hotReads).toEqual(['getToy 200', 'getToy 304']);
    model.position = 8n;
    const third = await ask(port, 'GET', '/api/toys/1');
    expect([third.json(), third.headers['x-read-position']]).toEqual([{ asked: 2 }, '8']);
    expect(lines.filter(({ event }) => event === 'request')).toHaveLength(2);
  });

  it('keep one for each day where the day matters', async () => {
    const daily = bindRead(toyEndpoint({ daily: true }), (call) => ({ json: JSON.stringify(call.today) }));
    const { port, model } = await open([daily]);
    for (const today of ['2026-11-21', '2026-11-21', '2026-11-22']) {
      model.today = today;
      expect((await ask(port, 'GET', '/api/toys/1')).json()).toBe(today);
    }
  });

  it('compress what is long for who takes it', async () => {
    const long = JSON.stringify('x'.repeat(5000));
    const { port, hotReads } = await open([bindRead(toyEndpoint({}), () => ({ json: long }))]);
    for (const _ of [1, 2]) {
      // The second one finds it ready.
      const zipped = await ask(port, 'GET', '/api/toys/1', { 'accept-encoding': 'gzip' });
      expect([zipped.headers['content-encoding'], gunzipSync(zipped.bytes).toString()]).toEqual(['gzip', long]);
      expect(zipped.headers['content-length']).toBe(String(zipped.bytes.length));
    }
    expect(hotReads).toEqual(['getToy 200']);
    expect((await ask(port, 'GET', '/api/toys/1')).text).toBe(long);
  });

  it('are made once for all who ask while the first is being compressed', async () => {
    let asked = 0;
    const long = JSON.stringify(randomBytes(1_000_000).toString('base64'));
    const { port } = await open([
      bindRead(toyEndpoint({}), () => {
        asked += 1;
        return { json: long };
      }),
    ]);
    const answers = await Promise.all(Array.from({ length: 20 }, async () => ask(port, 'GET', '/api/toys/1', { 'accept-encoding': 'gzip' })));
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1);
    expect(asked).toBe(1);
  });

  it.each([
    ['gzip', '-gz'],
    ['gzip, br', '-br'],
    ['identity', ''],
  ])('have one tag for %s in the 200 and the 304, at both doors', async (encoding, suffix) => {
    const { port, hotReads } = await open([bindRead(toyEndpoint({}), () => ({ json: JSON.stringify('x'.repeat(5000)) }))]);
    const { etag } = (await ask(port, 'GET', '/api/toys/1', { 'accept-encoding': encoding })).headers;
    expect(etag).toMatch(new RegExp(`^"[\\w-]{27}${suffix}"$`));
    // The fast door has this address ready; one with a query of its own is new to it.
    for (const path of ['/api/toys/1', '/api/toys/1?new']) {
      const again = await ask(port, 'GET', path, { 'accept-encoding': encoding, 'if-none-match': etag ?? '' });
      expect([again.status, again.headers.etag]).toEqual([304, etag]);
    }
    expect(hotReads).toEqual(['getToy 304']);
  });

  it('of one role are never kept by anybody', async () => {
    const secret = bindRead(toyEndpoint({ access: 'admin', path: '/secrets' }), () => ({ json: '{"phone":"9800000001"}' }));
    const { port, cache } = await open([secret]);
    const answer = await ask(port, 'GET', '/api/secrets', { authorization: 'Bearer admin' });
    expect([answer.status, answer.headers['cache-control'], cache.size]).toEqual([200, 'no-store', 0]);
    expect((await ask(port, 'GET', '/api/secrets', { authorization: 'Bearer admin', 'if-none-match': answer.headers.etag ?? '' })).status).toBe(304);
    const refused = await ask(port, 'GET', '/api/secrets');
    expect([refused.status, refused.json()]).toMatchObject([401, { message: 'Please log in' }]);
  });

  it('wait for the position that is asked for, and say when it does not come', async () => {
    const { port, model } = await open([getToy], { patienceMs: 50 });
    expect((await ask(port, 'GET', '/api/toys/1', { 'x-min-position': '7' })).status).toBe(200);
    const waiting = ask(port, 'GET', '/api/toys/2', { 'x-min-position': '9' });
    const late = await waiting;
    expect([late.status, late.headers['retry-after']]).toEqual([503, '1']);
    const patient = await openToyGate([getToy]);
    try {
      const reached = ask(patient.port, 'GET', '/api/toys/2', { 'x-min-position': '9' });
      await ask(patient.port, 'GET', '/api/toys/1');
      patient.model.position = 9n;
      expect([(await reached).status, (await reached).headers['x-read-position']]).toEqual([200, '9']);
    } finally {
      await patient.close();
    }
    for (const malformed of ['x', '-1', '1.5', '9'.repeat(41), ''])
      expect((await ask(port, 'GET', '/api/toys/1', { 'x-min-position': malformed })).status).toBe(400);
    expect(model.position).toBe(7n);
  });

  it('wait two seconds at most, where nothing else is said', async () => {
    const asked: [bigint, number][] = [];
    const waitFor = (...of: [bigint, number]): boolean => asked.push(of) === 0;
    const { port } = await open([getToy], { reads: { position: () => 7n, waitFor } });
    expect((await ask(port, 'GET', '/api/toys/1', { 'x-min-position': '9' })).status).toBe(503);
    expect(asked).toEqual([[9n, 2000]]);
  });

  it('give other things than JSON with their own type and headers', async () => {
    const file = bindRead(toyEndpoint({ access: 'admin', path: '/file' }), () => ({
      bytes: Buffer.from('abc'),
      contentType: 'application/pdf',
      headers: { 'Content-Disposition': 'attachment' },
    }));
    const { port } = await open([file]);
    const answer = await ask(port, 'GET', '/api/file', { authorization: 'Bearer admin' });
    expect([answer.text, answer.headers['content-type'], answer.headers['content-disposition'], answer.headers['cache-control']]).toEqual([
      'abc',
      'application/pdf',
      'attachment',
      'no-store',
    ]);
  });
});

describe('commands', () => {
  it('get a parsed call and answer their position', async () => {
    const { port, lines } = await open([makeToy]);
    const answer = await ask(
      port,
      'POST',
      '/api/toys',
      { ...json, 'idempotency-key': 'k-1' },
      '{"name":"  Ball ","colour":"red","extra":1,"__proto__":{"role":"admin"}}',
    );
    expect([answer.status, answer.json(), answer.headers['x-commit-position'], answer.headers['x-projection'], answer.headers['cache-control']]).toEqual([
      201,
      { made: true },
      '12',
      undefined,
      'no-store',
    ]);
    const call = calls.at(-1);
    expect(call?.body).toEqual({ name: 'Ball', colour: 'red' });
    expect([call?.context.keyed, call?.context.time, call?.context.actor.role]).toEqual([true, '2026-11-21T10:00:00.000Z', 'visitor']);
    expect(lines).toEqual([
      {
        event: 'request',
        requestId: call?.context.correlationId,
        endpoint: 'makeToy',
        method: 'POST',
        status: 201,
        role: 'visitor',
        milliseconds: expect.any(Number) as number,
      },
    ]);
  });

  it('are the same under a key wherever the address ends: at a slash, a query or what no browser sends', async () => {
    const { port } = await open([makeToy]);
    const ids: (string | undefined)[] = [];
    for (const path of ['/api/toys', '/api/toys/', '/api/toys?a=/', '/api/toys#/', `/api/toys#${'/'.repeat(9000)}x`]) {
      expect((await ask(port, 'POST', path, { ...json, 'idempotency-key': 'k-1' }, '{"name":"Ball","colour":"red"}')).status).toBe(201);
      ids.push(calls.at(-1)?.context.commandId);
    }
    expect(new Set(ids).size).toBe(1);
  });

  it('tell all that is wrong, in the order of the specification', async () => {
    const { port } = await open([makeToy]);
    for (const [body, headers] of [
      ['{}', json],
      ['', {}],
      ['', json],
    ] as const) {
      const answer = await ask(port, 'POST', '/api/toys', headers, body);
      expect([answer.status, answer.json()]).toMatchObject([
        400,
        {
          message: 'colour is required',
          errors: [
            { path: 'colour', message: 'colour is required' },
            { path: 'name', message: 'name is required' },
          ],
        },
      ]);
    }
  });

  it('of a form tell the same where no body came, whatever its type, and no other one asks for JSON', async () => {
    const { port } = await open([
      bindCommand(
        toyEndpoint({ name: 'sendToy', kind: 'command', method: 'POST', path: '/sent', bodyKind: 'multipart', body: z.object({ name: text() }) }),
        async () => ({ body: {}, position: 1n }),
      ),
    ]);
    for (const [headers, body, status, message] of [
      [{}, '', 400, 'name is required'],
      [{ 'content-type': 'text/plain' }, '', 400, 'name is required'],
      [json, '{}', 415, 'The request body must be a form (Content-Type: multipart/form-data)'],
    ] as const) {
      const answer = await ask(port, 'POST', '/api/sent', headers, body);
      expect([answer.status, answer.json()]).toMatchObject([status, { message }]);
    }
  });

  it.each<[string, Record<string, string>, string | Buffer, number, string]>([
    ['broken JSON', json, '{"name":', 400, 'The request body is not valid JSON'],
    ['bytes that are no UTF-8', json, Buffer.from([0x22, 0xff, 0x22]), 400, 'The request body is not valid JSON'],
    ['another type', { 'content-type': 'text/plain' }, '{}', 415, 'The request body must be JSON (Content-Type: application/json)'],
    ['a form', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--', 415, 'The request body must be JSON (Content-Type: application/json)'],
    ['no type', {}, '{}', 415, 'The request body must be JSON (Content-Type: application/json)'],
    ['a compressed body', { ...json, 'content-encoding': 'gzip' }, '{}', 415, 'The request body must not be compressed'],
    ['a body beyond the limit', json, JSON.stringify({ name: 'x'.repeat(300_000) }), 413, 'The request body is too large'],
    [
      'a body beyond the limit, in chunks',
      { ...json, 'transfer-encoding': 'chunked' },
      JSON.stringify({ name: 'x'.repeat(3_000_000) }),
      413,
      'The request body is too large',
    ],
    ['a list for an object', json, '[]', 400, 'The request body is not valid'],
    ['null', json, 'null', 400, 'The request body is not valid'],
    ['deep nesting', json, `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400, 'The request body is not valid'],
    ['an empty key', { ...json, 'idempotency-key': '' }, '{}', 400, 'Idempotency-Key must be 1 to 200 visible ASCII characters'],
    ['a key with a space', { ...json, 'idempotency-key': 'a b' }, '{}', 400, 'Idempotency-Key must be 1 to 200 visible ASCII characters'],
    ['a key too long', { ...json, 'idempotency-key': 'k'.repeat(201) }, '{}', 400, 'Idempotency-Key must be 1 to 200 visible ASCII characters'],
    ['a cross-site post', { ...json, 'sec-fetch-site': 'cross-site' }, '{}', 403, 'This request came from another site'],
  ])('refuse %s', async (_, headers, body, status, message) => {
    const { port } = await open([makeToy]);
    const answer = await ask(port, 'POST', '/api/toys', headers, body);
    expect([answer.status, answer.json()]).toMatchObject([status, { status, message, detail: message }]);
    expect((await ask(port, 'POST', '/api/toys', json, '{"name":"a","colour":"b"}')).status).toBe(201);
  });

  it('that are not there yet say so; cookies are for the API only; 204 has no body', async () => {
    const slow = bindCommand(toyEndpoint({ name: 'slow', kind: 'command', method: 'POST', path: '/slow', status: 200 }), async () => ({
      body: '{"raw":true}',
      position: 3n,
      pending: true,
      cookies: [{ name: 'cl_admin', value: 'v', path: '/api', maxAgeSeconds: 60 }],
    }));
    const gone = bindCommand(toyEndpoint({ name: 'gone', kind: 'command', method: 'DELETE', path: '/slow', status: 204 }), async () => ({
      body: undefined,
      position: undefined,
    }));
    const { port } = await open([slow, gone]);
    const answer = await ask(port, 'POST', '/api/slow');
    expect([answer.text, answer.headers['x-projection'], answer.headers['x-commit-position'], answer.headers['set-cookie']]).toEqual([
      '{"raw":true}',
      'pending',
      '3',
      ['cl_admin=v; Max-Age=60; Path=/api; HttpOnly; SameSite=Strict'],
    ]);
    const none = await ask(port, 'DELETE', '/api/slow');
    expect([none.status, none.text, none.headers['x-commit-position'], none.headers['content-length']]).toEqual([204, '', undefined, undefined]);
  });

  it('of a registrant are refused before the body to who brings nothing, and after it to who may not', async () => {
    const draft = bindCommand(
      toyEndpoint({
        name: 'draft',
        kind: 'command',
        method: 'POST',
        path: '/draft',
        access: 'registrant',
        teamOf: 'teamId',
        bodyKind: 'json',
        body: z.object({ teamId: id() }),
      }),
      async (call) => ({ body: call.caller, position: 1n }),
    );
    const { port } = await open([draft]);
    expect((await ask(port, 'POST', '/api/draft', json, '{"broken')).status).toBe(401);
    expect((await ask(port, 'POST', '/api/draft', { ...json, cookie: 'cl_reg_t2=x' }, '{"teamId":"t1"}')).status).toBe(401);
    expect((await ask(port, 'POST', '/api/draft', { ...json, cookie: 'cl_reg_t1=x' }, '{"teamId":" t1 "}')).json()).toEqual({
      role: 'registrant',
      teamId: 't1',
    });
  });

  it('are refused to who was logged out while the body was on its way', async () => {
    const handled: unknown[] = [];
    const paint = bindCommand(
      toyEndpoint({ name: 'paint', kind: 'command', method: 'POST', path: '/paint', access: 'admin', bodyKind: 'json' }),
      async (call) => ({ body: handled.push(call.caller), position: 1n }),
    );
    const seen = Promise.withResolvers<void>();
    let isLoggedIn = true;
    const authenticate = (): Caller => {
      if (!isLoggedIn) throw new DomainError('unauthenticated', 'Please log in');
      seen.resolve();
      return { role: 'admin', id: 'a1', name: 'Asha', jti: 'j', expires: 1 };
    };
    const { port } = await open([paint], { auth: { authenticate, expectCredential() {}, restsOn: () => undefined } });
    const slow = request({ host: '127.0.0.1', port, method: 'POST', path: '/api/paint', headers: { ...json, 'content-length': '2' }, agent: false });
    slow.write('{');
    await seen.promise;
    isLoggedIn = false;
    slow.end('}');
    const [answer] = (await once(slow, 'response')) as [IncomingMessage];
    answer.resume();
    expect([answer.statusCode, handled]).toEqual([401, []]);
  });

  it('wait for the place in the log that their caller rests on, if anybody but strangers may call', async () => {
    const asked: [bigint, number][] = [];
    let position = 7n;
    const waitFor = (...of: [bigint, number]): boolean => {
      asked.push(of);
      position = 9n;
      return true;
    };
    const authenticate = (_request: unknown, { access }: Pick<Endpoint, 'access'>): Caller => {
      if (access === 'public') return { role: 'visitor' };
      if (position < 9n) throw new DomainError('unauthenticated', 'Please log in');
      return { role: 'admin', id: 'a1', name: 'Asha', jti: 'j', expires: 1 };
    };
    const secret = bindRead(toyEndpoint({ access: 'admin', path: '/secrets' }), () => ({ json: '{}' }));
    const { port } = await open([getToy, secret], {
      auth: { authenticate, expectCredential() {}, restsOn: () => 9n },
      reads: { position: () => position, waitFor },
    });
    const statuses = [];
    for (const path of ['/api/toys/1', '/api/secrets', '/api/secrets']) statuses.push((await ask(port, 'GET', path)).status);
    expect([statuses, asked]).toEqual([[200, 200, 200], [[9n, 2000]]]);
  });

  it('are throttled before their body is read', async () => {
    const { port, refused } = await open([
      bindCommand(toyEndpoint({ name: 'askMuch', kind: 'command', method: 'POST', path: '/t', bodyKind: 'json', throttle: 'request' }), async () => ({
        body: {},
        position: 1n,
      })),
    ]);
    const answer = await ask(port, 'POST', '/api/t', json, '{"broken');
    expect([answer.status, answer.headers['retry-after'], refused]).toEqual([429, '30', ['askMuch throttled']]);
  });

  it('that come to nothing do not count for the throttle', async () => {
    const register = bindCommand(
      toyEndpoint({
        name: 'register',
        kind: 'command',
        method: 'POST',
        path: '/r',
        bodyKind: 'json',
        throttle: 'registration',
        body: z.object({ name: text() }),
      }),
      async () => ({ body: {}, position: 1n }),
    );
    const { port, refunds } = await open([register]);
    expect([(await ask(port, 'POST', '/api/r', json, '{"name":"a"}')).status, [...refunds]]).toEqual([200, []]);
    expect([(await ask(port, 'POST', '/api/r', json, '{}')).status, refunds]).toEqual([400, ['registration']]);
  });

  it('fail with a code of the domain, or with nothing but a request id', async () => {
    const failing = bindCommand(toyEndpoint({ name: 'fail', kind: 'command', method: 'POST', path: '/fail/:how' }), async (call) => {
      if (call.params['how'] === 'conflict') throw conflict('The match has entries');
      if (call.params['how'] === 'later') throw new DomainError('unavailable', 'Not now', { retryAfter: 7.2 });
      throw new Error('SQLITE_ERROR: near "SELECT": at /srv/app/node_modules/x.js:1');
    });
    const { port, lines } = await open([failing]);
    expect((await ask(port, 'POST', '/api/fail/conflict')).json()).toMatchObject({ status: 409, message: 'The match has entries' });
    expect((await ask(port, 'POST', '/api/fail/later')).headers['retry-after']).toBe('8');
    // A state that lasts is told without a place in the code.
    const told = lines.find(({ event }) => event === 'request refused');
    expect([told, lines.filter(({ event }) => event === 'request failed')]).toEqual([
      expect.objectContaining({ endpoint: 'fail', code: 'unavailable', reason: 'Not now' }),
      [],
    ]);
    const broken = await ask(port, 'POST', '/api/fail/badly');
    const body = broken.json() as { instance: string };
    expect([broken.status, body]).toEqual([
      500,
      {
        type: '/api/docs#problem-internal',
        title: 'Internal Server Error',
        status: 500,
        detail: 'Internal Server Error',
        instance: body.instance,
        message: 'Internal Server Error',
      },
    ]);
    expect(lines.filter((line) => line.requestId === body.instance).map(({ event }) => event)).toEqual(['request failed', 'request']);
  });
});

it('takes hot commands at the fast door by the same rules', async () => {
  const hot = bindCommand(
    toyEndpoint({
      name: 'recordStatIncrement',
      kind: 'command',
      method: 'POST',
      path: '/match/matches/:id/stat-entries',
      access: 'admin',
      bodyKind: 'json',
      body: z.object({ points: z.int() }),
      status: 201,
    }),
    async (call) => ({ body: { id: call.params['id'], ...call.body }, position: 4n }),
  );
  const { port } = await open([hot]);
  const admin = { ...json, authorization: 'Bearer admin' };
  const doors = ['/api/match/matches/m1/stat-entries', '/api/match/matches/m1/stat-entries?at=express'];
  for (const path of doors) {
    expect((await ask(port, 'POST', path, admin, '{"points":2}')).json()).toEqual({ id: 'm1', points: 2 });
    expect((await ask(port, 'POST', path, json, '{"points":2}')).status).toBe(401);
    expect((await ask(port, 'POST', path, admin, '{"points":"2"}')).status).toBe(400);
    expect((await ask(port, 'POST', path, { ...json, 'sec-fetch-site': 'cross-site' }, '{"points":2}')).status).toBe(403);
  }
  expect((await ask(port, 'POST', '/api/match/matches/%6d1/stat-entries', admin, '{"points":2}')).json()).toEqual({ id: 'm1', points: 2 });
});

it('answers other origins only when they are listed, to the letter', async () => {
  const { port } = await open([getToy, makeToy], { allowedOrigins: ['https://a.example'] });
  for (const origin of ['https://evil.example', 'null', 'https://a.example.evil', 'http://a.example', 'https://sub.a.example', 'https://a.example:8443']) {
    const answer = await ask(port, 'GET', '/api/toys/7', { origin });
    expect([answer.headers['access-control-allow-origin'], answer.headers.vary]).toEqual([undefined, 'Accept-Encoding, Origin']);
  }
  for (const _ of [1, 2]) {
    // The second one could come from the kept answers.
    const answer = await ask(port, 'GET', '/api/toys/7', { origin: 'https://a.example' });
    expect([answer.headers['access-control-allow-origin'], answer.headers['access-control-allow-credentials']]).toEqual(['https://a.example', 'true']);
  }
  const preflight = await ask(port, 'OPTIONS', '/api/toys', { origin: 'https://a.example', 'access-control-request-method': 'POST' });
  expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([204, 'GET, HEAD, POST, PUT, DELETE']);
  expect(
    (await ask(port, 'OPTIONS', '/api/toys', { origin: 'https://evil.example', 'access-control-request-method': 'POST' })).headers[
      'access-control-allow-methods'
    ],
  ).toBeUndefined();
});
