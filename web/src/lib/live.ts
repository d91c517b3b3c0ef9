import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import type { LiveChange } from '@courtledger/contracts/kernel/live.api';
import type { Correction, MatchAnswer } from '@courtledger/contracts/match/match.answers';
import { useQueryClient, type Query, type QueryClient, type QueryFilters } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { ApiError, notePosition, restartAt } from './api-client.ts';
import { followLive } from './live-connection.ts';
import { dayOf } from './format.rules.ts';
import { isPlayFact, staleKeys, withoutNewcomers } from './live.rules.ts';
import { queryKeys } from './query-keys.ts';

/** A match is shown as live for this long after its last recorded change. */
const liveMs = 120_000;
/** Changes that arrive together (a match sheet of 24 lines) are one refresh. */
const gatherMs = 120;
/** An answer that has been on its way for longer is given up for a newer one, which is waited for twice as long, up to the second of these. */
const [patienceMs, mostPatienceMs] = [5000, 40_000];

const liveUntil = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Shows a match as live from now on, for two minutes. */
export const markLive = (matchId: string): void => {
  clearTimeout(liveUntil.get(matchId));
  liveUntil.set(
    matchId,
    setTimeout(() => {
      liveUntil.delete(matchId);
      tell();
    }, liveMs),
  );
  tell();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Whether a match was to be played on an earlier day; true where that is not known. */
const isDayOver = (date: string | undefined): boolean => dayOf(date) < kathmanduDay(Date.now());

/** Whether changes of this match are arriving right now. What is recorded of an earlier day corrects it. */
export const useIsLive = ({ _id, date }: { readonly _id: string; readonly date: string }): boolean =>
  useSyncExternalStore(
    subscribe,
    () => liveUntil.has(_id) && !isDayOver(date),
    () => false,
  );

/** What failed while the server was away: an answer that says no is none of it. */
const failedWhileAway = ({ state: { status, error } }: Query): boolean =>
  status === 'error' && !(error instanceof ApiError && error.status >= 400 && error.status < 500);

/**
 * Gives what says of a match whether what is recorded of it now may be a correction. It is not where the match is played today, unless its result began on an
 * earlier day: it was broken off, and goes on. Then every entry is one, and the first that is heard of tells, once it has been read; a status says nothing of
 * them. A match whose day is another one may have been moved there.
 */
const createLateness = (client: QueryClient): ((matchId: string, type: string) => boolean) => {
  /** By match, how many answers of its corrections there are once one tells of the first entry. */
  const told = new Map<string, number>();
  return (matchId, type) => {
    const known = client.getQueryState<readonly Correction[]>(queryKeys.corrections(matchId));
    const [answers, tellsAt] = [known?.dataUpdateCount ?? 0, told.get(matchId)];
    // What is on its way may have been asked for before.
    if (tellsAt === undefined && type === 'StatIncrementRecorded') told.set(matchId, answers + (known?.fetchStatus === 'fetching' ? 2 : 1));
    const isTold = tellsAt !== undefined && answers >= tellsAt;
    const isToday = dayOf(client.getQueryData<MatchAnswer>(queryKeys.match(matchId))?.date) === kathmanduDay(Date.now());
    return !isTold || !isToday || known?.data?.some(({ afterDay }) => afterDay) === true;
  };
};

/**
 * Gives what makes answers stale and reads again what is shown of them. What is on its way is let come first: where changes follow each other faster than a
 * slow line answers, nothing would come until they end. It may be of before the change, and is read once more. With `givesUp` only a first answer is let come:
 * all others begin anew.
 */
const createRefresh = (client: QueryClient): ((stale: readonly QueryFilters[], givesUp?: boolean) => void) => {
  const awaited = new Set<Query>();
  /** Of what was given up: on a line that takes longer for every answer none would come while changes follow each other. */
  const patience = new WeakMap<Query, number>();
  return (stale, givesUp = false) => {
    const underWay = new Set(stale.flatMap((filters) => client.getQueryCache().findAll({ ...filters, type: 'active', fetchStatus: 'fetching' })));
    for (const filters of stale) void client.invalidateQueries(filters, { cancelRefetch: givesUp });
    for (const query of underWay) {
      if (awaited.has(query) || (givesUp && query.state.data !== undefined)) continue;
      const one = { queryKey: query.queryKey, exact: true };
      const readAgain = (cancelRefetch: boolean): void => {
        clearTimeout(timer);
        if (awaited.delete(query)) void client.invalidateQueries(one, { cancelRefetch });
      };
      const waitMs = patience.get(query) ?? patienceMs;
      const timer = setTimeout(() => {
        // A first answer cannot be given up: it comes all the same, and would pass for one of after the change.
        if (query.state.data === undefined) return;
        patience.set(query, Math.min(waitMs * 2, mostPatienceMs));
        readAgain(true);
      }, waitMs);
      awaited.add(query);
      void client.refetchQueries({ ...one, type: 'active' }, { cancelRefetch: false }).finally(() => {
        readAgain(false);
      });
    }
  };
};

/** Follows the log and makes stale what each change touches, gathered; returns how to stop. */
const keepFresh = (client: QueryClient): (() => void) => {
  let gathered: LiveChange[] = [];
  let everything = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = createRefresh(client);
  const mayBeLate = createLateness(client);
  const keysOf = (change: LiveChange): ReturnType<typeof staleKeys> =>
    staleKeys(change, change.matchId !== undefined && isPlayFact(change.type) && mayBeLate(change.matchId, change.type));
  const flush = (): void => {
    const found = withoutNewcomers(gathered).map(keysOf);
    const isAnew = everything;
    gathered = [];
    everything = false;
    timer = undefined;
    if (isAnew || found.includes('everything')) {
      // What is on its way may be of another log.
      refresh([{}], isAnew);
      return;
    }
    const keys = new Map(found.flatMap((each) => (each === 'everything' ? [] : each)).map((key) => [key.join('\n'), key] as const));
    refresh(Array.from(keys.values(), (queryKey) => ({ queryKey })));
  };
  const stop = followLive((message) => {
    if (message.kind === 'back') {
      void client.refetchQueries({ type: 'active', predicate: failedWhileAway });
      return;
    }
    if (message.kind === 'reset') {
      everything = true;
      restartAt(message.position);
    } else {
      const { change, isPast } = message;
      notePosition(change.position);
      gathered.push(change);
      // A phone that slept hears in the evening of what was played in the afternoon.
      if (!isPast && change.matchId !== undefined && isPlayFact(change.type)) markLive(change.matchId);
    }
    timer ??= setTimeout(flush, gatherMs);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
};

/** Keeps every open answer fresh while the log grows; mounted once, by the layout. */
export const useLiveUpdates = (): void => {
  const client = useQueryClient();
  useEffect(() => keepFresh(client), [client]);
};
