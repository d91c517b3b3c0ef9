import { once } from 'node:events';
import { request as send, type IncomingMessage } from 'node:http';
import { liveChange } from '@courtledger/contracts/kernel/live.api';
import { afterEach, describe, expect, it } from 'vitest';
import { LogUnavailable, NoSuchPosition } from '../event-log/event-log.ts';
import { openMemoryEventLog } from '../event-log/memory-event-log.ts';
import { changeOf, createLive, type Live, type LiveLimits } from './live.ts';
import { createHttpServer, type HttpServer } from './server.ts';
import { silentLogger } from './testing/silent-logger.ts';
import { ask } from './testing/toy-gate.ts';

/** What a browser makes of the stream: blocks of fields, comments left out. */
type Block = { id?: string; event?: string; data?: string; retry?: string };
const blockOf = (text: string): Block =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
  );

class Follower {
  readonly response: IncomingMessage;
  readonly blocks: Block[] = [];
  comments = 0;
  #rest = '';
  #changed: () => void = () => {};
  constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8');
    response.on('error', () => {});
    response.on('data', (chunk: string) => {
      const parts = (this.#rest + chunk).split('\n\n');
      this.#rest = parts.pop() ?? '';
      for (const part of parts) {
        if (part.startsWith(':')) this.comments += 1;
        else this.blocks.push(blockOf(part));
      }
      this.#changed();
    });
  }
  /** Waits until what was heard satisfies a condition. */
  async until(condition: (follower: Follower) => boolean): Promise<void> {
    while (!condition(this)) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }
  get changes(): Block[] {
    return this.blocks.filter(({ event }) => event !== undefined);
  }
}

type Stage = {
  readonly port: number;
  readonly live: Live;
  readonly append: (stream: string, type: string, data: object) => Promise<bigint>;
  readonly project: () => Promise<void>;
  readonly follow: (headers?: Record<string, string>, query?: string) => Promise<Follower>;
  readonly errors: string[];
  /** Where the log was read from, each time. */
  readonly reads: (bigint | 'start')[];
};
let server: HttpServer | undefined;
let live: Live | undefined;
afterEach(async () => {
  live?.close();
  await server?.stop(500);
});

