import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAdmin } from '@courtledger/contracts/admin/admin.api';
import { getPlayer, getPlayerDocument } from '@courtledger/contracts/player/player.api';
import { requestTournament } from '@courtledger/contracts/request/request.api';
import { addPlayerToTeam, getTeam, listTeams, registerTeam } from '@courtledger/contracts/team/team.api';
import { teamStream } from '@courtledger/contracts/team/team.events';
import { enterTeam } from '@courtledger/contracts/tournament/tournament.api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EventLog } from './event-log/event-log.ts';
import { createHousekeeping, startHousekeeping } from './housekeeping.ts';
import { nothingUnfinished } from './platform/half-finished.ts';
import { openFeatureBench, registrantOf, superAdmin, visitor, type FeatureBench } from './platform/testing/feature-bench.ts';
import { refusal } from './platform/testing/refusal.ts';
import { anyTeam, anyTournament, playerBody, teamBody } from './platform/testing/season-steps.ts';

let bench: FeatureBench;
const failures: unknown[] = [];
const removed: string[] = [];
let isWhole = true;
beforeEach(async () => {
  bench = await openFeatureBench();
  failures.length = 0;
  removed.length = 0;
  isWhole = true;
});
afterEach(() => {
  bench.close();
});

const day = 24 * 3600 * 1000;
const nothing = { entries: 0, registrations: 0, persons: 0, emails: 0 };
const housekeeping = () =>
  createHousekeeping({
    ...bench.deps,
    documents: { remove: async (id) => void removed.push(id) },
    failed: (error) => failures.push(error),
    isWhole: () => isWhole,
  });
const typesSince = async (before: number) => (await bench.facts()).slice(before).map(({ type }) => type);

/** As if the process died between the two streams of a command. */
const withoutSecondHalf = async (second: string, run: () => Promise<unknown>): Promise<void> => {
  const broken: EventLog = {
    ...bench.log,
    async append(stream, expected, events) {
      if (stream.startsWith(second)) throw new Error('power cut');
      return bench.log.append(stream, expected, events);
    },
  };
  bench.restart(broken);
  await expect(run()).rejects.toThrow('power cut');
  bench.restart();
};

/** A player of an entered team, of whom a command left the first half alone a day ago. */
const leftAloneForADay = async (): Promise<string> => {
  const { teamId } = await anyTeam(bench);
  await bench.send(enterTeam, { body: { tournamentId: await anyTournament(bench), teamId } });
  await withoutSecondHalf('team-', async () => bench.send(addPlayerToTeam, { body: playerBody(teamId, 9) }));
  const personId = (await bench.facts()).at(-1)?.stream.slice('person-'.length) ?? '';
  await bench.read(listTeams);
  bench.advance(day);
  return personId;
};

it('completes an entry whose second half is missing, under the command id of the first', async () => {
  const tournamentId = await anyTournament(bench);
  const { teamId } = await anyTeam(bench);
  const sent = { caller: registrantOf(teamId), body: { tournamentId, teamId }, key: 'k' };
  await withoutSecondHalf('team-', async () => bench.send(enterTeam, sent));
  const before = (await bench.facts()).length;
  expect(await housekeeping().run()).toStrictEqual({ ...nothing, entries: 1 });
  const [entered, completed] = (await bench.facts()).slice(-2);
  expect(completed).toMatchObject({
    type: 'TeamRegistrationCompleted',
    stream: teamStream(teamId),
    metadata: { commandId: entered?.metadata.commandId, actor: { role: 'system', id: 'housekeeping' } },
  });
  expect(await housekeeping().run()).toStrictEqual(nothing);
  expect(await refusal(bench.send(enterTeam, sent))).toBe('accepted');
  expect(await typesSince(before)).toStrictEqual(['TeamRegistrationCompleted']);
});

