import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { KeyRefused } from '../platform/key-file.ts';

/** A key that the log cannot do without: `types` are the events that need it, `lost` says what a new one in its place means. */
type RequiredKey = { readonly file: string; readonly types: readonly string[]; readonly lost: string };

/** Keys that are never made anew by a start, once the log holds what needs them (S33). Those of sessions and links are not among them: a new one only ends these. */
export const requiredKeys = [
  { file: 'persons.sqlite', types: ['PersonDetailsRecorded'], lost: 'names, photos and documents of everybody in the log stay unreadable for good' },
  { file: 'email.key', types: ['AdminCreated', 'AdminEmailClaimed'], lost: 'an address that an account has can be given to another account' },
  { file: 'season.pem', types: ['TournamentCreated'], lost: 'season files that were published show another key than the server from then on' },
  { file: 'address.key', types: ['TournamentCreated', 'AdminCreated'], lost: 'callers in older refusals cannot be told any more, and the erasures beside older backups count as another server\'s' },
] as const satisfies readonly RequiredKey[];

/** Which keys the log in this folder needs and does not have. A log that is elsewhere is not asked. */
export const missingKeys = (dataDir: string): readonly RequiredKey[] => {
  const absent = requiredKeys.filter(({ file }) => !existsSync(join(dataDir, 'keys', file)));
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

/** What to do about keys that are missing, in words. */
export const missingKeysText = (dataDir: string, missing: readonly RequiredKey[]): string =>
  [
    `The log in ${dataDir} needs keys that are not there, and no start makes new ones for it:`,
    ...missing.map(({ file, lost }) => `  ${join(dataDir, 'keys', file)} (without it, ${lost})`),
    'Restore a backup, which brings log and keys together; after an import copy keys, media, documents and person-keys.made from where the log came from.',
    `Only when a key is lost for good: npm run ops -- new-key ${missing.map(({ file }) => file).join('|')} --yes`,
  ].join('\n');

/** Before anything makes a key. @throws KeyRefused naming the files and what to do */
export const expectKeys = (dataDir: string): void => {
  const missing = missingKeys(dataDir);
  if (missing.length > 0) throw new KeyRefused(missingKeysText(dataDir, missing));
};
