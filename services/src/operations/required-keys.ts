/* oxlint-disable no-await-in-loop -- pages of the log come one after another */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inspectReadModel, openReader } from '@courtledger/projections/kernel/read-model';
import Database from 'better-sqlite3';
import { LogUnavailable, type After, type EventLog } from '../event-log/event-log.ts';
import type { Config } from '../platform/config.ts';
import { KeyRefused } from '../platform/key-file.ts';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import { untilAnswered, type Waiting } from '../platform/store-start.ts';

/** A key that the log cannot do without: `types` are the events that need it, `lost` says what a new one in its place means. */
type RequiredKey = { readonly file: string; readonly types: readonly string[]; readonly lost: string };

/** Keys that are never made anew by a start, once the log holds what needs them (S33). Those of sessions and links are not among them: a new one only ends these. */
export const requiredKeys = [
  { file: 'persons.sqlite', types: ['PersonDetailsRecorded'], lost: 'names, photos and documents of everybody in the log stay unreadable for good' },
  { file: 'email.key', types: ['AdminCreated', 'AdminEmailClaimed'], lost: 'an address that an account has can be given to another account' },
  { file: 'season.pem', types: ['TournamentCreated'], lost: 'season files that were published show another key than the server from then on' },
  { file: 'address.key', types: ['TournamentCreated', 'AdminCreated'], lost: 'callers in older refusals cannot be told any more, and the erasures beside older backups count as another server\'s' },
] as const satisfies readonly RequiredKey[];

const absentKeys = (dataDir: string): readonly RequiredKey[] => requiredKeys.filter(({ file }) => !existsSync(join(dataDir, 'keys', file)));

/** Which keys the log in this folder needs and does not have. */
export const missingKeys = (dataDir: string): readonly RequiredKey[] => {
  const absent = absentKeys(dataDir);
  const path = join(dataDir, 'event-log.sqlite');
  if (absent.length === 0 || !existsSync(path)) return [];
  // Only looked into: a log that was just restored has not been opened for writing yet, and so is in no write-ahead mode.
  const connection = new Database(path, { readonly: true });
  try {
    // An import that was killed before its first event has no table yet.
    if (connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get() === undefined) return [];
    const holds = connection.prepare<[string], number>('SELECT 1 FROM events WHERE data IS NOT NULL AND type IN (SELECT value FROM json_each(?)) LIMIT 1').pluck();
    return absent.filter(({ types }) => holds.get(JSON.stringify(types)) !== undefined);
  } finally {
    connection.close();
  }
};

const page = 500;

/**
 * The same of a log that is elsewhere. Read from its beginning until each absent key is known to be needed: what needs them stands at the beginning of every season (an account, a tournament, the first
 * persons), so that a long log is not read through.
 * @throws LogUnavailable
 */
export const missingKeysOf = async (dataDir: string, log: Pick<EventLog, 'readAll'>): Promise<readonly RequiredKey[]> => {
  const absent = absentKeys(dataDir);
  const found = new Set<string>();
  const needed = (): readonly RequiredKey[] => absent.filter(({ types }) => types.some((type) => found.has(type)));
  for (let after: After = 'start'; needed().length < absent.length; ) {
    const events = await log.readAll(after, page);
    const last = events.at(-1);
    if (last === undefined) break;
    for (const { type } of events) found.add(type);
    after = last.position;
  }
  return needed();
};

/** What the read model of this folder knows of the log: for a log that does not answer. */
const missingByReadModel = (dataDir: string): readonly RequiredKey[] => {
  const path = join(dataDir, liveReadModel(dataDir));
  if (inspectReadModel(path, 'quick') !== 'good') return [];
  const reader = openReader(path);
  try {
    return absentKeys(dataDir).filter(({ types }) => reader.row(`SELECT 1 FROM (SELECT type FROM ledger UNION ALL SELECT type FROM parked) WHERE type IN (SELECT value FROM json_each(?)) LIMIT 1`, JSON.stringify(types)) !== undefined);
  } finally {
    reader.close();
  }
};

type Place = Pick<Config, 'store' | 'dataDir'>;

/** What to do about keys that are missing, in words. */
export const missingKeysText = ({ store, dataDir }: Place, missing: readonly RequiredKey[]): string =>
  [
    `${store.kind === 'eventstoredb' ? 'The log in EventStoreDB' : `The log in ${dataDir}`} needs keys that are not there, and no start makes new ones for it:`,
    ...missing.map(({ file, lost }) => `  ${join(dataDir, 'keys', file)} (without it, ${lost})`),
    store.kind === 'eventstoredb'
      ? 'Copy keys, media, documents and person-keys.made from another gateway of this log or from a backup; after an import from where the log came from.'
      : 'Restore a backup, which brings log and keys together; after an import copy keys, media, documents and person-keys.made from where the log came from.',
    `Only when a key is lost for good: npm run ops -- new-key ${missing.map(({ file }) => file).join('|')} --yes`,
  ].join('\n');

/**
 * Before anything makes a key. Where a key is absent and the log is elsewhere, the log is asked; where it does not answer, the read model of this folder, which may know enough to refuse;
 * and no key is made before the log has been seen.
 * @throws KeyRefused naming the files and what to do, LogUnavailable where nothing is waited for, and the signal's reason
 */
export const expectKeys = async (config: Place, waiting: Waiting): Promise<void> => {
  const { store, dataDir } = config;
  const refuse = (missing: readonly RequiredKey[]): void => {
    if (missing.length > 0) throw new KeyRefused(missingKeysText(config, missing));
  };
  if (store.kind === 'sqlite') refuse(missingKeys(dataDir));
  if (store.kind !== 'eventstoredb' || absentKeys(dataDir).length === 0) return;
  // Its client takes a tenth of a second to load, and few need it.
  const { openEventStoreDbLog } = await import('../event-log/eventstoredb-event-log.ts');
  const log = openEventStoreDbLog({ url: store.url });
  try {
    const ask = async (): Promise<readonly RequiredKey[]> => {
      try {
        return await missingKeysOf(dataDir, log);
      } catch (error) {
        if (error instanceof LogUnavailable) refuse(missingByReadModel(dataDir));
        throw error;
      }
    };
    refuse(await untilAnswered(ask, waiting));
  } finally {
    await log.close();
  }
};
