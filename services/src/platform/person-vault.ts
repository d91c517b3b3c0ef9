import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import { personDetails } from '@courtledger/contracts/player/person.events';
import { expectOpened } from '@courtledger/projections/kernel/not-opened';
import { openingAdvice } from '../event-log/sqlite-connection.ts';
import { diskFailure } from './durable-failure.ts';
import { makeFileOnceSync, syncFile, syncFileSync, temporaryName, temporaryPrefix } from './durable-file.ts';
import { isOfDisk } from './folders.ts';
import { damagedKeyText, KeyRefused } from './key-file.ts';
import { erased, type PersonVault } from './ports.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** The keys of persons of an installation, there or not. */
const personKeysOf = (dataDir: string): string => join(dataDir, 'keys', 'persons.sqlite');
/** Stands outside `keys/`, so that a lost `keys/` is seen as lost and not as a first start. */
export const personKeysMarker = 'person-keys.made';

type KeyRow = { readonly key: Buffer | null };

const encrypt = (key: Buffer, personId: PersonId, plain: Buffer): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(personId));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

const decrypt = (key: Buffer, personId: PersonId, sealed: Buffer): Buffer => {
  if (sealed.length < nonceBytes + tagBytes) throw new Error(`What is sealed for person ${personId} is too short`);
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes }).setAAD(Buffer.from(personId));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
};

/** Which file stands under a name, and when it was written last; undefined when none does, or nobody may look. */
const fileAt = (path: string): { readonly id: string; readonly written: string } | undefined => {
  try {
    const { dev, ino, mtimeNs, size } = statSync(path, { bigint: true });
    return { id: `${dev.toString()} ${ino.toString()}`, written: `${mtimeNs.toString()} ${size.toString()}` };
  } catch {
    return undefined;
  }
};

/** Of a file of keys that is used, neither ever becomes less: a person stays known, and what was destroyed stays destroyed. */
type Counts = { readonly persons: number; readonly destroyed: number };
const countsIn = (database: Database.Database): Counts =>
  database.prepare<[], Counts>('SELECT count(*) AS persons, count(*) - count(key) AS destroyed FROM persons').get() ?? { persons: 0, destroyed: 0 };
/** As whoever opens it now would find it, which need not be what an open connection remembers; undefined when nothing can be read. */
const countsAt = (path: string): Counts | undefined => {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { readonly: true, timeout: 5000 });
    return countsIn(database);
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
};

const personsTable = 'CREATE TABLE IF NOT EXISTS persons (person_id TEXT PRIMARY KEY, key BLOB) WITHOUT ROWID, STRICT';

const hasDocuments = (dataDir: string): boolean => {
  const folder = join(dataDir, 'documents');
  return existsSync(folder) && readdirSync(folder).some((name) => !name.startsWith(temporaryPrefix) && !isOfDisk(name));
};

/** What SQLite says of a file of keys, in words that say what to do. Of the keys only: whoever asks for persons may read another file in between. */
const told = <R>(path: string, work: () => R): R => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    // Nothing is wrong with the keys: nobody is to move them away.
    if (error.code === 'SQLITE_CANTOPEN') throw new KeyRefused(`${path} cannot be opened (${error.message}): ${openingAdvice}`);
    expectOpened(error, path);
    if (error.code.startsWith('SQLITE_BUSY')) throw new KeyRefused(`${path} is in use by another program (${error.message}): end that, and try again`);
    throw new KeyRefused(damagedKeyText(path, `cannot be read (${error.message})`));
  }
};

const openDatabase = (path: string, readonly: boolean): Database.Database => {
  const database = new Database(path, { readonly, timeout: 5000 });
  if (readonly) return database;
  chmodSync(path, 0o600);
  database.pragma('journal_mode = WAL');
  // Opened as a second connection it would stand at NORMAL, and a key that is lost makes a person unreadable.
  database.pragma('synchronous = FULL');
  database.pragma('secure_delete = ON');
  if (database.pragma('synchronous', { simple: true }) !== 2) throw new Error(`${path} does not write with synchronous=FULL`);
  database.exec(personsTable);
  return database;
};

