import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getMatch, recordMatchStats, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { erasePerson, findPersons } from '@courtledger/contracts/operations/audit.api';
import { getOperationsStatus } from '@courtledger/contracts/operations/operations.api';
import { getPlayer } from '@courtledger/contracts/player/player.api';
import { auditStream } from '@courtledger/contracts/player/person.events';
import { beforeEach, expect, it } from 'vitest';
import { sampleEvent } from '../event-log/testing/sample-event.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { openSite, season, type Season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { makeBackup } from './backup.ts';
import { erasureLines, personLine } from './person-lines.ts';
import { restoreBackup } from './restore.ts';

/**
 * A fact of a release that is newer than this one, in the stream of somebody or something: the projections park it, and commands tell why they cannot go on.
 */

const folder = siteFolder();
let site: Site;
let played: Season;
beforeEach(async () => {
  site = folder.keep(await openSite({ store: { kind: 'sqlite' }, dataDir: folder.path('data') }, { background: false }));
  played = await season(site);
});

const find = async (text: string) => site.call(findPersons, { token: played.superToken, query: { text } });
/** A fact like one that the log has, of a version that this release does not know or with data of which nothing can be made; in its stream, or in another. */
const append = async (like: string, { data, stream = like }: { readonly data?: object | undefined; readonly stream?: string } = {}): Promise<void> => {
  const { log } = site.opened.store;
  const last = (await log.readStream(like))?.at(-1);
  if (last === undefined) throw new Error(`There is no ${like}`);
  await log.append(stream, 'any', [
    { id: randomUUID(), type: last.type, data: data ?? last.data, metadata: { ...last.metadata, schemaVersion: data === undefined ? 9 : 1 } },
  ]);
};
const legible = async (stream: string) => ((await site.opened.store.log.readStream(stream)) ?? []).filter(({ data }) => data !== undefined && data !== null);

it('refuses commands to its match in a sentence', async () => {
  const {
    token,
    matchId,
    teams: [
      {
        players: [playerId = ''],
      },
    ],
  } = played;
  const entry = async (entryId: string) => site.refused(recordStatIncrement, { token, params: { id: matchId }, json: { entryId, playerId, points: 2 } });
  expect((await site.send(recordStatIncrement, { token, params: { id: matchId }, json: { entryId: 'before', playerId, points: 2 } })).status).toBe(201);
  await append(`match-${matchId}`);
  const { status, message } = await entry('one');
  expect([status, message]).toEqual([503, `A fact in match-${matchId} cannot be read: nothing can be recorded there until it can.`]);
});

it.each([
  ['StatIncrementRecorded: points: Invalid input: expected number, received string', { points: 'many' }],
  ['StatIncrementRecorded: points: Invalid input: expected number, received undefined', { points: undefined }],
  ['StatIncrementRecorded: points: Invalid input: expected int, received number', { points: 1.5 }],
])('of data that are no %s: its match is parked as it stands, and nothing is decided on it', async (fault, wrong) => {
  const {
    token,
    superToken,
    matchId,
    teams: [
      {
        players: [playerId = ''],
      },
    ],
  } = played;
  const entry = { playerId, points: 2 };
  expect((await site.send(recordStatIncrement, { token, params: { id: matchId }, json: { ...entry, entryId: 'before' } })).status).toBe(201);
  const shown = await site.call(getMatch, { params: { id: matchId } });
  const stream = `match-${matchId}`;
  const last = (await site.opened.store.log.readStream(stream))?.at(-1);
  await append(stream, { data: { ...(last?.data as object), entryId: 'wrong', ...wrong } });
  await site.opened.store.reads.waitFor((await site.opened.store.log.head()) as bigint, 5000);
  expect(await site.call(getMatch, { params: { id: matchId } })).toEqual(shown);
  const {
    readModel: { parked },
  } = await site.call(getOperationsStatus, { token: superToken });
  expect(parked.map(({ stream: name, error }) => [name, error])).toEqual([[stream, `UnreadableFact: The data are no ${fault}`]]);
  for (const [endpoint, given] of [
    [recordStatIncrement, { params: { id: matchId }, json: { ...entry, entryId: 'after' } }],
    [recordMatchStats, { json: { matchId, team1Players: [], team2Players: [] } }],
  ] as const) {
    const { status, message } = await site.refused(endpoint, { token, ...given });
    expect([status, message]).toEqual([503, `A fact in ${stream} cannot be read: nothing can be recorded there until it can.`]);
  }
});

