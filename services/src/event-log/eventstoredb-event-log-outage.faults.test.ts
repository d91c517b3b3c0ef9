import { EventEmitter } from 'node:events';
import { EventStoreDBClient } from '@eventstore/db-client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sampleEvent } from './testing/sample-event.ts';
import { LogUnavailable, UnknownOutcome, WrongRevision } from './event-log.ts';
import { allowance, eventStoreOfEachTest, idsOf, newStream, short, take, timed } from './testing/eventstoredb-of-each-test.ts';

const { notices, noticed, open, standIn } = eventStoreOfEachTest();

describe('a server that is not there', () => {
  test('absent: LogUnavailable in time, nothing stored, and the same log works when it is back', async () => {
    const log = open(short);
    const stream = newStream();
    await log.append(stream, 'no-stream', [sampleEvent()]);
    await standIn().stop();
    const bound = short.unavailableFor + 2 * short.callTimeout + allowance;
    // The first call after a cut may still find the old connection, so its outcome is not always certain.
    await log.append(stream, 0, [sampleEvent()]).catch(() => undefined);
    expect(await timed(() => expect(log.append(stream, 0, [sampleEvent()])).rejects.toBeInstanceOf(LogUnavailable))).toBeLessThan(bound);
    expect(await timed(() => expect(log.readStream(stream)).rejects.toBeInstanceOf(LogUnavailable))).toBeLessThan(bound);
    expect(await timed(() => expect(log.head()).rejects.toBeInstanceOf(LogUnavailable))).toBeLessThan(bound);
    await standIn().startAgain({ rememberIds: false });
    expect((await log.append(stream, 0, [sampleEvent()])).revision).toBe(1);
  });

  test("'Server Is Not Ready': waits for it, and says LogUnavailable when it does not come", async () => {
    const log = open(short);
    const stream = newStream();
    standIn().faults.notReady = true;
    await expect(log.append(stream, 'no-stream', [sampleEvent()])).rejects.toBeInstanceOf(LogUnavailable);
    await expect(log.readAll('start', 1)).rejects.toBeInstanceOf(LogUnavailable);
    const retry = noticed('call-repeated');
    // Of its default times: a pause of this process must not be longer.
    const appending = open().append(stream, 'no-stream', [sampleEvent()]);
    await retry;
    standIn().faults.notReady = false;
    expect((await appending).revision).toBe(0);
    expect(standIn().faults.seen.stored).toBe(1);
  });

  test('a clock of the calendar that is set back meanwhile lets nobody wait longer (R14)', async () => {
    let calendar = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => calendar);
    onTestFinished(() => clock.mockRestore());
    const log = open(short);
    await standIn().stop();
    const retry = noticed('call-repeated');
    const appending = log.append(newStream(), 'no-stream', [sampleEvent()]).catch((error: unknown) => error);
    await retry;
    calendar -= 3_600_000;
    expect(await appending).toBeInstanceOf(LogUnavailable);
  });

  test('a silent peer: every call ends in its time, and another connection is used afterwards', async () => {
    const log = open(short);
    const stream = newStream();
    await log.append(stream, 'no-stream', [sampleEvent()]);
    const subscription = log.subscribe(await log.head());
    const waiting = subscription.next(1);
    standIn().silence();
    const event = sampleEvent();
    const bound = short.repeatFor + 2 * (short.callTimeout + 250) + allowance;
    expect(await timed(() => expect(log.append(stream, 0, [event])).rejects.toBeInstanceOf(UnknownOutcome))).toBeLessThan(bound);
    expect(await timed(() => expect(log.readStream(stream)).rejects.toBeInstanceOf(LogUnavailable))).toBeLessThan(bound);
    expect(await timed(() => expect(log.readAll('start', 10)).rejects.toBeInstanceOf(LogUnavailable))).toBeLessThan(bound);
    expect(notices.map((notice) => notice.kind)).toContain('connection-replaced');
    standIn().speak();
    expect((await log.append(stream, 0, [event])).revision).toBe(1);
    expect(idsOf(await waiting)).toEqual([event.id]);
  });

  test('a connection that the network has forgotten: the call is made again over another, the log is checked anew, and readers are woken over it', async () => {
    // Nothing but the call finds the old connection dead.
    const log = open({ ...short, keepAlive: { interval: 300_000, timeout: 300_000 } });
    const stream = newStream();
    let checks = 0;
    log.guard(async () => {
      checks += 1;
      return undefined;
    });
    const subscription = log.subscribe('start');
    await log.append(stream, 'no-stream', [sampleEvent()]);
    await take(subscription, 1);
    expect(checks).toBe(1);
    standIn().forgetConnections();
    expect((await log.append(stream, 0, [sampleEvent()])).revision).toBe(1);
    await take(subscription, 1);
    expect(checks).toBe(2);
    const waiting = subscription.next(1);
    const event = sampleEvent();
    await open().append(newStream(), 'no-stream', [event]);
    expect(idsOf(await waiting)).toEqual([event.id]);
  });

  test('a silent peer that many find silent at once: they leave one connection, and not each the one of another', async () => {
    const log = open({ ...short, repeatFor: 0, unavailableFor: 0, now: () => 0 });
    await log.append(newStream(), 'no-stream', [sampleEvent()]);
    standIn().silence();
    await Promise.all(Array.from({ length: 5 }, async () => expect(log.head()).rejects.toBeInstanceOf(LogUnavailable)));
    expect(notices.filter(({ kind }) => kind === 'connection-replaced')).toHaveLength(1);
  });

  test('a silent peer whom nobody follows: the call itself finds that it is silent, and leaves the connection', async () => {
    const log = open({ ...short, repeatFor: 0 });
    const stream = newStream();
    await log.append(stream, 'no-stream', [sampleEvent()]);
    standIn().silence();
    const event = sampleEvent();
    await expect(log.append(stream, 0, [event])).rejects.toBeInstanceOf(UnknownOutcome);
    expect(notices.map((notice) => notice.kind)).toEqual(['connection-replaced']);
    standIn().speak();
    expect((await log.append(stream, 0, [event])).revision).toBe(1);
  });

  test('a peer that was silent from the first connection on: no call hangs, and the log works when it speaks', async () => {
    standIn().silence();
    const log = open(short);
    const subscription = log.subscribe('start');
    const waiting = subscription.next(1);
    const event = sampleEvent();
    await expect(log.append(newStream(), 'no-stream', [event])).rejects.toBeInstanceOf(UnknownOutcome);
    await expect(log.head()).rejects.toBeInstanceOf(LogUnavailable);
    standIn().speak();
    await log.append(newStream(), 'no-stream', [event]);
    expect(idsOf(await waiting)).toEqual([event.id]);
  });
});

