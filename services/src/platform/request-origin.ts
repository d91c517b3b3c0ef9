import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from './config.ts';
import { ownHost } from './same-origin.ts';
import { clientAddress } from './throttle-address.ts';

/** Who asks, and under which address the site is seen: as the proxies say that are trusted. */
export type RequestOrigin = {
  /** The client's address behind the proxies that are trusted. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Whether the client came over https. */
  readonly isSecure: (request: IncomingMessage) => boolean;
  /** Where the site is seen: as configured, else as the request names it. */
  readonly originOf: (request: IncomingMessage) => string;
};

export const createRequestOrigin = ({ trustProxyHops, publicUrl }: Pick<Config, 'trustProxyHops' | 'publicUrl'>): RequestOrigin => {
  /** Without proxies a connection has one address: it is worked out once. */
  const addresses = new WeakMap<Socket, string>();
  const addressOf = (request: IncomingMessage): string => {
    const known = addresses.get(request.socket);
    if (known !== undefined) return known;
    const address = clientAddress(request.headers, request.socket.remoteAddress, trustProxyHops);
    if (trustProxyHops === 0) addresses.set(request.socket, address);
    return address;
  };
  const isSecure = (request: IncomingMessage): boolean => {
    const forwarded = trustProxyHops > 0 ? request.headers['x-forwarded-proto'] : undefined;
    return publicUrl?.protocol === 'https:' || (typeof forwarded === 'string' && forwarded.split(',').at(-1)?.trim() === 'https');
  };
  const originOf = (request: IncomingMessage): string =>
    publicUrl?.origin ?? `${isSecure(request) ? 'https' : 'http'}://${ownHost(request.headers, trustProxyHops > 0)}`;
  return { addressOf, isSecure, originOf };
};

/** What a proxy adds to say whose request it passes on; one that adds none of them cannot be told from a client of this machine. */
const ofProxies = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
];

/** Nobody stands in between: such a request came from this machine itself. */
export const isLoopback = (request: IncomingMessage): boolean =>
  ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? '') && ofProxies.every((name) => request.headers[name] === undefined);
