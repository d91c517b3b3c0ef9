import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AnswerCache, CachedAnswer, encodingFor, entityTag, matchesTag } from './answer-cache.ts';

const answer = (text: string, day?: string): CachedAnswer => new CachedAnswer('getMatch', Buffer.from(text), ['Content-Type', 'application/json'], day);
const bytesOf = (body: string | Buffer): Buffer => (typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
/** Makes an answer in the other two encodings, and says how many bytes they have. */
const packed = async (of: CachedAnswer): Promise<number> => {
  const made = [await of.make('gzip'), await of.make('br')];
  return made.reduce((sum, { body }) => sum + bytesOf(body).length, 0);
};

describe('AnswerCache', () => {
  it('gives an answer at its own position only', () => {
    const cache = new AnswerCache();
    const kept = answer('{}');
    cache.put('/api/a', 5n, kept);
    expect(cache.get('/api/a', 5n, '2026-11-21')).toBe(kept);
    expect(cache.get('/api/a', 6n, '2026-11-21')).toBeUndefined();
    expect(cache.get('/api/b', 5n, '2026-11-21')).toBeUndefined();
  });

  it('drops everything older when the position moves, and takes nothing older after that', () => {
    const cache = new AnswerCache();
    cache.put('/api/a', 5n, answer('1'));
    cache.put('/api/b', 6n, answer('2'));
    expect(cache.size).toBe(1);
    cache.put('/api/a', 5n, answer('1'));
    expect(cache.size).toBe(1);
    expect(cache.get('/api/a', 6n, 'd')).toBeUndefined();
  });

  it('forgets an answer of yesterday that depends on the day', () => {
    const cache = new AnswerCache();
    cache.put('/api/a', 5n, answer('1', '2026-11-21'));
    expect(cache.get('/api/a', 5n, '2026-11-21')).toBeDefined();
    expect(cache.get('/api/a', 5n, '2026-11-22')).toBeUndefined();
  });

  it('keeps within its bounds, the newest first', () => {
    const cache = new AnswerCache({ entries: 2, bytes: 1000 });
    for (const url of ['/1', '/2', '/3']) cache.put(url, 1n, answer('x'.repeat(10)));
    expect([cache.get('/1', 1n, ''), cache.get('/2', 1n, '')?.bytes, cache.get('/3', 1n, '')?.bytes]).toEqual([undefined, 20, 20]);
    cache.put('/big', 1n, answer('x'.repeat(126)));
    // Who makes up addresses fills it with none that is longer than anybody's.
    const long = `/${'x'.repeat(300)}`;
    cache.put(long, 1n, answer('1'));
    expect([cache.get('/big', 1n, ''), cache.get(long, 1n, '')]).toEqual([undefined, undefined]);
    const narrow = new AnswerCache({ entries: 10, bytes: 200 });
    for (const url of ['/1', '/2', '/3', '/4', '/5']) narrow.put(url, 1n, answer('x'.repeat(25)));
    expect(narrow.size).toBe(4);
  });

  it('has all of its room again when the position moves, and when it forgets everything', () => {
    const cache = new AnswerCache({ entries: 10, bytes: 200 });
    const fill = (position: bigint): number => {
      for (const url of ['/1', '/2', '/3', '/4']) cache.put(url, position, answer('x'.repeat(25)));
      return cache.size;
    };
    expect([fill(5n), fill(6n)]).toEqual([4, 4]);
    cache.clear();
    expect([cache.size, cache.get('/1', 6n, ''), fill(1n), cache.get('/1', 1n, '')?.bytes]).toEqual([0, undefined, 4, 50]);
  });

  it('counts a long answer once: it is sent as it is kept', () => {
    expect([answer('x'.repeat(65_536)).bytes, answer('x'.repeat(65_537)).bytes]).toEqual([131_072, 65_537]);
  });

  it('keeps what somebody asks for when many others are made', () => {
    const cache = new AnswerCache({ entries: 4, bytes: 1000 });
    cache.put('/asked', 1n, answer('1'));
    for (let made = 0; made < 10; made += 1) {
      cache.put(`/made-up-${String(made)}`, 1n, answer('2'));
      expect(cache.get('/asked', 1n, '')).toBeDefined();
    }
    expect(cache.size).toBe(4);
  });

  it('counts an answer in each encoding that it is kept in, from when it is made', async () => {
    const text = randomBytes(1500).toString('base64');
    const more = await packed(answer(text));
    const cache = new AnswerCache({ entries: 10, bytes: 4 * 4000 + more - 1 });
    const last = answer(text);
    for (const [url, kept] of [
      ['/1', answer(text)],
      ['/2', answer(text)],
      ['/3', answer(text)],
      ['/4', last],
    ] as const)
      cache.put(url, 1n, kept);
    expect([last.bytes, cache.size]).toEqual([4000, 4]);
    expect([await packed(last), last.bytes, cache.size, cache.get('/1', 1n, '')]).toEqual([more, 4000 + more, 3, undefined]);
    cache.put('/5', 1n, answer(text));
    expect([cache.size, cache.get('/2', 1n, '')]).toEqual([3, undefined]);
  });

  it('does not count by what an answer grows that is kept no more', async () => {
    const cache = new AnswerCache({ entries: 10, bytes: 4 * 4000 });
    const old = answer('x'.repeat(2000));
    cache.put('/1', 1n, old);
    const making = old.make('gzip');
    for (const url of ['/1', '/2', '/3', '/4']) cache.put(url, 1n, answer('y'.repeat(2000)));
    await making;
    expect(cache.size).toBe(4);
    cache.put('/4', 1n, answer('z'.repeat(2000)));
    expect(cache.size).toBe(4);
  });
});

describe('CachedAnswer', () => {
  it('has the same content in each encoding, under a tag of its own', async () => {
    const text = JSON.stringify(Array.from({ length: 200 }, (_, index) => ({ name: `क्लब ${index}` })));
    const cached = answer(text);
    const [plain, zipped, brotli] = [cached.ready('identity'), await cached.make('gzip'), await cached.make('br')];
    expect(bytesOf(plain?.body ?? '').toString('utf8')).toBe(text);
    expect(gunzipSync(bytesOf(zipped.body)).toString('utf8')).toBe(text);
    expect(brotliDecompressSync(bytesOf(brotli.body)).toString('utf8')).toBe(text);
    const bare = cached.tag.slice(1, -1);
    expect([plain, zipped, brotli].map((variant) => variant?.headers[variant.headers.indexOf('ETag') + 1])).toEqual([
      `"${bare}"`,
      `"${bare}-gz"`,
      `"${bare}-br"`,
    ]);
    expect(cached.ready('gzip')).toBe(zipped);
    const asked = answer(text);
    const [first, second] = await Promise.all([asked.make('br'), asked.make('br')]);
    expect(second).toBe(first);
    expect(zipped.headers).toEqual([
      'Content-Type',
      'application/json',
      'Vary',
      'Accept-Encoding',
      'ETag',
      `"${bare}-gz"`,
      'Content-Length',
      String(bytesOf(zipped.body).length),
      'Content-Encoding',
      'gzip',
    ]);
  });

  it('says in a 304 the tag that its 200 has in the same encoding, made already or not', async () => {
    for (const cached of [answer('x'.repeat(5000)), answer('{"short":true}')]) {
      for (const encoding of ['identity', 'gzip', 'br'] as const) {
        const told = cached.notModified(encoding);
        const { headers } = await cached.make(encoding);
        expect(told).toEqual(['Content-Type', 'application/json', 'Vary', 'Accept-Encoding', 'ETag', headers[headers.indexOf('ETag') + 1]]);
      }
    }
  });

  it('does not compress what fits a packet', async () => {
    const cached = answer('{"short":true}');
    expect(await cached.make('br')).toBe(cached.ready('identity'));
  });

  it('keeps long answers whole', () => {
    const text = 'é'.repeat(100_000);
    expect(bytesOf(answer(text).ready('identity')?.body ?? '').toString('utf8')).toBe(text);
  });
});

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0,gzip;q=0', 'identity'],
  ['gzip;q=0.5', 'gzip'],
  ['brotli', 'identity'],
  ['*', 'identity'],
  ['GZIP', 'identity'],
])('chooses for Accept-Encoding %s: %s', (header, encoding) => {
  expect(encodingFor(header)).toBe(encoding);
});

it('matches entity tags in every form that clients send', () => {
  const tag = entityTag('x');
  const bare = tag.slice(1, -1);
  for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*', `"${bare}-gz"`, `W/"${bare}-br"`]) expect(matchesTag(header, tag)).toBe(true);
  for (const header of [undefined, '', '"other"', bare, `"${bare}-xx"`]) expect(matchesTag(header, tag)).toBe(false);
});
