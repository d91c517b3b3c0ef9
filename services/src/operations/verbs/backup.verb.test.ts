import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { EventStoreStandIn } from '../../event-log/testing/eventstoredb-stand-in.ts';
import { openSite } from '../../testing/site.ts';
import { controlClient } from '../control-client.ts';
import { verbContext } from '../../testing/verb-context.ts';
import { backup } from './backup.verb.ts';

it('says how many events of other programs in EventStoreDB it left out', async () => {
  const standIn = await EventStoreStandIn.start();
  const site = await openSite({ store: { kind: 'eventstoredb', url: standIn.url } });
  try {
    standIn.store.append('order-1', 'any', [{ id: randomUUID(), type: 'Shipped', contentType: 'application/json', data: Buffer.from('{}'), metadata: new Uint8Array() }]);
    const noted: string[] = [];
    const terminal = { note: (line: string) => void noted.push(line) };
    expect([await backup.run(verbContext({ config: site.config, terminal, reach: async () => ({ client: controlClient(site.config.dataDir), own: false, close: async () => {} }) }), []), noted]).toEqual([0, ['1 event of another program was left out.']]);
  } finally {
    await site.close();
    await standIn.close();
  }
}, 60_000);