it('lets an entry of the team that is under way come first', async () => {
  const tournamentId = await anyTournament(bench);
  const { teamId } = await anyTeam(bench);
  await withoutSecondHalf('team-', async () => bench.send(enterTeam, { caller: registrantOf(teamId), body: { tournamentId, teamId } }));
  const before = (await bench.facts()).length;
  const entering = Promise.withResolvers<void>();
  const turn = bench.commands.inTurn(`team-${teamId}`, async () => {
    await entering.promise;
    return typesSince(before);
  });
  const run = housekeeping().run();
  setImmediate(entering.resolve);
  expect(await turn).toStrictEqual([]);
  expect(await run).toStrictEqual({ ...nothing, entries: 1 });
});

it('frees a person left alone after 24 hours, and not before', async () => {
  const { teamId } = await anyTeam(bench);
  await bench.send(enterTeam, { body: { tournamentId: await anyTournament(bench), teamId } });
  const keeper = housekeeping();
  await withoutSecondHalf('team-', async () => bench.send(addPlayerToTeam, { body: playerBody(teamId, 9) }));
  await withoutSecondHalf('request-', async () =>
    bench.send(requestTournament, {
      caller: visitor,
      body: { tournamentName: 'Cup', contactPhone1: '9811111111', contactPhone2: '9822222222', organizerName: 'Ram', location: 'Butwal', prizePool: 'TBD' },
    }),
  );
  const lonely = (await bench.facts()).slice(-2).map(({ data }) => (data as { personId: string }).personId);
  // A minute before it is time; the clock goes on meanwhile.
  bench.advance(day - 60_000);
  expect(await keeper.run()).toStrictEqual(nothing);
  bench.advance(60_000);
  // Not by a log of which something is missing, or that is another one: their keys would be gone in the right one as well.
  isWhole = false;
  expect([await keeper.run(), lonely.map((personId) => bench.vault.state(personId))]).toStrictEqual([nothing, ['active', 'active']]);
  isWhole = true;
  const before = (await bench.facts()).length;
  expect(await keeper.run()).toStrictEqual({ ...nothing, persons: 2 });
  expect((await bench.facts()).slice(before).map(({ type, data }) => [type, data])).toStrictEqual([
    ['PersonErased', { personId: lonely[0], kind: 'player', reason: 'Left alone by an unfinished command' }],
    ['PersonErased', { personId: lonely[1], kind: 'requester', reason: 'Left alone by an unfinished command' }],
  ]);
  for (const personId of lonely) {
    expect(bench.vault.state(personId)).toBe('destroyed');
    expect(await bench.log.readStream(`person-${personId}`)).toBeUndefined();
  }
  expect(removed).toHaveLength(1);
  expect(await keeper.run()).toStrictEqual(nothing);
  expect(await housekeeping().run()).toStrictEqual(nothing);
});

it('frees a person whom another gateway frees in the same moment', async () => {
  const personId = await leftAloneForADay();
  const { deps, vault } = bench;
  // Both have the same keys.
  const open: typeof vault.open = (id, sealed) => {
    vault.destroy(id);
    return vault.open(id, sealed);
  };
  const keeper = createHousekeeping({
    ...deps,
    vault: { ...vault, open },
    documents: { remove: async (id) => void removed.push(id) },
    failed: (error) => failures.push(error),
    isWhole: () => isWhole,
  });
  const before = (await bench.facts()).length;
  expect(await keeper.run()).toStrictEqual({ ...nothing, persons: 1 });
  expect([failures, removed]).toEqual([[], []]);
  expect((await bench.facts()).slice(before).map(({ type, data }) => [type, data])).toStrictEqual([
    ['PersonErased', { personId, kind: 'player', reason: 'Left alone by an unfinished command' }],
  ]);
});

