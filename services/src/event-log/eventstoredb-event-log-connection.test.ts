import { expect, it, vi } from 'vitest';
import { AddressRefused } from './event-log.ts';
import { EventStoreDbConnection } from './eventstoredb-event-log-connection.ts';

it('takes user and password as the address writes them, and refuses what cannot be read without showing it', async () => {
  expect(() => new EventStoreDbConnection('esdb://courtledger:100%sure@host:2113')).toThrow(new AddressRefused('EVENTSTORE_URL has a % in its user or password that begins no escape: write it as %25'));
  const connection = new EventStoreDbConnection('esdb://court%40ledger:100%25sure@host:2113');
  expect(connection.credentials).toEqual({ username: 'court@ledger', password: '100%sure' });
  await connection.dispose();
});

it('of a peer that stays silent keeps the few connections on which a call may still run, and ends the others', async () => {
  const connection = new EventStoreDbConnection('esdb://host:2113?tls=false');
  const disposals = [];
  for (let at = 0; at < 10; at += 1) {
    // One that cannot be ended is in nobody's way.
    disposals.push(vi.spyOn(connection.client, 'dispose').mockRejectedValue(new Error('gone')));
    connection.replace();
  }
  expect(disposals.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
  await connection.dispose();
  expect(disposals.map(({ mock }) => mock.calls.length)).toEqual(disposals.map(() => 1));
});
