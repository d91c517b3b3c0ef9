import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { erasePerson, listAdminAudit, listAudit } from '@courtledger/contracts/operations/audit.api';
import { getLogEvent, getOperationsStatus, listLogEvents, startRebuild } from '@courtledger/contracts/operations/operations.api';
import { correctPlayer, getPlayer } from '@courtledger/contracts/player/player.api';
import { auditStream, personStream } from '@courtledger/contracts/player/person.events';
import { teamOfPerson } from '@courtledger/projections/operations/retention.queries';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { LogUnavailable } from '../event-log/event-log.ts';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import { auditDecider } from '../platform/audit.decider.ts';
import { readErasures } from '../platform/erasure-ledger.ts';
import type { Config } from '../platform/config.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import { openSite, season, superAdminPassword, testConfig, type Season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { reach } from './reach.ts';

/** An erasure whose fact came from somewhere else, another node or the housekeeping: whoever projects it cleans the files of his own DATA_DIR. */

const folder = siteFolder();
let data = '';
let ahead = 0;
/** By which the calendar is put forward, in ms. */
let later = 0;
beforeEach(() => {
  data = folder.path('data');
  ahead = 0;
  later = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
});

const open = async (store: Config['store'] = { kind: 'sqlite' }, dataDir = data): Promise<Site> =>
  folder.keep(await openSite({ store, dataDir }, { clock: { now: () => Date.now() + later, monotonic: () => performance.now() + ahead } }));
const serve = async (from: string): Promise<Config['store']> => {
  const standIn = await EventStoreStandIn.start({ file: from });
  onTestFinished(async () => standIn.close());
  return { kind: 'eventstoredb', url: standIn.url };
};
/** The turn that comes every minute. */
const minute = async (site: Site): Promise<void> => {
  ahead += 61_000;
  await site.opened.operations.turn();
};
const canary = 'Zyxcanary';
/** Read models and what stands beside them, in which a name is to be read. */
const holding = (dataDir = data): readonly string[] =>
  readdirSync(dataDir)
    .filter((name) => name.startsWith('read-model') && readFileSync(join(dataDir, name)).includes(canary))
    .toSorted();

/** What another node does with its own files, and with the log and the keys that are everybody's. */
const eraseElsewhere = async ({ opened: { commands, store } }: Site, personId: string, time = new Date().toISOString()): Promise<void> => {
  const vault = openPersonVault(data);
  vault.destroy(personId);
  vault.close();
  await store.log.deleteStream(personStream(personId));
  const context = {
    commandId: crypto.randomUUID(),
    correlationId: 'c',
    causationId: 'c',
    actor: { role: 'operator', id: 'elsewhere', name: 'Gateway 2' },
    time,
    keyed: false,
    fingerprint: '',
  } as const;
  await commands.handle(
    auditDecider,
    auditStream(time),
    { type: 'recordAudit', fact: { type: 'PersonErased', data: { personId, kind: 'player', reason: 'Asked for it' } } },
    context,
  );
};

type Named = Season & { readonly persons: readonly [string, string] };
/** A site with a read model to switch back to and one that was set aside, all of which name two players. */
const withCopies = async (site: Site): Promise<Named> => {
  const place = await season(site);
  const persons = [place.teams[0].players[0] ?? '', place.teams[1].players[0] ?? ''] as const;
  for (const [index, id] of persons.entries())
    await site.call(correctPlayer, { token: place.token, params: { id }, form: { name: `${canary} ${String(index)}` } });
  await site.call(startRebuild, { token: place.superToken, json: {} });
  expect((await site.opened.operations.jobs.ended())?.state).toBe('switched');
  copyFileSync(join(data, 'read-model-1.sqlite'), join(data, 'read-model-1.sqlite.other-log-1'));
  return { ...place, persons };
};
const ledger = () => readErasures(readFileSync(join(data, 'erasures.jsonl'), 'utf8'));
const noted = () => (existsSync(join(data, 'erasures.jsonl')) ? ledger() : []);
const stored = () => [...readdirSync(join(data, 'media')), ...readdirSync(join(data, 'documents'))].toSorted();
const keyOf = (personId: string): string => {
  const vault = openPersonVault(data);
  const state = vault.state(personId);
  vault.close();
  return state;
};
const facts = async (site: Site): Promise<number> =>
  (await site.opened.store.log.readAll('start', 10_000)).filter(({ type }) => type === 'PersonErased').length;

