import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { bearerOf } from './auth.ts';

const crossSite = (): DomainError => new DomainError('cross-site', 'This request came from another site');

/** The host that the browser meant, in lower case; '' when it named none. Behind proxies that we trust it stands in X-Forwarded-Host. */
export const ownHost = (headers: IncomingHttpHeaders, behindProxy: boolean): string => {
  const forwarded = headers['x-forwarded-host'];
  const host = behindProxy && typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined;
  return (host ?? headers.host ?? '').toLowerCase();
};

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host.toLowerCase() : undefined);

/**
 * Refuses a browser's cross-site write that carries no bearer (api-contract, 'Who is calling'): cookies travel by themselves, and multipart and text posts need
 * no preflight. Sec-Fetch-Site decides when it is there, else Origin; with neither it is not a browser.
 * @param allowed origins of `ALLOWED_ORIGINS` and of `PUBLIC_URL`, exact
 * @throws DomainError `cross-site`
 */
export const expectSameOrigin = (headers: IncomingHttpHeaders, endpoint: Pick<Endpoint, 'kind'>, allowed: readonly string[], behindProxy = false): void => {
  if (endpoint.kind !== 'command' || bearerOf(headers) !== undefined) return;
  const { origin } = headers;
  if (origin !== undefined && allowed.includes(origin)) return;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw crossSite();
    return;
  }
  if (origin !== undefined && hostOf(origin) !== ownHost(headers, behindProxy)) throw crossSite();
};

/**
 * The CORS headers of an answer: none unless the Origin is, to the letter, on the list (normally empty: production is one origin).
 * @param preflight true for an OPTIONS request with Access-Control-Request-Method
 */
export const corsHeaders = (origin: string | undefined, allowed: readonly string[], preflight: boolean): Readonly<Record<string, string>> => {
  if (allowed.length === 0) return {};
  // Vary even for those who are not on the list: a cache must not give the answer of one origin to another.
  const vary = { Vary: 'Origin' };
  if (origin === undefined || !allowed.includes(origin)) return vary;
  return {
    ...vary,
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': 'X-Commit-Position, X-Read-Position, X-Projection, ETag, Retry-After',
    ...(preflight && {
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, X-Min-Position, If-None-Match, Last-Event-ID',
      'Access-Control-Max-Age': '600',
    }),
  };
};
