import { readFileSync } from 'node:fs';
import { allFacts } from '@courtledger/contracts/kernel/all-facts';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { getMatch } from '../match/match.queries.ts';
import { getStandings } from '../tournament/standings.queries.ts';
import { dumpReadModel } from './dump.ts';
import { CheckpointMismatch, createProjector, type ProjectorOptions } from './projector.ts';
import { openReader } from './read-model.ts';
import { rebuild } from './rebuild.ts';
import { withBadJson } from './testing/damaged.ts';
import { RecordedLog } from './testing/recorded-log.ts';
import { scratchFolder } from './testing/scratch.ts';

/** One event of every type, two teams, two matches. */
const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 4, ['t1']);
  log.team('b', 'Bagmati', 4, ['t1']);
  log.team('c', 'Chitwan', 1, ['t1']);
  log.record('tournament-t1', 'TournamentDetailsChanged', { tournamentId: 't1', changes: { name: 'Monsoon Cup', prizePool: { mvp: '5000' } } });
  log.record('tournament-t1', 'TeamWithdrawnFromTournament', { tournamentId: 't1', teamId: 'c' });
  log.record('team-c', 'TeamRegistrationExpired', { teamId: 'c' });
  log.match('m1', 't1', 'a', 'b');
  log.match('m2', 't1', 'b', 'a');
  log.record('match-m2', 'MatchRescheduled', { matchId: 'm2', date: '2026-11-13', time: '' });
  log.stat('m1', 'a-p1', 3, 1);
  const wrong = log.stat('m1', 'b-p1', 2);
  log.reverse('m1', log.reverse('m1', wrong));
  log.participation('m1', 'b-p2', 'DNP');
  log.record('match-m1', 'MatchMvpNamed', { matchId: 'm1', playerId: 'a-p1' });
  log.record('match-m2', 'MatchCancelled', { matchId: 'm2' });
  log.record('team-a', 'TeamDetailsCorrected', { teamId: 'a', changes: { name: 'Annapurna II' } });
  log.record('team-a', 'PlayerJerseyNumberChanged', { teamId: 'a', playerId: 'a-p1', jerseyNumber: '00' });
  log.record('admin-x', 'AdminCreated', { adminId: 'x', username: 'Asha', email: 'asha@example.org', phoneNumber: '01-5550100', passwordHash: '$argon2id$1' });
  log.record('admin-email-1', 'AdminEmailClaimed', { adminId: 'x' });
  log.record('admin-x', 'AdminDetailsChanged', { adminId: 'x', changes: { username: 'Asha K' } });
  log.record('admin-x', 'AdminPasswordChanged', { adminId: 'x', passwordHash: '$argon2id$2', rehash: false });
  log.record('admin-email-1', 'AdminEmailReleased', { adminId: 'x' });
  log.record('audit-2026-11', 'SessionRevoked', { role: 'admin', subjectId: 'x', jti: 'j1', expires: 1_800_000_000 });
  log.record('audit-2026-11', 'DocumentViewed', { playerId: 'a-p1', documentId: 'doc-a-p1' });
  log.person('r-person', 'requester', { name: 'Gita', phone: '01-5550111', phone2: '01-5550112', email: 'gita@example.org' });
  log.record('request-r', 'TournamentRequested', {
    requestId: 'r',
    tournamentName: 'Hill Cup',
    location: 'Ilam',
    prizePool: '1 lakh',
    poster: null,
    requesterId: 'r-person',
  });
  log.record('request-r', 'TournamentRequestClosed', { requestId: 'r', status: 'accepted', note: 'Welcome' });
  return log;
};

const rebuiltDump = async (log: RecordedLog, path: string): Promise<string> => {
  await rebuild({ path, readPage: log.readPage, openPerson: log.openPerson });
  return dumpReadModel(path).sha256;
};

/** Applies a log in batches of `size`, and hashes what came out. */
const liveDump = (log: RecordedLog, path: string, size: number, more: Partial<ProjectorOptions> = {}): string => {
  const projector = createProjector({ path, openPerson: log.openPerson, ...more });
  for (let from = 0; from < log.events.length; from += size) projector.apply(log.events.slice(from, from + size));
  projector.close();
  return dumpReadModel(path).sha256;
};