it.each([
  ['of another version', undefined],
  ['of which nothing can be made', {}],
])('is erased with its person: one %s', async (_, told) => {
  const {
    superToken,
    teams: [
      {
        players: [playerId = ''],
      },
    ],
  } = played;
  await append(`person-${playerId}`, { data: told });
  // Nothing of the person is at hand any more.
  await site.app.close(2000);
  site = folder.keep(await openSite({ store: { kind: 'sqlite' }, dataDir: site.config.dataDir }, { background: false }));
  expect((await site.send(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } })).status).toBe(200);
  expect(await legible(`person-${playerId}`)).toEqual([]);
});

it('is erased with its person where it is all that there is of them', async () => {
  const {
    superToken,
    teams: [
      {
        players: [playerId = ''],
      },
    ],
  } = played;
  const personId = randomUUID();
  const erase = async () => site.send(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' } });
  expect((await erase()).status).toBe(404);
  expect((await find(personId)).persons).toEqual([]);
  await append(`person-${playerId}`, { stream: `person-${personId}` });
  expect((await legible(`person-${personId}`)).length).toBe(1);
  const {
    persons: [person],
  } = await find(personId);
  expect(person && [personLine(person), ...erasureLines(person)]).toEqual([
    `${personId}  player  (details that this release cannot read)`,
    '  goes:  whatever is recorded of the person, the key that opens them',
    "  stays: the entries in 0 matches, the place, as 'Former player', that it was erased, by whom and why",
  ]);
  expect((await erase()).status).toBe(200);
  expect(await legible(`person-${personId}`)).toEqual([]);
  expect((await find(personId)).persons.map(personLine)).toEqual([`${personId}  player  Former player  ERASED`]);
});

it('is not erased where none names what kind of person it tells of, which is said so', async () => {
  const { superToken } = played;
  const personId = randomUUID();
  await site.opened.store.log.append(`person-${personId}`, 'no-stream', [{ ...sampleEvent({ note: 'x' }, 'PersonNoted') }]);
  const said =
    'The facts of this person cannot be read by this release, which does not know whom they are about: nothing was erased. The release that recorded them can erase the person.';
  const asked = [
    await site.refused(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' } }),
    await site.refused(findPersons, { token: superToken, query: { text: personId } }),
  ];
  expect(asked.map(({ status, message }) => [status, message])).toEqual([
    [503, said],
    [503, said],
  ]);
  expect([(await legible(`person-${personId}`)).length, existsSync(join(site.config.dataDir, 'erasures.jsonl'))]).toEqual([1, false]);
});

it('is erased again where a backup from before brings it back, of somebody of whom nothing else is known', async () => {
  const {
    superToken,
    teams: [
      {
        players: [playerId = ''],
      },
    ],
  } = played;
  const personId = randomUUID();
  await append(`person-${playerId}`, { stream: `person-${personId}` });
  const { dataDir } = site.config;
  // Whoever recorded it made a key.
  const vault = openPersonVault(dataDir);
  vault.seal(personId, {});
  vault.close();
  const backup = folder.path('backup');
  await makeBackup({ dataDir, kind: 'sqlite', store: site.opened.store, now: Date.now() }, backup);
  expect((await site.send(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' } })).status).toBe(200);
  await site.app.close(2000);
  await restoreBackup({ folder: backup, dataDir, now: Date.now() });
  site = folder.keep(await openSite({ store: { kind: 'sqlite' }, dataDir }, { background: false }));
  const told = (await site.opened.store.log.readAll('start', 10_000))
    .filter(({ type }) => type === 'PersonErased')
    .map(({ data, metadata }) => [data, metadata.actor.id]);
  expect([await legible(`person-${personId}`), told]).toEqual([[], [[{ personId, kind: 'player', reason: 'Asked for it' }, 'root']]]);
  expect((await site.send(erasePerson, { token: superToken, json: { personId, reason: 'Again' } })).json()).toEqual({
    personId,
    kind: 'player',
    already: true,
  });
});

it('in the stream that tells of erasures, none is begun: its fact could not be recorded', async () => {
  const {
    superToken,
    matchId,
    teams: [
      {
        players: [playerId = ''],
      },
    ],
  } = played;
  const stream = auditStream(new Date().toISOString());
  await append(`match-${matchId}`, { stream });
  const before = await legible(`person-${playerId}`);
  const { status, message } = await site.refused(erasePerson, { token: superToken, json: { personId: playerId, reason: 'Asked for it' } });
  expect([status, message]).toEqual([503, `Nothing was erased: a fact in ${stream} cannot be read, and no erasure can be recorded there until it can.`]);
  expect([before.length, await legible(`person-${playerId}`), existsSync(folder.path('data/erasures.jsonl'))]).toEqual([1, before, false]);
  expect((await site.call(getPlayer, { params: { id: playerId } })).name).not.toBe('Former player');
  expect((await site.call(getOperationsStatus, { token: superToken })).pendingErasures).toEqual([]);
});
