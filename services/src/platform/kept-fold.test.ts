import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewEvent } from '@courtledger/contracts/kernel/event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EventLog } from '../event-log/event-log.ts';
import { openEventStoreDbLog } from '../event-log/eventstoredb-event-log.ts';
import { openMemoryEventLog } from '../event-log/memory-event-log.ts';
import { openSqliteEventLog } from '../event-log/sqlite-event-log.ts';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import { createHalfFinished, type Unfinished } from './half-finished.ts';
import { disownFolds, foldPath, keepFold } from './kept-fold.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-fold-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const eventOf = (count: number, type: string, data: object, time = '2026-11-01T00:00:00.000Z'): NewEvent => ({
  id: `0198f000-0000-7000-8000-${String(count).padStart(12, '0')}`,
  type,
  data,
  metadata: { commandId: `c${count}`, correlationId: 'r', causationId: `c${count}`, actor: { role: 'admin', id: 'a', name: 'Asha' }, time, schemaVersion: 1 },
});
const state = { seen: new Map([['a', new Set(['x'])]]), at: 7n };
const stored = async (log: EventLog, stream = 'match-1', count = 1) => {
  await log.append(stream, 'no-stream', [eventOf(count, 'MatchMvpNamed', { matchId: '1', playerId: null })]);
  const last = (await log.readStream(stream))?.[0];
  if (last === undefined) throw new Error('the event is not there');
  return last;
};

it('gives back what was kept, with maps, sets and positions', async () => {
  const log = openMemoryEventLog();
  const last = await stored(log);
  const path = join(folder, 'folds', 'one');
  expect(await keepFold(path, '1', log).load()).toBeUndefined();
  keepFold<typeof state>(path, '1', log).save(last, state);
  expect(await keepFold(path, '1', log).load()).toStrictEqual({ position: last.position, state });
});

it('does not cross logs: the same facts in a file and in EventStoreDB are folded anew', async () => {
  const standIn = await EventStoreStandIn.start();
  const [file, server] = [openSqliteEventLog({ path: join(folder, 'log.sqlite') }), openEventStoreDbLog({ url: standIn.url })];
  try {
    const [inFile, onServer] = [await stored(file), await stored(server)];
    expect([onServer.stream, onServer.revision, onServer.id]).toEqual([inFile.stream, inFile.revision, inFile.id]);
    const path = join(folder, 'one');
    keepFold<typeof state>(path, '1', file).save(inFile, state);
    expect([await keepFold(path, '1', server).load(), await keepFold(path, '1', file).load()]).toStrictEqual([undefined, { position: inFile.position, state }]);
    keepFold<typeof state>(path, '1', server).save(onServer, state);
    expect([await keepFold(path, '1', file).load(), await keepFold(path, '1', server).load()]).toStrictEqual([
      undefined,
      { position: onServer.position, state },
    ]);
  } finally {
    await file.close();
    await server.close();
    await standIn.close();
  }
});

it('tells a fold of another release from one of another log, and empty files as those of another', async () => {
  const log = openMemoryEventLog();
  const [path, other] = [foldPath(folder, 'half-finished'), openMemoryEventLog()];
  await stored(other, 'match-1', 2);
  const seen = async () => [
    (await keepFold(path, '1', log).load()) !== undefined,
    await keepFold(path, '1', log).isOfAnotherLog(),
    await keepFold(path, '2', log).isOfAnotherLog(),
    await keepFold(path, '1', other).isOfAnotherLog(),
  ];
  expect(await seen()).toEqual([false, false, false, false]);
  keepFold<typeof state>(path, '1', log).save(await stored(log), state);
  expect(await seen()).toEqual([true, false, false, true]);
  disownFolds(folder);
  expect([await seen(), readdirSync(join(folder, 'folds')).toSorted()]).toEqual([
    [false, true, true, true],
    ['file-references', 'half-finished'],
  ]);
});

it('gives nothing for another release, another log, a log that was cut, or a damaged file', async () => {
  const log = openMemoryEventLog();
  const path = join(folder, 'one');
  keepFold<typeof state>(path, '1', log).save(await stored(log), state);
  expect(await keepFold(path, '2', log).load()).toBeUndefined();
  expect(await keepFold(path, '1', openMemoryEventLog()).load()).toBeUndefined();
  const other = openMemoryEventLog();
  await stored(other, 'match-1', 2);
  expect(await keepFold(path, '1', other).load()).toBeUndefined();
  const moved = openMemoryEventLog();
  await stored(moved, 'match-0', 3);
  await stored(moved);
  expect(await keepFold(path, '1', moved).load()).toBeUndefined();
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at += 1) {
    const flipped = Buffer.from(whole);
    flipped[at] = (whole[at] ?? 0) ^ (1 << (at % 8));
    writeFileSync(path, flipped);
    expect(await keepFold(path, '1', log).load()).toBeUndefined();
  }
  writeFileSync(path, whole);
  expect(await keepFold(path, '1', log).load()).toStrictEqual({ position: 1n, state });
  for (let size = whole.length - 1; size >= 0; size -= 1) {
    truncateSync(path, size);
    expect(await keepFold(path, '1', log).load()).toBeUndefined();
  }
});

