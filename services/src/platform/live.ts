import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import { parsePosition, positionText, type RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import type { LiveChange } from '@courtledger/contracts/kernel/live.api';
import { NoSuchPosition, type EventLog } from '../event-log/event-log.ts';
import type { FlatHeaders } from './headers.ts';
import { queryOf } from './endpoint-request.ts';
import { createRecentChanges } from './live-recent.ts';
import type { Logger } from './logger.ts';
import { corsHeaders } from './same-origin.ts';

/** The ids that a change of the person's details would give. Of a contact or requester none: only that somebody's name goes, which admins' open lists show. */
const erasedIds = (data: Readonly<Record<string, unknown>>, teamOf: LiveDeps['teamOf']): Partial<LiveChange> => {
  const { personId, kind } = data;
  if (typeof personId !== 'string' || (kind !== 'player' && kind !== 'coach')) return {};
  const teamId = teamOf(personId);
  return { ...(teamId !== undefined && { teamId }), ...(kind === 'player' && { playerId: personId }) };
};

/**
 * What followers are told of an event; undefined for what is not public. Ids and the type only: whoever wants more asks for it.
 * @param teamOf of a person, who may be erased; the fact of an erasure names none
 */
export const changeOf = (
  event: Pick<RecordedEvent, 'stream' | 'type' | 'position' | 'data'>,
  teamOf: LiveDeps['teamOf'] = () => undefined,
): LiveChange | undefined => {
  const dash = event.stream.indexOf('-');
  const [feature, streamId] = [event.stream.slice(0, dash), event.stream.slice(dash + 1)];
  const data = (typeof event.data === 'object' && event.data !== null ? event.data : {}) as Readonly<Record<string, unknown>>;
  const id = (name: 'tournamentId' | 'matchId' | 'teamId' | 'playerId'): Partial<LiveChange> => (typeof data[name] === 'string' ? { [name]: data[name] } : {});
  const change = { position: positionText(event.position), type: event.type };
  switch (feature) {
    case 'tournament':
      return { ...change, ...id('teamId'), tournamentId: streamId };
    case 'match':
      return { ...change, ...id('tournamentId'), ...id('teamId'), ...id('playerId'), matchId: streamId };
    case 'team':
      return { ...change, ...id('tournamentId'), ...id('playerId'), teamId: streamId };
    case 'person':
      // Contacts and requesters are nobody's business.
      if (data['kind'] === 'player') return { ...change, ...id('teamId'), playerId: streamId };
      return data['kind'] === 'coach' ? { ...change, ...id('teamId') } : undefined;
    case 'audit':
      return event.type === 'PersonErased' ? { ...change, ...erasedIds(data, teamOf) } : undefined;
    default:
      return undefined;
  }
};

export type LiveLimits = {
  /** Open connections; the next one takes the place of one of the address that has the most, or is refused. */
  readonly connections: number;
  /** Events that a returning follower is told one by one; beyond, it is told to read everything again. */
  readonly resumed: number;
  /** Followers that wait for the log to be read from their place; the next one is told to read everything again. */
  readonly resuming: number;
  /** Bytes that may wait for one follower; a slower one is cut off, and comes back with its last id. */
  readonly buffered: number;
  readonly heartbeatMs: number;
};
const usualLimits: LiveLimits = { connections: 2000, resumed: 1000, resuming: 32, buffered: 262_144, heartbeatMs: 15_000 };

export type LiveDeps = {
  readonly log: Pick<EventLog, 'readAll'>;
  /** The position of the read model, and how to hear that it moved: followers are never told of what cannot be read yet. */
  readonly position: () => bigint;
  readonly onMoved: (listener: () => void) => () => void;
  /** The team of a player or coach, from the read model. */
  readonly teamOf: (personId: PersonId) => string | undefined;
  /** Where a follower comes from (`clientAddress`). */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly headers: FlatHeaders;
  /** Origins of other sites whose pages may follow (`ALLOWED_ORIGINS`). */
  readonly allowedOrigins: readonly string[];
  readonly logger: Logger;
  readonly limits?: Partial<LiveLimits>;
};

export type Live = {
  /** Follows the log on this response until either side ends it. Throws DomainError when no more followers can be taken, or the server stops. */
  open(request: IncomingMessage, response: ServerResponse): void;
  readonly connections: number;
  /** Ends all connections. */
  close(): void;
};

const lastIdOf = (request: IncomingMessage): string | undefined => {
  const header = request.headers['last-event-id'];
  if (typeof header === 'string' && header !== '') return header;
  const named = queryOf(request.url ?? '')['lastEventId'];
  return typeof named === 'string' ? named : named?.[0];
};

type Follower = { readonly response: ServerResponse; readonly address: string; cursor: bigint; live: boolean };

/** Small enough that nobody notices the turn of the event loop that one takes. */
const page = 200;
/** What stands at or before this is known to nobody: the follower has everything to read. */
const resetText = (position: bigint): string => `id: ${position}\nevent: reset\ndata:\n\n`;
const changeText = (change: LiveChange): string => `id: ${change.position}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;

/**
 * Server-sent events of what was projected. One reader follows the log for all; a follower who comes back is brought level from what was told last, and from
 * the log itself where that does not reach back far enough. The log is read for one at a time: anybody may come back from anywhere, as often as they like.
 */
export const createLive = (deps: LiveDeps): Live => {
  const limits = { ...usualLimits, ...deps.limits };
  const followers = new Set<Follower>();
  /** `told`: up to here everything was given to the live followers. */
  const state = { told: 0n, pumping: false, resuming: false, closed: false };
  /** Up to `told`. */
  const recent = createRecentChanges(limits.resumed);
  /** From here on back there is more to tell than is told one by one: it is known, and need not be counted again. */
  let tooLongAgo = -1n;
  const resuming: Follower[] = [];

  /** Nobody is told what comes before. */
  const skipTo = (position: bigint): void => {
    state.told = position;
    recent.beginAfter(position);
  };
  const leave = (follower: Follower): void => {
    followers.delete(follower);
    if (!follower.response.destroyed) follower.response.end();
  };
  const send = (follower: Follower, text: string): void => {
    if (follower.response.destroyed || follower.response.writableEnded) return;
    follower.response.write(text);
    if (follower.response.writableLength <= limits.buffered) return;
    followers.delete(follower);
    follower.response.destroy();
  };

  /** Gives the live followers what was projected since the last time. */
  const pump = async (): Promise<void> => {
    if (state.pumping) return;
    state.pumping = true;
    try {
      while (!state.closed && state.told < deps.position()) {
        const target = deps.position();
        if (![...followers].some((follower) => follower.live)) {
          skipTo(target);
          break;
        }
        const events = (await deps.log.readAll(state.told === 0n ? 'start' : state.told, page)).filter((event) => event.position <= target);
        for (const event of events) {
          state.told = event.position;
          const text = textOf(event);
          recent.add(event.position, text);
          if (text !== '') for (const follower of followers) if (follower.live) send(follower, text);
        }
        if (events.length === 0) state.told = target;
      }
    } catch (error) {
      // The log is away, or an event is damaged: nothing can be skipped silently, so everybody reads again.
      deps.logger.error('followers were reset', error);
      skipTo(deps.position());
      for (const follower of followers) if (follower.live) send(follower, resetText(state.told));
    } finally {
      state.pumping = false;
    }
  };

  const textOf = (event: RecordedEvent): string => {
    const change = changeOf(event, deps.teamOf);
    return change === undefined ? '' : changeText(change);
  };
  const reset = (follower: Follower): void => {
    follower.cursor = state.told;
    follower.live = true;
    send(follower, resetText(state.told));
  };

  /** Brings a follower from its last id to where the live ones are and makes it one of them, in one turn: nothing is missed or told twice. */
  const level = (follower: Follower): void => {
    const missed = recent.after(follower.cursor);
    follower.live = true;
    if (missed !== '') send(follower, missed);
  };
  /** Reads what was told after a position into what is recent. False where that is more than is told one by one. */
  const readRecent = async (after: bigint): Promise<boolean> => {
    const read: (readonly [bigint, string])[] = [];
    let last = after;
    while (last < state.told) {
      const events = (await deps.log.readAll(last === 0n ? 'start' : last, page)).filter((event) => event.position <= state.told);
      if (read.length + events.length > limits.resumed) return false;
      read.push(...events.map((event) => [event.position, textOf(event)] as const));
      last = events.at(-1)?.position ?? state.told;
      // Whoever asks for something else meanwhile is answered between two pages.
      if (last < state.told) await nextTurn();
    }
    recent.beginAfter(after);
    for (const [position, text] of read) recent.add(position, text);
    return true;
  };
  const resumeOne = async (follower: Follower): Promise<void> => {
    if (!followers.has(follower)) return;
    try {
      if (!recent.reachesBack(follower.cursor) && follower.cursor > tooLongAgo && !(await readRecent(follower.cursor))) tooLongAgo = follower.cursor;
      if (recent.reachesBack(follower.cursor)) level(follower);
      else reset(follower);
    } catch (error) {
      // As for the live ones. Let go, it would come back with the same id, for ever where the log cannot be read from there.
      // Anybody can make up a number at which no fact begins: that says nothing of the log.
      if (!(error instanceof NoSuchPosition)) deps.logger.error('follower not resumed', error);
      reset(follower);
    }
  };
  const resumeAll = async (): Promise<void> => {
    if (state.resuming) return;
    state.resuming = true;
    for (let next = resuming.shift(); next !== undefined; next = resuming.shift()) {
      await resumeOne(next);
      await nextTurn();
    }
    state.resuming = false;
  };
  const resume = (follower: Follower): void => {
    if (recent.reachesBack(follower.cursor)) level(follower);
    else if (follower.cursor <= tooLongAgo || resuming.length >= limits.resuming) reset(follower);
    else {
      resuming.push(follower);
      void resumeAll();
    }
  };

  /** One who opens all the connections that there are keeps nobody out. False where no address has so many that it is fair to take one from it. */
  const makeRoomFor = (address: string): boolean => {
    const counts = new Map<string, number>();
    for (const follower of followers) counts.set(follower.address, (counts.get(follower.address) ?? 0) + 1);
    const most = Math.max(...counts.values());
    if ((counts.get(address) ?? 0) + 1 >= most) return false;
    for (const follower of followers) {
      if (counts.get(follower.address) !== most) continue;
      leave(follower);
      return true;
    }
    return false;
  };

  const heartbeat = setInterval(() => {
    for (const follower of followers) send(follower, ': still here\n\n');
  }, limits.heartbeatMs);
  heartbeat.unref();
  const stopListening = deps.onMoved(() => void pump());

  return {
    get connections() {
      return followers.size;
    },
    open(request, response) {
      if (state.closed) throw new DomainError('unavailable', 'The server is stopping. Please try again soon.', { retryAfter: 2 });
      const address = deps.addressOf(request);
      if (followers.size >= limits.connections && (request.method === 'HEAD' || !makeRoomFor(address)))
        throw new DomainError('unavailable', 'Too many follow at the moment. Please try again later.', { retryAfter: 30 });
      // What is told up to there was recorded before: whoever comes back is brought level.
      const all = [
        ...deps.headers,
        'X-Read-Position',
        positionText(deps.position()),
        'Content-Type',
        'text/event-stream; charset=utf-8',
        'Cache-Control',
        'no-store',
        'X-Accel-Buffering',
        'no',
        ...Object.entries(corsHeaders(request.headers.origin, deps.allowedOrigins, false)).flat(),
      ];
      response.writeHead(200, all);
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      // Nobody was being told: there is nothing that a newcomer could miss.
      if (![...followers].some((follower) => follower.live) && !state.pumping && state.told < deps.position()) skipTo(deps.position());
      const given = lastIdOf(request);
      const last = given === undefined ? undefined : parsePosition(given);
      const follower: Follower = { response, address, cursor: last ?? state.told, live: false };
      followers.add(follower);
      response.once('close', () => followers.delete(follower));
      response.write('retry: 3000\n\n');
      if (given === undefined) {
        // An id without data is not dispatched, but it is what the browser comes back with.
        response.write(`id: ${state.told}\n\n`);
        follower.live = true;
      } else if (last === undefined || last > state.told) reset(follower);
      else resume(follower);
    },
    close() {
      state.closed = true;
      clearInterval(heartbeat);
      stopListening();
      for (const follower of followers) leave(follower);
    },
  };
};
