import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Networks of customers: one household or phone has a whole /56, so that single IPv6 addresses cost nothing to change. */
const ipv6Prefix = 56;

/** `1.2.3.4:5678` and `[::1]:80`, as some proxies write them. */
const withoutPort = (text: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);

/** An address as throttles know it: IPv4 as it is (also when it comes IPv4-mapped), IPv6 by its /56. undefined for what is no address. */
export const addressKey = (text: string): string | undefined => {
  const plain = withoutPort(text.trim()).replace(/%.*$/, '');
  if (!ipaddr.isValid(plain)) return undefined;
  const address = ipaddr.process(plain);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${ipv6Prefix}`).toString()}/${ipv6Prefix}`;
};

const mostKnown = 1000;
/** Addresses that were asked for, with their keys: connections ask again and again, and parsing one costs more than the rest of a check. */
const known = new Map<string, string | undefined>();
const knownKey = (text: string): string | undefined => {
  if (known.has(text)) return known.get(text);
  const key = addressKey(text);
  if (known.size >= mostKnown) known.clear();
  known.set(text, key);
  return key;
};

/**
 * Where a request came from. Exactly `hops` proxies are ours: the client is that many places from the right end of X-Forwarded-For (each proxy appends whom it
 * saw), and nothing further left is believed. Without proxies the header is not looked at.
 * @param hops `TRUST_PROXY`
 */
export const clientAddress = (headers: IncomingHttpHeaders, socketAddress: string | undefined, hops: number): string => {
  const own = knownKey(socketAddress ?? '') ?? 'unknown';
  if (hops === 0) return own;
  const header = headers['x-forwarded-for'];
  const seen = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  const claimed = seen.at(-hops);
  // Fewer entries than proxies, or no address: somebody came past them. They share one bucket, the socket's.
  return (claimed === undefined ? undefined : knownKey(claimed)) ?? own;
};