it('within a minute nothing is left of all of them, with one rewriting, and nothing is done again', async () => {
  const site = await open();
  const { persons, superToken, teams, token } = await withCopies(site);
  // In another month than now, as at the turn of one.
  await eraseElsewhere(site, persons[0], '2026-10-31T23:59:59.999Z');
  await eraseElsewhere(site, persons[1]);
  expect(await Promise.all(persons.map(async (id) => (await site.call(getPlayer, { params: { id } })).name))).toEqual(['Former player', 'Former player']);
  expect(holding()).toEqual(expect.arrayContaining(['read-model-1.sqlite', 'read-model-1.sqlite.other-log-1']));

  const projector = vi.spyOn(site.opened.store, 'projector');
  const scrubs = (): number => projector.mock.calls.filter(([name]) => name === 'scrub').length;
  await minute(site);
  expect([holding(), scrubs(), readdirSync(data).filter((name) => /^read-model-.*\.sqlite/.test(name) && !name.startsWith(liveReadModel(data)))]).toEqual([
    [],
    1,
    [],
  ]);
  expect(ledger()).toMatchObject(persons.map((personId) => ({ personId, kind: 'player', reason: 'Asked for it', by: { id: 'elsewhere' }, finished: true })));
  await minute(site);
  expect([scrubs(), await facts(site), (await site.call(getOperationsStatus, { token: superToken })).pendingErasures]).toEqual([1, 2, []]);
  const erasedFact = (await site.opened.store.log.readAll('start', 10_000)).find(({ stream }) => stream === personStream(persons[0]));
  const coach = (await site.opened.store.log.readAll('start', 10_000)).find(
    (event) => (event.data as { readonly kind?: unknown } | undefined)?.kind === 'coach',
  );
  // What followers are told of it, as of a new name.
  expect(
    [persons[0], (coach?.data as { personId: string } | undefined)?.personId ?? '', 'nobody'].map((id) => teamOfPerson(site.opened.store.reader(), id)),
  ).toEqual([teams[0].teamId, teams[0].teamId, undefined]);
  const [erasedAt, nowhere] = [String(erasedFact?.position), '999999'];
  const told = await Promise.all([erasedAt, nowhere].map(async (position) => site.refused(getLogEvent, { token: superToken, params: { position } })));
  expect(told.map(({ status, message }) => [status, message])).toEqual([
    [404, `The event at position ${erasedAt} was erased with the person of whom it told: the log keeps its place and its hash, and nothing of what it said`],
    [404, 'There is no such event'],
  ]);
  const erasure = (await site.opened.store.log.readAll('start', 10_000)).find(
    ({ type, data: fact }) => type === 'PersonErased' && (fact as { readonly personId: string }).personId === persons[0],
  );
  const streams = await Promise.all(
    [persons[0], 'nobody'].map(async (id) => site.refused(listLogEvents, { token: superToken, query: { stream: personStream(id) } })),
  );
  expect(streams.map(({ status, message }) => [status, message])).toEqual([
    [404, `The person of whom ${personStream(persons[0])} told was erased (position ${String(erasure?.position)}): nothing of what it said is left`],
    [404, 'There is no such stream'],
  ]);
  expect((await site.call(listAudit, { token, query: { player: persons[0], type: 'PersonErased' } })).lines).toMatchObject([{ actor: { id: 'elsewhere' } }]);
});