it('says after a restart that a person is erased whose freeing was cut off before its fact', async () => {
  const personId = await leftAloneForADay();
  const append: EventLog['append'] = async (stream, expected, events) => {
    if (stream.startsWith('audit-')) throw new Error('power cut');
    return bench.log.append(stream, expected, events);
  };
  bench.restart({ ...bench.log, append });
  expect(await housekeeping().run()).toStrictEqual(nothing);
  expect(failures).toHaveLength(1);
  bench.restart();
  const before = (await bench.facts()).length;
  expect(await housekeeping().run()).toStrictEqual({ ...nothing, persons: 1 });
  expect((await bench.facts()).slice(before).map(({ type, data }) => [type, data])).toStrictEqual([
    ['PersonErased', { personId, kind: 'player', reason: 'Left alone by an unfinished command' }],
  ]);
  expect(await housekeeping().run()).toStrictEqual(nothing);
});

it('frees nobody whose other half comes in the same moment, a day late', async () => {
  const { teamId } = await anyTeam(bench);
  await bench.send(enterTeam, { body: { tournamentId: await anyTournament(bench), teamId } });
  const sent = { body: playerBody(teamId, 9), key: 'k' };
  await withoutSecondHalf('team-', async () => bench.send(addPlayerToTeam, sent));
  const personId = (await bench.facts()).at(-1)?.stream.slice('person-'.length) ?? '';
  bench.advance(day);
  // The other half is held back until the housekeeping has seen the person alone.
  const seen = Promise.withResolvers<void>();
  const append: EventLog['append'] = async (stream, expected, events) => {
    if (stream.startsWith('team-')) await seen.promise;
    return bench.log.append(stream, expected, events);
  };
  bench.restart({ ...bench.log, append });
  const retry = bench.send(addPlayerToTeam, sent);
  const keeper = housekeeping().run();
  setImmediate(seen.resolve);
  expect([await keeper, await refusal(retry)]).toStrictEqual([nothing, 'accepted']);
  expect(bench.vault.state(personId)).toBe('active');
  expect(failures).toHaveLength(0);
  const { players } = (await bench.read(getTeam, { params: { id: teamId } })) as { players: { _id: string; name: string }[] };
  expect(players.find(({ _id }) => _id === personId)?.name).toBe('Player 9');
});

it('frees an e-mail claim that no account uses', async () => {
  const body = { username: 'Asha', email: 'asha@example.com', phoneNumber: '9800000000', password: 'court-side-7788' };
  await withoutSecondHalf('admin-0', async () => bench.send(createAdmin, { caller: superAdmin, body }));
  expect(await refusal(bench.send(createAdmin, { caller: superAdmin, body }))).toBe('conflict: This e-mail address is already in use');
  await bench.send(createAdmin, { caller: superAdmin, body: { ...body, email: 'kept@example.com' } });
  const keeper = housekeeping();
  expect(await keeper.run()).toStrictEqual(nothing);
  bench.advance(day);
  expect(await keeper.run()).toStrictEqual({ ...nothing, emails: 1 });
  expect(await refusal(bench.send(createAdmin, { caller: superAdmin, body }))).toBe('accepted');
  bench.advance(day);
  expect(await keeper.run()).toStrictEqual(nothing);
});

it('closes no registration whose entry came first and lost its second half', async () => {
  const tournamentId = await anyTournament(bench);
  const { teamId } = await anyTeam(bench);
  bench.advance(day);
  const append: EventLog['append'] = async (stream, expected, events) => {
    if (events.some(({ type }) => type === 'TeamRegistrationCompleted')) throw new Error('power cut');
    return bench.log.append(stream, expected, events);
  };
  bench.restart({ ...bench.log, append });
  const entry = bench.send(enterTeam, { caller: registrantOf(teamId), body: { tournamentId, teamId } });
  const run = housekeeping().run();
  await expect(entry).rejects.toThrow('power cut');
  expect(await run).toStrictEqual(nothing);
  bench.restart();
  expect(await housekeeping().run()).toStrictEqual({ ...nothing, entries: 1 });
  expect(await bench.read(getTeam, { params: { id: teamId } })).toBeDefined();
});

