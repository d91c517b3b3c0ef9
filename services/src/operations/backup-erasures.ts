import { join } from 'node:path';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { personIdOf, personStream } from '@courtledger/contracts/player/person.events';
import Database from 'better-sqlite3';
import { logReader } from '../event-log/sqlite-log-reader.ts';
import { openDocumentStore } from '../platform/documents.ts';
import { readIfThereSync } from '../platform/durable-file.ts';
import { erasureLedgerName, readErasures } from '../platform/erasure-ledger.ts';
import { removeFilesOf } from '../platform/files-of-person.ts';
import { openMediaStore } from '../platform/media.ts';
import { destroyKeysInCopy, hasPersonKeys, openPersonVault } from '../platform/person-vault.ts';
import type { BackupManifest } from './backup-manifest.ts';
import { linePages } from './line-pages.ts';

type LogCopy = Pick<BackupManifest['log'], 'kind' | 'file'>;

const page = 1000;

/** The facts of these persons in the copied log. @throws the signal's reason */
const factsIn = async (
  partial: string,
  { kind, file }: LogCopy,
  persons: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly RecordedEvent[]>> => {
  if (kind === 'sqlite') {
    const connection = new Database(join(partial, file), { readonly: true, fileMustExist: true });
    try {
      const reader = logReader(connection);
      return new Map(persons.map((personId) => [personId, reader.readStream(personStream(personId), 0, Number.POSITIVE_INFINITY) ?? []]));
    } finally {
      connection.close();
    }
  }
  const facts = new Map<string, RecordedEvent[]>(persons.map((personId) => [personId, []]));
  const { readPage, close } = linePages(join(partial, file));
  try {
    for (let after = 0n; ;) {
      signal?.throwIfAborted();
      const events = await readPage(after, page);
      const last = events.at(-1);
      if (last === undefined) return facts;
      for (const event of events) facts.get(personIdOf(event.stream) ?? '')?.push(event);
      after = last.position;
    }
  } finally {
    await close();
  }
};

/** Removes the copied files of those among these persons whose key is in the copy. Gives of whom that was not possible. */
const removeCopiedFiles = async (partial: string, log: LogCopy, erased: readonly string[], signal: AbortSignal | undefined): Promise<ReadonlySet<string>> => {
  const kept = new Set<string>();
  const vault = openPersonVault(partial, { readonly: true });
  try {
    // A key that was gone when the keys were copied went after the files, and these were copied after the keys.
    const reached = erased.filter((personId) => vault.state(personId) === 'active');
    if (reached.length === 0) return kept;
    const deps = { vault, media: await openMediaStore(partial), documents: await openDocumentStore(partial, vault) };
    for (const [personId, facts] of await factsIn(partial, log, reached, signal)) {
      try {
        await removeFilesOf(personId, facts, deps);
      } catch {
        kept.add(personId);
      }
    }
    return kept;
  } finally {
    vault.close();
  }
};

/**
 * Whoever is in the copied record of erasures is erased in the copy too, as in the installation: the files, then the key, without which nobody knows whose the
 * files are. An erasure that went on meanwhile was noted first, and its files may have been copied before they went, or were gone when they were to be copied,
 * after the key was. What the key would open is then no file that is missing, and a backup that was ended after an erasure holds nothing of the person that can
 * be read or seen. Whose files cannot be found or removed keeps the key: with it, the start of what is restored erases them again.
 * @param log the copied one, which names the files
 * @throws the signal's reason
 */
export const forgetErased = async (partial: string, log: LogCopy, signal: AbortSignal | undefined): Promise<void> => {
  const erased = readErasures(readIfThereSync(join(partial, erasureLedgerName))?.toString('utf8') ?? '').map(({ personId }) => personId);
  if (erased.length === 0 || !hasPersonKeys(partial)) return;
  const kept = await removeCopiedFiles(partial, log, erased, signal);
  destroyKeysInCopy(
    partial,
    erased.filter((personId) => !kept.has(personId)),
  );
};
