import { randomUUID } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTournament } from '@courtledger/contracts/tournament/tournament.api';
import { getPlayer, getPlayerDocument } from '@courtledger/contracts/player/player.api';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryPrefix } from './platform/durable-file.ts';
import { onceForEachEvent } from './event-log/event-not-read.ts';
import { UnreadableFact } from './event-log/upcast.ts';
import { createFileUpkeep, referencesVersion } from './file-upkeep.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createCommandHandler } from './platform/command-handler.ts';
import { openDocumentStore } from './platform/documents.ts';
import { createEventIds } from './platform/event-ids.ts';
import { disownFolds, foldPath, keepFold } from './platform/kept-fold.ts';
import { errorLine } from './platform/logger.ts';
import { openMediaStore } from './platform/media.ts';
import { openPersonVault } from './platform/person-vault.ts';
import { openSite, registeredTeam, season, type Site } from './testing/site.ts';

const day = 24 * 3600 * 1000;
const failures: unknown[] = [];
let site: Site;
const clock = { now: () => Date.now() + offset, monotonic: () => performance.now() };
let offset = 0;
let isWhole = true;
beforeEach(async () => {
  offset = 0;
  isWhole = true;
  failures.length = 0;
  site = await openSite();
});
afterEach(async () => site.close());

const noted = (error: unknown): void => void failures.push(error);

/** The files' side and the housekeeping over the site's own log and folders, by the clock of the test. */
const keepers = async ({ keeps = false, failed = noted } = {}) => {
  const { dataDir } = site.config;
  const vault = openPersonVault(dataDir);
  const { log, reads, reader } = site.opened.store;
  const newId = createEventIds(clock);
  const commands = createCommandHandler({ log, projection: reads, newId, soleWriter: false });
  const [documents, media] = [await openDocumentStore(dataDir, vault), await openMediaStore(dataDir)];
  return {
    vault,
    upkeep: createFileUpkeep({
      log,
      commands,
      vault,
      clock,
      newId,
      reader,
      documents,
      media,
      failed,
      isWhole: () => isWhole,
      ...(keeps && { kept: keepFold(foldPath(dataDir, 'file-references'), referencesVersion, log) }),
    }),
    housekeeping: createHousekeeping({ log, commands, reader, vault, clock, newId, documents, emailKey: Buffer.alloc(32), failed, isWhole: () => isWhole }),
  };
};
/** Without what an upload may leave for a moment. */
const kept = (folder: string): string[] => filesIn(folder).filter((name) => !name.startsWith(temporaryPrefix));
const filesIn = (folder: string): string[] => readdirSync(join(site.config.dataDir, folder)).toSorted();
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

it('destroys each of them once where two gateways do it in the same moment', async () => {
  const played = await season(site);
  const { endDate } = await site.call(getTournament, { params: { id: played.tournamentId } });
  const gateways = [await keepers(), await keepers()];
  offset = Date.parse(endDate) + 92 * day - Date.now();
  const runs = await Promise.all(gateways.map(async ({ upkeep }) => upkeep.run()));
  expect(runs.reduce((sum, { documents }) => sum + documents, 0)).toBe(8);
  expect([filesIn('documents'), failures]).toEqual([[], []]);
  for (const { vault } of gateways) vault.close();
});

