import { EventStoreDBClient } from '@eventstore/db-client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AddressRefused } from './event-log.ts';
import { EventStoreDbConnection } from './eventstoredb-event-log-connection.ts';

it('takes user and password as the address writes them, and refuses what cannot be read without showing it', async () => {
  expect(() => new EventStoreDbConnection('esdb://courtledger:100%sure@host:2113')).toThrow(
    new AddressRefused('EVENTSTORE_URL has a % in its user or password that begins no escape: write it as %25'),
  );
  const connection = new EventStoreDbConnection('esdb://court%40ledger:100%25sure@host:2113');
  expect(connection.credentials).toEqual({ username: 'court@ledger', password: '100%sure' });
  await connection.dispose();
});

it.each([
  ['esdb://court:led:ger@host:2113', 'court', 'led:ger'],
  ['esdb://court:led@ger@one:2113,two:2113', 'court', 'led@ger'],
  ['esdb://court:led/ger@host:2113', 'court', 'led/ger'],
  ['esdb://host:2113?tls=false', 'nobody', 'none'],
  ['esdb://host:2113?tls= false ', 'nobody', 'none'],
])('reads the user and the password of %s up to the first colon and the last @', async (url, username, password) => {
  const connection = new EventStoreDbConnection(url);
  expect(connection.credentials).toEqual({ username, password });
  await connection.dispose();
});

it.each([
  ['a user without a password', 'esdb://secret@host:2113?tls=false', 'before the @ it names no user and password (esdb://user:password@host:2113)'],
  ['an option that the client does not know', 'esdb://court:secret@host:2113?tsl=false', 'it has an option that does not exist (tsl)'],
  ['an end of a password that looks like one', 'esdb://court:1?secret@host:2113', 'it has an option that does not exist'],
  [
    'certificates that are not to be verified',
    'esdb://court:secret@host:2113?tlsVerifyCert=false',
    'certificates are always verified, whatever tlsVerifyCert says: leave it out, and name the file of the authority that made the certificate (tlsCAFile)',
  ],
  ...['-1', '0', '2147483648', ''].map((time): [string, string, string] => [
    `keepAliveTimeout=${time}`,
    `esdb://host:2113?tls=false&keep-alive-timeout=${time}`,
    'keepAliveTimeout is not a time from 1 ms on: the client gives up the connection at each ping then (keepAliveInterval=-1 sends none)',
  ]),
])('refuses %s', (_, url, problem) => {
  expect(() => new EventStoreDbConnection(url)).toThrow(new AddressRefused(`EVENTSTORE_URL cannot be used: ${problem}`));
});

it.each([
  'esdb://court:secret@host:2113?tls=false&tlsVerifyCert=false',
  'esdb://court:secret@host:2113?tls-verify-cert=true',
  'esdb://court:secret@host:2113?Keep-Alive-Interval=20000&throw_on_append_failure=false',
])('has the client warn of nothing in %s: it would show the password', async (url) => {
  const warn = vi.spyOn(console, 'warn');
  onTestFinished(() => warn.mockRestore());
  const connection = new EventStoreDbConnection(url);
  expect(warn).not.toHaveBeenCalled();
  await connection.dispose();
});

it('gives up a silent node of a cluster early enough to ask the next one within the time of a call, unless the address says otherwise', async () => {
  const opened = vi.spyOn(EventStoreDBClient, 'connectionString');
  onTestFinished(() => opened.mockRestore());
  for (const url of ['esdb://one,two?tls=false', 'esdb://one,two?tls=false&gossip-timeout=7']) {
    const connection = new EventStoreDbConnection(url);
    await connection.dispose();
  }
  expect(opened.mock.calls.map(([text]) => String(text).match(/gossip-?timeout=\d+/gi))).toEqual([['gossipTimeout=2'], ['gossip-timeout=7']]);
});

it('asks the leader, watches an open connection every ten seconds for five, and shares none with the one that it replaces; the address may say otherwise', async () => {
  const opened = vi.spyOn(EventStoreDBClient, 'connectionString');
  onTestFinished(() => opened.mockRestore());
  for (const url of ['esdb://host?tls=false', 'esdb://host?tls=false&node-preference=follower&keepAliveInterval=20000&keep-alive-timeout=7000']) {
    const connection = new EventStoreDbConnection(url);
    connection.replace();
    await connection.dispose();
  }
  const said = opened.mock.calls.map(([text]) =>
    String(text)
      .match(/(?:node|keep)\w*-?\w*=\w+/g)
      ?.toSorted(),
  );
  expect(said).toEqual([
    ['keepAliveInterval=10000', 'keepAliveTimeout=5000', 'nodePreference=leader'],
    ['keepAliveInterval=10000', 'keepAliveTimeout=5001', 'nodePreference=leader'],
    ['keepAliveInterval=20000', 'keepAliveTimeout=7000', 'node-preference=follower'],
    ['keepAliveInterval=20000', 'keepAliveTimeout=7001', 'node-preference=follower'],
  ]);
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
