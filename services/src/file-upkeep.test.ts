import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { getTournament } from '@courtledger/contracts/tournament/tournament.api';
import { getPlayer, getPlayerDocument } from '@courtledger/contracts/player/player.api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryPrefix } from './platform/durable-file.ts';
import { createFileUpkeep } from './file-upkeep.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createCommandHandler } from './platform/command-handler.ts';
import { openDocumentStore } from './platform/documents.ts';
import { createEventIds } from './platform/event-ids.ts';
import { openMediaStore } from './platform/media.ts';
import { openPersonVault } from './platform/person-vault.ts';
import { openSite, registeredTeam, season, type Site } from './testing/site.ts';

const day = 24 * 3600 * 1000;
const failures: unknown[] = [];
let site: Site;
const clock = { now: () => Date.now() + offset, monotonic: () => performance.now() };
let offset = 0;
beforeEach(async () => {
  offset = 0;
  failures.length = 0;
  site = await openSite();
});
afterEach(async () => site.close());

const failed = (error: unknown): void => void failures.push(error);

/** The files' side and the housekeeping over the site's own log and folders, by the clock of the test. */
const keepers = async () => {
  const { dataDir } = site.config;
  const vault = openPersonVault(dataDir);
  const { log, reads, reader } = site.opened.store;
  const newId = createEventIds(clock);
  const commands = createCommandHandler({ log, projection: reads, newId, soleWriter: false });
  const [documents, media] = [await openDocumentStore(dataDir, vault), await openMediaStore(dataDir)];
  return {
    vault,
    upkeep: createFileUpkeep({ log, commands, vault, clock, newId, reader, documents, media, failed }),
    housekeeping: createHousekeeping({ log, commands, reader, vault, clock, newId, documents, emailKey: Buffer.alloc(32), failed }),
  };
};
const filesIn = (folder: string): string[] => readdirSync(join(site.config.dataDir, folder)).toSorted();
/** Files tell their age by the real clock. */
const age = (milliseconds: number): void => {
  for (const folder of ['media', 'documents']) for (const name of filesIn(folder)) utimesSync(join(site.config.dataDir, folder, name), new Date(Date.now() - milliseconds), new Date(Date.now() - milliseconds));
};

it('destroys ID documents 90 days after the last tournament of their team, and not a day before (S35)', async () => {
  const played = await season(site);
  const { endDate } = await site.call(getTournament, { params: { id: played.tournamentId } });
  const { upkeep, vault } = await keepers();
  // The last minute of the 90th day after the end, in Kathmandu: the clock goes on meanwhile.
  const lastMoment = Date.parse(endDate) + 91 * day - 345 * 60_000 - 60_000;
  offset = lastMoment - Date.now();
  expect(await upkeep.run()).toStrictEqual({ documents: 0, orphans: 0 });
  expect(filesIn('documents')).toHaveLength(8);
  offset += day;
  expect(await upkeep.run()).toStrictEqual({ documents: 8, orphans: 0 });
  expect(filesIn('documents')).toStrictEqual([]);
  expect(failures).toStrictEqual([]);
  const [playerId = ''] = played.teams[0].players;
  expect((await site.send(getPlayerDocument, { token: played.token, params: { id: playerId } })).status).toBe(404);
  expect(await site.call(getPlayer, { params: { id: playerId } })).toMatchObject({ name: 'Player 1', age: 24 });
  expect(await upkeep.run()).toStrictEqual({ documents: 0, orphans: 0 });
  vault.close();
});

it('removes every file of an abandoned registration at +1 day, and keeps what facts refer to (S35, R19)', async () => {
  const played = await season(site);
  // An upload's own file goes right after its answer: it is none of those that stay.
  const [media, documents] = [filesIn('media').filter((name) => !name.startsWith(temporaryPrefix)), filesIn('documents')];
  const abandoned = await registeredTeam(site, 'Ghost Gulls', 2);
  const { upkeep, housekeeping, vault } = await keepers();
  age(day + 1000);
  expect(await upkeep.run()).toStrictEqual({ documents: 0, orphans: 0 });
  offset = day + 60_000;
  expect(await housekeeping.run()).toMatchObject({ registrations: 1, persons: 4 });
  expect((await upkeep.run()).documents).toBe(0);
  expect([filesIn('media'), filesIn('documents')]).toStrictEqual([media, documents]);
  for (const playerId of abandoned.players) expect(await site.opened.store.log.readStream(`person-${playerId}`)).toBeUndefined();
  expect((await site.send(getPlayerDocument, { token: played.token, params: { id: played.teams[0].players[0] ?? '' } })).status).toBe(200);
  expect(failures).toStrictEqual([]);
  vault.close();
});
