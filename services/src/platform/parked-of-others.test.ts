import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { sampleEvent } from '../event-log/testing/sample-event.ts';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import { openSite } from '../testing/site.ts';

it('replays what is parked beside facts in streams whose names no store of ours reads', async () => {
  const standIn = await EventStoreStandIn.start();
  // With our metadata it may be a fact, wherever it stands.
  const metadata = Buffer.from(JSON.stringify(sampleEvent({}).metadata));
  const write = (stream: string, type: string): void =>
    void standIn.store.append(stream, 'any', [{ id: randomUUID(), type, contentType: 'application/json', data: Buffer.from('{}'), metadata }]);
  for (const stream of ['x'.repeat(201), 'orders\u0007']) write(stream, 'OrderPlaced');
  write('orders-1', 'OrderPlaced');
  const site = await openSite({ store: { kind: 'eventstoredb', url: standIn.url } }, { background: false });
  try {
    expect((await site.opened.store.projector('parked', undefined)).length).toBe(3);
    expect(await site.opened.store.projector('replay-parked', undefined)).toEqual({ replayed: 0, parked: 3 });
  } finally {
    await site.close();
    await standIn.close();
  }
});