it('closes an abandoned registration after 24 hours and erases its people', async () => {
  const { teamId, playerIds } = await anyTeam(bench, 4);
  const kept = await anyTeam(bench, 4, 'Pokhara Peaks');
  await bench.send(enterTeam, { caller: registrantOf(kept.teamId), body: { tournamentId: await anyTournament(bench), teamId: kept.teamId } });
  const byAdmin = (await bench.send(registerTeam, { body: { ...teamBody, name: 'Admin Team' } })).body as { _id: string };
  bench.advance(day);
  const young = (await bench.send(registerTeam, { caller: visitor, body: { ...teamBody, name: 'Young Team' } })).body as { _id: string };
  expect(await housekeeping().run()).toStrictEqual({ ...nothing, registrations: 1, persons: 6 });
  expect((await bench.facts(teamStream(teamId))).at(-1)?.type).toBe('TeamRegistrationExpired');
  for (const playerId of playerIds) expect(bench.vault.state(playerId)).toBe('destroyed');
  expect(((await bench.read(listTeams)) as { _id: string }[]).map(({ _id }) => _id)).toStrictEqual([kept.teamId, byAdmin._id, young._id]);
  for (const endpoint of [getTeam, getPlayer, getPlayerDocument])
    expect(await bench.read(endpoint, { params: { id: endpoint === getTeam ? teamId : (playerIds[0] ?? '') } })).toBeUndefined();
  expect(await refusal(bench.send(enterTeam, { body: { tournamentId: await anyTournament(bench), teamId } }))).toBe(
    'conflict: This registration was abandoned and is closed',
  );
  expect(await housekeeping().run()).toStrictEqual(nothing);
});

it.each([
  ['of another version', 9, { teamId: 'x', changes: {} }],
  ['of which nothing can be made', 1, { teamId: 'x' }],
])('closes abandoned registrations beside a fact %s, and does not keep what it read of that', async (_, schemaVersion, data) => {
  const { teamId } = await anyTeam(bench, 1);
  const other = await anyTeam(bench, 1, 'Pokhara Peaks');
  const metadata = (await bench.facts()).at(-1)?.metadata;
  if (metadata === undefined) throw new Error('Nothing was recorded');
  await bench.log.append(teamStream(other.teamId), 'any', [{ id: randomUUID(), type: 'TeamDetailsCorrected', data, metadata: { ...metadata, schemaVersion } }]);
  bench.advance(day);
  const kept: unknown[] = [];
  const run = async () =>
    createHousekeeping({
      ...bench.deps,
      documents: { remove: async () => {} },
      failed: (error) => failures.push(error),
      isWhole: () => isWhole,
      kept: { load: async () => ({ position: 0n, state: nothingUnfinished() }), isOfAnotherLog: async () => false, save: (last) => void kept.push(last) },
    }).run();
  expect((await run()).registrations).toBeGreaterThan(0);
  expect([(await bench.facts(teamStream(teamId))).at(-1)?.type, failures.length > 0, kept]).toStrictEqual(['TeamRegistrationExpired', true, []]);
});

it.each([
  ['a player', 'PlayerAddedToTeam'],
  ['anybody', 'TeamOfTheFuture'],
])('frees nobody while a fact cannot be read that may tell of %s', async (_, type) => {
  const { teamId } = await anyTeam(bench);
  await bench.send(enterTeam, { caller: registrantOf(teamId), body: { tournamentId: await anyTournament(bench), teamId } });
  // The half of somebody whose other half a newer release has recorded.
  await withoutSecondHalf('team-', async () => bench.send(addPlayerToTeam, { body: playerBody(teamId, 9) }));
  const person = (await bench.facts()).findLast((fact) => fact.type === 'PersonDetailsRecorded');
  const metadata = person?.metadata;
  if (metadata === undefined) throw new Error('Nobody was recorded');
  const playerId = person?.stream.replace('person-', '') ?? '';
  await bench.log.append(teamStream(teamId), 'any', [
    { id: randomUUID(), type, data: { teamId, playerId, jerseyNumber: '7' }, metadata: { ...metadata, schemaVersion: 9 } },
  ]);
  bench.advance(day);
  expect([(await housekeeping().run()).persons, bench.vault.state(playerId)]).toStrictEqual([0, 'active']);
});

