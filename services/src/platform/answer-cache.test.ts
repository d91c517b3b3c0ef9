import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AnswerCache, CachedAnswer, encodingFor, entityTag, matchesTag } from './answer-cache.ts';

const answer = (text: string, day?: string): CachedAnswer => new CachedAnswer('getMatch', Buffer.from(text), ['Content-Type', 'application/json'], day);
const bytesOf = (body: string | Buffer): Buffer => (typeof body === 'string' ? Buffer.from(body, 'latin1') : body);

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
    expect([cache.get('/1', 1n, ''), cache.get('/2', 1n, '')?.bytes, cache.get('/3', 1n, '')?.bytes]).toEqual([undefined, 10, 10]);
    cache.put('/big', 1n, answer('x'.repeat(251)));
    // Who makes up addresses fills it with none that is longer than anybody's.
    const long = `/${'x'.repeat(300)}`;
    cache.put(long, 1n, answer('1'));
    expect([cache.get('/big', 1n, ''), cache.get(long, 1n, '')]).toEqual([undefined, undefined]);
    const narrow = new AnswerCache({ entries: 10, bytes: 100 });
    for (const url of ['/1', '/2', '/3', '/4', '/5']) narrow.put(url, 1n, answer('x'.repeat(25)));
    expect(narrow.size).toBe(4);
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