/**
 * Looks into the keys of persons in this folder, whatever state the file is in: whether they know anything of a person (a key, or that it was destroyed or
 * given up). One without a table knows nobody.
 * @throws KeyRefused when it is damaged, may not be opened or is in use, and SQLite's error, with the file's path, when the disk is so full that it cannot be
 * opened
 */
const lookIntoKeys = <T>(dataDir: string, look: (knows: (personId: PersonId) => boolean) => T): T => {
  const path = personKeysOf(dataDir);
  let database: Database.Database | undefined;
  try {
    const known = told(path, () => {
      database = new Database(path, { readonly: true, timeout: 5000 });
      const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'persons'").get() !== undefined;
      return hasTable ? database.prepare<[string]>('SELECT 1 FROM persons WHERE person_id = ?') : undefined;
    });
    return look((personId) => told(path, () => known?.get(personId) !== undefined));
  } finally {
    database?.close();
  }
};

/** Whether they know one of these, who are asked in turn, as far as needed. @throws KeyRefused when the file is damaged */
export const knowsOneOf = (dataDir: string, personIds: Iterable<string>): boolean =>
  lookIntoKeys(dataDir, (knows) => {
    for (const personId of personIds) if (knows(personId)) return true;
    return false;
  });

/** Those of these persons of whom they know nothing. @throws KeyRefused when the file is damaged */
export const unknownOf = (dataDir: string, personIds: readonly string[]): readonly string[] =>
  lookIntoKeys(dataDir, (knows) => personIds.filter((personId) => !knows(personId)));

/** Whether keys of persons stand in this folder. */
export const hasPersonKeys = (dataDir: string): boolean => existsSync(personKeysOf(dataDir));

/** In a copy that nobody has open: destroys the keys of these persons that are in it, without a trace. */
export const destroyKeysInCopy = (dataDir: string, personIds: readonly string[]): void => {
  const database = new Database(personKeysOf(dataDir), { fileMustExist: true });
  try {
    database.pragma('secure_delete = ON');
    const destroy = database.prepare<[string]>('UPDATE persons SET key = NULL WHERE person_id = ? AND key IS NOT NULL');
    database.transaction(() => {
      for (const personId of personIds) destroy.run(personId);
    })();
  } finally {
    database.close();
  }
};

/** Of a file of keys that is there and does not know everybody, in words. */
export const personsWithoutKeyText = (persons: number, path: string): string =>
  `${persons.toLocaleString('en-US')} ${persons === 1 ? 'person of the log is' : 'persons of the log are'} not in ${path}, as in an older copy of it: nobody is registered, corrected or erased, and no backup is made. Stop the server, bring the right file back (what stands beside this one as -wal or -shm goes away first), and start it. Only when it is lost for good: npm run ops -- new-key persons.sqlite`;

/**
 * Gives keys of persons up that are lost for good: those of these persons that are not in `DATA_DIR/keys/persons.sqlite` count as destroyed from then on, as
 * after an erasure, and the file is made when there is none (with all of it, or not at all). Keys that are there stay. For an operator who said so; anybody
 * else's missing key is an error. No server may have the file open.
 */
