import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import { getStandings } from '@courtledger/contracts/tournament/tournament.api';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { EventStoreStandIn } from '../../event-log/testing/eventstoredb-stand-in.ts';
import type { Config } from '../../platform/config.ts';
import { liveReadModel, witnessesIn } from '../../platform/store-read-model-files.ts';
import { ask } from '../../platform/testing/toy-gate.ts';
import { openSite, registeredTeam, season, testConfig } from '../../testing/site.ts';
import type { Verb, VerbContext } from '../verb.ts';
import { openOperationsState } from '../operations-state.ts';
import { OperatorError } from '../operator-error.ts';
import { writeRestoreJournal } from '../restore-journal.ts';
import { verbContext } from '../../testing/verb-context.ts';
import { exportVerb } from './export.verb.ts';
import { importVerb } from './import.verb.ts';
import { newKey } from './new-key.verb.ts';

/** Runs verbs as the command line does where no server answers. */
const runsOn =
  (config: Config, terminal: Partial<VerbContext['terminal']> = {}) =>
  async (verb: Verb, ...words: string[]): Promise<number> =>
    verb.run(verbContext({ config, terminal }), words);
/** The digest that an exported log names in its last line. */
const factsOf = (path: string): unknown => (JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '') as { readonly facts: string }).facts;
/** A process that ends as soon as it has done something. */
const killed = {
  progress: (): void => {
    throw new Error('killed');
  },
};

it('into the place of a log that is lost leaves no read model of that one: it would be called damaged, or show what is in no log', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'courtledger-import-'));
  const lines: string[] = [];
  const note = (line: string): void => void lines.push(line);
  const open = async () => openSite({ store: { kind: 'sqlite' }, dataDir }, { background: false });
  try {
    const first = await open();
    const { config } = first;
    const run = runsOn(config, { out: note, note });
    const { tournamentId } = await season(first);
    const exported = await first.events();
    const standings = await first.call(getStandings, { params: { id: tournamentId } });
    await first.app.close(2000);
    expect(await run(exportVerb, join(dataDir, 'log.jsonl'))).toBe(0);
    // The log goes on, and is lost with what was recorded since.
    const second = await open();
    await registeredTeam(second, 'Butwal Bolts', 1);
    await second.app.close(2000);
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `event-log.sqlite${suffix}`), { force: true });
    const before = liveReadModel(dataDir);
    // Of an end that was lost: the log that is imported ends there as well.
    openOperationsState(dataDir).change({ damage: { position: String(exported + 1), reason: 'the log ends before' } });
    expect(await run(importVerb, join(dataDir, 'log.jsonl'))).toBe(0);
    expect([
      existsSync(join(dataDir, before)),
      existsSync(join(dataDir, `${before}.before-import-1`)),
      lines.some((line) => line.includes(`${before}.before-import-1`)),
    ]).toEqual([false, true, true]);
    const third = await open();
    const ready = await ask(third.port, 'GET', '/readyz');
    expect([ready.status, readyAnswer.parse(ready.json()).writes, await third.call(getStandings, { params: { id: tournamentId } })]).toEqual([
      200,
      true,
      standings,
    ]);
    await third.app.close(2000);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 60_000);