it('removes every file of an abandoned registration at +1 day, and keeps what facts refer to (S35, R19)', async () => {
  const played = await season(site);
  // An upload's own file goes right after its answer: it is none of those that stay.
  const [media, documents] = [kept('media'), filesIn('documents')];
  const abandoned = await registeredTeam(site, 'Ghost Gulls', 2);
  const { upkeep, housekeeping, vault } = await keepers();
  offset = day + 1000;
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

it.each([
  [
    'a fact of another version',
    async (teamId: string, playerId: string) => {
      const { log } = site.opened.store;
      const stream = `person-${playerId}`;
      const fact = (await log.readStream(stream))?.at(-1);
      if (fact === undefined) throw new Error('There is no such person');
      await log.append(stream, 'any', [
        { id: randomUUID(), type: fact.type, data: { teamId, unknown: true }, metadata: { ...fact.metadata, schemaVersion: 9 } },
      ]);
    },
  ],
  [
    'a fact of a newer release',
    async (teamId: string) => {
      const { log } = site.opened.store;
      const stream = `team-${teamId}`;
      const fact = (await log.readStream(stream))?.at(-1);
      if (fact === undefined) throw new Error('There is no such team');
      await log.append(stream, 'any', [{ id: randomUUID(), type: 'TeamGalleryPublished', data: { teamId }, metadata: fact.metadata }]);
    },
  ],
  [
    'an end of a registration of another version',
    async (teamId: string) => {
      const { log } = site.opened.store;
      const stream = `team-${teamId}`;
      const fact = (await log.readStream(stream))?.at(-1);
      if (fact === undefined) throw new Error('There is no such team');
      await log.append(stream, 'any', [
        { id: randomUUID(), type: 'TeamRegistrationExpired', data: { teamId }, metadata: { ...fact.metadata, schemaVersion: 9 } },
      ]);
    },
  ],
  [
    'a missing key',
    async (_: string, playerId: string) => {
      const keys = new Database(join(site.config.dataDir, 'keys', 'persons.sqlite'));
      expect(keys.prepare('DELETE FROM persons WHERE person_id = ?').run(playerId).changes).toBe(1);
      keys.close();
    },
  ],
])('removes no file while %s keeps it from knowing what is referred to', async (_, change) => {
  const {
    teamId,
    players: [playerId = ''],
  } = await registeredTeam(site, 'Butwal Bolts', 2);
  await change(teamId, playerId);
  // What only that fact names, perhaps.
  writeFileSync(join(site.config.dataDir, 'media', `${'A'.repeat(24)}.png`), 'a picture');
  const before = [kept('media'), kept('documents')];
  offset = 3 * day;
  const { upkeep } = await keepers();
  for (let round = 0; round < 2; round += 1) {
    expect((await upkeep.run()).orphans).toBe(0);
  }
  expect([kept('media'), kept('documents')]).toEqual(before);
});

/** Another log in the place of the one that the files belong to: another site's, with or without facts. */
const elsewhere = async (fill: boolean): Promise<Site> => {
  const other = await openSite();
  if (fill) await season(other);
  return other;
};

it.each([
  ['without a fact', false],
  ['with facts of its own', true],
] as const)('another log in the place of the right one takes none of its files, %s, and no more of them at the next start', async (_, fill) => {
  await season(site);
  const { upkeep, vault } = await keepers({ keeps: true });
  offset = 2 * day;
  expect(await upkeep.run()).toStrictEqual({ documents: 0, orphans: 0 });
  const before = [kept('media'), kept('documents')];
  const other = await elsewhere(fill);
  const mistaken = { ...other, config: site.config } as Site;
  const right = site;
  site = mistaken;
  for (let start = 0; start < 2; start += 1) {
    const wrong = await keepers({ keeps: true });
    offset += 2 * day;
    expect([start, (await wrong.upkeep.run()).orphans]).toEqual([start, 0]);
    wrong.vault.close();
  }
  site = right;
  await other.close();
  expect([kept('media'), kept('documents')]).toEqual(before);
  // Back at the right one what nobody refers to goes as ever, if it is of the time since.
  const again = await keepers({ keeps: true });
  const orphan = join(site.config.dataDir, 'media', `${'A'.repeat(24)}.png`);
  writeFileSync(orphan, 'a picture');
  const since = new Date(clock.now());
  utimesSync(orphan, since, since);
  await again.upkeep.run();
  offset += 2 * day;
  expect([(await again.upkeep.run()).orphans, kept('media')]).toEqual([1, before[0]]);
  for (const one of [vault, again.vault]) one.close();
});

it('files of persons whose keys were given up are theirs again once the keys are back, also where that was folded meanwhile', async () => {
  await season(site);
  const before = [kept('media'), kept('documents')];
  const keys = join(site.config.dataDir, 'keys', 'persons.sqlite');
  const edit = (sql: string): void => {
    const database = new Database(keys);
    database.exec(sql);
    database.close();
  };
  edit('CREATE TABLE given_up AS SELECT * FROM persons; UPDATE persons SET key = NULL');
  const without = await keepers({ keeps: true });
  expect(await without.upkeep.run()).toEqual({ documents: 0, orphans: 0 });
  without.vault.close();
  edit('UPDATE persons SET key = (SELECT key FROM given_up WHERE given_up.person_id = persons.person_id); DROP TABLE given_up');
  const back = await keepers({ keeps: true });
  await back.upkeep.run();
  back.vault.close();
  offset = 2 * day;
  const later = await keepers({ keeps: true });
  expect([await later.upkeep.run(), kept('media'), kept('documents'), failures]).toEqual([{ documents: 0, orphans: 0 }, ...before, []]);
  later.vault.close();
});

it('a log that this folder meets takes no file on the first day, also where no fold is kept that could tell it from another', async () => {
  const played = await season(site);
  const { endDate } = await site.call(getTournament, { params: { id: played.tournamentId } });
  const orphan = join(site.config.dataDir, 'media', `${'A'.repeat(24)}.png`);
  writeFileSync(orphan, 'a picture');
  const written = new Date();
  // Every ID document is due, and the file is older than a day.
  offset = Date.parse(endDate) + 92 * day - Date.now();
  const start = async (hours: number) => {
    offset += hours * 3600 * 1000;
    const { upkeep, vault } = await keepers({ keeps: true });
    const done = await upkeep.run();
    vault.close();
    return done;
  };
  utimesSync(orphan, written, written);
  expect([await start(0), await start(23), await start(1.01)]).toStrictEqual([
    { documents: 0, orphans: 0 },
    { documents: 0, orphans: 0 },
    { documents: 8, orphans: 1 },
  ]);
  // Another one was found in its place meanwhile: it begins anew.
  disownFolds(site.config.dataDir);
  writeFileSync(orphan, 'a picture');
  const sinceThen = new Date(clock.now() + 60_000);
  utimesSync(orphan, sinceThen, sinceThen);
  expect([await start(0), await start(23.5), await start(1)]).toStrictEqual([
    { documents: 0, orphans: 0 },
    { documents: 0, orphans: 0 },
    { documents: 0, orphans: 1 },
  ]);
});

it('names an event that cannot be read by its place, once for both sides of the housekeeping, and says nothing of its data', async () => {
  const { teamId } = await registeredTeam(site, 'Butwal Bolts', 1);
  const { log } = site.opened.store;
  const metadata = (await log.readStream(`team-${teamId}`))?.at(-1)?.metadata;
  if (metadata === undefined) throw new Error('There is no such team');
  const { position } = await log.append(`team-${teamId}`, 'any', [{ id: randomUUID(), type: 'TeamGalleryPublished', data: { title: 'Zyxcanary' }, metadata }]);
  const { upkeep, housekeeping } = await keepers({ failed: onceForEachEvent(noted) });
  await housekeeping.run();
  await upkeep.run();
  expect(failures.map((error) => [errorLine(error).name, errorLine(error).message, (error as Error).cause])).toEqual([
    [
      'EventNotRead',
      `The event at position ${position.toString()} (TeamGalleryPublished of team-${teamId}) cannot be read`,
      new UnreadableFact('This release does not know the fact TeamGalleryPublished'),
    ],
  ]);
});

it('removes no file while the log is known to be damaged, or takes no writes', async () => {
  await season(site);
  const orphan = join(site.config.dataDir, 'media', `${'A'.repeat(24)}.png`);
  writeFileSync(orphan, 'a picture');
  const { upkeep, vault } = await keepers();
  offset = 2 * day;
  isWhole = false;
  expect((await upkeep.run()).orphans).toBe(0);
  isWhole = true;
  expect((await upkeep.run()).orphans).toBe(1);
  vault.close();
});

it('destroys no ID document while a fact of a tournament or a team cannot be read', async () => {
  const played = await season(site);
  const { endDate } = await site.call(getTournament, { params: { id: played.tournamentId } });
  offset = Date.parse(endDate) + 92 * day - Date.now();
  const { log } = site.opened.store;
  const stream = `tournament-${played.tournamentId}`;
  const fact = (await log.readStream(stream))?.at(-1);
  if (fact === undefined) throw new Error('There is no such tournament');
  const { position } = await log.append(stream, 'any', [
    {
      id: randomUUID(),
      type: 'TournamentDetailsChanged',
      data: { tournamentId: played.tournamentId, changes: {} },
      metadata: { ...fact.metadata, schemaVersion: 9 },
    },
  ]);
  expect(await site.opened.store.reads.waitFor(position, 5000)).toBe(true);
  const { upkeep } = await keepers();
  const before = filesIn('documents');
  expect([before.length > 0, (await upkeep.run()).documents, filesIn('documents')]).toEqual([true, 0, before]);
});