test('live in batches of any size, with a cache of any size, is what a rebuild makes', async () => {
  using folder = scratchFolder();
  const log = season();
  const expected = await rebuiltDump(log, folder.file('rebuilt.sqlite'));
  const dumps = [1, 2, 7, 1000].flatMap((size) =>
    [1, 20_000].map((cache) => liveDump(log, folder.file(`live-${String(size)}-${String(cache)}.sqlite`), size, { cache })),
  );
  expect(new Set(dumps)).toEqual(new Set([expected]));
  expect(Object.values(dumpReadModel(folder.file('rebuilt.sqlite')).tables).filter(({ rows }) => rows === 0)).toEqual([
    { rows: 0, sha256: expect.any(String) as string },
  ]);
});

test('events that were applied already are skipped, whole or in part of a batch', () => {
  using folder = scratchFolder();
  const log = season();
  const once = liveDump(log, folder.file('once.sqlite'), 5);
  const projector = createProjector({ path: folder.file('twice.sqlite'), openPerson: log.openPerson });
  for (let end = 3; end < log.events.length + 3; end += 3) {
    projector.apply(log.events.slice(0, end));
    expect(projector.apply(log.events.slice(0, end))).toEqual({ position: projector.position, parked: 0 });
  }
  expect(projector.position).toBe(log.head);
  projector.close();
  expect(dumpReadModel(folder.file('twice.sqlite')).sha256).toBe(once);
});

test.each(['applied', 'written', 'checkpointed', 'committed'] as const)('a crash at the step "%s" of any event loses and doubles nothing', (step) => {
  using folder = scratchFolder();
  const log = season();
  log.erase('r-person', 'requester');
  expect(new Set(log.events.map(({ type }) => type))).toEqual(new Set(Object.keys(allFacts)));
  const expected = liveDump(log, folder.file('expected.sqlite'), 1);
  const path = folder.file('crashing.sqlite');
  class Crash extends Database.SqliteError {
    constructor() {
      super('crash', 'SQLITE_IOERR');
    }
  }
  for (const event of log.events) {
    // The process dies within the batch, and the next one gets the same event again.
    const dying = createProjector({
      path,
      openPerson: log.openPerson,
      probe: (reached) => {
        if (reached === step) throw new Crash();
      },
    });
    const before = dying.position;
    expect(() => dying.apply([event])).toThrow('crash');
    expect(openedPosition(path)).toBe(step === 'committed' ? event.position : before);
    dying.close();
    const next = createProjector({ path, openPerson: log.openPerson });
    next.apply([event]);
    expect(next.position).toBe(event.position);
    next.close();
  }
  expect(dumpReadModel(path).sha256).toBe(expected);
});

const openedPosition = (path: string): bigint => {
  const reader = openReader(path);
  try {
    return reader.position();
  } finally {
    reader.close();
  }
};

test('accounts are said to have changed by the facts that change what authentication reads, and by no other; a later projector begins no lower', () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('live.sqlite');
  const changing = new Set<string>();
  let known = 0n;
  for (const event of log.events) {
    // Opened anew for each: what one has counted is never counted again by the next.
    const projector = createProjector({ path, openPerson: log.openPerson });
    expect(projector.accountChanges >= known).toBe(true);
    const before = projector.accountChanges;
    projector.apply([event]);
    known = projector.accountChanges;
    if (known !== before) changing.add(event.type);
    projector.close();
  }
  expect([...changing].toSorted()).toEqual(['AdminCreated', 'AdminDetailsChanged', 'AdminPasswordChanged', 'SessionRevoked']);
});

test('a second writer finds the checkpoint moved, and writes nothing', () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('shared.sqlite');
  const first = createProjector({ path, openPerson: log.openPerson });
  const second = createProjector({ path, openPerson: log.openPerson });
  first.apply(log.events.slice(0, 10));
  const dump = dumpReadModel(path);
  expect(() => second.apply(log.events)).toThrow(CheckpointMismatch);
  expect(dumpReadModel(path)).toEqual(dump);
  second.close();
  first.apply(log.events);
  expect(first.position).toBe(log.head);
  first.close();
});

const poisons: [string, (event: RecordedEvent) => RecordedEvent][] = [
  ['an unknown type', (event) => ({ ...event, type: 'FromTheFuture' })],
  ['bad JSON', withBadJson],
  ['a fact that cannot be', (event) => ({ ...event, data: { ...(event.data as object), matchId: 'never-assigned' } })],
];
const last = (log: RecordedLog): RecordedEvent => log.events.at(-1) as RecordedEvent;