it('a file that brings nothing makes no installation, least of all of a DATA_DIR that was mistyped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'courtledger-import-'));
  try {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'Dear diary\n');
    const dataDir = join(folder, 'mistyped');
    await expect(runsOn(testConfig(dataDir, { store: { kind: 'sqlite' } }))(importVerb, file)).rejects.toThrow(`Line 1 of ${file} is no event`);
    expect(existsSync(dataDir)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('that was cut off keeps everybody else out of the log until it is ended, and one that was refused keeps nobody out', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'courtledger-import-'));
  const open = async () => openSite({ store: { kind: 'sqlite' }, dataDir }, { background: false });
  try {
    const first = await open();
    const { config } = first;
    const [run, runKilled] = [runsOn(config), runsOn(config, killed)];
    const { tournamentId } = await season(first);
    const [exported, standings] = [await first.events(), await first.call(getStandings, { params: { id: tournamentId } })];
    await first.app.close(2000);
    const file = join(dataDir, 'log.jsonl');
    expect(await run(exportVerb, file)).toBe(0);
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `event-log.sqlite${suffix}`), { force: true });

    writeFileSync(join(dataDir, 'cut.jsonl'), readFileSync(file, 'utf8').split('\n').slice(0, 9).join('\n'));
    await expect(run(importVerb, join(dataDir, 'cut.jsonl'))).rejects.toThrow('is not whole');
    expect(openOperationsState(dataDir).get().pendingImport).toBeUndefined();

    await expect(runKilled(importVerb, file)).rejects.toThrow('killed');
    const closed = `An import of ${file} into ${dataDir} has not ended. Unless it is still running, run "npm run ops -- import" with the same file again; it is ended then. To give it up, remove ${join(dataDir, 'event-log.sqlite')} with its -wal and -shm: everything that stands there is in the file.`;
    await expect(open()).rejects.toThrow(closed);
    await expect(run(exportVerb, join(dataDir, 'half.jsonl'))).rejects.toThrow(closed);
    // Whoever brings another file is refused, and it stays so.
    await expect(run(importVerb, join(dataDir, 'cut.jsonl'))).rejects.toThrow('is not whole');
    await expect(open()).rejects.toThrow(closed);
    // Given up as told: the log that was there before is as lost as it was.
    const removeLog = (): void => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `event-log.sqlite${suffix}`), { force: true });
    };
    const starts = async (): Promise<readonly number[]> => {
      const found: number[] = [];
      for (let start = 0; start < 2; start += 1) {
        const site = await open();
        found.push((await ask(site.port, 'GET', '/readyz')).status);
        await site.app.close(2000);
      }
      return found;
    };
    removeLog();
    expect([await starts(), openOperationsState(dataDir).get().pendingImport]).toEqual([[503, 503], undefined]);
    // In a folder in which nothing else was, whatever is recorded then is nobody's import.
    removeLog();
    for (const path of witnessesIn(dataDir)) rmSync(path);
    rmSync(join(dataDir, 'operations.json'));
    await expect(runKilled(importVerb, file)).rejects.toThrow('killed');
    removeLog();
    expect(await starts()).toEqual([200, 200]);
    removeLog();
    expect(await run(importVerb, file)).toBe(0);
    const last = await open();
    expect([await last.events(), await last.call(getStandings, { params: { id: tournamentId } })]).toEqual([exported, standings]);
    await last.app.close(2000);

    // Into the very log that was exported: there is nothing to bring, and nothing to be ended.
    const known = readFileSync(join(dataDir, 'operations.json'), 'utf8');
    expect([await runKilled(importVerb, file).catch(String), openOperationsState(dataDir).get().pendingImport]).toEqual(['Error: killed', undefined]);
    expect([await run(importVerb, file), readFileSync(join(dataDir, 'operations.json'), 'utf8')]).toEqual([0, known]);
    // Into a damaged one: nothing can be brought, and reads go on.
    const database = new Database(join(dataDir, 'event-log.sqlite'));
    const head = database.prepare<[], number>('SELECT max(position) FROM events').pluck().get();
    database.prepare('DELETE FROM events WHERE position > ?').run((head ?? 0) - 3);
    database.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'events'").run((head ?? 0) - 3);
    database.prepare("UPDATE events SET data = '{}' WHERE position = ?").run((head ?? 0) - 5);
    database.close();
    await expect(run(importVerb, file)).rejects.toThrow(`The event log is damaged at position ${String((head ?? 0) - 5)}`);
    const damaged = await open();
    expect([(await ask(damaged.port, 'GET', '/readyz')).status, await damaged.call(getStandings, { params: { id: tournamentId } })]).toEqual([503, standings]);
    await damaged.app.close(2000);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 60_000);

