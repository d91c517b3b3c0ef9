import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import type { Config } from '../platform/config.ts';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import { openSite, registeredTeam, season, type Season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { verbContext } from '../testing/verb-context.ts';
import { makeBackup } from './backup.ts';
import { drill } from './verbs/drill.verb.ts';

/** A drill of a backup whose log is in EventStoreDB, beside the installation that it was made of. */

const folder = siteFolder();
const now = Date.parse('2026-11-21T10:00:00Z');

const serve = async (): Promise<{ readonly standIn: EventStoreStandIn; readonly store: Config['store'] }> => {
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  return { standIn, store: { kind: 'eventstoredb', url: standIn.url } };
};
const score = async (site: Site, { matchId, token, teams }: Season, entryId: string, points: number): Promise<void> => {
  await site.call(recordStatIncrement, { token, params: { id: matchId }, json: { entryId, playerId: teams[0].players[0] ?? '', points } });
};
const drilled = async (config: Config, ...args: string[]): Promise<readonly [code: number, said: string]> => {
  const lines: string[] = [];
  const code = await drill.run(verbContext({ config, terminal: { out: (line) => void lines.push(line) } }), args);
  return [code, lines.join('\n')];
};

it('compares every row with the live read model at its position, with what came and who was erased since; and says what differs', async () => {
  const { standIn, store } = await serve();
  const site = folder.keep(await openSite({ store, dataDir: folder.path('data') }, { background: false }));
  const place = await season(site);
  const { superToken, teams } = place;
  await score(site, place, 'before', 3);
  const erase = async (personId: string): Promise<void> =>
    void (await site.call(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' } }));
  // Events of another program: passed over there, or parked where they stand in a stream that is called like ours, and in no backup.
  const ship = (): void => {
    for (const stream of ['order-1', 'team-1'])
      standIn.store.append(stream, 'any', [
        { id: randomUUID(), type: 'Shipped', contentType: 'application/json', data: Buffer.from('{}'), metadata: new Uint8Array() },
      ]);
  };
  ship();
  await erase(teams[1].players[0] ?? '');
  ship();
  const backup = folder.path('backup');
  const { log } = await makeBackup({ dataDir: site.config.dataDir, kind: 'eventstoredb', store: site.opened.store, now }, backup);
  ship();
  await score(site, place, 'later', 4);
  await registeredTeam(site, 'Newcomers', 1);
  await erase(teams[1].players[1] ?? '');
  const head = await site.opened.store.log.head();
  await site.opened.store.reads.waitFor(head === 'start' ? 0n : head, 30_000);
  const [code, said] = await drilled(site.config, backup);
  expect([
    code,
    said.split('\n').map((line) =>
      line
        .replace(/[\d.,]+ (?:ms|s)\.$/, '')
        .replace(/: [\d,]+ rows/, ': rows')
        .replace(/and [\d,]+ files/, 'and files'),
    ),
  ]).toEqual([
    0,
    [
      `The drill went well: ${String(log.events)} events up to position ${log.head} and files restored, verified and rebuilt in `,
      `The read model of it, with what was recorded since, is the live one at position ${String(head)}: rows compared.`,
      'The backup still has the keys of 1 person whose keys this installation has given up or destroyed since: here they count as erased. A restore erases again whom an erasure is known of (erasures.jsonl); the names of the others come back.',
    ],
  ]);
  const live = new Database(join(site.config.dataDir, liveReadModel(site.config.dataDir)), { timeout: 5000 });
  expect(live.prepare('UPDATE stat_lines SET points = 9 WHERE points = 7').run().changes).toBe(1);
  live.close();
  await expect(drilled(site.config, backup)).rejects.toThrow(/NOT the live one\.\n(?:.*\n)*.*9 -> 7/);
}, 120_000);

it('does not say that it went well where nothing was compared: the log is away, another one, or elsewhere', async () => {
  const { standIn, store } = await serve();
  const site = folder.keep(await openSite({ store, dataDir: folder.path('data') }, { background: false }));
  const place = await season(site);
  await score(site, place, 'before', 3);
  const backup = folder.path('backup');
  await makeBackup({ dataDir: site.config.dataDir, kind: 'eventstoredb', store: site.opened.store, now }, backup);
  await site.app.close(2000);
  const reasons: (readonly [number, string])[] = [];
  const other = await serve();
  const configs: readonly Config[] = [
    { ...site.config, store: other.store },
    { ...site.config, store: { kind: 'sqlite' } },
    { ...site.config, dataDir: folder.path('nowhere') },
  ];
  for (const config of configs) {
    const [code, said] = await drilled(config, backup);
    expect(said).toMatch(/^The backup can be restored: .+\nNOT COMPARED: /);
    reasons.push([code, said.split('live one, since ')[1] ?? '']);
  }
  // Nothing tells any more that the log was elsewhere.
  rmSync(join(site.config.dataDir, 'operations.json'));
  const moved = await drilled({ ...site.config, store: { kind: 'sqlite' } }, backup);
  reasons.push([moved[0], moved[1].split('live one, since ')[1] ?? '']);
  await standIn.stop();
  const [code, said] = await drilled(site.config, backup);
  expect([...reasons, [code, said.includes('NOT COMPARED') && said.includes('since the log in EventStoreDB does not answer')]]).toEqual([
    [2, 'the log here has gone another way since, by a restore, or is another one.'],
    [2, `EVENTSTORE_URL is not set, and the log of ${site.config.dataDir} was last in EventStoreDB.`],
    [2, 'there is no installation on this machine.'],
    [2, 'the log of this installation is in a file of DATA_DIR, and the backup was made when it was in EventStoreDB, with other positions.'],
    [2, true],
  ]);
}, 120_000);
