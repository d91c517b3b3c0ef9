import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { KeyRefused } from './key-file.ts';
import { recordNewPerson } from './person-record.ts';
import { knowsOneOf, openPersonVault } from './person-vault.ts';
import { erased, type PersonVault } from './ports.ts';
import { testContext, testHandler } from './testing/command-bench.ts';
import { temporaryFolder } from './testing/gate-fixtures.ts';

const details = { name: 'Asha', phone: '9841000000', age: 17, document: { documentId: 'd1', kind: 'pdf' } } as const;
const opened = (folder: string, options?: { readonly readonly?: boolean }): PersonVault => {
  const vault = openPersonVault(folder, options);
  onTestFinished(() => {
    vault.close();
  });
  return vault;
};

const displacedText = 'is not there any more, or is another file than this server opened';

describe('sealing', () => {
  test('details and documents come back for their person, and for nobody else', () => {
    const vault = opened(temporaryFolder());
    const sealed = vault.seal('p1', details);
    vault.seal('p2', details);
    expect(sealed).not.toContain('Asha');
    expect(Buffer.from(sealed, 'base64').includes('Asha')).toBe(false);
    expect(vault.open('p1', sealed)).toEqual(details);
    expect(() => vault.open('p2', sealed)).toThrow('unable to authenticate');
    const document = vault.sealBytes('p1', Buffer.from('%PDF-1.7'));
    expect(vault.openBytes('p1', document)?.toString()).toBe('%PDF-1.7');
    expect(vault.seal('p1', details)).not.toBe(sealed);
  });

  test('a changed byte anywhere is noticed', () => {
    const vault = opened(temporaryFolder());
    const sealed = vault.sealBytes('p1', Buffer.from('secret'));
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => vault.openBytes('p1', changed)).toThrow('unable to authenticate');
    }
    expect(() => vault.openBytes('p1', sealed.subarray(0, 20))).toThrow('too short');
  });
});

/** The file that stands there stays the same one. */
const copyOver = (from: string, to: string): void => {
  writeFileSync(to, readFileSync(from));
};

describe('a look into keys that cannot be opened', () => {
  test('says so while another program keeps them to itself, and not that they are to be moved away', { timeout: 20_000 }, () => {
    const folder = temporaryFolder();
    const path = join(folder, 'keys', 'persons.sqlite');
    openPersonVault(folder).close();
    const other = new Database(path);
    onTestFinished(() => {
      other.close();
    });
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN EXCLUSIVE');
    expect(() => knowsOneOf(folder, ['p1'])).toThrow(new KeyRefused(`${path} is in use by another program (database is locked): end that, and try again`));
  });

  test('says so on a disk that is full', () => {
    const folder = temporaryFolder();
    openPersonVault(folder).close();
    const script = `import { knowsOneOf } from ${JSON.stringify(new URL('person-vault.ts', import.meta.url).href)}; try { knowsOneOf(process.argv[1], ['p1']); } catch ({ name, code, path }) { console.log(name, code, path); }`;
    // One block takes the beginning of a write-ahead log's index, and not the whole of it.
    const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath, '--input-type=module', '--eval', script, folder], {
      encoding: 'utf8',
    });
    expect(stdout).toBe(`SqliteError SQLITE_IOERR_SHMSIZE ${join(folder, 'keys', 'persons.sqlite')}\n`);
  });
});

test('a first start makes keys also where the folder of documents is a disk of its own, with what a disk has at its root', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'documents', 'lost+found'), { recursive: true });
  opened(folder).seal('p1', details);
  expect(knowsOneOf(folder, ['p1'])).toBe(true);
});