describe('whether the log takes writes', () => {
  test('is denied while the server cannot be reached, also when nobody writes, and not for a subscription that only ended', async () => {
    const log = open(short);
    const subscription = log.subscribe('start');
    const stream = newStream();
    await log.append(stream, 'no-stream', [sampleEvent()]);
    await take(subscription, 1);
    let lost = noticed('subscription-lost');
    standIn().faults.endLiveSubscriptions();
    await lost;
    expect(log.refusal()).toBeUndefined();
    const waiting = subscription.next(1);
    lost = noticed('subscription-lost');
    await standIn().stop();
    while (log.refusal() === undefined) {
      await lost;
      lost = noticed('subscription-lost');
    }
    expect(log.refusal()).toMatch(/^The event log does not answer: ./);
    await standIn().startAgain({ rememberIds: false });
    await open(short).append(stream, 0, [sampleEvent()]);
    await waiting;
    expect(log.refusal()).toBeUndefined();
  });

  test('is denied within a few seconds of silence, also when nobody writes, at once for a call that had no answer, and no longer than the silence lasts', async () => {
    const log = open({
      ...short,
      every: (milliseconds, task) => {
        const timer = setInterval(task, milliseconds / 20);
        return () => {
          clearInterval(timer);
        };
      },
    });
    const stream = newStream();
    const subscription = log.subscribe('start');
    await log.append(stream, 'no-stream', [sampleEvent()]);
    await take(subscription, 1);
    const waiting = subscription.next(1);
    expect(log.refusal()).toBeUndefined();
    standIn().silence();
    await expect.poll(log.refusal, { timeout: 20_000 }).toMatch(/^The event log does not answer: no answer/);
    standIn().speak();
    await expect.poll(log.refusal, { timeout: 20_000 }).toBeUndefined();
    standIn().silence();
    await expect(log.append(stream, 0, [sampleEvent()])).rejects.toBeInstanceOf(UnknownOutcome);
    expect(log.refusal()).toBeDefined();
    standIn().speak();
    // Not the half minute of an append that the server refused.
    await expect.poll(log.refusal, { timeout: 20_000 }).toBeUndefined();
    await open(short).append(newStream(), 'no-stream', [sampleEvent()]);
    await waiting;
  });

  test('is denied as long as the whole log may not be read: what is written could not be shown', async () => {
    const log = open(short);
    const subscription = log.subscribe('start');
    await log.append(newStream(), 'no-stream', [sampleEvent()]);
    await take(subscription, 1);
    // Rights were not recorded: as the client tells of them.
    const denied = vi.spyOn(EventStoreDBClient.prototype, 'readAll').mockImplementation(() => {
      const read = Object.assign(new EventEmitter(), { cancel: async () => undefined });
      setImmediate(() => read.emit('error', Object.assign(new Error('7 PERMISSION_DENIED: Access Denied'), { type: 'access-denied' })));
      return read as never;
    });
    onTestFinished(() => denied.mockRestore());
    await expect(log.readAll('start', 1)).rejects.toThrow(new LogUnavailable('Reading the log: EventStoreDB denies access'));
    expect(log.refusal()).toBe('The event log does not answer: EventStoreDB denies access');
    denied.mockRestore();
    await log.readAll('start', 1);
    expect(log.refusal()).toBeUndefined();
  });

  test('is denied for half a minute after an append that failed, or until one is stored', async () => {
    let ahead = 0;
    const log = open({ ...short, now: () => performance.now() + ahead });
    standIn().faults.notReady = true;
    await expect(log.append(newStream(), 'no-stream', [sampleEvent()])).rejects.toBeInstanceOf(LogUnavailable);
    const refusal = 'The event log did not take the last command: it is starting';
    expect(log.refusal()).toBe(refusal);
    ahead = 30_000;
    expect(log.refusal()).toBeUndefined();
    ahead = 0;
    expect(log.refusal()).toBe(refusal);
    standIn().faults.notReady = false;
    await log.append(newStream(), 'no-stream', [sampleEvent()]);
    expect(log.refusal()).toBeUndefined();
  });

  test('is not denied for what the caller did wrong', async () => {
    const log = open();
    await expect(log.append(newStream(), 3, [sampleEvent()])).rejects.toBeInstanceOf(WrongRevision);
    expect(log.refusal()).toBeUndefined();
  });
});
