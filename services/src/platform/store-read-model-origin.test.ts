import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NewEvent } from '@courtledger/contracts/kernel/event';
import type { OpenPerson } from '@courtledger/projections/kernel/apply-event';
import { createProjector } from '@courtledger/projections/kernel/projector';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventLog } from '../event-log/event-log.ts';
import { openEventStoreDbLog, type EventStoreDbLog } from '../event-log/eventstoredb-event-log.ts';
import { openSqliteEventLog } from '../event-log/sqlite-event-log.ts';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import { farthestReached, readModelsOfOtherLog, reasonOfChangedLog, type LogOfOrigin } from './store-read-model-origin.ts';

/** Whether a read model was made of this log: told by the first facts of both. */

let folder: ReturnType<typeof temporaryFolder>;
const closers: (() => unknown)[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  folder.remove();
});

let count = 0;
const fact = (type: string, data: object): NewEvent => {
  count += 1;
  return {
    id: randomUUID(),
    type,
    data,
    metadata: {
      commandId: `c${count}`,
      correlationId: 'c',
      causationId: 'c',
      actor: { role: 'system', id: 's', name: 's' },
      time: '2026-11-21T00:00:00.000Z',
      schemaVersion: 1,
    },
  };
};
/** Any fact: what projections cannot apply is parked, which a read model knows as well as what it has applied. */
const any = (): NewEvent => fact('FactOfTheFuture', {});
const admin = (adminId: string): NewEvent =>
  fact('AdminCreated', { adminId, username: adminId, email: `${adminId}@example.org`, phoneNumber: '9800000001', passwordHash: 'x' });

const sqliteLog = (name: string): EventLog => {
  const log = openSqliteEventLog({ path: folder.path(name) });
  closers.push(async () => log.close());
  return log;
};
const eventStoreLog = async (given?: EventStoreStandIn): Promise<EventStoreDbLog> => {
  const standIn = given ?? (await EventStoreStandIn.start());
  closers.push(async () => standIn.close());
  const log = openEventStoreDbLog({ url: standIn.url });
  closers.push(async () => log.close());
  return log;
};
const readPage =
  (log: EventLog): LogOfOrigin['readPage'] =>
  async (after, limit) =>
    log.readAll(after === 0n ? 'start' : after, limit);
const inFile = (log: EventLog, isWhole = true): LogOfOrigin => ({ readPage: readPage(log), isWhole: () => isWhole });
const elsewhere = (log: EventStoreDbLog): LogOfOrigin & Required<Pick<LogOfOrigin, 'unchained'>> => ({
  readPage: readPage(log),
  unchained: {
    async head() {
      const head = await log.head();
      return head === 'start' ? 0n : head;
    },
    eventAt: async (position) => log.unguarded.eventAt(position),
  },
});

const data = (): string => folder.path('data');
/** A read model of what the log holds now. */
const modelOf = async (log: EventLog, name = 'read-model-1.sqlite', openPerson: OpenPerson = () => null): Promise<void> => {
  mkdirSync(data(), { recursive: true });
  const projector = createProjector({ path: join(data(), name), openPerson });
  projector.apply(await log.readAll('start', 1000));
  projector.close();
};
const others = async (log: LogOfOrigin): Promise<readonly (readonly [string, string])[]> =>
  (await readModelsOfOtherLog(data(), log)).map(({ file, reason }) => [file, reason]);

const storedIn = async (log: EventLog, ...appends: readonly (readonly [stream: string, event: NewEvent])[]): Promise<void> => {
  for (const [stream, event] of appends) await log.append(stream, 'no-stream', [event]);
};

