import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inspectReadModel, openReader } from '@courtledger/projections/kernel/read-model';
import { personIdOf } from '@courtledger/contracts/player/person.events';
import Database from 'better-sqlite3';
import { LogUnavailable, type After, type EventLog } from '../event-log/event-log.ts';
import { openEventStoreDb } from '../event-log/open-eventstoredb.ts';
import { namingFile } from '../event-log/sqlite-connection.ts';
import { logFileOf } from '../event-log/log-file-name.ts';
import type { Config } from '../platform/config.ts';
import { KeyRefused, lostWithKey } from '../platform/key-file.ts';
import { hasPersonKeys, knowsOneOf } from '../platform/person-vault.ts';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import { untilAnswered, type Waiting } from '../platform/store-start.ts';
import { exchangedKeys, logNameIn, namingTypes, noteKeys } from './kept-keys.ts';
import { openOperationsState } from './operations-state.ts';

/** A key that the log cannot do without: `types` are the events that need it, `lost` says what a new one in its place means. */
type RequiredKey = { readonly file: string; readonly types: readonly string[]; readonly lost: string };

/**
 * Keys that are never made anew by a start, once the log holds what needs them (S33). Those of sessions and links are not among them: a new one only ends
 * these.
 */
export const requiredKeys = [
  { file: 'persons.sqlite', types: ['PersonDetailsRecorded'], lost: lostWithKey['persons.sqlite'] },
  { file: 'email.key', types: ['AdminCreated', 'AdminEmailClaimed'], lost: lostWithKey['email.key'] },
  { file: 'season.pem', types: ['TournamentCreated'], lost: lostWithKey['season.pem'] },
  { file: 'address.key', types: ['TournamentCreated', 'AdminCreated'], lost: lostWithKey['address.key'] },
] as const satisfies readonly RequiredKey[];

const absentKeys = (dataDir: string): readonly RequiredKey[] => requiredKeys.filter(({ file }) => !existsSync(join(dataDir, 'keys', file)));

/** A file that is there and belongs to another log, or to another installation, counts as missing: `foreign` says what shows it. */
export type MissingKey = RequiredKey & { readonly foreign?: string };
/** What a look at the log tells of the keys of this folder. `log`: its name by `logNameIn`. */
type Look = { readonly missing: readonly MissingKey[]; readonly log: string | undefined };

/** Keys that are there, and are not those that the log was kept with. @param noted the folder that knows which those are */
const exchanged = (dataDir: string, noted: string, log: string | undefined): readonly MissingKey[] => {
  const files = exchangedKeys(openOperationsState(noted), dataDir, log);
  return requiredKeys.flatMap(({ file, types, lost }) =>
    files.has(file) ? [{ file, types, lost, foreign: 'it is there, and is not the one that this log was kept with; without that one' }] : [],
  );
};

const [personKeys] = requiredKeys;
const foreignPersonKeys: MissingKey = {
  ...personKeys,
  foreign: 'it is there, and knows none of the first persons of the log, as keys of another log do; without those of this log',
};

/**
 * Of how many persons at the beginning of the log the keys must know at least one. A key that is missing among others is a matter of that person alone (a
 * parked stream); keys that know nobody of them are another log's, or nobody's.
 */
const firstPersons = 16;

/** Ids of the first persons whose details a log in a file still holds, each once. Whoever was blanked needs no key. */
const personsAtTheBeginning = function* (connection: Database.Database): Generator<string> {
  const seen = new Set<string>();
  // In the order of the positions, and only as far as asked: a long log is not read through.
  for (const stream of connection
    .prepare<[], string>("SELECT stream FROM events WHERE type = 'PersonDetailsRecorded' AND data IS NOT NULL ORDER BY position")
    .pluck()
    .iterate()) {
    const personId = personIdOf(stream);
    if (personId === undefined || seen.has(personId)) continue;
    yield personId;
    if (seen.add(personId).size === firstPersons) return;
  }
};

/** Whether the log has persons, and the keys know none of the first of them. */
const hasForeignPersonKeys = (dataDir: string, connection: Database.Database): boolean => {
  let isAsked = false;
  const asked = function* (): Generator<string> {
    for (const personId of personsAtTheBeginning(connection)) {
      isAsked = true;
      yield personId;
    }
  };
  return !knowsOneOf(dataDir, asked()) && isAsked;
};