test.each(poisons)('%s parks its stream; the rest goes on; a replay after the fix gives what a rebuild gives', async (_, spoil) => {
  using folder = scratchFolder();
  const log = season();
  log.stat('m1', 'a-p2', 5);
  const good = last(log);
  log.stat('m1', 'a-p3', 2);
  log.match('m3', 't1', 'a', 'b');
  log.stat('m3', 'b-p4', 4);
  const spoiled = log.events.map((event) => (event.position === good.position ? spoil(event) : event));
  const path = folder.file('live.sqlite');
  const projector = createProjector({ path, openPerson: log.openPerson });
  expect(projector.apply(spoiled)).toEqual({ position: log.head, parked: 1 });
  expect(projector.parked().map(({ position, stream, error, time }) => [position, stream, error.startsWith('waits'), time === ''])).toEqual([
    [good.position, 'match-m1', false, false],
    [good.position + 2n, 'match-m1', true, false],
  ]);
  const reader = openReader(path);
  expect(getMatch(reader, 'm3')).toContain('"points":4');
  expect(getMatch(reader, 'm1')).not.toContain('a-p2","team_id"');

  // Not repaired yet: nothing moves, also after a new start.
  expect(projector.replayParked(spoiled)).toEqual({ replayed: 0, parked: 1 });
  projector.close();
  const again = createProjector({ path, openPerson: log.openPerson });
  log.stat('m1', 'a-p4', 1);
  expect(again.apply([last(log)])).toEqual({ position: log.head, parked: 1 });
  expect(again.parked()).toHaveLength(3);

  await expect(rebuild({ path: folder.file('failed.sqlite'), readPage: () => spoiled, openPerson: log.openPerson })).rejects.toMatchObject({
    name: 'RebuildFailed',
    position: good.position,
    stream: 'match-m1',
  });

  expect(again.replayParked(log.events)).toEqual({ replayed: 3, parked: 0 });
  expect(again.position).toBe(log.head);
  reader.close();
  again.close();
  expect(dumpReadModel(path).sha256).toBe(await rebuiltDump(log, folder.file('rebuilt.sqlite')));
});

test('what another program wrote is passed over: live, behind a fact of its stream that is parked, and in a rebuild', async () => {
  using folder = scratchFolder();
  const log = season();
  const expected = await rebuiltDump(log, folder.file('expected.sqlite'));
  const like = last(log);
  /** Events at the odd positions, between and after those of the log. */
  const ordered = (position: bigint, metadata: object = { user: 'a' }): RecordedEvent => ({
    ...like,
    position,
    stream: 'order-1',
    type: 'OrderPlaced',
    version: 0,
    data: { user: 'a' },
    metadata: metadata as RecordedEvent['metadata'],
    metadataText: JSON.stringify(metadata),
  });
  const mixed = log.events.flatMap((event) => [ordered(event.position - 1n), event]);
  const path = folder.file('live.sqlite');
  const projector = createProjector({ path, openPerson: log.openPerson });
  expect(projector.apply(mixed)).toEqual({ position: log.head, parked: 0 });
  projector.close();
  const rebuilt = folder.file('rebuilt.sqlite');
  await rebuild({ path: rebuilt, readPage: (after, limit) => mixed.filter(({ position }) => position > after).slice(0, limit), openPerson: log.openPerson });
  expect([dumpReadModel(path).sha256, dumpReadModel(rebuilt).sha256]).toEqual([expected, expected]);

  const again = createProjector({ path, openPerson: log.openPerson });
  const [fact, behind] = [ordered(log.head + 1n, like.metadata), ordered(log.head + 3n)];
  expect(again.apply([fact, behind])).toEqual({ position: behind.position, parked: 1 });
  expect(again.parked().map(({ position, error }) => [position, error])).toEqual([
    [fact.position, 'UnknownEventType: No projection knows the event type "OrderPlaced"'],
  ]);
  again.close();
});

test('a parked stream that others refer to: what comes meanwhile is shown after the replay as if it had never been parked', async () => {
  using folder = scratchFolder();
  const log = season();
  const streams = ['tournament-t1', 'team-a', 'match-m1', 'admin-x', 'request-r', 'person-a-p1', 'audit-2026-11'];
  const expected = await rebuiltDump(log, folder.file('rebuilt.sqlite'));
  for (const stream of streams) {
    const path = folder.file(`${stream}.sqlite`);
    const first = log.events.find((event) => event.stream === stream);
    const projector = createProjector({ path, openPerson: log.openPerson });
    projector.apply(log.events.map((event) => (event === first ? withBadJson(event) : event)));
    expect(projector.parked().every((event) => event.stream === stream)).toBe(true);
    expect(projector.replayParked(log.events).parked).toBe(0);
    projector.close();
    expect([stream, dumpReadModel(path).sha256]).toEqual([stream, expected]);
  }
});

