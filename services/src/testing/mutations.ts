/** A request before it is written down, so that each part can be spoiled by itself. */
export type Draft = { readonly method: string; readonly path: string; readonly headers: readonly (readonly [string, string])[]; readonly body: Buffer };

type Random = () => number;
const below = (random: Random, end: number): number => Math.floor(random() * end);
const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T;

/** Values that have broken servers before. */
const nasty = [
  '',
  ' ',
  '\0',
  '%00',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '%c0%ae%c0%ae',
  '%ff%fe',
  "' OR 1=1 --",
  '"; DROP TABLE events; --',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\u202etxt.exe',
  '\ud800',
  'a'.repeat(5000),
  '9'.repeat(400),
  '-1',
  '1e999',
  'NaN',
  'null',
  'undefined',
  '[object Object]',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '\r\nX-Injected: yes',
  '%0d%0aX-Injected:%20yes',
  '🏀'.repeat(300),
  'ﷺ'.repeat(200),
  '\uFEFF',
  'true',
  '[]',
  '{}',
];
const nastyValues: readonly unknown[] = [null, true, [], {}, [[]], { a: { b: {} } }, -0, 1e308, 1e-320, 2 ** 53, '__proto__', '\ud800', ...nasty];
const nastyNames = [
  'a[99999999]',
  'a[b][c][d][e]',
  'prizePool[__proto__]',
  '__proto__[role]',
  'constructor[prototype][x]',
  '[name]',
  'name[',
  'name]',
  'organizer',
  'organizer[name',
  'a'.repeat(300),
  '',
  '"',
  'logo',
];

const splice = (body: Buffer, at: number, remove: number, insert: Buffer): Buffer => Buffer.concat([body.subarray(0, at), insert, body.subarray(at + remove)]);
const randomBytesOf = (random: Random, length: number): Buffer => Buffer.from(Array.from({ length }, () => below(random, 256)));
const withBody = (draft: Draft, body: Buffer): Draft => ({ ...draft, body });
const withHeader = (draft: Draft, name: string, value: string): Draft => ({
  ...draft,
  headers: [...draft.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase()), [name, value]],
});

/** Puts something else in place of one value of a JSON body, at any depth. */
const spoilJson = (random: Random, body: Buffer): Buffer => {
  let root: unknown;
  try {
    root = JSON.parse(body.toString('utf8'));
  } catch {
    return body;
  }
  const places: (() => void)[] = [];
  const walk = (node: unknown, depth: number): void => {
    if (typeof node !== 'object' || node === null || depth > 20) return;
    for (const key of Object.keys(node)) {
      const holder = node as Record<string, unknown>;
      places.push(
        () => {
          holder[key] = pick(random, nastyValues);
        },
        () => {
          Object.defineProperty(holder, pick(random, nasty), { value: pick(random, nastyValues), enumerable: true, configurable: true, writable: true });
        },
      );
      walk(holder[key], depth + 1);
    }
  };
  walk(root, 0);
  if (places.length > 0) pick(random, places)();
  try {
    return Buffer.from(JSON.stringify(root));
  } catch {
    // Nested deeper than it can be written.
    return body;
  }
};

