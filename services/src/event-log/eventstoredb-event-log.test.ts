import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { eventLogContract, type LogUnderTest } from './event-log.contract.ts';
import { sampleEvent } from './testing/sample-event.ts';
import { UnknownOutcome } from './event-log.ts';
import { openEventStoreDbLog } from './eventstoredb-event-log.ts';
import { EventStoreStandIn } from './testing/eventstoredb-stand-in.ts';

eventLogContract('EventStoreDB (stand-in)', {
  open: async () => {
    const standIn = await EventStoreStandIn.start();
    const open = (): LogUnderTest => {
      const log = openEventStoreDbLog({ url: standIn.url });
      return {
        log,
        interrupt: () => {
          standIn.cutConnections();
        },
        reopen: async () => {
          await log.close();
          await standIn.restart({ rememberIds: false });
          return open();
        },
        close: async () => {
          await log.close();
          await standIn.close();
        },
      };
    };
    return open();
  },
});

it.each([
  ['bytes', Buffer.from([255, 0, 1])],
  ['a text', Buffer.from('"a text"')],
  ['a list', Buffer.from('[1]')],
  ['a number', Buffer.from('7')],
  ['nothing', new Uint8Array()],
])('metadata of another program that is %s counts as none', async (_, metadata) => {
  const standIn = await EventStoreStandIn.start();
  const log = openEventStoreDbLog({ url: standIn.url });
  try {
    standIn.store.append('order-1', 'any', [{ id: randomUUID(), type: 'Shipped', contentType: 'application/json', data: Buffer.from('{}'), metadata }]);
    expect((await log.readAll('start', 10)).map((event) => [event.metadata, event.metadataText, event.version])).toEqual([[{}, '{}', 0]]);
  } finally {
    await log.close();
    await standIn.close();
  }
});

it('passes over many events of the server itself in few calls, however little is asked for', async () => {
  const standIn = await EventStoreStandIn.start();
  const log = openEventStoreDbLog({ url: standIn.url });
  try {
    const collect = (): unknown =>
      standIn.store.append(
        '$stats-127.0.0.1:2113',
        'any',
        Array.from({ length: 3000 }, () => ({
          id: randomUUID(),
          type: '$statsCollected',
          contentType: 'application/json',
          data: Buffer.from('{}'),
          metadata: new Uint8Array(),
        })),
      );
    collect();
    const events = [sampleEvent(), sampleEvent()];
    const { position } = await log.append('match-1', 'no-stream', events);
    const readsFromAPosition = vi.spyOn(standIn.store, 'indexFrom');
    // No more than is asked for, though the page that has the first one has both.
    expect((await log.readAll('start', 1)).map((event) => event.id)).toEqual([events[0]?.id]);
    // After the first event pages of 8, 64, 512, 2,048 and 2,048 more.
    expect(readsFromAPosition).toHaveBeenCalledTimes(5);
    collect();
    expect(await log.head()).toBe(position);
  } finally {
    await log.close();
    await standIn.close();
  }
});

it('an append that was stored is never answered as if nothing were, also when its place cannot be asked for', async () => {
  const standIn = await EventStoreStandIn.start();
  const log = openEventStoreDbLog({ url: standIn.url, unavailableFor: 50 });
  try {
    const events = [sampleEvent()];
    await log.append('person-1', 'no-stream', events);
    await log.deleteStream('person-1');
    const { position } = await log.append('match-1', 'no-stream', [sampleEvent()]);
    // Repeated: its events stand no more, and the answer has no position.
    expect(await log.append('person-1', 'no-stream', events)).toEqual({ revision: 0, position });
    const append = standIn.store.append.bind(standIn.store);
    vi.spyOn(standIn.store, 'append').mockImplementation((...of) => {
      standIn.faults.notReady = true;
      return append(...of);
    });
    await expect(log.append('person-1', 'no-stream', events)).rejects.toThrow(
      new UnknownOutcome('Appending to person-1: stored, but its place cannot be read (Reading the log: it is starting)'),
    );
  } finally {
    await log.close();
    await standIn.close();
  }
});

// A real server: nothing is cut or restarted here, as it is not ours. Others may write there meanwhile.
const live = process.env['EVENTSTORE_TEST_URL'];
const liveLog = (url: string) => (): LogUnderTest => {
  const log = openEventStoreDbLog({ url });
  return {
    log,
    reopen: async () => {
      await log.close();
      return liveLog(url)();
    },
    close: () => log.close(),
  };
};
for (const url of live === undefined || live === '' ? [] : [live])
  eventLogContract('EventStoreDB (live)', { open: async () => liveLog(url)(), isShared: true, timeout: 120_000 });