const nothingNeeded: Look = { missing: [], log: undefined };

const lookInFile = (dataDir: string, noted = dataDir): Look => {
  const absent = absentKeys(dataDir);
  const path = logFileOf(dataDir);
  if (!existsSync(path)) return nothingNeeded;
  let connection: Database.Database | undefined;
  try {
    // Only looked into: a log that was just restored has not been opened for writing yet, and so is in no write-ahead mode.
    connection = new Database(path, { readonly: true });
    // An import that was killed before its first event has no table yet.
    if (connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get() === undefined) return nothingNeeded;
    const holds = connection
      .prepare<[string], number>('SELECT 1 FROM events WHERE data IS NOT NULL AND type IN (SELECT value FROM json_each(?)) LIMIT 1')
      .pluck();
    const needed: readonly MissingKey[] = absent.filter(({ types }) => holds.get(JSON.stringify(types)) !== undefined);
    const foreign = hasPersonKeys(dataDir) && hasForeignPersonKeys(dataDir, connection) ? [foreignPersonKeys] : [];
    const log = connection
      .prepare<[string], string>('SELECT stream FROM events WHERE type IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT 1')
      .pluck()
      .get(JSON.stringify(namingTypes));
    return { missing: [...foreign, ...exchanged(dataDir, noted, log), ...needed], log };
  } catch (error) {
    // A damaged file tells nothing about keys. Where they are all there, its own opening says what is wrong with it.
    if (absent.length === 0 && error instanceof Database.SqliteError) return nothingNeeded;
    throw namingFile(path, error);
  } finally {
    connection?.close();
  }
};

/** Which keys the log in this folder needs and does not have. @param noted the folder that knows which keys the log was kept with, where it is another one */
export const missingKeys = (dataDir: string, noted = dataDir): readonly MissingKey[] => lookInFile(dataDir, noted).missing;

const page = 500;

/**
 * The same of a log that is elsewhere. Read from its beginning until each absent key is known to be needed, and whether those of persons are this log's: what
 * needs them stands at the beginning of every season (an account, a tournament, the first persons), so that a long log is not read through.
 * @throws LogUnavailable
 */
const lookIn = async (dataDir: string, log: Pick<EventLog, 'readAll'>, noted = dataDir): Promise<Look> => {
  const absent = absentKeys(dataDir);
  const found = new Set<string>();
  const needed = (): readonly RequiredKey[] => absent.filter(({ types }) => types.some((type) => found.has(type)));
  const persons = new Set<string>();
  let isLooking = hasPersonKeys(dataDir);
  let name: string | undefined;
  for (let after: After = 'start'; isLooking || name === undefined || needed().length < absent.length;) {
    const events = await log.readAll(after, page);
    const last = events.at(-1);
    if (last === undefined) break;
    for (const { type } of events) found.add(type);
    name ??= logNameIn(events);
    if (isLooking) {
      for (const { type, stream } of events) {
        const personId = type === 'PersonDetailsRecorded' ? personIdOf(stream) : undefined;
        if (personId !== undefined && persons.size < firstPersons) persons.add(personId);
      }
      if (knowsOneOf(dataDir, persons)) {
        persons.clear();
        isLooking = false;
      } else isLooking = persons.size < firstPersons;
    }
    after = last.position;
  }
  return { missing: [...(persons.size > 0 ? [foreignPersonKeys] : []), ...exchanged(dataDir, noted, name), ...needed()], log: name };
};

/** The same of a log that is elsewhere. @throws LogUnavailable */
export const missingKeysOf = async (dataDir: string, log: Pick<EventLog, 'readAll'>, noted = dataDir): Promise<readonly MissingKey[]> =>
  (await lookIn(dataDir, log, noted)).missing;

/** The same, wherever the log is. @throws LogUnavailable */
export const missingKeysHere = async ({ store, dataDir }: Place): Promise<readonly MissingKey[]> => {
  if (store.kind !== 'eventstoredb') return store.kind === 'sqlite' ? missingKeys(dataDir) : [];
  const log = await openEventStoreDb({ url: store.url });
  try {
    return await missingKeysOf(dataDir, log);
  } finally {
    await log.close();
  }
};

