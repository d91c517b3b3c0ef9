import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { EventStoreStandIn } from '../../event-log/testing/eventstoredb-stand-in.ts';
import { loggedInAdmin, openSite } from '../../testing/site.ts';
import { verbContext } from '../../testing/verb-context.ts';
import type { VerbContext } from '../verb.ts';
import { exportVerb } from './export.verb.ts';

it('exports the log of the server that runs, or says that it has been given another one', async () => {
  const site = await openSite({ store: { kind: 'sqlite' } });
  try {
    await loggedInAdmin(site);
    const said: string[] = [];
    const file = join(site.config.dataDir, 'log.jsonl');
    const run = async (store: typeof site.config.store): Promise<number> =>
      exportVerb.run(verbContext({ config: { ...site.config, store }, terminal: { out: (line) => void said.push(line) } }), [file]);
    await expect(run({ kind: 'eventstoredb', url: 'esdb://127.0.0.1:1?tls=false' })).rejects.toThrow(
      `The server that runs on ${site.config.dataDir} has its log in DATA_DIR, and EVENTSTORE_URL is set here. Export with the server's environment`,
    );
    expect(existsSync(file)).toBe(false);
    expect([await run(site.config.store), existsSync(file), said[0]?.includes('the hash chain verified')]).toEqual([0, true, true]);
  } finally {
    await site.close();
  }
}, 60_000);

it('reads nothing for whoever has gone, and so tells them nothing of a damaged log', async () => {
  const site = await openSite({ store: { kind: 'sqlite' } });
  const { config } = site;
  try {
    await loggedInAdmin(site);
  } finally {
    await site.app.close(2000);
  }
  try {
    const connection = new Database(join(config.dataDir, 'event-log.sqlite'));
    connection.exec("UPDATE events SET data = 'x' WHERE position = 1");
    connection.close();
    const run = async (own: Partial<VerbContext>): Promise<number> => exportVerb.run(verbContext({ ...own, config }), [join(config.dataDir, 'log.jsonl')]);
    await expect(run({})).rejects.toThrow('Broken at position 1: the data cannot be read. Nothing was exported');
    const gone = new Error('interrupted');
    await expect(run({ interrupted: AbortSignal.abort(gone) })).rejects.toBe(gone);
  } finally {
    await site.close();
  }
}, 60_000);

it('exports no other EventStoreDB than the one of the server that runs', async () => {
  const [own, other] = await Promise.all([EventStoreStandIn.start(), EventStoreStandIn.start()]);
  const site = await openSite({ store: { kind: 'eventstoredb', url: own.url } });
  try {
    await loggedInAdmin(site);
    const file = join(site.config.dataDir, 'log.jsonl');
    const noted: string[] = [];
    const run = async (url: string): Promise<number> =>
      exportVerb.run(verbContext({ config: { ...site.config, store: { kind: 'eventstoredb', url } }, terminal: { note: (line) => void noted.push(line) } }), [
        file,
      ]);
    await expect(run(other.url)).rejects.toThrow(
      /^The log that EVENTSTORE_URL names here ends at position 0, and that of the server which runs on .+ at \d+: it is another one\. Export with the server's environment$/,
    );
    own.store.append('order-1', 'any', [
      { id: randomUUID(), type: 'Shipped', contentType: 'application/json', data: Buffer.from('{}'), metadata: new Uint8Array() },
    ]);
    expect([existsSync(file), await run(own.url), existsSync(file), noted]).toEqual([false, 0, true, ['1 event of another program was left out.']]);
  } finally {
    await site.close();
    await Promise.all([own.close(), other.close()]);
  }
}, 60_000);
