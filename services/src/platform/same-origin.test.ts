import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { corsHeaders, expectSameOrigin } from './same-origin.ts';
import { codeOf } from './testing/gate-fixtures.ts';

const own = { host: 'courts.example:8080' };
const check = (headers: IncomingHttpHeaders, allowed: readonly string[] = [], behindProxy = false): string =>
  codeOf(() => {
    expectSameOrigin({ ...own, ...headers }, { kind: 'command' }, allowed, behindProxy);
  });

describe('expectSameOrigin', () => {
  test.each<[string, IncomingHttpHeaders, string]>([
    ['no browser', {}, 'none'],
    ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'http://courts.example:8080' }, 'none'],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }, 'none'],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 'cross-site'],
    ['a sub-domain', { 'sec-fetch-site': 'same-site', origin: 'http://a.courts.example:8080' }, 'cross-site'],
    ['a word that means nothing', { 'sec-fetch-site': 'friendly' }, 'cross-site'],
    ['an old browser on our page', { origin: 'http://courts.example:8080' }, 'none'],
    ['our page behind https', { origin: 'https://courts.example:8080' }, 'none'],
    ['an old browser elsewhere', { origin: 'http://evil.example' }, 'cross-site'],
    ['another port', { origin: 'http://courts.example:8081' }, 'cross-site'],
    ['our name as a beginning', { origin: 'http://courts.example:8080.evil.example' }, 'cross-site'],
    ['a sandboxed frame', { origin: 'null' }, 'cross-site'],
    ['a bearer, which no browser adds by itself', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example', authorization: 'Bearer abc' }, 'none'],
    ['a bearer that is none', { 'sec-fetch-site': 'cross-site', authorization: 'Bearer null' }, 'cross-site'],
    ['basic credentials, which a browser adds by itself', { 'sec-fetch-site': 'cross-site', authorization: 'Basic abc' }, 'cross-site'],
  ])('%s', (_name, headers, expected) => {
    expect(check(headers)).toBe(expected);
  });

  test('an allowed origin passes, to the letter', () => {
    const allowed = ['https://partner.example'];
    expect(check({ 'sec-fetch-site': 'cross-site', origin: 'https://partner.example' }, allowed)).toBe('none');
    expect(check({ 'sec-fetch-site': 'cross-site', origin: 'http://partner.example' }, allowed)).toBe('cross-site');
  });

  test('the address of the site as the world sees it passes, whatever host a proxy names', () => {
    expect(check({ host: 'localhost:8080', origin: 'https://court.example' }, ['https://court.example'])).toBe('none');
    expect(check({ host: 'localhost:8080', origin: 'https://court.example' })).toBe('cross-site');
  });

  test('behind our proxy the forwarded host counts, else not', () => {
    const headers = { origin: 'https://public.example', 'x-forwarded-host': 'public.example' };
    expect(check(headers, [], true)).toBe('none');
    expect(check(headers, [], false)).toBe('cross-site');
  });

  test('every write of the contracts is refused to another site, no read is', () => {
    const headers = { ...own, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const all: readonly Endpoint[] = Object.values(allEndpoints);
    const refused = all.filter(
      (endpoint) =>
        codeOf(() => {
          expectSameOrigin(headers, endpoint, []);
        }) === 'cross-site',
    );
    expect(refused.map(({ name }) => name)).toEqual(all.filter(({ kind }) => kind === 'command').map(({ name }) => name));
    expect(refused.length).toBeGreaterThan(15);
    // A read that is called cross-site changes nothing, and a GET never is a command.
    expect(all.filter(({ kind, method }) => kind === 'command' && method === 'GET')).toEqual([]);
  });
});

describe('corsHeaders', () => {
  const allowed = ['https://site.example'];
  test.each([
    'https://evil.example',
    'null',
    'https://site.example.evil',
    'https://a.site.example',
    'http://site.example',
    'https://site.example/',
    'https://SITE.example',
    undefined,
  ])('gives %s nothing', (origin) => {
    expect(corsHeaders(origin, allowed, true)).toEqual({ Vary: 'Origin' });
    expect(corsHeaders(origin, [], true)).toEqual({});
  });

  test('gives an allowed origin its own name, never a star', () => {
    expect(corsHeaders('https://site.example', allowed, false)).toMatchObject({
      'Access-Control-Allow-Origin': 'https://site.example',
      'Access-Control-Allow-Credentials': 'true',
      Vary: 'Origin',
    });
    expect(corsHeaders('https://site.example', allowed, true)['Access-Control-Allow-Headers']).toContain('Authorization');
  });
});