const stage = async (
  limits: Partial<LiveLimits> = {},
  unreadable?: { readonly after: bigint; readonly error: Error },
  readable?: Promise<undefined>,
): Promise<Stage> => {
  const log = openMemoryEventLog();
  const reads: (bigint | 'start')[] = [];
  const readAll: typeof log.readAll = async (after, limit) => {
    reads.push(after);
    await readable;
    if (unreadable !== undefined && after === unreadable.after) throw unreadable.error;
    return log.readAll(after, limit);
  };
  const listeners = new Set<() => void>();
  let position = 0n;
  const errors: string[] = [];
  const made = createLive({
    log: { readAll },
    position: () => position,
    teamOf,
    addressOf: ({ headers }) => String(headers['x-address']),
    headers: ['X-Policy', 'yes'],
    allowedOrigins: ['https://scores.example'],
    logger: { ...silentLogger, error: (event) => errors.push(event) },
    limits,
    onMoved(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  live = made;
  server = createHttpServer((request, response) => {
    try {
      made.open(request, response);
    } catch {
      response.writeHead(503).end();
    }
  });
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  let count = 0;
  return {
    port,
    live: made,
    errors,
    reads,
    async append(stream, type, data) {
      count += 1;
      const metadata = {
        commandId: 'c',
        correlationId: 'c',
        causationId: 'c',
        actor: { role: 'system', id: 's', name: 's' },
        time: '2026-11-21T00:00:00.000Z',
        schemaVersion: 1,
      } as const;
      return (await log.append(stream, 'any', [{ id: `00000000-0000-7000-8000-${String(count).padStart(12, '0')}`, type, data, metadata }])).position;
    },
    async project() {
      const head = await log.head();
      position = head === 'start' ? 0n : head;
      for (const listener of listeners) listener();
    },
    async follow(headers = {}, query = '') {
      const outgoing = send({ host: '127.0.0.1', port, path: `/api/live${query}`, headers, agent: false });
      outgoing.on('error', () => {});
      outgoing.end();
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      const follower = new Follower(response);
      await follower.until(({ blocks }) => blocks.length > 0);
      return follower;
    },
  };
};

const teamOf = (personId: string): string | undefined => (personId === 'p1' ? 't1' : undefined);
const points = (playerId: string): object => ({ matchId: 'm1', entryId: 'e', playerId, teamId: 't1', points: 2, assists: 0, rebounds: 0 });

/** The ids of what a follower was told, once it was told of the last one. */
const idsUntil = async (follower: Follower, last: number): Promise<number[]> => {
  await follower.until(({ changes }) => changes.at(-1)?.id === String(last));
  return follower.changes.map(({ id }) => Number(id));
};

describe('followers', () => {
  it('hear what was projected, never before, and start from now', async () => {
    const { append, project, follow } = await stage();
    await append('match-m1', 'MatchAssigned', { matchId: 'm1', tournamentId: 'c1', teamAId: 't1', teamBId: 't2', date: '2026-11-21', time: '' });
    await project();
    const follower = await follow();
    expect(follower.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-policy': 'yes',
      'x-read-position': '1',
    });
    await append('match-m1', 'StatIncrementRecorded', points('p1'));
    await follower.until(({ blocks }) => blocks.length === 2);
    expect(follower.blocks).toEqual([{ retry: '3000' }, { id: '1' }]);
    await project();
    await follower.until(({ changes }) => changes.length === 1);
    const change = { position: '2', type: 'StatIncrementRecorded', teamId: 't1', playerId: 'p1', matchId: 'm1' };
    expect(follower.changes).toEqual([{ id: '2', event: 'change', data: JSON.stringify(change) }]);
    // The contract names all of it.
    expect(liveChange.parse(change)).toEqual(change);
  });

  it('come back to where they were, by header or address, and miss nothing', async () => {
    const { append, project, follow } = await stage();
    for (const player of ['p1', 'p2', 'p3', 'p4']) {
      await append('match-m1', 'StatIncrementRecorded', points(player));
    }
    await append('admin-a1', 'AdminCreated', { email: 'x' });
    await project();
    const followers = [await follow({ 'last-event-id': '2' }), await follow({}, '?lastEventId=2'), await follow({ 'last-event-id': '2' }, '?lastEventId=4')];
    await append('team-t9', 'TeamRegistered', { teamId: 't9' });
    await project();
    for (const follower of followers) {
      await follower.until(({ changes }) => changes.length === 3);
      expect(follower.changes.map(({ id, event }) => [id, event])).toEqual([
        ['3', 'change'],
        ['4', 'change'],
        ['6', 'change'],
      ]);
    }
  });

  it('get each change once while the log grows during their return', async () => {
    const { append, project, follow } = await stage();
    for (let count = 0; count < 700; count += 1) {
      await append('match-m1', 'StatIncrementRecorded', points('p1'));
    }
    await project();
    const returning = follow({ 'last-event-id': '1' });
    for (let count = 0; count < 200; count += 1) {
      await append('match-m1', 'StatIncrementRecorded', points('p2'));
      await project();
    }
    const follower = await returning;
    await follower.until(({ changes }) => changes.at(-1)?.id === '900');
    expect(follower.changes.map(({ id }) => Number(id))).toEqual(Array.from({ length: 899 }, (_, index) => index + 2));
  });

  it.each([
    ['too long ago', '1'],
    ['from another log', '99'],
    ['no position at all', 'abc'],
  ])('are told to read everything again: %s', async (_, lastEventId) => {
    const { append, project, follow } = await stage({ resumed: 3 });
    for (let count = 0; count < 6; count += 1) {
      await append('match-m1', 'StatIncrementRecorded', points('p1'));
    }
    await project();
    const follower = await follow({ 'last-event-id': lastEventId });
    await follower.until(({ changes }) => changes.length === 1);
    expect(follower.changes).toEqual([{ id: '6', event: 'reset', data: '' }]);
    await append('match-m1', 'StatIncrementRecorded', points('p2'));
    await project();
    await follower.until(({ changes }) => changes.length === 2);
    expect(follower.changes[1]?.id).toBe('7');
  });

  it('who come back are brought level from what was told last: the log is read once for all of them', async () => {
    const { append, project, follow, reads } = await stage({ resumed: 300 });
    for (let count = 0; count < 250; count += 1) {
      await append('match-m1', 'StatIncrementRecorded', points('p1'));
    }
    await project();
    expect(await idsUntil(await follow({ 'last-event-id': '10' }), 250)).toEqual(Array.from({ length: 240 }, (_, index) => index + 11));
    expect(reads).toEqual([10n, 210n]);
    for (const last of [10, 100, 249]) {
      expect(await idsUntil(await follow({ 'last-event-id': String(last) }), 250)).toEqual(Array.from({ length: 250 - last }, (_, index) => index + last + 1));
    }
    expect(reads).toEqual([10n, 210n]);
    // What is told from now on takes the place of the oldest.
    const quick = await follow();
    for (let count = 0; count < 100; count += 1) {
      await append('match-m1', 'StatIncrementRecorded', points('p2'));
      await project();
    }
    await quick.until(({ changes }) => changes.at(-1)?.id === '350');
    reads.length = 0;
    const returned = await follow({ 'last-event-id': '50' });
    await returned.until(({ changes }) => changes.at(-1)?.id === '350');
    expect([returned.changes[0]?.id, returned.changes.length, reads]).toEqual(['51', 300, []]);
  });

  it('who come back from too long ago cost one look at the log, however many they are', async () => {
    const { append, project, follow, reads } = await stage({ resumed: 3 });
    for (let count = 0; count < 6; count += 1) {
      await append('match-m1', 'StatIncrementRecorded', points('p1'));
    }
    await project();
    for (const last of ['2', '2', '0', '1']) {
      const follower = await follow({ 'last-event-id': last });
      await follower.until(({ changes }) => changes.length === 1);
      expect(follower.changes).toEqual([{ id: '6', event: 'reset', data: '' }]);
    }
    expect(reads).toEqual([2n]);
  });

  it('who come back while many wait for the log are told to read everything again', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { append, project, follow } = await stage({ resuming: 1 }, undefined, promise);
    for (let count = 0; count < 6; count += 1) {
      await append('match-m1', 'StatIncrementRecorded', points('p1'));
    }
    await project();
    // The first reads the log, the second waits for it.
    const [reading, waiting, third] = [await follow({ 'last-event-id': '4' }), await follow({ 'last-event-id': '3' }), await follow({ 'last-event-id': '5' })];
    await third.until(({ changes }) => changes.length === 1);
    expect(third.changes).toEqual([{ id: '6', event: 'reset', data: '' }]);
    resolve(undefined);
    await Promise.all([reading, waiting].map(async (follower) => follower.until(({ changes }) => changes.at(-1)?.id === '6')));
    expect([reading, waiting].map(({ changes }) => changes.map(({ id, event }) => `${String(event)} ${String(id)}`))).toEqual([
      ['change 5', 'change 6'],
      ['change 4', 'change 5', 'change 6'],
    ]);
  });

  it.each([
    { what: 'no fact begins there, as anybody can claim', error: new NoSuchPosition('No fact begins there'), told: [] },
    { what: 'the log is away', error: new LogUnavailable('Nothing can be read from there'), told: ['follower not resumed'] },
  ])('are told to read everything again where the log cannot be read from their place, and follow from there: $what', async ({ error, told }) => {
    const { append, project, follow, errors } = await stage({}, { after: 2n, error });
    for (let count = 0; count < 4; count += 1) {
      await append('match-m1', 'StatIncrementRecorded', points('p1'));
    }
    await project();
    const follower = await follow({ 'last-event-id': '2' });
    await follower.until(({ changes }) => changes.length === 1);
    expect(follower.changes).toEqual([{ id: '4', event: 'reset', data: '' }]);
    await append('match-m1', 'StatIncrementRecorded', points('p2'));
    await project();
    await follower.until(({ changes }) => changes.length === 2);
    expect(follower.changes[1]?.id).toBe('5');
    expect(errors).toEqual(told);
  });

  it('may be pages of other sites that are allowed, and of no others', async () => {
    const { follow } = await stage();
    const corsOf = async (origin: string): Promise<unknown> => {
      const { response } = await follow({ origin });
      return [response.headers['access-control-allow-origin'], response.headers['access-control-allow-credentials'], response.headers.vary];
    };
    expect([await corsOf('https://scores.example'), await corsOf('https://evil.example')]).toEqual([
      ['https://scores.example', 'true', 'Origin'],
      [undefined, undefined, 'Origin'],
    ]);
  });

  it('hear a heartbeat, and are let go at the end', async () => {
    const { live: opened, follow } = await stage({ heartbeatMs: 20 });
    const follower = await follow();
    await follower.until(({ comments }) => comments > 1);
    expect(opened.connections).toBe(1);
    const ended = once(follower.response, 'end');
    opened.close();
    await ended;
    expect(opened.connections).toBe(0);
  });

  it('who do not read are cut off, alone', async () => {
    const { live: opened, append, project, follow } = await stage();
    const slow = await follow();
    slow.response.pause();
    slow.response.socket.pause();
    const quick = await follow();
    const gone = new Promise((resolve) => {
      slow.response.once('close', resolve);
    });
    let count = 0;
    // The system's own buffers take some megabytes before anything waits here.
    while (opened.connections === 2 && count < 40_000) {
      for (let burst = 0; burst < 100; burst += 1, count += 1) {
        await append('match-m1', 'StatIncrementRecorded', points('p'.repeat(600)));
      }
      await project();
      const target = String(count);
      await quick.until(({ changes }) => changes.at(-1)?.id === target);
    }
    expect(opened.connections).toBe(1);
    slow.response.socket.resume();
    slow.response.resume();
    await gone;
  });

  it('are so many and no more; HEAD opens nothing', async () => {
    const { port, live: opened, follow } = await stage({ connections: 1 });
    const head = await ask(port, 'HEAD', '/api/live');
    expect([head.status, head.text, opened.connections]).toEqual([200, '', 0]);
    await follow();
    expect((await ask(port, 'GET', '/api/live')).status).toBe(503);
  });

  it('of one address give way to others when there are no more, the first of them first, as long as it has more', async () => {
    const { port, live: opened, follow } = await stage({ connections: 4 });
    const from = (address: string): Promise<Follower> => follow({ 'x-address': address });
    const crowd = [await from('a'), await from('a'), await from('a'), await from('a')];
    const [first, second] = crowd.map(async ({ response }) => once(response, 'end'));
    // Who only asks whether there is something to follow takes nobody's place.
    expect([(await ask(port, 'HEAD', '/api/live', { 'x-address': 'b' })).status, opened.connections]).toEqual([503, 4]);
    await from('b');
    await first;
    await from('c');
    await second;
    for (const address of ['a', 'b']) expect((await ask(port, 'GET', '/api/live', { 'x-address': address })).status).toBe(503);
    await from('d');
    // One each: nobody has more.
    expect((await ask(port, 'GET', '/api/live', { 'x-address': 'e' })).status).toBe(503);
    expect(opened.connections).toBe(4);
  });
});

it.each<[string, string, object | undefined, object | undefined]>([
  ['tournament-c1', 'TeamEnteredTournament', { tournamentId: 'c1', teamId: 't1' }, { tournamentId: 'c1', teamId: 't1' }],
  ['team-t1', 'PlayerAddedToTeam', { teamId: 't1', playerId: 'p1', jerseyNumber: '7' }, { teamId: 't1', playerId: 'p1' }],
  ['team-t1', 'TeamRegistered', { teamId: 't1', capabilityHash: 'h', contactId: 'x' }, { teamId: 't1' }],
  ['match-m1', 'MatchAssigned', { matchId: 'm1', tournamentId: 'c1' }, { matchId: 'm1', tournamentId: 'c1' }],
  ['match-m1', 'MatchMvpNamed', { matchId: 'm1', playerId: null }, { matchId: 'm1' }],
  ['person-p1', 'PersonDetailsRecorded', { personId: 'p1', kind: 'player', teamId: 't1', sealed: 's' }, { playerId: 'p1', teamId: 't1' }],
  ['person-p1', 'PersonDetailsRecorded', { personId: 'p1', kind: 'coach', teamId: 't1', sealed: 's' }, { teamId: 't1' }],
  ['person-p1', 'PersonDetailsRecorded', { personId: 'p1', kind: 'requester', teamId: null, sealed: 's' }, undefined],
  ['person-p1', 'PersonDetailsRecorded', undefined, undefined],
  ['admin-a1', 'AdminCreated', { email: 'a@b.c' }, undefined],
  ['audit-2026-11', 'PersonErased', { personId: 'p1', kind: 'player', reason: 'r' }, { playerId: 'p1', teamId: 't1' }],
  ['audit-2026-11', 'PersonErased', { personId: 'p1', kind: 'coach', reason: 'r' }, { teamId: 't1' }],
  ['audit-2026-11', 'PersonErased', { personId: 'p9', kind: 'player', reason: 'r' }, { playerId: 'p9' }],
  ['audit-2026-11', 'PersonErased', { personId: 'p1', kind: 'requester', reason: 'r' }, {}],
  ['audit-2026-11', 'DocumentViewed', { playerId: 'p1' }, undefined],
  ['request-r1', 'TournamentRequested', {}, undefined],
])('tells of %s %s what is public', (stream, type, data, ids) => {
  expect(changeOf({ stream, type, data, position: 5n }, teamOf)).toEqual(ids === undefined ? undefined : { position: '5', type, ...ids });
});
