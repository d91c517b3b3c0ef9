/** The address of an EventStoreDB as it may be shown and kept: whatever stands before the last `@` is a user and a password. */
export const withoutPassword = (url: string): string => url.replace(/\/\/[^?]*@/, '//');

/** A user or a password as an address writes it (`%40` for an @); undefined when it cannot be read. */
export const credentialIn = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** What is said of an address whose user or password cannot be read. */
export const unreadableCredential = 'EVENTSTORE_URL has a % in its user or password that begins no escape: write it as %25';

/** An option under the name by which the client compares it: `tls-ca-file` is `tlsCAFile`. */
export const optionName = (key: string): string => key.trim().toLowerCase().replaceAll(/[_-]/g, '');

/** The options that the client knows. It warns of any other with the whole address, password included. */
const known: ReadonlySet<string> = new Set(
  [
    'tls',
    'tlsVerifyCert',
    'tlsCAFile',
    'userCertFile',
    'userKeyFile',
    'nodePreference',
    'connectionName',
    'defaultDeadline',
    'discoveryInterval',
    'gossipTimeout',
    'maxDiscoverAttempts',
    'keepAliveInterval',
    'keepAliveTimeout',
    'throwOnAppendFailure',
  ].map(optionName),
);

/** The options of an address, each as it is written there. */
export type AddressOptions = readonly (readonly [key: string, value: string])[];

/** Whether an address says false under a name (as `optionName` gives it); blanks around the value are dropped, as the client does. */
export const isFalse = (options: AddressOptions, name: string): boolean => options.some(([key, value]) => optionName(key) === name && value.trim() === 'false');

/** As long as a timer can run: the client's becomes 1 ms with more, and with the -1 that it takes for none. */
const longestTimer = 2_147_483_647;

/** What is against the options of an address; undefined when nothing is. */
export const problemOfOptions = (options: AddressOptions): string | undefined => {
  const unknown = options.map(([key]) => key).filter((key) => !known.has(optionName(key)));
  // What is no word may be the rest of a password.
  if (unknown.length > 0) return `it has an option that does not exist${unknown.every((key) => /^\w+$/.test(key)) ? ` (${unknown.join(', ')})` : ''}`;
  if (isFalse(options, 'tlsverifycert') && !isFalse(options, 'tls'))
    return 'certificates are always verified, whatever tlsVerifyCert says: leave it out, and name the file of the authority that made the certificate (tlsCAFile)';
  if (options.some(([key, value]) => optionName(key) === 'keepalivetimeout' && !(Number(value) >= 1 && Number(value) <= longestTimer)))
    return 'keepAliveTimeout is not a time from 1 ms on: the client gives up the connection at each ping then (keepAliveInterval=-1 sends none)';
  return undefined;
};
