import { DomainError } from '@courtledger/contracts/kernel/errors';
import { matchStream, type MatchEvent } from '@courtledger/contracts/match/match.events';
import { describe, expect, it } from 'vitest';
import { LogUnavailable, StreamRemoved, UnacceptableEvents, UnknownOutcome, type EventLog } from '../event-log/event-log.ts';
import { openMemoryEventLog } from '../event-log/memory-event-log.ts';
import { DataDamaged, StoredEvent } from '../event-log/stored-event.ts';
import { toFact } from '../event-log/upcast.ts';
import { matchDecider } from '../match/match.decider.ts';
import { personDecider } from './person.decider.ts';
import { fold } from './stream-state.ts';
import { testContext, testHandler } from './testing/command-bench.ts';
import { assign, awkwardLog, cancel, eventsOf, pointsOf, refusalCode, reverse, send, stream, tap, typesOf } from './testing/match-commands.ts';

describe('the command handler', () => {
  it('appends what was decided with the metadata of the command', async () => {
    const { handler, log } = testHandler();
    const outcome = await send(handler, assign, testContext('key', 'print'));
    expect(outcome).toStrictEqual({
      events: [{ type: 'MatchAssigned', data: { matchId: 'm1', tournamentId: 't1', teamAId: 'a', teamBId: 'b', date: '2026-11-21', time: '' } }],
      revision: 0,
      position: 1n,
      replayed: false,
      pending: false,
    });
    const [event] = await eventsOf(log);
    expect(event?.metadata).toStrictEqual({
      commandId: 'key',
      fingerprint: 'print',
      correlationId: 'request-1',
      causationId: 'key',
      actor: { role: 'admin', id: 'admin-1', name: 'Asha' },
      time: '2026-11-21T06:00:00.000Z',
      schemaVersion: 1,
    });
    expect(event?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('stores only what the schema names', async () => {
    const { handler, log } = testHandler();
    await send(handler, assign);
    const generous: typeof matchDecider = {
      ...matchDecider,
      decide: (state, command) => matchDecider.decide(state, command).map((event) => Object.assign(event, { data: { ...event.data, role: 'admin' } })),
    };
    await handler.handle(generous, stream, tap('e1'), testContext());
    expect((await eventsOf(log))[1]?.data).toStrictEqual({ matchId: 'm1', entryId: 'e1', playerId: 'p1', teamId: 'a', points: 2, assists: 0, rebounds: 0 });
  });

  it('counts 40 parallel increments on one match and refuses none', async () => {
    const { handler, log } = testHandler();
    await send(handler, assign);
    const outcomes = await Promise.all(Array.from({ length: 40 }, async (_, index) => send(handler, tap(`e${String(index)}`))));
    expect(outcomes.map((outcome) => outcome.revision)).toStrictEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(await pointsOf(log)).toBe(80);
  });

  it('sends what was decided during an append together in the next one', async () => {
    const awkward = awkwardLog();
    const { handler } = testHandler(awkward.log);
    await send(handler, assign);
    const { reached, release } = awkward.hold();
    const first = send(handler, tap('e0'));
    await reached;
    const rest = Array.from({ length: 9 }, async (_, index) => send(handler, tap(`e${String(index + 1)}`)));
    release();
    await Promise.all([first, ...rest]);
    expect(awkward.appends).toStrictEqual([1, 1, 9]);
  });

  it('sends alone what the log refuses in company', async () => {
    const inner = openMemoryEventLog();
    const { promise, resolve } = Promise.withResolvers<void>();
    const sizes: number[] = [];
    const { handler } = testHandler({
      ...inner,
      async append(name, expected, events) {
        sizes.push(events.length);
        await promise;
        if (events.length > 1) throw new UnacceptableEvents('too much at once');
        return inner.append(name, expected, events);
      },
    });
    const all = [send(handler, assign), ...['e1', 'e2', 'e3'].map(async (entryId) => send(handler, tap(entryId)))];
    resolve();
    await Promise.all(all);
    expect(sizes).toStrictEqual([1, 3, 1, 1, 1]);
    expect(await pointsOf(inner)).toBe(6);
  });

  it('loses no increment when two gateways write to one match', async () => {
    const log = openMemoryEventLog();
    const gateways = [testHandler(log, { soleWriter: false }).handler, testHandler(log, { soleWriter: false }).handler] as const;
    await send(gateways[0], assign);
    for (let round = 0; round < 10; round += 1)
      await Promise.all(gateways.map(async (gateway, index) => send(gateway, tap(`g${String(index)}-${String(round)}`))));
    expect(await pointsOf(log)).toBe(40);
    expect((await eventsOf(log)).map((event) => event.revision)).toStrictEqual(Array.from({ length: 21 }, (_, index) => index));
  });

  it('never stores on top of an append that failed: what was speculated is decided again', async () => {
    const awkward = awkwardLog();
    const ours = testHandler(awkward.log, { soleWriter: false }).handler;
    const other = testHandler(awkward.inner, { soleWriter: false }).handler;
    await send(ours, assign);
    const { reached, release } = awkward.hold();
    const first = send(ours, tap('e1'));
    await reached;
    const second = send(ours, tap('e2'));
    await send(other, cancel);
    release();
    expect(await Promise.all([refusalCode(first), refusalCode(second)])).toStrictEqual(['conflict', 'conflict']);
    expect(await typesOf(awkward.inner)).toStrictEqual(['MatchAssigned', 'MatchCancelled']);
  });

  it('gives up after five retries', async () => {
    const inner = openMemoryEventLog();
    const { handler: first } = testHandler(inner);
    await send(first, assign);
    let tries = 0;
    const contested: EventLog = {
      ...inner,
      async append(name, expected, events) {
        tries += 1;
        await testHandler(inner, { soleWriter: false }).handler.handle(matchDecider, stream, tap(`other-${String(tries)}`), testContext());
        return inner.append(name, expected, events);
      },
    };
    const { handler } = testHandler(contested, { soleWriter: false });
    await expect(send(handler, tap('ours'))).rejects.toThrow(
      expect.objectContaining({ code: 'conflict', message: 'Others are changing this at the same time. Please try again.' }),
    );
    expect(tries).toBe(6);
    expect(await pointsOf(inner)).toBe(12);
  });

  it('keeps event ids over the retries of an append', async () => {
    const inner = openMemoryEventLog();
    await send(testHandler(inner).handler, assign);
    const ids: string[] = [];
    const contested: EventLog = {
      ...inner,
      async append(name, expected, events) {
        ids.push(...events.map((event) => event.id));
        if (ids.length === 1) await send(testHandler(inner, { soleWriter: false }).handler, tap('other'));
        return inner.append(name, expected, events);
      },
    };
    await send(testHandler(contested, { soleWriter: false }).handler, tap('ours'));
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it('answers nothing to do and refusals from committed state only', async () => {
    const awkward = awkwardLog();
    const { handler } = testHandler(awkward.log);
    await send(handler, assign);
    await send(handler, tap('e1'));
    const { reached, release } = awkward.hold();
    awkward.failNext(new LogUnavailable('disk full'));
    const first = send(handler, reverse('e1', 'r1'));
    await reached;
    // Both are decided on a reversal that will not be stored.
    const again = send(handler, reverse('e1', 'r2'));
    const same = send(handler, { type: 'nameMatchMvp', playerId: 'p1' });
    release();
    expect(await Promise.all([refusalCode(first), refusalCode(again), refusalCode(same)])).toStrictEqual(['unavailable', 'accepted', 'conflict']);
    expect(await typesOf(awkward.inner)).toStrictEqual(['MatchAssigned', 'StatIncrementRecorded', 'StatEntryReversed']);
  });

  it('says that the outcome is unknown, forgets its state, and finds the fact on the retry', async () => {
    const awkward = awkwardLog();
    const { handler } = testHandler(awkward.log);
    await send(handler, assign);
    awkward.failNext(new UnknownOutcome('fsync failed'), true);
    expect(await refusalCode(send(handler, tap('e1'), testContext('k1')))).toBe('outcome-unknown');
    const retry = await send(handler, tap('e1'), testContext('k1'));
    expect(retry).toStrictEqual({ events: [], revision: 1, position: 2n, replayed: true, pending: false });
    expect(await pointsOf(awkward.inner)).toBe(2);
  });

  it('refuses with unavailable when the log takes no writes, and goes on when it does', async () => {
    const awkward = awkwardLog();
    const { handler } = testHandler(awkward.log);
    await send(handler, assign);
    awkward.failNext(new LogUnavailable('disk full'));
    await expect(send(handler, tap('e1'))).rejects.toThrow(expect.objectContaining({ code: 'unavailable', retryAfter: 5 }));
    await send(handler, tap('e1'));
    expect(await pointsOf(awkward.inner)).toBe(2);
  });

  it('refuses what is more than may wait, keeps the rest, and goes on when there is room (R15)', async () => {
    const awkward = awkwardLog();
    const { handler } = testHandler(awkward.log, { mostUnderWay: 100 });
    await send(handler, assign);
    const held = awkward.hold();
    const taps = Array.from({ length: 130 }, async (_, index) => refusalCode(send(handler, tap(`e${index}`))));
    await held.reached;
    const late = await Promise.all(taps.slice(100));
    expect(late).toEqual(Array.from({ length: 30 }, () => 'unavailable'));
    held.release();
    expect(await Promise.all(taps.slice(0, 100))).toEqual(Array.from({ length: 100 }, () => 'accepted'));
    await send(handler, tap('e129'));
    expect(await pointsOf(awkward.inner)).toBe(202);
  });

  it('says when the read model is behind', async () => {
    const late = testHandler(undefined, { projection: { waitFor: async (position, timeout) => position < 2n && timeout === 2000 } }).handler;
    expect((await send(late, assign)).pending).toBe(false);
    expect((await send(late, tap('e1'))).pending).toBe(true);
  });

  it('keeps a bounded number of streams and reads the others again', async () => {
    const { handler, log } = testHandler(undefined, { streams: 3 });
    for (let match = 0; match < 10; match += 1) {
      await handler.handle(matchDecider, matchStream(`x${String(match)}`), { ...assign, matchId: `x${String(match)}` }, testContext());
    }
    for (let match = 0; match < 10; match += 1) await handler.handle(matchDecider, matchStream(`x${String(match)}`), tap('e1'), testContext());
    expect(handler.peek(matchDecider, matchStream('x0'))).toBeUndefined();
    expect((await log.readStream(matchStream('x0')))?.map((event) => event.type)).toStrictEqual(['MatchAssigned', 'StatIncrementRecorded']);
  });

  it('has nothing to say about a stream that does not exist', async () => {
    const { handler } = testHandler();
    expect(await refusalCode(send(handler, tap('e1')))).toBe('not-found');
    expect(await handler.read(matchDecider, stream, ({ status }) => status)).toBeUndefined();
  });

  it('knows no stream by a name that no stream can have', async () => {
    const { handler } = testHandler();
    expect(await handler.read(matchDecider, 'match-\u0001', ({ status }) => status)).toBeUndefined();
    expect(await refusalCode(handler.handle(matchDecider, 'match-\u0001', tap('e1'), testContext()))).toBe('not-found');
  });

  it('reads as fresh as the log when others write too', async () => {
    const log = openMemoryEventLog();
    const [ours, other] = [testHandler(log, { soleWriter: false }).handler, testHandler(log, { soleWriter: false }).handler];
    await send(ours, assign);
    await send(other, cancel);
    expect(await ours.read(matchDecider, stream, ({ status }) => status)).toBe('cancelled');
    expect(await refusalCode(send(ours, { type: 'rescheduleMatch', date: '2026-11-21', time: '' }))).toBe('conflict');
  });

  it('ends however fast others write: a read tells what it found, and what is refused is decided six times', async () => {
    const inner = openMemoryEventLog();
    const other = testHandler(inner, { soleWriter: false }).handler;
    await send(other, assign);
    let writes = 0;
    const contested: EventLog = {
      ...inner,
      async readStream(name, from, limit) {
        const found = await inner.readStream(name, from, limit);
        if (limit === undefined) await send(other, tap(`other-${String((writes += 1))}`));
        return found;
      },
    };
    const { handler } = testHandler(contested, { soleWriter: false });
    expect([await handler.read(matchDecider, stream, ({ entries }) => entries.size), writes]).toStrictEqual([1, 2]);
    const isContested = expect.objectContaining({ code: 'conflict', message: 'Others are changing this at the same time. Please try again.' }) as Error;
    await expect(send(handler, reverse('nowhere', 'r1'))).rejects.toThrow(isContested);
    expect(writes).toBe(8);
    await expect(handler.rehearse(matchDecider, stream, reverse('nowhere', 'r1'), testContext())).rejects.toThrow(isContested);
    expect(writes).toBe(14);
  });

  it('reads on what another gateway has written while it read a long stream', async () => {
    const inner = openMemoryEventLog();
    const other = testHandler(inner, { soleWriter: false }).handler;
    await send(other, assign);
    for (let entry = 0; entry < 150; entry += 1) await send(other, tap(`other-${String(entry)}`));
    let appends = 0;
    const busy: EventLog = {
      ...inner,
      async readStream(name, from, limit) {
        const found = await inner.readStream(name, from, limit);
        if (from === 0) await send(other, tap('meanwhile'));
        return found;
      },
      async append(name, expected, events) {
        appends += 1;
        return inner.append(name, expected, events);
      },
    };
    const { handler } = testHandler(busy, { soleWriter: false });
    expect(await send(handler, tap('ours'))).toMatchObject({ revision: 152 });
    expect(appends).toBe(1);
  });

  it('reads nothing that was decided while it looked, and is not stored', async () => {
    const awkward = awkwardLog();
    const { handler } = testHandler(awkward.log);
    await send(handler, assign);
    awkward.failNext(new LogUnavailable('full'));
    const reading = handler.read(matchDecider, stream, ({ entries }) => [...entries.keys()]);
    const tapping = refusalCode(send(handler, tap('e1')));
    expect(await reading).toStrictEqual([]);
    expect(await tapping).toBe('unavailable');
  });

  it('takes turns by name, whatever became of the one before', async () => {
    const { handler } = testHandler();
    const order: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = handler.inTurn('t', async () => {
      await promise;
      order.push('first');
      throw new Error('lost');
    });
    const second = handler.inTurn('t', async () => order.push('second'));
    resolve();
    await expect(first).rejects.toThrow('lost');
    await second;
    expect(order).toStrictEqual(['first', 'second']);
  });
});

it('refuses what would rest on a fact whose data are no JSON any more, and does not call it a fact of another release', async () => {
  const { log } = awkwardLog();
  const damaged = new StoredEvent({
    position: 1n,
    stream,
    revision: 0,
    id: 'x',
    type: 'MatchAssigned',
    version: 1,
    time: '2026-11-21T00:00:00.000Z',
    data: '{"matchId":',
    metadata: '{}',
  });
  const { handler } = testHandler({ ...log, readStream: async () => [damaged] });
  const failure: unknown = await send(handler, tap('e1')).catch((error: unknown) => error);
  expect(failure).toEqual(
    new DomainError('unavailable', `A fact in ${stream} is damaged: nothing can be recorded there until it is put right.`, { retryAfter: 60 }),
  );
  expect((failure as DomainError).cause).toBeInstanceOf(DataDamaged);
});

it('refuses what would rest on a stream whose first facts are missing, and goes on once they are back', async () => {
  const log = openMemoryEventLog();
  await send(testHandler(log).handler, assign);
  await send(testHandler(log).handler, tap('e1'));
  let first = 1;
  const { handler } = testHandler({ ...log, readStream: async (name, from = 0, limit) => log.readStream(name, Math.max(from, first), limit) });
  await expect(send(handler, tap('e2'))).rejects.toEqual(
    new DomainError('unavailable', `The first facts in ${stream} are missing: nothing can be recorded there until they are back.`, { retryAfter: 60 }),
  );
  first = 0;
  expect((await send(handler, tap('e2'))).revision).toBe(2);
});

it('refuses what would be stored in a stream that was removed for good', async () => {
  const log = openMemoryEventLog();
  const { handler } = testHandler({ ...log, append: async (name) => Promise.reject(new StreamRemoved(name)) });
  await expect(send(handler, assign)).rejects.toEqual(
    new DomainError('unavailable', `The facts in ${stream} were removed from the log: nothing can be recorded there until they are back.`, { retryAfter: 60 }),
  );
});

it('decides on what is left of a person’s stream that begins anew after an erasure', async () => {
  const { handler, log } = testHandler();
  const person = { type: 'recordPersonDetails', personId: 'p1', kind: 'coach', teamId: 't1' } as const;
  const record = async (handling: typeof handler, sealed: string, basedOn?: string) =>
    handling.handle(personDecider, 'person-p1', { ...person, sealed, basedOn }, testContext());
  await record(handler, 'first');
  await log.deleteStream('person-p1');
  expect((await record(testHandler(log).handler, 'second')).revision).toBe(1);
  expect((await record(testHandler(log).handler, 'third', 'second')).revision).toBe(2);
});

it('folds the same state from the log as it decided on', async () => {
  const { handler, log } = testHandler();
  await send(handler, assign);
  await Promise.all([send(handler, tap('e1')), send(handler, tap('e2', 3)), send(handler, reverse('e1', 'r1'))]);
  expect(handler.peek(matchDecider, stream)).toStrictEqual(
    fold(
      matchDecider,
      (await eventsOf(log)).map((event) => toFact(event) as MatchEvent),
    ),
  );
});