it('the next start does what a kill left undone, also where the log takes nothing', async () => {
  const first = await open();
  const { persons, teams } = await withCopies(first);
  await eraseElsewhere(first, persons[0]);
  await eraseElsewhere(first, persons[1]);
  await first.app.close(2000);
  expect(holding()).toEqual(expect.arrayContaining(['read-model-1.sqlite', 'read-model-1.sqlite.other-log-1']));
  const site = await open();
  expect([holding(), ledger().map(({ finished }) => finished), await facts(site)]).toEqual([[], [true, true], 2]);

  // What this node owes its files is between it and its disk.
  const personId = teams[0].players[1] ?? '';
  await eraseElsewhere(site, personId);
  vi.spyOn(site.opened.store, 'refusal').mockReturnValue('The event log does not answer');
  vi.spyOn(site.opened.store.log, 'deleteStream').mockRejectedValue(new Error('a fact that stands is recorded again'));
  await minute(site);
  expect(ledger().find((one) => one.personId === personId)?.finished).toBe(true);
});

it('whoever asks here for the erasure of somebody erased elsewhere is answered when nothing is left here either', async () => {
  const site = await open();
  const { persons, superToken } = await withCopies(site);
  await eraseElsewhere(site, persons[0]);
  await eraseElsewhere(site, persons[1]);
  const answer = await site.send(erasePerson, { token: superToken, json: { personId: persons[0], reason: 'Again' } });
  expect([answer.status, answer.json(), holding()]).toEqual([200, { personId: persons[0], kind: 'player', already: true }, []]);
  expect([await facts(site), ledger()[0]?.by?.id]).toEqual([2, 'elsewhere']);
});

