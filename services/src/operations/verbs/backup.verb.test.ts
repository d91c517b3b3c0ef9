import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { EventStoreStandIn } from '../../event-log/testing/eventstoredb-stand-in.ts';
import { openSite } from '../../testing/site.ts';
import { controlClient, type ControlAnswer } from '../control-client.ts';
import { verbContext } from '../../testing/verb-context.ts';
import { OperatorError } from '../operator-error.ts';
import { backup, backUpNow } from './backup.verb.ts';

it('another backup that began before this one was seen to end is not its answer', async () => {
  const own = {
    state: 'running',
    startedAt: '2026-11-21T10:00:00.000Z',
    endedAt: null,
    folder: '/own',
    head: null,
    events: 0,
    files: 0,
    bytes: 0,
    error: null,
  };
  const call = async (method: string): Promise<ControlAnswer> => ({
    status: 200,
    headers: {},
    bytes: Buffer.alloc(0),
    json: () => ({ backup: method === 'POST' ? own : { ...own, folder: '/of-another', state: 'done' } }),
  });
  await expect(backUpNow({ call }, '/own', new AbortController().signal)).rejects.toThrow(
    new OperatorError('Another backup has begun since, and how this one ended was not seen: look whether /own is there.'),
  );
});

it('says how many events of other programs in EventStoreDB it left out', async () => {
  const standIn = await EventStoreStandIn.start();
  const site = await openSite({ store: { kind: 'eventstoredb', url: standIn.url } });
  try {
    standIn.store.append('order-1', 'any', [
      { id: randomUUID(), type: 'Shipped', contentType: 'application/json', data: Buffer.from('{}'), metadata: new Uint8Array() },
    ]);
    const noted: string[] = [];
    const terminal = { note: (line: string) => void noted.push(line) };
    expect([
      await backup.run(
        verbContext({ config: site.config, terminal, reach: async () => ({ client: controlClient(site.config.dataDir), own: false, close: async () => {} }) }),
        [],
      ),
      noted,
    ]).toEqual([0, ['1 event of another program was left out.']]);
  } finally {
    await site.close();
    await standIn.close();
  }
}, 60_000);
