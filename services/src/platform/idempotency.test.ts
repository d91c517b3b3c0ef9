import { matchStream } from '@courtledger/contracts/match/match.events';
import { describe, expect, it } from 'vitest';
import { matchDecider, type MatchCommand } from '../match/match.decider.ts';
import { testContext, testHandler } from './testing/command-bench.ts';
import { assign, awkwardLog, pointsOf, refusalCode, send, stream, tap, typesOf } from './testing/match-commands.ts';

describe('a repeated command', () => {
  it('waits for the first one that is still under way', async () => {
    const awkward = awkwardLog();
    const { handler } = testHandler(awkward.log);
    await send(handler, assign);
    const { reached, release } = awkward.hold();
    const first = send(handler, tap('e1'), testContext('k1'));
    await reached;
    const second = send(handler, tap('e1'), testContext('k1'));
    const other = refusalCode(send(handler, tap('e1'), testContext('k1', 'another body')));
    release();
    expect(await first).toMatchObject({ revision: 1, position: 2n, replayed: false });
    expect(await second).toStrictEqual({ events: [], revision: 1, position: 2n, replayed: true, pending: false });
    expect(await other).toBe('key-reused');
    expect(await pointsOf(awkward.inner)).toBe(2);
  });

  it('answers what the first one reached, also after later events and a restart', async () => {
    const { handler, log } = testHandler();
    await send(handler, assign);
    const first = await send(handler, tap('e1'), testContext('k1'));
    await send(handler, tap('e2'));
    const restarted = testHandler(log).handler;
    for (const again of [handler, restarted]) {
      expect(await send(again, tap('e1'), testContext('k1'))).toStrictEqual({ ...first, events: [], replayed: true });
      expect(await refusalCode(send(again, tap('e1'), testContext('k1', 'another body')))).toBe('key-reused');
    }
    expect(await pointsOf(log)).toBe(4);
  });

  it('is refused with another body even when that names another stream', async () => {
    const { handler } = testHandler();
    await send(handler, assign, testContext('k1'));
    expect(await refusalCode(handler.handle(matchDecider, matchStream('m2'), { ...assign, matchId: 'm2' }, testContext('k1', 'another body')))).toBe(
      'key-reused',
    );
  });

  it('answers what the first one reached also where its key was used for another stream since a restart', async () => {
    const { handler, log } = testHandler();
    await send(handler, assign);
    const first = await send(handler, tap('e1'), testContext('k1'));
    const restarted = testHandler(log).handler;
    await restarted.handle(matchDecider, matchStream('m2'), { ...assign, matchId: 'm2' }, testContext('k1', 'another body'));
    expect(await send(restarted, tap('e1'), testContext('k1'))).toStrictEqual({ ...first, events: [], replayed: true });
    expect(await restarted.rehearse(matchDecider, stream, tap('e1'), testContext('k1'))).toMatchObject({ revision: 1, replayed: true });
    expect(await pointsOf(log)).toBe(2);
  });

  it('remembers a success that had nothing to do', async () => {
    const { handler, log } = testHandler();
    await send(handler, assign);
    const nothing: MatchCommand = { type: 'rescheduleMatch', date: '2026-11-21', time: undefined };
    const first = await send(handler, nothing, testContext('k1'));
    expect(first).toStrictEqual({ events: [], revision: 0, position: 1n, replayed: false, pending: false });
    await send(handler, { type: 'rescheduleMatch', date: '2026-12-01', time: undefined });
    expect(await send(handler, nothing, testContext('k1'))).toStrictEqual({ ...first, replayed: true, isRemembered: true });
    expect(await typesOf(log)).toStrictEqual(['MatchAssigned', 'MatchRescheduled']);
  });

  it('is decided anew when the first one was refused', async () => {
    const { handler } = testHandler();
    expect(await refusalCode(send(handler, tap('e1'), testContext('k1')))).toBe('not-found');
    await send(handler, assign);
    expect(await refusalCode(send(handler, tap('e1'), testContext('k1')))).toBe('accepted');
  });

  it('is told by a rehearsal, which does nothing itself', async () => {
    const { handler, log } = testHandler();
    expect(await refusalCode(handler.rehearse(matchDecider, stream, tap('e1'), testContext('k1')))).toBe('not-found');
    await send(handler, assign);
    expect(await handler.rehearse(matchDecider, stream, tap('e1'), testContext('k1'))).toBeUndefined();
    expect(await typesOf(log)).toStrictEqual(['MatchAssigned']);
    await send(handler, tap('e1'), testContext('k1'));
    expect(await handler.rehearse(matchDecider, stream, tap('e1'), testContext('k1'))).toMatchObject({ revision: 1, replayed: true });
  });

  it('is told by a rehearsal at another gateway, which had the stream at hand from before', async () => {
    const { handler, log } = testHandler(undefined, { soleWriter: false });
    const other = testHandler(log, { soleWriter: false }).handler;
    await send(handler, assign);
    await send(other, tap('e0'));
    await send(handler, tap('e1'), testContext('k1'));
    expect(await refusalCode(other.rehearse(matchDecider, stream, tap('e2'), testContext('k1', 'another body')))).toBe('key-reused');
    expect(await other.rehearse(matchDecider, stream, tap('e1'), testContext('k1'))).toMatchObject({ revision: 2, replayed: true });
  });

  it('runs a whole command once however often it is sent at the same time', async () => {
    const { handler } = testHandler();
    let runs = 0;
    const run = async (): Promise<number> => (runs += 1);
    expect(
      await Promise.all([handler.once(testContext('k'), run), handler.once(testContext('k'), run), handler.once(testContext('other'), run)]),
    ).toStrictEqual([1, 1, 2]);
    expect(await handler.once(testContext('k'), run)).toBe(3);
  });

  it('is used by a whole command that succeeded without a look at any stream, and not by one that failed', async () => {
    const { handler } = testHandler();
    await send(handler, assign);
    await handler.once(testContext('k'), async () => 'nothing to do');
    await expect(handler.once(testContext('other'), async () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect([
      await refusalCode(send(handler, tap('e1'), testContext('k', 'another body'))),
      await refusalCode(send(handler, tap('e1'), testContext('other', 'another body'))),
    ]).toStrictEqual(['key-reused', 'accepted']);
  });
});
