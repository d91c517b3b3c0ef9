import { DomainError } from '@courtledger/contracts/kernel/errors';
import { matchStream } from '@courtledger/contracts/match/match.events';
import type { EventLog } from '../../event-log/event-log.ts';
import { openMemoryEventLog } from '../../event-log/memory-event-log.ts';
import { matchDecider, type MatchCommand } from '../../match/match.decider.ts';
import type { CommandHandler } from '../command-handler.ts';
import { testContext } from './command-bench.ts';

/** The match that every command here is about. */
export const stream = matchStream('m1');
const everyone = { has: (): boolean => true };
const nobody = { has: (): boolean => false };
export const assign: MatchCommand = {
  type: 'assignMatch',
  matchId: 'm1',
  tournamentId: 't1',
  teamAId: 'a',
  teamBId: 'b',
  date: '2026-11-21',
  time: '',
  entered: everyone,
};
export const tap = (entryId: string, points = 2): MatchCommand => ({
  type: 'recordStatIncrement',
  entryId,
  line: { playerId: 'p1', points, assists: 0, rebounds: 0, notplayed: '' },
  rosterA: everyone,
  rosterB: nobody,
});
export const cancel: MatchCommand = { type: 'cancelMatch' };
export const reverse = (targetEntryId: string, entryId: string): MatchCommand => ({ type: 'reverseStatEntry', entryId, targetEntryId, reason: 'Wrong player' });

export const send = async (handler: CommandHandler, command: MatchCommand, context = testContext()) => handler.handle(matchDecider, stream, command, context);
export const eventsOf = async (log: EventLog) => (await log.readStream(stream)) ?? [];
export const typesOf = async (log: EventLog) => (await eventsOf(log)).map((event) => event.type);
export const pointsOf = async (log: EventLog) => (await eventsOf(log)).reduce((sum, event) => sum + ((event.data as { points?: number }).points ?? 0), 0);
/** 'accepted', the code of the refusal, or the error when it is none. */
export const refusalCode = async (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'accepted',
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

/** A log that can be held up, and whose appends can fail. */
export const awkwardLog = () => {
  const log = openMemoryEventLog();
  let gate: Promise<void> | undefined;
  let reached = Promise.withResolvers<void>();
  const failures: { error: Error; store: boolean }[] = [];
  const appends: number[] = [];
  const awkward: EventLog = {
    ...log,
    async append(name, expected, events) {
      appends.push(events.length);
      reached.resolve();
      await gate;
      const failure = failures.shift();
      if (failure !== undefined) {
        if (failure.store) await log.append(name, expected, events);
        throw failure.error;
      }
      return log.append(name, expected, events);
    },
  };
  return {
    log: awkward,
    inner: log,
    appends,
    failNext: (error: Error, store = false) => failures.push({ error, store }),
    hold: () => {
      reached = Promise.withResolvers<void>();
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return {
        reached: reached.promise,
        release: () => {
          gate = undefined;
          resolve();
        },
      };
    },
  };
};