it('that was cut off is ended by its own file alone, wherever that stands now: another one would mix the order of both', async () => {
  const standIn = await EventStoreStandIn.start();
  const folder = mkdtempSync(join(tmpdir(), 'courtledger-import-'));
  const from = await openSite({ store: { kind: 'sqlite' }, dataDir: join(folder, 'from') }, { background: false });
  try {
    const [older, file, moved] = [join(folder, 'older.jsonl'), join(folder, 'log.jsonl'), join(folder, 'moved.jsonl')];
    await registeredTeam(from, 'Butwal Bolts', 1);
    await runsOn(from.config)(exportVerb, older);
    await registeredTeam(from, 'Dhangadhi Dunkers', 1);
    await runsOn(from.config)(exportVerb, file);
    for (const [dataDir, store, into, giveUp] of [
      [
        join(folder, 'in-file'),
        { kind: 'sqlite' },
        join(folder, 'in-file'),
        `remove ${join(folder, 'in-file', 'event-log.sqlite')} with its -wal and -shm: everything that stands there is in the file`,
      ],
      [join(folder, 'elsewhere'), { kind: 'eventstoredb', url: standIn.url }, 'EventStoreDB', 'begin with another EventStoreDB and another DATA_DIR'],
    ] as const) {
      const config = { ...from.config, dataDir, store };
      await expect(runsOn(config, killed)(importVerb, file)).rejects.toThrow('killed');
      const state = openOperationsState(dataDir).get();
      await expect(runsOn(config)(importVerb, older)).rejects.toThrow(
        new OperatorError(
          `An import of ${file} into ${into} has not ended, and ${older} is another file (or a changed one), of which nothing was imported. Unless it is still running, run "npm run ops -- import" with the same file again; it is ended then. To give it up, ${giveUp}.`,
        ),
      );
      expect(openOperationsState(dataDir).get()).toEqual(state);
      copyFileSync(file, moved);
      const out: string[] = [];
      expect([await runsOn(config, { out: (line) => void out.push(line) })(importVerb, moved), openOperationsState(dataDir).get().pendingImport]).toEqual([
        0,
        undefined,
      ]);
      await runsOn(config, { out: (line) => void out.push(line) })(exportVerb, join(dataDir, 'again.jsonl'));
      expect([out.some((line) => line.includes(String(factsOf(file)))), factsOf(join(dataDir, 'again.jsonl'))]).toEqual([true, factsOf(file)]);
    }
    // Given up as told; and the mark of an earlier release says nothing of what the file holds.
    for (const [name, noted] of [
      ['given-up', true],
      ['old-mark', false],
    ] as const) {
      const dataDir = join(folder, name);
      const config = { ...from.config, dataDir };
      await expect(runsOn(config, killed)(importVerb, older)).rejects.toThrow('killed');
      const { pendingImport } = openOperationsState(dataDir).get();
      if (noted) for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `event-log.sqlite${suffix}`), { force: true });
      else openOperationsState(dataDir).change({ pendingImport: pendingImport && { ...pendingImport, facts: undefined } });
      expect([await runsOn(config)(importVerb, file), openOperationsState(dataDir).get().pendingImport]).toEqual([0, undefined]);
    }
  } finally {
    await from.close();
    await standIn.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);

it('that is refused changes nothing: neither what is known of the log that was there, nor its read models', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'courtledger-import-'));
  const open = async () => openSite({ store: { kind: 'sqlite' }, dataDir }, { background: false });
  try {
    const first = await open();
    const { config } = first;
    const run = runsOn(config);
    await registeredTeam(first, 'Butwal Bolts', 1);
    await first.app.close(2000);
    const file = join(dataDir, 'log.jsonl');
    expect(await run(exportVerb, file)).toBe(0);
    const cut = join(dataDir, 'cut.jsonl');
    writeFileSync(cut, readFileSync(file, 'utf8').split('\n').slice(0, 3).join('\n'));
    openOperationsState(dataDir).change({ owedRemake: { position: '1' } });
    const before = readFileSync(join(dataDir, 'operations.json'), 'utf8');
    // Into the log that has more: it is none of an import.
    await expect(run(importVerb, cut, '--partial')).rejects.toThrow(/ has other events in the log: event \d+ is not the one of the file$/);
    expect(readFileSync(join(dataDir, 'operations.json'), 'utf8')).toBe(before);
    openOperationsState(dataDir).change({ owedRemake: undefined });
    const empty = join(dataDir, 'empty.jsonl');
    const fresh = await openSite({ store: { kind: 'sqlite' } }, { background: false });
    await fresh.app.close(2000);
    await runsOn(fresh.config)(exportVerb, empty);
    // Into the place of one that is lost, which is known.
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `event-log.sqlite${suffix}`), { force: true });
    for (let round = 0; round < 2; round += 1) {
      const site = await open();
      expect([round, (await ask(site.port, 'GET', '/readyz')).status, existsSync(join(dataDir, liveReadModel(dataDir)))]).toEqual([round, 503, true]);
      await site.app.close(2000);
      await expect(run(importVerb, cut)).rejects.toThrow('is not whole');
      // Nothing comes of it: nothing is forgotten for it either.
      expect([await run(importVerb, empty), openOperationsState(dataDir).get().damage?.position]).toEqual([0, '1']);
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 60_000);