describe('keys', () => {
  test('are not made or destroyed while the file is away or another one, which would be gone with the process; and again once it is back', async () => {
    const folder = temporaryFolder();
    const vault = opened(folder);
    vault.seal('p1', details);
    await vault.keysDurable();
    const [keys, away, older] = ['keys', 'away', 'older'].map((name) => join(folder, name)) as [string, string, string];
    cpSync(keys, older, { recursive: true });
    const refused: unknown = expect.objectContaining({ code: 'unavailable' });
    for (const change of [() => renameSync(keys, away), () => renameSync(older, keys)]) {
      change();
      const reason = vault.refusal();
      expect(reason).toContain(`${join(keys, 'persons.sqlite')} ${displacedText}`);
      // Each time, and not every other time.
      for (const personId of ['p2', 'p3', 'p4']) {
        expect(() => vault.seal(personId, details)).toThrow('This could not be stored');
        await expect(vault.keysDurable()).rejects.toEqual(refused);
      }
      expect(() => vault.destroy('p1')).toThrow('This could not be stored');
    }
    rmSync(keys, { recursive: true });
    renameSync(away, keys);
    vault.seal('p5', details);
    await vault.keysDurable();
    vault.destroy('p1');
    expect([vault.refusal(), opened(folder, { readonly: true }).state('p5'), opened(folder, { readonly: true }).state('p1')]).toEqual([
      undefined,
      'active',
      'destroyed',
    ]);
  });

  test('nor while another one was copied over the file, which is the same file still', async () => {
    const folder = temporaryFolder();
    const vault = opened(folder);
    const [path, older, left] = [join(folder, 'keys', 'persons.sqlite'), join(folder, 'older'), join(folder, 'left')];
    for (const personId of ['p1', 'p2']) vault.seal(personId, details);
    await vault.keysDurable();
    vault.settle();
    copyOver(path, older);
    vault.seal('p3', details);
    vault.settle();
    expect(vault.refusal()).toBeUndefined();
    copyOver(path, left);
    copyOver(older, path);
    expect(vault.refusal()).toContain(displacedText);
    expect(() => vault.seal('p4', details)).toThrow('This could not be stored');
    writeFileSync(path, 'no database');
    expect(vault.refusal()).toContain(displacedText);
    copyOver(left, path);
    expect(vault.refusal()).toBeUndefined();
    // One from before an erasure brings the key back.
    vault.destroy('p1');
    copyOver(left, path);
    expect(vault.refusal()).toContain(displacedText);
  });

  test('of another connection, and what it writes into the file, are no reason for it', () => {
    const folder = temporaryFolder();
    const [one, another] = [opened(folder), opened(folder)];
    for (const personId of ['p1', 'p2', 'p3']) another.seal(personId, details);
    another.destroy('p2');
    expect([one.refusal(), one.state('p1'), one.state('p2')]).toEqual([undefined, 'active', 'destroyed']);
    one.destroy('p1');
    expect([one.refusal(), another.refusal(), another.state('p1')]).toEqual([undefined, undefined, 'destroyed']);
  });

  test('are not made or destroyed while the file lacks some that the log needs, nor is one of these made anew', async () => {
    const vault = opened(temporaryFolder());
    vault.seal('p1', details);
    vault.mustKnow(['p1']);
    expect(vault.refusal()).toBeUndefined();
    vault.mustKnow(['p1', 'p2', 'p3']);
    expect(vault.refusal()).toMatch(
      /^2 persons of the log are not in .*persons\.sqlite, as in an older copy of it: nobody is registered, corrected or erased, and no backup is made\./,
    );
    const refused: unknown = expect.objectContaining({ code: 'unavailable' });
    await expect(vault.keysDurable()).rejects.toEqual(refused);
    expect(() => vault.seal('p2', details)).toThrow('This could not be stored');
    expect(() => {
      vault.destroy('p1');
    }).toThrow('This could not be stored');
    expect([vault.state('p1'), vault.state('p2')]).toEqual(['active', 'absent']);
  });

  test('are absent, then active, then destroyed for ever', () => {
    const folder = temporaryFolder();
    const vault = opened(folder);
    expect(vault.state('p1')).toBe('absent');
    const sealed = vault.seal('p1', details);
    expect(vault.state('p1')).toBe('active');
    vault.destroy('p1');
    vault.destroy('p1');
    const again = opened(folder);
    for (const each of [vault, again]) {
      expect([each.state('p1'), each.open('p1', sealed)]).toEqual(['destroyed', null]);
      expect(() => each.seal('p1', details)).toThrow(erased());
    }
  });

  test('that were never made can be destroyed too: the erased person may only stand in a backup', () => {
    const vault = opened(temporaryFolder());
    vault.destroy('p9');
    expect(vault.state('p9')).toBe('destroyed');
    expect(() => vault.sealBytes('p9', Buffer.from('x'))).toThrow(erased());
  });

  test('that are missing are not taken for destroyed', () => {
    const folder = temporaryFolder();
    const other = temporaryFolder();
    const sealed = opened(folder).seal('p1', details);
    expect(() => opened(other).open('p1', sealed)).toThrow('is missing');
  });

  test('leave no byte behind when they are destroyed', () => {
    const folder = temporaryFolder();
    const vault = opened(folder);
    vault.seal('p1', details);
    const path = join(folder, 'keys', 'persons.sqlite');
    const reader = new Database(path, { readonly: true });
    const key = reader.prepare<[], Buffer>('SELECT key FROM persons').pluck().get();
    reader.close();
    if (key === undefined) throw new Error('no key');
    const found = (): boolean[] => [path, `${path}-wal`].filter((file) => existsSync(file)).map((file) => readFileSync(file).includes(key));
    expect(found()).toContain(true);
    vault.destroy('p1');
    expect(found()).not.toContain(true);
  });

  test('belong to their owner alone, and are written with every guarantee', () => {
    const folder = temporaryFolder();
    opened(folder);
    expect(statSync(join(folder, 'keys', 'persons.sqlite')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o700);
  });
});

describe('new keys', () => {
  test('are on the disk when it is said, however many wait, and again after a sync that failed', async () => {
    const folder = temporaryFolder();
    const vault = opened(folder);
    await vault.keysDurable();
    const sealed = Array.from({ length: 5 }, (_, index) => vault.seal(`p${index}`, details));
    await Promise.all([vault.keysDurable(), vault.keysDurable()]);
    // Nobody finds the file any more: the sync of the next key fails.
    sealed.push(vault.seal('p5', details));
    renameSync(join(folder, 'keys', 'persons.sqlite-wal'), join(folder, 'keys', 'away'));
    await expect(vault.keysDurable()).rejects.toThrow(expect.objectContaining({ code: 'unavailable' }));
    renameSync(join(folder, 'keys', 'away'), join(folder, 'keys', 'persons.sqlite-wal'));
    // Not taken for done: all of them are written anew, into the file itself.
    await vault.keysDurable();
    expect(statSync(join(folder, 'keys', 'persons.sqlite-wal')).size).toBe(0);
    const copy = temporaryFolder();
    cpSync(folder, copy, { recursive: true, filter: (source) => !/-(?:wal|shm)$/.test(source) });
    const restored = opened(copy);
    expect(sealed.map((text, index) => restored.open(`p${index}`, text))).toEqual(sealed.map(() => details));
  });

  test('hold up the fact that is sealed under them, and no other one', async () => {
    const { handler, log } = testHandler();
    const vault = opened(temporaryFolder());
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const held: PersonVault = {
      ...vault,
      async keysDurable() {
        asked.resolve();
        await gate.promise;
        await vault.keysDurable();
      },
    };
    const recorded = recordNewPerson(
      { log, commands: handler, vault: held },
      { personId: 'p1', kind: 'coach', teamId: 't1' },
      testContext(),
      async () => details,
    );
    await asked.promise;
    await recordNewPerson({ log, commands: handler, vault }, { personId: 'p2', kind: 'coach', teamId: 't1' }, testContext(), async () => details);
    expect((await log.readAll('start', 10)).map(({ stream }) => stream)).toEqual(['person-p2']);
    gate.resolve();
    await recorded;
    expect((await log.readAll('start', 10)).map(({ stream }) => stream)).toEqual(['person-p2', 'person-p1']);
  });
});

describe('two connections', () => {
  test('a second one sees what the first makes and destroys, and makes nothing itself when it only reads', () => {
    const folder = temporaryFolder();
    const writer = opened(folder);
    const reader = opened(folder, { readonly: true });
    const sealed = writer.seal('p1', details);
    expect(reader.open('p1', sealed)).toEqual(details);
    expect(writer.open('p1', reader.seal('p1', details))).toEqual(details);
    expect(() => reader.seal('p2', details)).toThrow('makes none');
    expect(() => {
      reader.destroy('p1');
    }).toThrow('destroys no keys');
    writer.destroy('p1');
    expect(reader.open('p1', sealed)).toBeNull();
  });

  test('two that make the same key agree', () => {
    const folder = temporaryFolder();
    const [first, second] = [opened(folder), opened(folder)];
    expect(first.open('p1', second.seal('p1', details))).toEqual(details);
    expect(second.open('p1', first.seal('p1', details))).toEqual(details);
  });
});

describe('a lost file (S33)', () => {
  test.each<[string, (folder: string) => void]>([
    [
      'the file alone',
      (folder) => {
        rmSync(join(folder, 'keys', 'persons.sqlite'));
      },
    ],
    [
      'the whole folder of keys',
      (folder) => {
        rmSync(join(folder, 'keys'), { recursive: true });
      },
    ],
    [
      'the keys and the marker, while documents are there',
      (folder) => {
        rmSync(join(folder, 'keys'), { recursive: true });
        rmSync(join(folder, 'person-keys.made'));
        mkdirSync(join(folder, 'documents'));
        writeFileSync(join(folder, 'documents', 'd1'), 'sealed');
      },
    ],
  ])('%s: no new keys are made', (_name, lose) => {
    const folder = temporaryFolder();
    const vault = openPersonVault(folder);
    vault.seal('p1', details);
    vault.close();
    lose(folder);
    expect(() => openPersonVault(folder)).toThrow('restore the keys of persons');
    expect(existsSync(join(folder, 'keys', 'persons.sqlite'))).toBe(false);
  });
});
