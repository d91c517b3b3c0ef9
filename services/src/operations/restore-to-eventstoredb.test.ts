import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { logInAdmin } from '@courtledger/contracts/admin/admin.api';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import { getMatch, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { getPlayer, getPlayerDocument } from '@courtledger/contracts/player/player.api';
import { expect, it, onTestFinished } from 'vitest';
import type { EventLog } from '../event-log/event-log.ts';
import { openEventStoreDb } from '../event-log/open-eventstoredb.ts';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import type { Config } from '../platform/config.ts';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { ask as get } from '../platform/testing/toy-gate.ts';
import { openSite, season, testConfig, type Season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { verbContext } from '../testing/verb-context.ts';
import { BackupDamaged, filesBelow, readManifest } from './backup-manifest.ts';
import { makeBackup } from './backup.ts';
import { importLog } from './log-lines-import.ts';
import type { LogLine } from './log-lines.ts';
import { FactsDigest } from './log-lines-end.ts';
import { openOperationsState } from './operations-state.ts';
import { OperatorError } from './operator-error.ts';
import { putInPlace, restoreJournalOf, type RestoreJournal } from './restore-journal.ts';
import { restoreBackup } from './restore.ts';
import { expectNothingUnfinished } from './unfinished.ts';
import { restore } from './verbs/restore.verb.ts';

/** A backup is put in place where the log is in EventStoreDB. */

const folder = siteFolder();
const now = Date.parse('2026-11-21T10:00:00Z');
const sqlite = { kind: 'sqlite' } as const;

type EventStoreDb = Config['store'] & { readonly kind: 'eventstoredb' };
const serve = async (): Promise<EventStoreDb> => {
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  return { kind: 'eventstoredb', url: standIn.url };
};
const open = async (dataDir: string, store: Config['store']): Promise<Site> => folder.keep(await openSite({ store, dataDir }, { background: false }));
const logOf = async ({ url }: EventStoreDb): Promise<EventLog> => {
  const log = await openEventStoreDb({ url });
  onTestFinished(async () => log.close());
  return log;
};
const score = async (site: Site, { matchId, token, teams }: Season, entryId: string, points: number): Promise<void> => {
  await site.call(recordStatIncrement, { token, params: { id: matchId }, json: { entryId, playerId: teams[0].players[0] ?? '', points } });
};
const points = async (site: Site, { matchId }: Season): Promise<number[]> =>
  (await site.call(getMatch, { params: { id: matchId } })).player_stats.map((line) => line.points);
const factsIn = async (log: EventLog): Promise<readonly string[]> => (await log.readAll('start', 1_000_000)).map(({ id }) => id);

/** A season with a backup of it, closed; `later` came after the backup. */
const backedUp = async (
  dataDir: string,
  store: Config['store'],
): Promise<{ readonly backup: string; readonly place: Season; readonly facts: readonly string[] }> => {
  const site = await open(dataDir, store);
  const place = await season(site);
  await score(site, place, 'before', 3);
  const backup = folder.path('backup');
  await makeBackup({ dataDir, kind: store.kind, store: site.opened.store, now }, backup);
  const facts = await factsIn(site.opened.store.log);
  await score(site, place, 'later', 4);
  await site.app.close(2000);
  return { backup, place, facts };
};

it.each([
  ['EventStoreDB', 'eventstoredb'],
  ['a file', 'sqlite'],
] as const)(
  'a backup of a log in %s goes into an empty EventStoreDB, with keys, pictures and documents, and what stood in DATA_DIR goes aside',
  async (_, kind) => {
    const data = folder.path('data');
    const { backup, place, facts } = await backedUp(data, kind === 'sqlite' ? sqlite : await serve());
    const empty = await serve();
    const told: string[] = [];
    const say = (line: string): void => void told.push(line);
    expect(await restore.run(verbContext({ config: testConfig(data, { store: empty }), terminal: { out: say, note: say } }), [backup])).toBe(0);
    const { log } = readManifest(backup);
    const aside = join(data, readdirSync(data).find((name) => name.startsWith('before-restore-')) ?? '');
    expect(told.filter((line) => line.startsWith('Restored'))).toEqual([
      `Restored into EventStoreDB ${String(facts.length)} events up to position ${log.head} of the backup (without those of erased persons, if there are any; the positions are new), as of 2026-11-21T10:00:00.000Z. What was there before is in ${aside}.`,
    ]);
    expect(await factsIn(await logOf(empty))).toEqual(facts);
    expect(await filesBelow(aside)).toEqual(expect.arrayContaining(['keys/persons.sqlite', 'read-model-1.sqlite']));
    expect([existsSync(join(aside, 'event-log.sqlite')), existsSync(join(data, 'event-log.sqlite')), existsSync(join(data, 'event-log.jsonl'))]).toEqual([
      kind === 'sqlite',
      false,
      false,
    ]);

    const again = await open(data, empty);
    const ready = await get(again.port, 'GET', '/readyz');
    expect([ready.status, readyAnswer.parse(ready.json()).reason, await points(again, place)]).toEqual([200, null, [3]]);
    // A login names its account as of a position.
    const { token } = await again.call(logInAdmin, { json: { email: 'asha@example.org', password: 'copper-meadow-71' } });
    await score(again, { ...place, token }, 'after-the-restore', 5);
    expect(await points(again, place)).toEqual([8]);
    const document = await again.send(getPlayerDocument, { token, params: { id: place.teams[0].players[0] ?? '' } });
    expect([document.status, document.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
  },
  120_000,
);

it('a backup goes into an EventStoreDB that holds nothing but events of other programs', async () => {
  const data = folder.path('data');
  const { backup, place, facts } = await backedUp(data, sqlite);
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  const store = { kind: 'eventstoredb', url: standIn.url } as const;
  for (const stream of ['order-1', 'order-2'])
    standIn.store.append(stream, 'any', [
      { id: randomUUID(), type: 'OrderPlaced', contentType: 'application/json', data: Buffer.from('{}'), metadata: Buffer.from('{"user":"a"}') },
    ]);
  await restoreBackup({ folder: backup, dataDir: data, now, log: await logOf(store) });
  const again = await open(data, store);
  expect([(await get(again.port, 'GET', '/readyz')).status, await points(again, place), (await factsIn(again.opened.store.log)).slice(2)]).toEqual([
    200,
    [3],
    facts,
  ]);
}, 120_000);

it('an EventStoreDB that holds any fact, and a backup that is not what was written, are refused before anything is changed', async () => {
  const data = folder.path('data');
  const store = await serve();
  const { backup, facts } = await backedUp(data, store);
  const before = await filesBelow(data);
  const refused = async (log: EventLog): Promise<unknown> =>
    restoreBackup({ folder: backup, dataDir: data, now, log }).then(
      () => undefined,
      (error: unknown) => error,
    );
  const full = await logOf(store);
  const held = await refused(full);
  expect([held instanceof OperatorError, String(held)]).toEqual([true, expect.stringContaining('There are facts in EventStoreDB already')]);
  const empty = await logOf(await serve());
  const lines = join(backup, 'event-log.jsonl');
  const whole = readFileSync(lines, 'utf8');
  writeFileSync(lines, whole.replace('Pokhara Lynx', 'Pokhara Lynz'));
  expect(await refused(empty)).toEqual(new BackupDamaged('event-log.jsonl is not what was backed up'));
  // A manifest that was made to fit does not help: the lines carry their own digest.
  const manifest = readManifest(backup);
  const forged = readFileSync(lines);
  const others = manifest.files.filter(({ path }) => path !== 'event-log.jsonl');
  writeFileSync(
    join(backup, 'manifest.json'),
    JSON.stringify({
      ...manifest,
      files: [...others, { path: 'event-log.jsonl', bytes: forged.length, sha256: createHash('sha256').update(forged).digest('hex') }],
    }),
  );
  const found = await refused(empty);
  expect([found instanceof BackupDamaged, String(found)]).toEqual([true, expect.stringContaining('do not match the digest in its last line')]);
  // An earlier release took events of other programs with it, which no store takes.
  const events = whole
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((text) => JSON.parse(text) as LogLine);
  events.splice(1, 1, { ...(events[1] as LogLine), metadata: {} });
  const digest = new FactsDigest();
  for (const event of events) digest.add(event);
  writeFileSync(lines, [...events, digest.end(BigInt(manifest.log.head))].map((event) => `${JSON.stringify(event)}\n`).join(''));
  const old = readFileSync(lines);
  writeFileSync(
    join(backup, 'manifest.json'),
    JSON.stringify({ ...manifest, files: [...others, { path: 'event-log.jsonl', bytes: old.length, sha256: createHash('sha256').update(old).digest('hex') }] }),
  );
  const [there, here] = [
    await refused(empty),
    await restoreBackup({ folder: backup, dataDir: data, now }).then(
      () => undefined,
      (error: unknown) => error,
    ),
  ];
  for (const error of [there, here])
    expect([error instanceof OperatorError, String(error)]).toEqual([
      true,
      expect.stringContaining(`Line 2 of ${lines} is an event of another program, which no store of ours takes`),
    ]);
  expect([await filesBelow(data), await factsIn(empty), (await factsIn(full)).length]).toEqual([before, [], facts.length + 1]);
}, 120_000);

/** A fact that is in no backup. `of`: a log that has some. */
const appendSomething = async (log: EventLog, of: EventLog, stream: string): Promise<void> => {
  const [first] = await of.readAll('start', 1);
  if (first === undefined) throw new Error('no fact');
  await log.append(stream, 'no-stream', [{ id: '00000000-0000-4000-8000-000000000001', type: first.type, data: first.data, metadata: first.metadata }]);
};

/** A log that is gone after so many appends, as after kill -9. */
const dyingAfter = (log: EventLog, appends: number): EventLog => {
  let left = appends;
  return {
    ...log,
    async append(...given) {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return log.append(...given);
    },
  };
};

it('one that is cut off keeps the folder closed, and a repeat ends it: within the facts, and within the files', async () => {
  const data = folder.path('data');
  const { backup, place, facts } = await backedUp(data, await serve());
  const empty = await serve();
  const log = await logOf(empty);
  const before = await filesBelow(data);
  const steps: string[] = [];
  await expect(restoreBackup({ folder: backup, dataDir: data, now, log: dyingAfter(log, 3), onStep: (step) => void steps.push(step) })).rejects.toThrow(
    'killed',
  );
  expect(steps.at(-1)).toContain('run the restore again with the same backup and the same EVENTSTORE_URL');
  const begun = (await factsIn(log)).length;
  expect([begun > 0 && begun < facts.length, (await filesBelow(data)).filter((name) => !name.startsWith('.restore-'))]).toEqual([
    true,
    [...before, 'restore.json'].toSorted(),
  ]);
  await expect(open(data, empty)).rejects.toThrow(
    'and EventStoreDB has not ended. Unless it is still running, run "npm run ops -- restore" with the same backup and the same EVENTSTORE_URL again',
  );
  // Without the store that it goes into nothing of it is put in place.
  await expect(restoreBackup({ folder: backup, dataDir: data, now })).rejects.toThrow('Set EVENTSTORE_URL as it was then');
  // Another store that has something else.
  const other = await logOf(await serve());
  await appendSomething(other, log, 'tournament-x');
  await expect(restoreBackup({ folder: backup, dataDir: data, now, log: other })).rejects.toThrow(
    /^EventStoreDB holds something else than the backup: tournament-x is in the log and not in the file.+Nothing in .+ was replaced yet/,
  );

  // Or the same stream with something else in it.
  const [begins] = await log.readAll('start', 1);
  const third = await logOf(await serve());
  await appendSomething(third, log, begins?.stream ?? '');
  await expect(restoreBackup({ folder: backup, dataDir: data, now, log: third })).rejects.toThrow(
    `EventStoreDB holds something else than the backup: ${begins?.stream ?? '?'} has other events in the log`,
  );

  // As a kill leaves it while files are put in place: facts are there, the keys as well, the rest is not.
  const journal = restoreJournalOf(data);
  const staged = join(data, journal?.staged ?? '');
  await importLog(join(staged, 'event-log.jsonl'), log, { partial: true });
  const aside = join(data, journal?.aside ?? '');
  mkdirSync(aside);
  renameSync(join(data, 'keys'), join(aside, 'keys'));
  renameSync(join(staged, 'keys'), join(data, 'keys'));
  const { aside: told } = await restoreBackup({ folder: backup, dataDir: data, now: now + 1000, log });
  expect([told, restoreJournalOf(data), existsSync(staged), await factsIn(log), existsSync(join(aside, 'keys', 'persons.sqlite'))]).toEqual([
    aside,
    undefined,
    false,
    facts,
    true,
  ]);
  expect(() => expectNothingUnfinished({ dataDir: data, store: { kind: 'sqlite' } })).not.toThrow();
  expect(await points(await open(data, empty), place)).toEqual([3]);
}, 120_000);

it('one that was cut off and is ended in another store says which one holds a part of the log, and nothing of one that was refused', async () => {
  const data = folder.path('data');
  const { backup, facts } = await backedUp(data, sqlite);
  const [first, refused, last] = [await serve(), await serve(), await serve()];
  const [half, other, log] = [await logOf(first), await logOf(refused), await logOf(last)];
  await expect(restoreBackup({ folder: backup, dataDir: data, now, log: dyingAfter(half, 3), address: first.url })).rejects.toThrow('killed');
  await appendSomething(other, half, 'tournament-x');
  await expect(restoreBackup({ folder: backup, dataDir: data, now, log: other, address: refused.url })).rejects.toThrow(OperatorError);
  const notes: string[] = [];
  const terminal = { note: (line: string) => void notes.push(line) };
  expect(await restore.run(verbContext({ config: testConfig(data, { store: last }), terminal }), [backup])).toBe(0);
  expect([notes.filter((line) => line.includes('a part of this log')), await factsIn(log)]).toEqual([
    [
      `EventStoreDB at ${first.url} holds a part of this log, from before the restore was cut off: start no server on it, and empty it before it is used for anything.`,
    ],
    facts,
  ]);
}, 120_000);

it('one that is ended after other gateways have written there does not look at the facts again', async () => {
  const data = folder.path('data');
  const { backup, facts } = await backedUp(data, await serve());
  const log = await logOf(await serve());
  // The disk fails when the first file is moved.
  mkdirSync(join(data, 'before-restore-2026-11-21T10-00-00-000Z'));
  writeFileSync(join(data, 'before-restore-2026-11-21T10-00-00-000Z', 'media'), 'in the way');
  await expect(restoreBackup({ folder: backup, dataDir: data, now, log })).rejects.toThrow('ENOTDIR');
  rmSync(join(data, 'before-restore-2026-11-21T10-00-00-000Z', 'media'));
  await appendSomething(log, log, 'tournament-new');
  await restoreBackup({ folder: backup, dataDir: data, now: now + 1000, log });
  expect([restoreJournalOf(data), (await factsIn(log)).length]).toEqual([undefined, facts.length + 1]);
}, 120_000);

it('who was erased after the backup is in the ledger of erasures after it, and is erased again at the start', async () => {
  const data = folder.path('data');
  const { backup, place } = await backedUp(data, await serve());
  const [personId = ''] = place.teams[0].players;
  appendFileSync(
    join(data, 'erasures.jsonl'),
    `${JSON.stringify({ personId, kind: 'player', reason: 'Asked for it', time: '2026-11-21T11:00:00.000Z', actor: { role: 'operator', id: 'operator', name: 'Operator' } })}\n`,
  );
  const empty = await serve();
  await restoreBackup({ folder: backup, dataDir: data, now, log: await logOf(empty), address: empty.url });
  const site = await open(data, empty);
  const facts = await site.opened.store.log.readAll('start', 1_000_000);
  expect(facts.filter(({ type, data: fact }) => type === 'PersonErased' && (fact as { readonly personId: string }).personId === personId)).toHaveLength(1);
}, 120_000);

it('folders that are mounted are replaced by what is in them, and however often it is cut off, nothing of either is lost', () => {
  const data = folder.path('data');
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(data, path)), { recursive: true });
    writeFileSync(join(data, path), text);
  };
  const journal = {
    staged: '.restore-x',
    aside: 'before-restore-x',
    names: ['event-log.jsonl', 'keys', 'media'],
    lines: 'event-log.jsonl',
    imported: true,
  } satisfies RestoreJournal;
  for (const [path, text] of [
    ['keys/a', 'old'],
    ['keys/only-old', 'old'],
    ['media/deep/b', 'old'],
    ['documents/c', 'old'],
    ['.restore-x/event-log.jsonl', ''],
    ['.restore-x/keys/a', 'new'],
    ['.restore-x/keys/only-new', 'new'],
    ['.restore-x/media/deep/b', 'new'],
  ] as const)
    put(path, text);
  const textsBelow = (path: string): readonly string[] =>
    readdirSync(join(data, path), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.name}: ${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`)
      .toSorted();
  for (let calls = 1; ; calls += 1) {
    let left = calls;
    try {
      putInPlace(data, journal, (from, to) => {
        left -= 1;
        if (left === 0) throw new Error('killed');
        if (['keys', 'media', 'documents'].some((name) => from === join(data, name) || to === join(data, name)))
          throw Object.assign(new Error('mounted'), { code: 'EBUSY' });
        renameSync(from, to);
      });
      break;
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'killed') throw error;
    }
  }
  expect(['keys', 'media', 'documents'].map((name) => textsBelow(name))).toEqual([['a: new', 'only-new: new'], ['b: new'], []]);
  expect(['keys', 'media', 'documents'].map((name) => textsBelow(join('before-restore-x', name)))).toEqual([
    ['a: old', 'only-old: old'],
    ['b: old'],
    ['c: old'],
  ]);
  expect(existsSync(join(data, '.restore-x'))).toBe(false);
});

it('whom an erasure reached since the backup is erased again at the restored log, and by no other that the next start is pointed at: files and facts of the right one are safe', async () => {
  const data = folder.path('data');
  const store = await serve();
  const { backup, place } = await backedUp(data, store);
  const personId = place.teams[0].players[0] ?? '';
  const old = await open(data, store);
  const { name, image } = await old.call(getPlayer, { params: { id: personId } });
  await old.call(erasePerson, { token: place.superToken, json: { personId, reason: 'Asked for it' } });
  await old.app.close(2000);
  const photo = join(data, image.replace('/api', ''));
  expect([name, existsSync(dirname(photo)), existsSync(photo)]).toEqual(['Player 1', true, false]);
  const restored = await serve();
  await restoreBackup({ folder: backup, dataDir: data, now: Date.now(), log: await logOf(restored), address: restored.url });
  expect(existsSync(photo)).toBe(true);

  // Forgotten, as it was before the restore, or of something else.
  await expect(open(data, sqlite)).rejects.toThrow(`EVENTSTORE_URL is not set, and the log of ${data} was last in EventStoreDB; there is none in a file.`);
  const copy = await serve();
  await restoreBackup({ folder: backup, dataDir: folder.path('trial'), now, log: await logOf(copy), address: copy.url });
  const warned: string[] = [];
  const logger = { ...silentLogger, warn: (event: string) => void warned.push(event) };
  for (const wrong of [await serve(), copy, store]) {
    const before = await factsIn(await logOf(wrong));
    const site = folder.keep(await openSite({ store: wrong, dataDir: data }, { background: false, logger }));
    await site.opened.operations.turn();
    // What is only hidden is no difference, and no key that is back.
    site.opened.operations.jobs.start(true);
    expect((await site.opened.operations.jobs.ended())?.state).toBe('equal');
    const { pendingErasures, pendingErasuresWaitFor } = await site.opened.operations.status();
    expect([pendingErasures, pendingErasuresWaitFor, existsSync(photo), await factsIn(site.opened.store.log)]).toEqual([
      [personId],
      expect.stringContaining('less than a day'),
      true,
      before,
    ]);
    await site.app.close(2000);
  }
  expect(warned.filter((event) => event.startsWith('keys of persons'))).toEqual([]);
  // The read model that is found there is of the wrong one: no reason to wait.
  const right = await open(data, restored);
  const erased = (await right.opened.store.log.readAll('start', 10_000)).filter(({ type }) => type === 'PersonErased');
  expect([(await right.call(getPlayer, { params: { id: personId } })).name, existsSync(photo), erased.map((event) => event.data)]).toEqual([
    'Former player',
    false,
    [{ personId, kind: 'player', reason: 'Asked for it' }],
  ]);
}, 120_000);

it('a restore that another EventStoreDB ended notes that one', async () => {
  const data = folder.path('data');
  const { backup } = await backedUp(data, sqlite);
  const [first, second] = [await serve(), await serve()];
  const killed = new AbortController();
  const stop = (events: number): void => void (events > 0 && killed.abort(new Error('killed')));
  await expect(
    restoreBackup({ folder: backup, dataDir: data, now, log: await logOf(first), address: first.url, signal: killed.signal, onProgress: stop }),
  ).rejects.toThrow('killed');
  await restoreBackup({ folder: backup, dataDir: data, now, log: await logOf(second), address: second.url });
  expect(openOperationsState(data).get()).toMatchObject({ logElsewhere: true, logAddresses: { [second.url]: '2026-11-21T10:00:00.000Z' } });
}, 120_000);