it('into EventStoreDB that was cut off is not forgotten by a tool without its address', async () => {
  const standIn = await EventStoreStandIn.start();
  const from = await openSite({ store: { kind: 'sqlite' } }, { background: false });
  const dataDir = mkdtempSync(join(tmpdir(), 'courtledger-import-'));
  try {
    await registeredTeam(from, 'Butwal Bolts', 1);
    await from.app.close(2000);
    const file = join(dataDir, 'log.jsonl');
    await runsOn(from.config)(exportVerb, file);
    const there = { ...from.config, dataDir, store: { kind: 'eventstoredb', url: standIn.url } } as const;
    const notes: string[] = [];
    await expect(runsOn(there, { ...killed, note: (line) => void notes.push(line) })(importVerb, file)).rejects.toThrow('killed');
    expect(notes).toEqual(['The import is not ended, and no server starts there before it is: run it again with the same file; it goes on where it stands.']);
    const closed = `An import of ${file} into EventStoreDB has not ended. Unless it is still running, run "npm run ops -- import" with the same file again; it is ended then. To give it up, begin with another EventStoreDB and another DATA_DIR.`;
    for (const store of [{ kind: 'sqlite' } as const, there.store]) {
      for (const [verb, word] of [
        [exportVerb, join(dataDir, 'out.jsonl')],
        [newKey, 'persons.sqlite'],
      ] as const)
        await expect(runsOn({ ...there, store })(verb, word)).rejects.toThrow(closed);
    }
    // Nor by an import into the other store.
    const noted = openOperationsState(dataDir).get().pendingImport;
    await expect(runsOn({ ...there, store: { kind: 'sqlite' } })(importVerb, file)).rejects.toThrow(new OperatorError(closed));
    expect([openOperationsState(dataDir).get().pendingImport, existsSync(join(dataDir, 'event-log.sqlite'))]).toEqual([noted, false]);
    expect([await runsOn(there)(importVerb, file), openOperationsState(dataDir).get().pendingImport]).toEqual([0, undefined]);
    // The other way round.
    const inFile = join(dataDir, 'in-file');
    await expect(runsOn({ ...there, dataDir: inFile, store: { kind: 'sqlite' } }, killed)(importVerb, file)).rejects.toThrow('killed');
    await expect(runsOn({ ...there, dataDir: inFile })(importVerb, file)).rejects.toThrow(`An import of ${file} into ${inFile} has not ended.`);
    // And while a restore is not ended.
    const restored = join(dataDir, 'restored');
    mkdirSync(restored);
    writeRestoreJournal(restored, { staged: '.restore-x', aside: 'before-restore-x', names: [] });
    for (const store of [{ kind: 'sqlite' } as const, there.store]) {
      await expect(runsOn({ ...there, dataDir: restored, store })(importVerb, file)).rejects.toThrow(
        new OperatorError(
          `A restore into ${restored} has not ended. Unless it is still running, run "npm run ops -- restore" with the same backup again; it is ended then.`,
        ),
      );
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
    await from.close();
    await standIn.close();
  }
}, 60_000);

it('that adds to a beginning which another one brought keeps everybody out as well until it is ended, and what was made of that beginning stays', async () => {
  const standIn = await EventStoreStandIn.start();
  const from = await openSite({ store: { kind: 'sqlite' } }, { background: false });
  const folder = mkdtempSync(join(tmpdir(), 'courtledger-import-'));
  try {
    await registeredTeam(from, 'Butwal Bolts', 1);
    await from.app.close(2000);
    const [file, cut] = [join(folder, 'log.jsonl'), join(folder, 'cut.jsonl')];
    await runsOn(from.config)(exportVerb, file);
    writeFileSync(cut, readFileSync(file, 'utf8').split('\n').slice(0, 3).join('\n'));
    const there = { kind: 'eventstoredb', url: standIn.url } as const;
    for (const [dataDir, store, begin] of [
      [
        join(folder, 'taken-up'),
        there,
        async () => expect(runsOn({ ...from.config, dataDir: join(folder, 'first'), store: there }, killed)(importVerb, file)).rejects.toThrow('killed'),
      ],
      [
        join(folder, 'partial'),
        { kind: 'sqlite' },
        async () => expect(await runsOn({ ...from.config, dataDir: join(folder, 'partial'), store: { kind: 'sqlite' } })(importVerb, cut, '--partial')).toBe(0),
      ],
    ] as const) {
      const config = { ...from.config, dataDir, store };
      await begin();
      mkdirSync(dataDir, { recursive: true });
      openOperationsState(dataDir).change({ owedRemake: { position: '1' } });
      const known = openOperationsState(dataDir).get();
      await expect(runsOn(config, killed)(importVerb, file)).rejects.toThrow('killed');
      expect(openOperationsState(dataDir).get()).toEqual({
        ...known,
        pendingImport: { file, store: store.kind, startedAt: expect.any(String) as string, facts: expect.any(String) as string, adds: true },
      });
      await expect(openSite({ store, dataDir }, { background: false })).rejects.toThrow(
        `An import of ${file} into ${store.kind === 'sqlite' ? dataDir : 'EventStoreDB'} has not ended.`,
      );
      const ended = {
        ...known,
        logAddresses: { [store.kind === 'sqlite' ? 'a file of this folder' : store.url]: expect.any(String) as string },
        ...(store.kind === 'eventstoredb' && { logElsewhere: true }),
      };
      expect([await runsOn(config)(importVerb, file), openOperationsState(dataDir).get()]).toEqual([0, ended]);
      // The whole of it is there: nothing is noted.
      await expect(runsOn(config, killed)(importVerb, file)).rejects.toThrow('killed');
      expect(openOperationsState(dataDir).get()).toEqual(ended);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await from.close();
    await standIn.close();
  }
}, 60_000);