const mutations: readonly ((random: Random, draft: Draft) => Draft)[] = [
  (random, draft) => withBody(draft, draft.body.subarray(0, below(random, draft.body.length + 1))),
  (random, draft) => {
    const body = Buffer.from(draft.body);
    for (let count = 1 + below(random, 8); count > 0 && body.length > 0; count -= 1) {
      const at = below(random, body.length);
      body[at] = (body[at] ?? 0) ^ (1 << below(random, 8));
    }
    return withBody(draft, body);
  },
  (random, draft) => withBody(draft, splice(draft.body, below(random, draft.body.length + 1), 0, randomBytesOf(random, 1 + below(random, 40)))),
  (random, draft) => withBody(draft, splice(draft.body, below(random, draft.body.length + 1), below(random, 200), Buffer.alloc(0))),
  (random, draft) => withBody(draft, Buffer.concat([draft.body, draft.body.subarray(below(random, draft.body.length + 1))])),
  (random, draft) => withBody(draft, Buffer.from(draft.body.toString('latin1').replace(/\r\n/g, pick(random, ['\n', '\r', '\r\n\r\n', ''])), 'latin1')),
  (random, draft) => withBody(draft, Buffer.from(draft.body.toString('latin1').replace(/name="[^"]*"/, `name="${pick(random, nastyNames)}"`), 'latin1')),
  (random, draft) => withBody(draft, Buffer.from(draft.body.toString('latin1').replace(/filename="[^"]*"/, `filename="${pick(random, nasty)}"`), 'latin1')),
  (random, draft) =>
    withBody(
      draft,
      Buffer.from(
        draft.body.toString('latin1').replace(/Content-Type: [^\r\n]*/, `Content-Type: ${pick(random, ['image/svg+xml', 'text/html', ...nasty])}`),
        'latin1',
      ),
    ),
  (random, draft) => withBody(draft, spoilJson(random, draft.body)),
  (random, draft) => withBody(draft, Buffer.from(`${'['.repeat(20_000)}${pick(random, nasty)}${']'.repeat(20_000)}`)),
  (random, draft) =>
    withHeader(
      draft,
      'Content-Type',
      pick(random, [
        'application/json; charset=utf-16',
        'multipart/form-data',
        'multipart/form-data; boundary=',
        `multipart/form-data; boundary=${'b'.repeat(300)}`,
        'multipart/mixed; boundary=x',
        'text/plain',
        'application/x-www-form-urlencoded',
        '',
        ...nasty,
      ]),
    ),
  (random, draft) => withHeader(draft, 'Content-Length', pick(random, ['0', '1', String(draft.body.length + 10), '-1', '1e3', 'x', String(2 ** 40), '0x10'])),
  (random, draft) => withHeader(draft, 'Transfer-Encoding', pick(random, ['chunked', 'gzip', 'chunked, chunked', 'identity'])),
  (random, draft) => withHeader(draft, 'Content-Encoding', pick(random, ['gzip', 'br', 'zstd', 'identity', 'x'])),
  (random, draft) =>
    withHeader(
      draft,
      pick(random, [
        'Authorization',
        'Cookie',
        'Idempotency-Key',
        'If-None-Match',
        'Origin',
        'Sec-Fetch-Site',
        'X-Forwarded-For',
        'X-Min-Position',
        'Accept-Encoding',
        'Host',
        'Last-Event-ID',
        'Expect',
        'Range',
        'Connection',
      ]),
      pick(random, [
        'Bearer x.y.z',
        'Bearer null',
        'cl_admin=x; cl_reg_=y',
        'cl_reg_../..=x',
        `cl_reg_x=${'y'.repeat(3000)}`,
        '100-continue',
        'bytes=0-',
        'close',
        ...nasty,
      ]),
    ),
  (random, draft) => ({ ...draft, method: pick(random, ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'BREW', 'get']) }),
  (random, draft) => ({ ...draft, path: draft.path.replace(/[^/]+$/, encodeURIComponent(pick(random, nasty).toWellFormed())) }),
  (random, draft) => ({
    ...draft,
    path: draft.path.replace(
      /[^/]+$/,
      pick(random, ['%', '%zz', '%00', '%c3%28', '..', '.', '%2e%2e', '%2f', ';a=b', '*', ':id', '\\', '?', '#', '//', '%20', '[', '{id}', '%F0%9F%8F%80']),
    ),
  }),
  (random, draft) => ({
    ...draft,
    path: `${draft.path}?${pick(random, ['asOf', 'date', 'lastEventId', 'a', '__proto__', 'a[b]', 'constructor'])}=${encodeURIComponent(pick(random, nasty).toWellFormed())}`,
  }),
  (random, draft) => ({ ...draft, path: `${draft.path}${pick(random, ['/', '//', '/.', '/..', '/%2e%2e/', '/x'.repeat(500)])}` }),
];

/** One to three faults at once. */
export const mutate = (random: Random, draft: Draft): Draft => {
  let spoiled = draft;
  for (let count = 1 + below(random, 3); count > 0; count -= 1) spoiled = pick(random, mutations)(random, spoiled);
  return spoiled;
};

/** The draft as bytes of HTTP. Line breaks in values stay: that is one of the attacks. */
export const written = ({ method, path, headers, body }: Draft): Buffer => {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(names.has('host') ? [] : ['Host: localhost']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(names.has('content-length') || names.has('transfer-encoding') ? [] : [`Content-Length: ${body.length}`]),
    ...(names.has('connection') ? [] : ['Connection: close']),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
};