export const givePersonKeysUp = (dataDir: string, personIds: Iterable<string>): void => {
  const path = personKeysOf(dataDir);
  const isNew = !existsSync(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const place = isNew ? temporaryName(path) : path;
  try {
    const database = new Database(place);
    try {
      chmodSync(place, 0o600);
      database.pragma('journal_mode = DELETE');
      database.pragma('synchronous = FULL');
      database.exec(personsTable);
      const lost = database.prepare<[string]>('INSERT OR IGNORE INTO persons (person_id, key) VALUES (?, NULL)');
      database.transaction(() => {
        for (const personId of personIds) lost.run(personId);
      })();
    } finally {
      database.close();
    }
    if (isNew) {
      // What is left of the file that was lost must not be taken for this one's.
      for (const suffix of ['-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
      syncFileSync(place);
      renameSync(place, path);
      syncFileSync(dirname(path));
    }
  } catch (error) {
    if (isNew) rmSync(place, { force: true });
    throw error;
  }
  openPersonVault(dataDir).close();
};

/**
 * Opens the keys of persons, `DATA_DIR/keys/persons.sqlite`: one row a person, its key null once destroyed.
 * Several connections (threads) may be open; `readonly` ones open and seal under keys that exist, but make and destroy none. The first connection of a data
 * folder must not be `readonly`. Throws when the file is gone although there were keys: it must be restored, since new keys would hide that details became
 * unreadable (S33).
 */
export const openPersonVault = (dataDir: string, options: { readonly readonly?: boolean } = {}): PersonVault => {
  const readonly = options.readonly ?? false;
  const path = personKeysOf(dataDir);
  if (!existsSync(path)) {
    if (readonly || existsSync(join(dataDir, personKeysMarker)) || hasDocuments(dataDir))
      throw new KeyRefused(`${path} is missing: restore the keys of persons from their backup`);
    mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
  }
  const database = told(path, () => openDatabase(path, readonly));
  if (!readonly)
    makeFileOnceSync(join(dataDir, personKeysMarker), () => 'Keys of persons were made in keys/persons.sqlite; without that file the server does not start.\n');

  const select = database.prepare<[string], KeyRow>('SELECT key FROM persons WHERE person_id = ?');
  const insert = readonly ? undefined : database.prepare<[string, Buffer]>('INSERT OR IGNORE INTO persons (person_id, key) VALUES (?, ?)');
  const blank = readonly
    ? undefined
    : database.prepare<[string]>('INSERT INTO persons (person_id, key) VALUES (?, NULL) ON CONFLICT (person_id) DO UPDATE SET key = NULL');

  let opened = fileAt(path);
  let counts: Counts = readonly ? { persons: 0, destroyed: 0 } : countsIn(database);
  /**
   * A file that was removed can be written for as long as it is open, and is gone with the process. One that another was copied over is the same file still:
   * written by somebody, which checkpoints do too, here or in another gateway, but none of these makes it know less.
   */
  const isInPlace = (): boolean => {
    const now = fileAt(path);
    if (now === undefined || now.id !== opened?.id) return false;
    if (now.written === opened.written) return true;
    const found = countsAt(path);
    if (found === undefined || found.persons < counts.persons || found.destroyed < counts.destroyed) return false;
    opened = now;
    counts = found;
    return true;
  };
  const displaced = (): string | undefined =>
    isInPlace()
      ? undefined
      : `${path} is not there any more, or is another file than this server opened: nobody is registered, corrected or erased until it is back in its place, or the server was restarted with the right one`;
  /** Persons of the log who may have no key: nobody loses one while the file is in its place. */
  let expected: ReadonlySet<string> = new Set();
  const lacking = (): string | undefined => {
    if (expected.size > 0) expected = new Set([...expected].filter((personId) => select.get(personId) === undefined));
    return expected.size === 0 ? undefined : personsWithoutKeyText(expected.size, path);
  };
  const refusal = (): string | undefined => displaced() ?? lacking();
  const expectUsable = (): void => {
    const reason = refusal();
    if (reason !== undefined) throw new DomainError('unavailable', 'This could not be stored, please try again', { retryAfter: 5, cause: new Error(reason) });
  };

  /** How many keys were made, and how many of them are known to be on the disk. */
  let [made, durable] = [0, 0];
  let isPlaced = false;
  let isDoubtful = false;
  const sync = async (): Promise<void> => {
    const upTo = made;
    try {
      if (isDoubtful) {
        // What a failed sync leaves in the system's cache may count as written and not be: it is written anew, elsewhere.
        const [result] = database.pragma('wal_checkpoint(TRUNCATE)') as readonly { busy: number }[];
        if (result?.busy !== 0) throw Object.assign(new Error('The keys are being read'), { code: 'SQLITE_IOERR' });
      } else {
        await syncFile(`${path}-wal`);
        // The file was made by the first key since the start.
        if (!isPlaced) await syncFile(dirname(path));
      }
      // Last: it was there all the while.
      expectUsable();
    } catch (error) {
      isDoubtful = true;
      throw diskFailure(error);
    }
    isDoubtful = false;
    isPlaced = true;
    durable = Math.max(durable, upTo);
  };
  let syncing: Promise<void> | undefined;
  const keysDurable = async (): Promise<void> => {
    // Also for whoever has a key: which file of keys will be there tomorrow is not known.
    expectUsable();
    const wanted = made;
    for (;;) {
      if (durable >= wanted) return;
      // One sync at a time covers all who wait for it; whoever came during one needs the next.
      syncing ??= sync().finally(() => {
        syncing = undefined;
      });
      await syncing;
    }
  };

  const sealingKey = (personId: PersonId): Buffer => {
    const row = select.get(personId) ?? makeKey(personId);
    if (row.key === null) throw erased();
    return row.key;
  };
  const makeKey = (personId: PersonId): KeyRow => {
    if (insert === undefined) throw new Error(`Person ${personId} has no key, and this connection makes none`);
    // In a file that is another one it would be lost, and one for somebody who has one elsewhere would pass for that.
    expectUsable();
    made += 1;
    try {
      // Not synced here, where everybody would wait for the disk: `keysDurable` does.
      database.pragma('synchronous = NORMAL');
      const { changes } = insert.run(personId, randomBytes(keyBytes));
      counts = { ...counts, persons: counts.persons + changes };
    } catch (error) {
      throw diskFailure(error);
    } finally {
      database.pragma('synchronous = FULL');
    }
    // Read back: another connection may have been quicker.
    const row = select.get(personId);
    if (row === undefined) throw new Error(`The key of person ${personId} could not be stored`);
    return row;
  };
  const openingKey = (personId: PersonId): Buffer | null => {
    const row = select.get(personId);
    if (row === undefined)
      throw new Error(
        `The key of person ${personId} is missing: restore the keys of persons from their backup (only when it is lost for good: npm run ops -- new-key persons.sqlite)`,
      );
    return row.key;
  };
  const openBytes = (personId: PersonId, sealed: Buffer): Buffer | null => {
    const key = openingKey(personId);
    return key === null ? null : decrypt(key, personId, sealed);
  };

  return {
    seal: (personId, details) => encrypt(sealingKey(personId), personId, Buffer.from(JSON.stringify(details))).toString('base64'),
    open(personId, sealed) {
      const plain = openBytes(personId, Buffer.from(sealed, 'base64'));
      return plain === null ? null : personDetails.parse(JSON.parse(plain.toString()));
    },
    sealBytes: (personId, plain) => encrypt(sealingKey(personId), personId, plain),
    openBytes,
    keysDurable,
    refusal,
    mustKnow(personIds) {
      expected = new Set(personIds);
    },
    destroy(personId) {
      if (blank === undefined) throw new Error('This connection destroys no keys');
      expectUsable();
      blank.run(personId);
      // The key still stands in the write-ahead log until that is truncated.
      database.pragma('wal_checkpoint(TRUNCATE)');
      counts = countsIn(database);
    },
    settle() {
      if (!readonly && refusal() === undefined && (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
        database.pragma('wal_checkpoint(TRUNCATE)');
    },
    state(personId) {
      const row = select.get(personId);
      if (row === undefined) return 'absent';
      return row.key === null ? 'destroyed' : 'active';
    },
    close() {
      database.close();
    },
  };
};