describe('a read model', () => {
  it('of a file that meets the same facts in EventStoreDB, and the other way round, is of another log; at home it is not', async () => {
    const facts = [
      ['admin-a', admin('a')],
      ['admin-b', admin('b')],
      ['x-1', any()],
    ] as const;
    const [file, server] = [sqliteLog('one.sqlite'), await eventStoreLog()];
    await storedIn(file, ...facts);
    await storedIn(server, ...facts);
    await modelOf(file, 'read-model-1.sqlite');
    await modelOf(server, 'read-model-2.sqlite');
    expect(await others(inFile(file))).toEqual([['read-model-2.sqlite', 'the log begins with other facts (AdminCreated at position 1)']]);
    expect(await others(elsewhere(server))).toEqual([
      ['read-model-1.sqlite', expect.stringMatching(/^the log begins with other facts \(AdminCreated at position \d+\)$/)],
    ]);
    await storedIn(file, ['x-2', any()]);
    await storedIn(server, ['x-2', any()]);
    expect([(await others(inFile(file))).length, (await others(elsewhere(server))).length]).toEqual([1, 1]);
  });

  it('that has reached nothing may go on with any log; one that begins with what cannot be applied, or with what was erased since, is known', async () => {
    const server = await eventStoreLog();
    await modelOf(server, 'read-model-1.sqlite');
    await storedIn(
      server,
      ['person-1', fact('PersonDetailsRecorded', { personId: '1', kind: 'player', teamId: null, sealed: '' })],
      ['x-1', any()],
      ['admin-a', admin('a')],
    );
    await modelOf(server, 'read-model-2.sqlite');
    await server.deleteStream('person-1');
    expect(await others(elsewhere(server))).toEqual([]);
  });

  it('is of another log where one without a chain of ours is empty, ends before it, or went another way', async () => {
    const [first, shorter, forked, alike] = [await eventStoreLog(), await eventStoreLog(), await eventStoreLog(), await eventStoreLog()];
    const begin = [
      ['admin-a', admin('a')],
      ['admin-b', admin('b')],
    ] as const;
    for (const log of [first, shorter, forked, alike]) await storedIn(log, ...begin);
    await storedIn(first, ['admin-c', admin('c')]);
    await storedIn(forked, ['admin-d', admin('d')], ['admin-e', admin('e')]);
    // The same again, in the same place: recorded by another command.
    await storedIn(alike, ['admin-c', admin('c')]);
    await modelOf(first);
    expect(await others(elsewhere(await eventStoreLog()))).toEqual([
      ['read-model-1.sqlite', expect.stringMatching(/^the log ends at position 0, and the read model has reached \d+$/)],
    ]);
    expect(await others(elsewhere(shorter))).toEqual([
      ['read-model-1.sqlite', expect.stringMatching(/^the log ends at position \d+, and the read model has reached \d+$/)],
    ]);
    for (const log of [forked, alike])
      expect(await others(elsewhere(log))).toEqual([
        ['read-model-1.sqlite', expect.stringMatching(/^the log has another fact, or none, where the read model has the last one/)],
      ]);
    expect(await alike.head()).toBe(await first.head());
    expect(await others(elsewhere(first))).toEqual([]);
  });

  it('whose end is of a person is of another log where that was recorded by another command, or, once it is erased, where nothing begins at the place that it has reached', async () => {
    const [log, other, repeated] = [await eventStoreLog(), await eventStoreLog(), await eventStoreLog()];
    const first = ['admin-a', admin('a')] as const;
    const person = fact('PersonDetailsRecorded', { personId: '1', kind: 'player', teamId: null, sealed: '' });
    await storedIn(log, first, ['person-1', person]);
    await storedIn(other, first, ['x-1234567', any()], ['x-2', any()], ['x-3', any()]);
    await modelOf(log, 'read-model-1.sqlite', () => ({ name: 'Asha', phone: '9800000001', email: 'asha@example.org' }));
    await storedIn(
      repeated,
      first,
      ['person-1', { ...person, id: randomUUID(), metadata: { ...person.metadata, commandId: `${person.metadata.commandId.slice(0, -1)}x` } }],
      ['x-2', any()],
    );
    expect(await others(elsewhere(repeated))).toEqual([
      ['read-model-1.sqlite', expect.stringMatching(/^the log has another fact, or none, where the read model has the last one/)],
    ]);
    await log.deleteStream('person-1');
    expect(await others(elsewhere(log))).toEqual([]);
    await storedIn(log, ['x-2', any()]);
    expect(await others(elsewhere(log))).toEqual([]);
    // Of a read model that has reached the place of the person's facts in the one log, and asks the other.
    const path = join(data(), 'read-model-1.sqlite');
    expect(await reasonOfChangedLog(path, elsewhere(log))).toBeUndefined();
    const [, second] = await log.readAll('start', 2);
    const between = elsewhere(other);
    expect((await other.readAll('start', 10)).map(({ position }) => position)).toContain(second?.position);
    const unchained = {
      ...between.unchained,
      eventAt: async (position: bigint) => (position === second?.position ? undefined : between.unchained.eventAt(position)),
    };
    expect(await reasonOfChangedLog(path, { unchained, readPage: async (after, limit) => other.readAll(after + 1n, limit) })).toBe(
      `the log has no fact at position ${String(second?.position)}, which the read model has reached`,
    );
  });

  it('is of the same log where somebody has deleted the stream of its last fact by other means', async () => {
    const standIn = await EventStoreStandIn.start();
    closers.push(async () => standIn.close());
    const log = await eventStoreLog(standIn);
    await storedIn(log, ['admin-a', admin('a')], ['admin-b', admin('b')]);
    await modelOf(log);
    for (const remove of ['delete', 'tombstone'] as const) {
      standIn.store[remove]('admin-b', 'any');
      expect([await log.readStream('admin-b'), await others(elsewhere(log))]).toEqual([undefined, []]);
    }
  });

  it('stays where a file has lost its end, or its first facts were changed: that is a damaged log', async () => {
    const [log, shorter] = [sqliteLog('one.sqlite'), sqliteLog('shorter.sqlite')];
    const first = ['admin-a', admin('a')] as const;
    await storedIn(shorter, first);
    await storedIn(log, first, ['admin-b', admin('b')]);
    await modelOf(log);
    expect([await others(inFile(shorter)), await others(inFile(sqliteLog('empty.sqlite')))]).toEqual([[], []]);
    const database = new Database(folder.path('one.sqlite'));
    database.exec("UPDATE events SET metadata = replace(metadata, 'system', 'admin') WHERE position = 1");
    database.close();
    expect([await others(inFile(log, false)), (await others(inFile(log))).length]).toEqual([[], 1]);
  });

  it('shows how far its log went, of any release, and as far as its checkpoint and its ledger agree', async () => {
    const [log, other] = [sqliteLog('one.sqlite'), sqliteLog('other.sqlite')];
    await storedIn(log, ['admin-a', admin('a')], ['admin-b', admin('b')], ['admin-c', admin('c')]);
    await storedIn(other, ['admin-d', admin('d')]);
    await modelOf(log);
    const path = join(data(), 'read-model-1.sqlite');
    const changed = async (sql: string): Promise<bigint> => {
      const database = new Database(path);
      database.exec(sql);
      database.close();
      return farthestReached([join(data(), 'not-there.sqlite'), path], inFile(log));
    };
    expect([
      await farthestReached([path], inFile(log)),
      await farthestReached([path], inFile(other)),
      await farthestReached([path], inFile(sqliteLog('empty.sqlite'))),
    ]).toEqual([3n, 0n, 3n]);
    expect(await changed("UPDATE read_model SET value = 'another' WHERE key = 'version'")).toBe(3n);
    expect(await changed('UPDATE checkpoint SET position = 99')).toBe(3n);
    expect(await changed('UPDATE checkpoint SET position = 2')).toBe(2n);
    expect(await changed('DROP TABLE ledger')).toBe(0n);
  });
});