test('an erased person leaves no trace in the file, and the same rows as if the details had never been read', async () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('live.sqlite');
  const projector = createProjector({ path, openPerson: log.openPerson });
  projector.apply(log.events);
  const reader = openReader(path);
  expect(getMatch(reader, 'm1')).toContain('Player a-p1');
  log.erase('a-p1', 'player');
  log.erase('a-coach', 'coach');
  log.erase('r-person', 'requester');
  projector.apply(log.events);
  expect(getMatch(reader, 'm1')).not.toContain('Player a-p1');
  expect(getMatch(reader, 'm1')).toContain('Former player');
  reader.close();
  projector.close();
  expect(dumpReadModel(path).sha256).toBe(await rebuiltDump(log, folder.file('rebuilt.sqlite')));
  const bytes = readFileSync(path).toString('latin1');
  for (const marker of ['Player a-p1', '/media/a-p1.jpg', 'Coach of Annapurna', 'gita@example.org', '01-5550111'])
    expect([marker, bytes.includes(marker)]).toEqual([marker, false]);
});

test('persons whose keys are destroyed are shown as erased before any fact says so: live, rebuilt, and the fact changes nothing of it', async () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('live.sqlite');
  const erased = [
    { personId: 'a-p1', kind: 'player' },
    { personId: 'a-coach', kind: 'coach' },
    { personId: 'r-person', kind: 'requester' },
  ] as const;
  const destroyed = new Set<string>();
  const openPerson: ProjectorOptions['openPerson'] = (personId, sealed) => (destroyed.has(personId) ? null : log.openPerson(personId, sealed));
  const rebuilt = async (name: string): Promise<string> => {
    await rebuild({ path: folder.file(name), readPage: log.readPage, openPerson });
    return dumpReadModel(folder.file(name)).sha256;
  };
  let projector = createProjector({ path, openPerson });
  const liveHash = (): string => {
    projector.close();
    const { sha256 } = dumpReadModel(path);
    projector = createProjector({ path, openPerson });
    return sha256;
  };
  projector.apply(log.events);
  const { position } = projector;
  for (const { personId } of erased) destroyed.add(personId);
  projector.erase(erased);
  expect([projector.position, liveHash()]).toEqual([position, await rebuilt('before.sqlite')]);
  const reader = openReader(path);
  expect([getMatch(reader, 'm1')?.includes('Player a-p1'), getMatch(reader, 'm1')?.includes('Former player')]).toEqual([false, true]);
  reader.close();
  for (const { personId, kind } of erased) log.erase(personId, kind);
  projector.apply(log.events);
  expect(liveHash()).toBe(await rebuilt('after.sqlite'));
  projector.close();
});

test('a rebuild with a copy of a key that lives a while longer than its person gives the rows of a projector that followed', async () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('live.sqlite');
  const projector = createProjector({ path, openPerson: log.openPerson });
  projector.apply(log.events);
  log.record('audit-2026-11', 'PersonErased', { personId: 'a-p1', kind: 'player', reason: 'asked for' });
  projector.apply(log.events);
  projector.close();
  expect(log.openPerson('a-p1', '{"name":"still there"}')).not.toBeNull();
  expect(dumpReadModel(path).sha256).toBe(await rebuiltDump(log, folder.file('rebuilt.sqlite')));
});

test('a file that another version made is refused, not written', () => {
  using folder = scratchFolder();
  const path = folder.file('old.sqlite');
  createProjector({ path, openPerson: () => null }).close();
  const database = new Database(path);
  database.exec("UPDATE read_model SET value = 'older'");
  database.close();
  expect(() => createProjector({ path, openPerson: () => null })).toThrow('outdated');
  expect(() => openReader(path)).toThrow('another version');
});

test("a full disk is not the event's fault: nothing is parked, and the same batch goes through later", () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('full.sqlite');
  let full = true;
  const projector = createProjector({
    path,
    openPerson: log.openPerson,
    probe: (step) => {
      if (full && step === 'written') throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
    },
  });
  expect(() => projector.apply(log.events)).toThrow('full');
  expect(projector.position).toBe(0n);
  full = false;
  expect(projector.apply(log.events)).toEqual({ position: log.head, parked: 0 });
  const reader = openReader(path);
  expect(getStandings(reader, 't1')).toContain('Annapurna II');
  reader.close();
  projector.close();
});
