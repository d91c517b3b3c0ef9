import { setImmediate as nextTurn } from 'node:timers/promises';
import { join } from 'node:path';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import { personIdOf } from '@courtledger/contracts/player/person.events';
import Database from 'better-sqlite3';
import { pagesOf } from '../event-log/log-pages.ts';
import { logReader } from '../event-log/sqlite-log-reader.ts';
import { expectReadable, UnreadableFact } from '../event-log/upcast.ts';
import { filesOf, noReferences, noteReferences, type NamedFile } from '../file-upkeep.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { readManifest, type BackupManifest } from './backup-manifest.ts';
import { tellable } from './expected-errors.ts';
import { amountText } from './figures.ts';
import { linePages } from './line-pages.ts';

type Pages = { readonly readPage: (after: bigint, limit: number) => Promise<readonly RecordedEvent[]>; readonly close: () => unknown };

const openLog = (folder: string, { log }: BackupManifest): Pages => {
  if (log.kind === 'json-lines') return linePages(join(folder, log.file));
  const connection = new Database(join(folder, log.file), { readonly: true, fileMustExist: true });
  const readPage = pagesOf(logReader(connection));
  return { readPage: async (...range) => readPage(...range), close: () => connection.close() };
};

const page = 1000;

/** Each path once, sorted. */
const pathsOf = (named: readonly NamedFile[]): readonly string[] => [...new Set(named.map(({ path }) => path))].toSorted();

/**
 * `paths`: in the backup. `unreadable`: position of the first fact that this release cannot read. `withoutKey`: persons whose details it holds, and no key of.
 */
export type MissingFiles = { readonly paths: readonly string[]; readonly unreadable: bigint | undefined; readonly withoutKey: number };

/**
 * Pictures and documents that the log of a whole backup refers to and that are not in it: they were missing where it was made. What the details of a person
 * refer to whose key is not there is not known, nor what a fact refers to that cannot be read. Nothing in the folder is changed.
 * @throws the signal's reason
 */
export const missingFiles = async (folder: string, signal: AbortSignal): Promise<MissingFiles> => {
  const manifest = readManifest(folder);
  const present = new Set(manifest.files.map(({ path }) => path));
  const vault = present.has('keys/persons.sqlite') ? openPersonVault(folder, { readonly: true }) : undefined;
  const log = openLog(folder, manifest);
  const withoutKey = new Set<string>();
  const open = (personId: string, sealed: unknown) => {
    if (typeof sealed !== 'string') throw new UnreadableFact('It has no details');
    if (vault?.state(personId) === 'absent') withoutKey.add(personId);
    return withoutKey.has(personId) ? null : (vault?.open(personId, sealed) ?? null);
  };
  try {
    const references = noReferences();
    let unreadable: bigint | undefined;
    const note = (event: RecordedEvent): void => {
      try {
        noteReferences(references, event, open);
        expectReadable(event);
      } catch (error) {
        if (!(error instanceof UnreadableFact)) throw error;
        unreadable ??= event.position;
        // It may be about another document than the facts before it.
        references.documents.delete(personIdOf(event.stream) ?? '');
      }
    };
    for (let after = 0n; ;) {
      signal.throwIfAborted();
      const events = await log.readPage(after, page);
      const last = events.at(-1);
      if (last === undefined) break;
      for (const event of events) note(event);
      after = last.position;
      // Signals are heard only between two turns.
      await nextTurn();
    }
    return { paths: pathsOf(filesOf(references).filter(({ path }) => !present.has(path))), unreadable, withoutKey: withoutKey.size };
  } finally {
    await log.close();
    vault?.close();
  }
};

/**
 * Of files that the log refers to, those that are not there.
 * @param isErased whether nothing of a person is kept any more, whatever the log was known to refer to before
 */
export const absentFrom = (isPresent: (path: string) => boolean, named: readonly NamedFile[], isErased: (personId: PersonId) => boolean): readonly string[] =>
  // Persons are asked about only where something is missing: there may be tens of thousands.
  pathsOf(named.filter(({ path, personId }) => !isPresent(path) && (personId === undefined || !isErased(personId))));

/** How many are missing, as the beginning of a sentence that ends with where to look for them; undefined where none is. */
export const missingText = (paths: readonly string[], folder: string): string | undefined => {
  const [first] = paths;
  if (first === undefined) return undefined;
  const isOne = paths.length === 1;
  return `${amountText(paths.length)} ${isOne ? 'file that the log refers to is' : 'files that the log refers to are'} missing from ${folder}, for example ${first}: look for ${isOne ? 'it' : 'them'}`;
};

/**
 * What is said of a backup that lacks some; undefined where nothing is missing. Never rejects: the backup is made, or in its place, and a look at it changes
 * nothing of that.
 */
export const missingFilesNote = async (folder: string, signal: AbortSignal): Promise<string | undefined> => {
  let missing: MissingFiles;
  try {
    missing = await missingFiles(folder, signal);
  } catch (error) {
    return `Whether files that the log refers to are missing from ${folder} is not known: ${signal.aborted ? 'the look was stopped' : (tellable(error) ?? 'its log or keys could not be read')}. "ops drill" tells.`;
  }
  const { paths, unreadable, withoutKey } = missing;
  const keys =
    withoutKey === 0
      ? undefined
      : `${amountText(withoutKey)} ${withoutKey === 1 ? 'person has' : 'persons have'} no key in ${folder}: their details cannot be read, and their streams are parked, until a file of keys that has them is in its place. Look for it in another backup.`;
  const unknown =
    unreadable === undefined
      ? undefined
      : `The fact at position ${unreadable.toString()} of the log cannot be read by this release: whether files that it, or another one that cannot be read, refers to are missing from ${folder} is not known.`;
  const found = missingText(paths, folder);
  const notes = [found === undefined ? undefined : `${found} in an older backup.`, keys, unknown].filter((note) => note !== undefined);
  return notes.length === 0 ? undefined : notes.join(' ');
};
