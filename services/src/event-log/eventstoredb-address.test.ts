import { expect, it } from 'vitest';
import { AddressRefused } from './event-log.ts';
import { credentialIn, withoutPassword } from './eventstoredb-address.ts';
import { EventStoreDbConnection } from './eventstoredb-event-log-connection.ts';

it.each([
  ['esdb://host:2113?tls=false', 'esdb://host:2113?tls=false'],
  ['esdb://admin:secret@host:2113', 'esdb://host:2113'],
  ['esdb+discover://admin:p@ss@one,two,three?tls=true', 'esdb+discover://one,two,three?tls=true'],
])('shows %s as %s', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});

it('reads a user or a password as it stands in an address, and refuses one that cannot be read without showing it', async () => {
  expect(['p%40ss%25', 'plain', '100%', '%zz'].map((text) => credentialIn(text))).toEqual(['p@ss%', 'plain', undefined, undefined]);
  expect(() => new EventStoreDbConnection('esdb://courtledger:100%sure@host:2113')).toThrow(new AddressRefused('EVENTSTORE_URL has a % in its user or password that begins no escape: write it as %25'));
  const connection = new EventStoreDbConnection('esdb://court%40ledger:100%25sure@host:2113');
  expect(connection.credentials).toEqual({ username: 'court@ledger', password: '100%sure' });
  await connection.dispose();
});
