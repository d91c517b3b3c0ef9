import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasSealedDetails, personIdOf, personStream } from '@courtledger/contracts/player/person.events';
import Database from 'better-sqlite3';
import type { EventLog } from '../event-log/event-log.ts';
import { KeyRefused } from '../platform/key-file.ts';
import { personsWithoutKeyText, unknownOf } from '../platform/person-vault.ts';
import { BackupDamaged, type BackupManifest } from './backup-manifest.ts';
import { linePages } from './line-pages.ts';
import { missingKeys, missingKeysOf, type MissingKey } from './required-keys.ts';

/**
 * A backup without a key that its log needs is none: the start of what is restored from it would be refused. Which these are is what a start says
 * (docs/decisions/lost-keys.md).
 */

type LogCopy = Pick<BackupManifest['log'], 'kind' | 'file'>;

/**
 * Keys that the log in a folder of a backup needs and that are not there with it.
 * @param noted the folder that knows which keys the log was kept with; a whole backup says nothing of that
 */
const missingIn = async (folder: string, { kind, file }: LogCopy, noted = folder): Promise<readonly MissingKey[]> => {
  if (kind === 'sqlite') return missingKeys(folder, noted);
  const { readPage, close } = linePages(join(folder, file));
  try {
    return await missingKeysOf(folder, { readAll: async (after, limit) => readPage(after === 'start' ? 0n : after, limit) }, noted);
  } finally {
    await close();
  }
};

const list = (missing: readonly MissingKey[]): string => missing.map(({ file, lost, foreign }) => `${file} (${foreign ?? 'without it'}, ${lost})`).join('; ');

/** While a backup is made: log and keys are copied. @throws KeyRefused naming what is not in DATA_DIR */
export const expectKeysToBackUp = async (partial: string, log: LogCopy, dataDir: string): Promise<void> => {
  const missing = await missingIn(partial, log, dataDir);
  if (missing.length > 0)
    throw new KeyRefused(
      `The log needs keys that are not in ${join(dataDir, 'keys')}: ${list(missing)}. Bring them back; when they are lost for good, the next start says what to do.`,
    );
};

/**
 * Ids of the persons whose sealed details stand in a copy of a log that nobody writes; a fact that has none needs no key, and parks its stream as ever. In the
 * order of the streams, of which there is an index: a long log is not read through.
 */
export const personsInCopy = function* (path: string): Generator<string> {
  const connection = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const next = connection.prepare<[string, string], string>('SELECT min(stream) FROM events WHERE stream > ? AND stream < ?').pluck();
    const holds = connection.prepare<[string]>(
      "SELECT 1 FROM events WHERE stream = ? AND type = 'PersonDetailsRecorded' AND CASE WHEN json_valid(data) THEN json_type(data, '$.sealed') END = 'text' LIMIT 1",
    );
    const first = personStream('');
    // Up to what begins with the next character.
    const end = `${first.slice(0, -1)}${String.fromCharCode(first.charCodeAt(first.length - 1) + 1)}`;
    for (let stream: string | null | undefined = next.get(first, end); typeof stream === 'string'; stream = next.get(stream, end))
      if (holds.get(stream) !== undefined) yield stream.slice(first.length);
  } finally {
    connection.close();
  }
};

/** The pages of a log, and the persons whose details were in them. */
export const personsNoted = (
  log: Pick<EventLog, 'readAll' | 'head'>,
): { readonly pages: Pick<EventLog, 'readAll' | 'head'>; readonly persons: ReadonlySet<string> } => {
  const persons = new Set<string>();
  const pages = {
    head: async () => log.head(),
    async readAll(...range: Parameters<EventLog['readAll']>) {
      const events = await log.readAll(...range);
      for (const event of events) {
        const personId = personIdOf(event.stream);
        if (personId !== undefined && hasSealedDetails(event)) persons.add(personId);
      }
      return events;
    },
  };
  return { pages, persons };
};

/** Persons that are asked for between two turns. */
const atOnce = 500;

/**
 * The keys that were copied know everybody whose details were: an older copy of `persons.sqlite` that somebody put in its place is not one of all keys. Asked
 * after `expectKeysToBackUp`.
 * @throws KeyRefused with the number of persons; the signal's reason
 */
export const expectKeysOfPersons = async (partial: string, persons: Iterable<string>, dataDir: string, signal: AbortSignal | undefined): Promise<void> => {
  let unknown = 0;
  let some: string[] = [];
  const ask = (): void => {
    if (some.length > 0) unknown += unknownOf(partial, some).length;
    some = [];
  };
  for (const personId of persons) {
    if (some.push(personId) < atOnce) continue;
    ask();
    signal?.throwIfAborted();
    await nextTurn();
  }
  ask();
  if (unknown > 0) throw new KeyRefused(personsWithoutKeyText(unknown, join(dataDir, 'keys', 'persons.sqlite')));
};

/** What to do with a backup that lacks keys: without its manifest it is an installation, of which a start says what else it needs. */
const wayOut = (folder: string, { kind, file }: LogCopy): string =>
  kind === 'sqlite'
    ? 'copy what is in the backup, without its manifest.json, into a new, empty DATA_DIR, put the keys into its folder keys, and start the server there, which says what is still missing'
    : `bring ${join(folder, file)} into an empty log by "import", copy everything else that is in the backup into DATA_DIR, put the keys into its folder keys, and start the server, which says what is still missing`;

/**
 * Before anything is restored: a backup of an earlier release may lack some. One that its log does not need yet is not missing.
 * @throws BackupDamaged naming them, and what to do
 */
export const expectKeysInBackup = async (folder: string, log: LogCopy): Promise<void> => {
  const missing = await missingIn(folder, log);
  if (missing.length > 0)
    throw new BackupDamaged(
      `${folder} lacks keys that its log needs: ${list(missing)}. Nothing was restored: take another backup. Only where there is none, and the keys are elsewhere or lost for good: ${wayOut(folder, log)}.`,
    );
};
