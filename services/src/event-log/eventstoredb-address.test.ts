import { expect, it } from 'vitest';
import { credentialIn, withoutPassword } from './eventstoredb-address.ts';

it.each([
  ['esdb://host:2113?tls=false', 'esdb://host:2113?tls=false'],
  ['esdb://admin:secret@host:2113', 'esdb://host:2113'],
  ['esdb://admin:1/secret@host:2113?connectionName=a@b', 'esdb://host:2113?connectionName=a@b'],
  ['esdb+discover://admin:p@ss@one,two,three?tls=true', 'esdb+discover://one,two,three?tls=true'],
])('shows %s as %s', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});

it('reads a user or a password as it stands in an address, where it can be read', () => {
  expect(['p%40ss%25', 'plain', '100%', '%zz'].map((text) => credentialIn(text))).toEqual(['p@ss%', 'plain', undefined, undefined]);
});