it('frees nobody of whom a fact that cannot be read is recorded while they are looked at a last time', async () => {
  const { teamId } = await anyTeam(bench);
  await bench.send(enterTeam, { caller: registrantOf(teamId), body: { tournamentId: await anyTournament(bench), teamId } });
  await withoutSecondHalf('team-', async () => bench.send(addPlayerToTeam, { body: playerBody(teamId, 9) }));
  const person = (await bench.facts()).findLast((fact) => fact.type === 'PersonDetailsRecorded');
  if (person === undefined) throw new Error('Nobody was recorded');
  const playerId = person.stream.replace('person-', '');
  bench.advance(day);
  let pages = 0;
  // Another node, of a newer release, is quicker: after the second page of the log was read.
  bench.restart({
    ...bench.log,
    async readAll(after, limit) {
      const events = await bench.log.readAll(after, limit);
      pages += 1;
      if (pages === 2)
        await bench.log.append(teamStream(teamId), 'any', [
          { id: randomUUID(), type: 'PlayerAddedToTeam', data: { teamId, playerId, jerseyNumber: '9' }, metadata: { ...person.metadata, schemaVersion: 9 } },
        ]);
      return events;
    },
  });
  expect([(await housekeeping().run()).persons, bench.vault.state(playerId), pages > 2]).toStrictEqual([0, 'active', true]);
});

it('goes on where an erasure was cut off, and past what fails', async () => {
  await anyTeam(bench, 1);
  bench.advance(day);
  let appends = 0;
  bench.restart({
    ...bench.log,
    async append(stream, expected, events) {
      if (stream.startsWith('audit-') && (appends += 1) === 2) throw new Error('power cut');
      return bench.log.append(stream, expected, events);
    },
  });
  expect(await housekeeping().run()).toStrictEqual({ ...nothing, registrations: 1, persons: 2 });
  expect(failures).toStrictEqual([new Error('power cut')]);
  bench.restart();
  expect(await housekeeping().run()).toStrictEqual({ ...nothing, persons: 1 });
  expect(await housekeeping().run()).toStrictEqual(nothing);
});

it('runs at once, and stops when it is told to', async () => {
  const tournamentId = await anyTournament(bench);
  const { teamId } = await anyTeam(bench);
  await withoutSecondHalf('team-', async () => bench.send(enterTeam, { body: { tournamentId, teamId } }));
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = (await bench.facts()).length;
  bench.restart({
    ...bench.log,
    async append(stream, expected, events) {
      const result = await bench.log.append(stream, expected, events);
      resolve();
      return result;
    },
  });
  const stop = startHousekeeping({
    ...bench.deps,
    documents: { remove: async () => undefined },
    failed: (error) => failures.push(error),
    isWhole: () => isWhole,
  });
  await promise;
  await stop();
  expect(await typesSince(before)).toStrictEqual(['TeamRegistrationCompleted']);
  const stopped = startHousekeeping({
    ...bench.deps,
    documents: { remove: async () => undefined },
    failed: (error) => failures.push(error),
    isWhole: () => isWhole,
  });
  await stopped();
  expect(failures).toStrictEqual([]);
});

it('does not begin again while a run is under way, and has stopped only when that has ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let [runs, ended] = [0, 0];
    const stop = startHousekeeping(
      {
        ...bench.deps,
        documents: { remove: async () => undefined },
        failed: (error) => failures.push(error),
        isWhole: () => isWhole,
        async after() {
          runs += 1;
          begun.resolve();
          await ending.promise;
          ended += 1;
        },
      },
      1000,
    );
    await begun.promise;
    vi.advanceTimersByTime(3000);
    await nextTurn();
    expect([runs, ended]).toStrictEqual([1, 0]);
    const stopped = stop();
    ending.resolve();
    await stopped;
    expect([runs, ended, failures]).toStrictEqual([1, 1, []]);
  } finally {
    vi.useRealTimers();
  }
});