const hasReadModel = (dataDir: string): boolean => inspectReadModel(join(dataDir, liveReadModel(dataDir)), 'quick') === 'good';

/** What the read model of this folder knows of the log: for a log that does not answer. */
const missingByReadModel = (dataDir: string): readonly RequiredKey[] => {
  const path = join(dataDir, liveReadModel(dataDir));
  if (!hasReadModel(dataDir)) return [];
  const reader = openReader(path);
  try {
    return absentKeys(dataDir).filter(
      ({ types }) =>
        reader.row(
          `SELECT 1 FROM (SELECT type FROM ledger UNION ALL SELECT type FROM parked) WHERE type IN (SELECT value FROM json_each(?)) LIMIT 1`,
          JSON.stringify(types),
        ) !== undefined,
    );
  } finally {
    reader.close();
  }
};

type Place = Pick<Config, 'store' | 'dataDir'>;

/** What to do about keys that are missing, in words. */
export const missingKeysText = ({ store, dataDir }: Place, missing: readonly MissingKey[]): string =>
  [
    `${store.kind === 'eventstoredb' ? 'The log in EventStoreDB' : `The log in ${dataDir}`} needs keys that are not there, and no start makes new ones for it:`,
    ...missing.map(({ file, lost, foreign }) => `  ${join(dataDir, 'keys', file)} (${foreign ?? 'without it'}, ${lost})`),
    ...(missing.some(({ foreign }) => foreign !== undefined)
      ? ['Bring the folder keys that belongs to this log, all of it: it goes where the log goes. Keep the one that is there for its own log.']
      : []),
    store.kind === 'eventstoredb'
      ? 'Copy keys, media, documents, person-keys.made and erasures.jsonl (who is to be erased again; to one that is there its lines are added) from another gateway of this log or from a backup; after an import from where the log came from.'
      : 'Bring the folder keys of the newest backup, or all of it by a restore, which takes the log back to then as well; after an import copy keys, media, documents, person-keys.made and erasures.jsonl (who is to be erased again; to one that is there its lines are added) from where the log came from.',
    `Only when a key is lost for good${missing.some(({ foreign }) => foreign !== undefined) ? ', or the one that is there is to be taken' : ''}: npm run ops -- new-key ${missing.map(({ file }) => file).join('|')} --yes`,
  ].join('\n');

/**
 * Before anything makes a key. Where the log is elsewhere, it is asked; where it does not answer and a key is absent, the read model of this folder, which may
 * know enough to refuse; and no key is made before the log has been seen. Where it does not answer and all keys are there, a whole read model is served without
 * it, as ever: whose keys they are the next start sees.
 * @throws KeyRefused naming the files and what to do, LogUnavailable where nothing is waited for, and the signal's reason
 */
export const expectKeys = async (config: Place, waiting: Waiting): Promise<void> => {
  const { store, dataDir } = config;
  const refuse = (missing: readonly MissingKey[]): void => {
    if (missing.length > 0) throw new KeyRefused(missingKeysText(config, missing));
  };
  const take = ({ missing, log }: Look): void => {
    refuse(missing);
    try {
      noteKeys(openOperationsState(dataDir), dataDir, log);
    } catch (error) {
      // A disk that is full keeps no site from being read.
      waiting.logger.warn('which keys belong to the log was not noted', { reason: String(error) });
    }
  };
  if (store.kind === 'sqlite') take(lookInFile(dataDir));
  if (store.kind !== 'eventstoredb') return;
  const log = await openEventStoreDb({ url: store.url });
  try {
    const ask = async (): Promise<Look> => {
      try {
        return await lookIn(dataDir, log);
      } catch (error) {
        if (!(error instanceof LogUnavailable)) throw error;
        refuse(missingByReadModel(dataDir));
        if (absentKeys(dataDir).length === 0 && hasReadModel(dataDir)) return nothingNeeded;
        throw error;
      }
    };
    take(await untilAnswered(ask, waiting));
  } finally {
    await log.close();
  }
};
