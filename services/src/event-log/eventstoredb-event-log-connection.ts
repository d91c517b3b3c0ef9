import { EventStoreDBClient, type Credentials } from '@eventstore/db-client';
import { AddressRefused } from './event-log.ts';
import { credentialIn, isFalse, optionName, problemOfOptions, unreadableCredential, type AddressOptions } from './eventstoredb-address.ts';

/**
 * How an open connection is watched: a ping after `interval` ms without a sign of life, given up `timeout` ms later. Below 10 s the client prints a warning.
 */
export type KeepAlive = { readonly interval: number; readonly timeout: number };

const defaultKeepAlive: KeepAlive = { interval: 10_000, timeout: 5000 };

type Address = { readonly base: string; readonly options: AddressOptions; readonly credentials: Credentials };

/** Sets options that the string does not name itself. */
const withDefaults = (options: AddressOptions, defaults: Record<string, string>): AddressOptions => {
  const named = new Set(options.map(([key]) => optionName(key)));
  return [...options, ...Object.entries(defaults).filter(([key]) => !named.has(optionName(key)))];
};

const parseAddress = (url: string): Address => {
  const [base = '', query = ''] = url.split('?', 2);
  const options = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const [key = '', value = ''] = pair.split('=', 2);
      return [key, value];
    });
  const problem = problemOfOptions(options);
  if (problem !== undefined) throw new AddressRefused(`EVENTSTORE_URL cannot be used: ${problem}`);
  const [, scheme = '', userInfo, hosts = ''] = /^([^:]*:\/\/)(?:(.*)@)?(.*)$/s.exec(base) ?? [];
  // A password may hold a colon or an @: the name ends at the first colon, the password at the last @.
  const [, user = '', secret = ''] = /^([^:]+):(.+)$/s.exec(userInfo ?? '') ?? [];
  if (userInfo !== undefined && secret === '')
    throw new AddressRefused('EVENTSTORE_URL cannot be used: before the @ it names no user and password (esdb://user:password@host:2113)');
  if (userInfo === undefined && !isFalse(options, 'tls'))
    throw new AddressRefused(
      'EVENTSTORE_URL cannot be used: it names no user and password, which a server with TLS asks for (esdb://user:password@host:2113); for a server without TLS it ends with ?tls=false',
    );
  const [username, password] = [credentialIn(user), credentialIn(secret)];
  if (username === undefined || password === undefined) throw new AddressRefused(unreadableCredential);
  return {
    // The client takes a password for ended at its first colon or @, where they are not escaped.
    base: userInfo === undefined ? base : `${scheme}${encodeURIComponent(username)}:${encodeURIComponent(password)}@${hosts}`,
    // A refused append must throw: the client's other way gives a wrong revision. Of tlsVerifyCert it only warns, with the password.
    options: options.filter(([key]) => !['throwonappendfailure', 'tlsverifycert'].includes(optionName(key))),
    // Without TLS credentials are never sent; giving some still chooses the single-append path.
    credentials: userInfo === undefined ? { username: 'nobody', password: 'none' } : { username, password },
  };
};

/** The keep-alive settings that the string names, else the given ones. */
const keepAliveOf = (options: AddressOptions, fallback: KeepAlive): KeepAlive => {
  const named = new Map(options.map(([key, value]) => [optionName(key), Number.parseInt(value, 10)]));
  return { interval: named.get('keepaliveinterval') ?? fallback.interval, timeout: named.get('keepalivetimeout') ?? fallback.timeout };
};

/**
 * Connections that were left and may still carry a call. Whoever replaces one waits for a call's time-out before the next, so on older ones nothing runs any
 * more.
 */
const mostRetired = 2;

/**
 * The client, and a way to get another connection. Clients with the same settings share one TCP connection over the whole process, and a connection
 * to a silent peer that was never set up is never given up; one with other keep-alive settings is a new one.
 */
export class EventStoreDbConnection {
  readonly credentials: Credentials;
  readonly #address: Address;
  readonly #keepAlive: KeepAlive;
  readonly #retired: EventStoreDBClient[] = [];
  #client: EventStoreDBClient;
  #generation = 0;

  /** @throws AddressRefused, without the password, when the string cannot be used */
  constructor(url: string, keepAlive: KeepAlive = defaultKeepAlive) {
    this.#address = parseAddress(url);
    this.#keepAlive = keepAliveOf(this.#address.options, keepAlive);
    this.credentials = this.#address.credentials;
    this.#client = this.#open();
  }

  get client(): EventStoreDBClient {
    return this.#client;
  }

  /** How often the connection was replaced. */
  get generation(): number {
    return this.#generation;
  }

  /** From now on calls go over a new connection. What runs on the old one is left to its own time-outs. */
  replace(): void {
    this.#retired.push(this.#client);
    for (const client of this.#retired.splice(0, this.#retired.length - mostRetired)) void client.dispose().catch(() => undefined);
    this.#generation += 1;
    this.#client = this.#open();
  }

  /** Ends every call: a process with an open subscription would not exit. */
  async dispose(): Promise<void> {
    await Promise.allSettled([...this.#retired, this.#client].map((client) => client.dispose()));
  }

  #open(): EventStoreDBClient {
    const settings = withDefaults(
      this.#address.options.filter(([key]) => !optionName(key).startsWith('keepalive')),
      {
        // Reads must see what was acknowledged: a follower may be behind.
        nodePreference: 'leader',
        // Seconds. Nodes are asked one after the other for the leader, and the client's own 5 s for one that is silent are all that a call has.
        gossipTimeout: '2',
        keepAliveInterval: String(this.#keepAlive.interval),
        keepAliveTimeout: String(this.#keepAlive.timeout + this.#generation),
      },
    );
    const text = `${this.#address.base}?${settings.map(([key, value]) => `${key}=${value}`).join('&')}`;
    try {
      return EventStoreDBClient.connectionString(text);
    } catch {
      // The client's own error carries the whole string, password included: it is not passed on.
      throw new AddressRefused(
        `EVENTSTORE_URL cannot be used: ${this.#address.options.length === 0 ? 'it is no connection string' : `it is no connection string, or the client does not take one of its options (${this.#address.options.map(([key, value]) => `${key}=${value}`).join(', ')})`}`,
      );
    }
  }
}
