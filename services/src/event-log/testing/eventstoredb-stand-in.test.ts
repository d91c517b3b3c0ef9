import { randomUUID } from 'node:crypto';
import { appendFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { EventStoreDBClient, jsonEvent, type AllStreamSubscription } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { EventStoreStandIn } from './eventstoredb-stand-in.ts';

// What the 111 recorded cases do not hold: limits, slow consumers, the file. Figures: facts recorded from a real server.

const event = (data: unknown = {}) => jsonEvent({ id: randomUUID(), type: 'Happened', data: data as Record<string, unknown> });
const single = { credentials: { username: 'a', password: 'b' } };

let standIn: EventStoreStandIn;
let client: EventStoreDBClient;
beforeEach(async () => {
  standIn = await EventStoreStandIn.start();
  client = EventStoreDBClient.connectionString(standIn.url);
});
afterEach(async () => {
  await client.dispose();
  await standIn.close();
});

describe('the stand-in for EventStoreDB', () => {
  test.each([
    ['batch', {}],
    ['single', single],
  ])('takes 1,048,576 bytes of data in one append and no more (%s path)', async (_path, options) => {
    const half = 'x'.repeat(1_048_576 / 2 - 2);
    expect(await client.appendToStream('s-1', [event(half), event(half)], options)).toMatchObject({ success: true, nextExpectedRevision: 1n });
    await expect(client.appendToStream('s-1', [event(half), event(`${half}x`)], options)).rejects.toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: 1_048_576,
    });
    expect(standIn.store.visible('s-1')).toHaveLength(2);
  });

  test('gives 100 calls to a connection: the next waits without a word until one is freed', async () => {
    const subscriptions = Array.from({ length: 101 }, () => client.subscribeToAll({ fromPosition: 'end' }));
    for (const subscription of subscriptions) subscription.on('error', () => undefined);
    const waiting = once(subscriptions[100] ?? client.subscribeToAll(), 'confirmation');
    await Promise.all(subscriptions.slice(0, 100).map((subscription) => once(subscription, 'confirmation')));
    const still = Symbol('still waiting');
    // An answered call on another connection: whatever would have come on the first one has had its time.
    const other = EventStoreDBClient.connectionString(standIn.connectionString('keepAliveInterval=20000'));
    await other.appendToStream('s-1', [event()], single);
    expect(await Promise.race([waiting, Promise.resolve(still)])).toBe(still);
    await subscriptions[0]?.unsubscribe();
    await waiting;
    await other.dispose();
  });

  test('ends a live subscription whose consumer takes nothing; one that only catches up may take its time', async () => {
    const live: AllStreamSubscription = client.subscribeToAll({ fromPosition: 'end' });
    live.on('caughtUp', () => live.pause());
    const caughtUp = once(live, 'caughtUp');
    live.resume();
    await caughtUp;
    const dropped = once(live, 'error').catch((error: unknown) => [error]);
    const data = Buffer.from(JSON.stringify('x'.repeat(1000)));
    for (let i = 0; i < 40; i += 1)
      standIn.store.append(
        's-1',
        'any',
        Array.from({ length: 20 }, () => ({ id: randomUUID(), type: 'T', contentType: 'application/json', data, metadata: new Uint8Array() })),
      );
    // Slow as well, but not live.
    const catchingUp: AllStreamSubscription = client.subscribeToAll({ fromPosition: 'start' });
    const errors: unknown[] = [];
    catchingUp.on('error', (error) => errors.push(error));
    await standIn.faults.noneLive();
    // It is told when it reads again: what its buffers hold comes first.
    let received = 0;
    live.on('data', () => {
      received += 1;
    });
    live.resume();
    const [error] = (await dropped) as [unknown];
    expect(error).toMatchObject({
      type: 'timeout',
      code: 10,
      message: '10 ABORTED: Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
    });
    expect(received).toBeLessThan(800);
    let taken = 0;
    const all = Promise.withResolvers<void>();
    catchingUp.on('data', () => {
      taken += 1;
      if (taken === standIn.store.log.length) all.resolve();
    });
    await all.promise;
    expect(errors).toEqual([]);
  });

  test('answers a bad id on the single path with the error that was recorded, and stores nothing', async () => {
    await expect(client.appendToStream('s-1', [{ ...event(), id: 'not-a-uuid' }], single)).rejects.toMatchObject({
      type: 'unknown',
      code: 2,
      message: '2 UNKNOWN: Exception was thrown by handler.',
    });
    expect(standIn.store.visible('s-1')).toBe('not-found');
  });

  test('forgets the ids of `any` over a restart, and those of exact revisions never', async () => {
    const [first, second] = [event(), event()];
    await client.appendToStream('s-1', [first], { ...single, expectedRevision: 'no_stream' });
    await client.appendToStream('s-1', [second], { ...single, expectedRevision: 'any' });
    await standIn.restart({ rememberIds: false });
    // The first call after a restart may still meet the old connection.
    await client.appendToStream('s-0', [event()], single).catch(() => undefined);
    expect(await client.appendToStream('s-1', [first], { ...single, expectedRevision: 'no_stream' })).toMatchObject({ nextExpectedRevision: 0n });
    expect(await client.appendToStream('s-1', [second], { ...single, expectedRevision: 'any' })).toMatchObject({ nextExpectedRevision: 2n });
  });

  test('reads its file again without a torn last line', async () => {
    const file = join(tmpdir(), `stand-in-${randomUUID()}.jsonl`);
    const first = await EventStoreStandIn.start({ file });
    first.store.append('s-1', 'no_stream', [
      { id: randomUUID(), type: 'T', contentType: 'application/json', data: Buffer.from('{}'), metadata: new Uint8Array() },
    ]);
    const log = first.store.log.map(({ stream, revision, position }) => ({ stream, revision, position }));
    await first.close();
    appendFileSync(file, '{"end":"99');
    const second = await EventStoreStandIn.start({ file });
    expect(second.store.log.map(({ stream, revision, position }) => ({ stream, revision, position }))).toEqual(log);
    expect(
      second.store.append('s-1', 0n, [{ id: randomUUID(), type: 'T', contentType: 'application/json', data: Buffer.from('{}'), metadata: new Uint8Array() }]),
    ).toMatchObject({ kind: 'stored', revision: 1n });
    await second.close();
    rmSync(file);
  });
});