it('lets a start read only what is new, and still know what an older start has seen', async () => {
  const log = openMemoryEventLog();
  const person = (personId: string, count: number) =>
    log.append(`person-${personId}`, 'no-stream', [eventOf(count, 'PersonDetailsRecorded', { personId, kind: 'player', teamId: null, sealed: 'x' })]);
  await person('p1', 1);
  const path = join(folder, 'half-finished');
  const clock = { now: Date.parse('2026-11-01T01:00:00.000Z') };
  const start = () => {
    const asked: (bigint | 'start')[] = [];
    const freed: string[] = [];
    const keeper = createHalfFinished({
      readAll: async (after, limit) => {
        asked.push(after);
        return log.readAll(after, limit);
      },
      completeRegistration: async () => {},
      expireRegistration: async () => false,
      kindOf: () => undefined,
      freePerson: async ({ personId }) => freed.push(personId) > 0,
      isEmailInUse: async () => true,
      releaseEmail: async () => {},
      now: () => clock.now,
      failed: (error) => {
        throw error;
      },
      isStopping: () => false,
      breathe: async () => {},
      kept: keepFold<Unfinished>(path, '1', log),
    });
    return { asked, freed, run: async () => keeper.run() };
  };
  const first = start();
  await first.run();
  expect(first.asked[0]).toBe('start');
  const head = await log.head();
  await person('p2', 2);
  clock.now += 24 * 3600 * 1000;
  const second = start();
  await second.run();
  expect(second.asked[0]).toBe(head);
  expect(second.freed).toStrictEqual(['p1', 'p2']);
});

it('of another log, or an older copy, begins anew, and what was left alone there is given a day: its end may stand in the right one', async () => {
  const day = 24 * 3600 * 1000;
  const path = join(folder, 'half-finished');
  const wrong = Date.parse('2030-01-01T00:00:00.000Z');
  const clock = { now: wrong - day };
  const freed: string[] = [];
  const start = (log: ReturnType<typeof openMemoryEventLog>) =>
    createHalfFinished({
      readAll: async (after, limit) => log.readAll(after, limit),
      completeRegistration: async () => {},
      expireRegistration: async () => false,
      kindOf: () => undefined,
      freePerson: async ({ personId }) => freed.push(personId) > 0,
      isEmailInUse: async () => true,
      releaseEmail: async () => {},
      now: () => clock.now,
      failed: (error) => {
        throw error;
      },
      isStopping: () => false,
      breathe: async () => {},
      kept: keepFold<Unfinished>(path, '1', log),
    });
  const [right, older] = [openMemoryEventLog(), openMemoryEventLog()];
  await right.append('match-1', 'no-stream', [eventOf(1, 'MatchMvpNamed', { matchId: '1', playerId: null })]);
  await older.append('person-p1', 'no-stream', [eventOf(2, 'PersonDetailsRecorded', { personId: 'p1', kind: 'player', teamId: 'a', sealed: 'x' })]);
  await start(right).run();
  for (const hours of [0, 23]) {
    clock.now = wrong + hours * 3600 * 1000;
    await start(older).run();
    expect([hours, freed]).toEqual([hours, []]);
  }
  clock.now = wrong + day;
  await start(older).run();
  expect(freed).toEqual(['p1']);
});

it('of a long log is kept on the way: whoever is killed in the midst goes on from there', async () => {
  const log = openMemoryEventLog();
  const total = 60_000;
  for (let count = 0; count < total; count += 500) {
    await log.append(
      `match-${count}`,
      'no-stream',
      Array.from({ length: 500 }, (_, at) => eventOf(count + at + 10, 'MatchMvpNamed', { matchId: String(count), playerId: null })),
    );
  }
  const path = join(folder, 'half-finished');
  const asked: (bigint | 'start')[] = [];
  const keeper = (dies: boolean) =>
    createHalfFinished({
      readAll: async (after, limit) => {
        asked.push(after);
        if (dies && after !== 'start' && after > 55_000n) throw new Error('killed');
        return log.readAll(after, limit);
      },
      completeRegistration: async () => {},
      expireRegistration: async () => false,
      kindOf: () => undefined,
      freePerson: async () => false,
      isEmailInUse: async () => true,
      releaseEmail: async () => {},
      now: () => 0,
      failed: (error) => {
        throw error;
      },
      isStopping: () => false,
      breathe: async () => {},
      kept: keepFold<Unfinished>(path, '1', log),
    });
  await expect(keeper(true).run()).rejects.toThrow('killed');
  asked.length = 0;
  await keeper(false).run();
  expect(asked[0]).toBe(50_000n);
});