it('two gateways on one EventStoreDB, with the keys and files between them: what one erases, both lose', async () => {
  const standIn = await EventStoreStandIn.start();
  try {
    const store = { kind: 'eventstoredb', url: standIn.url } as const;
    const one = await open(store);
    const other = folder.path('other');
    mkdirSync(other);
    for (const name of ['keys', 'media', 'documents', 'person-keys.made']) symlinkSync(join(data, name), join(other, name));
    const { persons, superToken, teams, token } = await withCopies(one);
    const more = teams[0].players[1] ?? '';
    const two = await open(store, other);
    expect([holding().length, holding(other).length].every((files) => files > 0)).toBe(true);
    for (const personId of persons) {
      expect((await two.send(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' } })).json()).toEqual({
        personId,
        kind: 'player',
        already: false,
      });
    }
    expect(holding(other)).toEqual([]);
    await one.opened.store.reads.waitFor(two.opened.store.reads.position(), 20_000);
    expect(holding()).not.toEqual([]);
    await minute(one);
    expect([holding(), ledger().map(({ finished }) => finished), await facts(one)]).toEqual([[], [true, true], 2]);
    // One that shares the keys has none to lose by what it learns on its first day: it notes whom the other erases, for a restore.
    await one.send(erasePerson, { token: superToken, json: { personId: more, reason: 'Of the first' } });
    await two.opened.store.reads.waitFor(one.opened.store.reads.position(), 20_000);
    await minute(two);
    expect(readErasures(readFileSync(join(other, 'erasures.jsonl'), 'utf8')).find((entry) => entry.personId === more)).toMatchObject({
      reason: 'Of the first',
      finished: true,
    });
    // Nothing is put back by what either of them projects later.
    await minute(two);
    expect([holding(other), await facts(two)]).toEqual([[], 3]);
    // What is refused is no fact: the other one does not hear of it, and the audit says so.
    expect((await one.send(getOperationsStatus, { token })).status).toBe(403);
    const refusedAt = async (site: Site): Promise<unknown> => {
      const { lines, refusalsOf } = await site.call(listAdminAudit, { token: superToken, query: { type: 'Refused' } });
      return [lines.length, refusalsOf];
    };
    expect([await refusedAt(one), await refusedAt(two)]).toEqual([
      [1, 'this-gateway'],
      [0, 'this-gateway'],
    ]);
    await Promise.all([one.app.close(2000), two.app.close(2000)]);
  } finally {
    await standIn.close();
  }
}, 60_000);

it('an erasure that is asked for at a gateway on its first day, and cut off, is ended by its next start; one that only stands in its list waits until somebody asks for it there', async () => {
  const store = await serve(folder.path('log.jsonl'));
  const first = await open(store);
  const { teams } = await season(first);
  const [personId = '', listed = ''] = teams[0].players;
  await first.app.close(2000);
  const other = folder.path('other');
  mkdirSync(other);
  for (const name of ['keys', 'media', 'documents', 'person-keys.made']) symlinkSync(join(data, name), join(other, name));
  writeFileSync(
    join(other, 'erasures.jsonl'),
    `${JSON.stringify({ personId: listed, kind: 'player', reason: 'Of an earlier release', time: '2026-11-20T00:00:00.000Z' })}\n`,
  );

  const waits = expect.stringContaining('asked for elsewhere') as unknown;
  for (const [id, left, why] of [
    [personId, [listed], waits],
    [listed, [], null],
  ] as const) {
    const gateway = await open(store, other);
    const { token } = await gateway.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
    vi.spyOn(gateway.opened.store.log, 'deleteStream').mockRejectedValue(new LogUnavailable('no connection can be made'));
    const answer = await gateway.send(erasePerson, { token, json: { personId: id, reason: 'Asked for it' } });
    expect([answer.status, answer.json()]).toMatchObject([
      503,
      { message: 'The erasure was begun and could not be ended: the log or the disk takes no writes. It is ended by itself when they do.' },
    ]);
    await gateway.app.close(2000);
    vi.restoreAllMocks();
    const next = await open(store, other);
    expect([(await next.call(getPlayer, { params: { id } })).name, keyOf(id)]).toEqual(['Former player', 'destroyed']);
    const { pendingErasures, pendingErasuresWaitFor } = await next.call(getOperationsStatus, { token });
    expect([pendingErasures, pendingErasuresWaitFor]).toEqual([left, why]);
    expect(await facts(next)).toBe(2 - left.length);
    await next.app.close(2000);
  }
  expect(keyOf(listed)).toBe('destroyed');
}, 60_000);

it('of a wrong address, that names a copy of the log in which somebody was erased, nothing is taken up for a day, and back at the right one nothing has happened', async () => {
  const [file, copy] = [folder.path('right.jsonl'), folder.path('copy.jsonl')];
  const right = await serve(file);
  const first = await open(right);
  const { teams } = await season(first);
  const personId = teams[0].players[0] ?? '';
  const { name } = await first.call(getPlayer, { params: { id: personId } });
  await first.app.close(2000);
  cpSync(file, copy);
  const wrong = await serve(copy);
  const trial = folder.path('trial');
  mkdirSync(trial);
  for (const part of ['keys', 'media', 'documents', 'person-keys.made']) cpSync(join(data, part), join(trial, part), { recursive: true });
  const other = await open(wrong, trial);
  const { token } = await other.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
  await other.call(erasePerson, { token, json: { personId, reason: 'A trial' } });
  await other.app.close(2000);

  const files = stored();
  expect(files.length).toBeGreaterThan(10);
  const warned: string[] = [];
  const tool = await reach(testConfig(data, { store: wrong }), { mustExist: true, warn: (line) => void warned.push(line) });
  await tool.close();
  expect([warned, stored(), noted(), keyOf(personId)]).toEqual([
    [
      expect.stringMatching(
        /^Warning: persons are erased in a log that this folder does not know for a day yet: what it has of them stays until then, in case it is a wrong one \(1\): until 20\S+Z$/,
      ),
    ],
    files,
    [],
    'active',
  ]);
  const seen: unknown[] = [];
  for (const store of [wrong, right]) {
    const site = await open(store);
    await minute(site);
    seen.push([(await site.call(getPlayer, { params: { id: personId } })).name, (await site.call(getOperationsStatus, { token })).pendingErasures]);
    await site.app.close(2000);
    expect([stored(), noted(), keyOf(personId), await facts(site).catch(() => 0)]).toEqual([files, [], 'active', 0]);
  }
  expect(seen).toEqual([
    ['Former player', []],
    [name, []],
  ]);

  // Somebody moved there: the log is known by then.
  later = 25 * 3_600_000;
  const moved = await open(wrong);
  await minute(moved);
  await moved.app.close(2000);
  expect([noted().map((one) => [one.personId, one.finished]), keyOf(personId)]).toEqual([[[personId, true]], 'destroyed']);
}, 60_000);
