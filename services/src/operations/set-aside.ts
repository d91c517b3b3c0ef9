import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { personStream } from '@courtledger/contracts/player/person.events';
import { openLogConnection } from '../event-log/sqlite-connection.ts';
import { logReader } from '../event-log/sqlite-log-reader.ts';
import { logFileOf } from '../event-log/log-file-name.ts';
import { openDocumentStore } from '../platform/documents.ts';
import type { Erasure } from '../platform/erasure-ledger.ts';
import { removeFilesOf } from '../platform/files-of-person.ts';
import { openMediaStore } from '../platform/media.ts';
import { hasPersonKeys, openPersonVault } from '../platform/person-vault.ts';
import { keptMilliseconds } from './backup-retention.rules.ts';
import { momentOfStamp } from './folder-stamp.ts';

/** What a restore moves aside: the installation that was, under this name and the moment. */
export const setAsidePrefix = 'before-restore-';

/** Folders of installations that were replaced by a backup, oldest first. */
export const setAsideFolders = (dataDir: string): readonly string[] =>
  readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(setAsidePrefix))
    .map(({ name }) => name)
    .toSorted();

const readModelName = /^read-model-\d{1,9}\.sqlite\.[a-z-]+-\d+$/;

/** Read models that went out of the way: of lost keys, damaged or outdated ones. Names may stand in them as they are; the next erasure removes them. */
const setAsideReadModels = (dataDir: string): readonly string[] =>
  readdirSync(dataDir)
    .filter((name) => readModelName.test(name))
    .toSorted();

/** What stands in DATA_DIR and is used no more: folders first. */
export const allSetAside = (dataDir: string): readonly string[] => [...setAsideFolders(dataDir), ...setAsideReadModels(dataDir)];

/** When something was set aside. The name of a file does not say: being renamed is the last that happened to it. */
const setAsideAt = (dataDir: string, name: string): number =>
  name.startsWith(setAsidePrefix) ? momentOfStamp(name.slice(setAsidePrefix.length)) : statSync(join(dataDir, name)).ctimeMs;

/** Removes those that are older than 30 days. Gives their names. */
export const pruneSetAside = (dataDir: string, now: number): readonly string[] => {
  const over = allSetAside(dataDir).filter((name) => now - setAsideAt(dataDir, name) > keptMilliseconds);
  for (const name of over) rmSync(join(dataDir, name), { recursive: true, force: true });
  return over;
};

type Erased = Pick<Erasure, 'personId'> & { readonly finished: boolean };

const factsOf = (folder: string, personId: string): readonly RecordedEvent[] => {
  const connection = openLogConnection(logFileOf(folder), { readonly: true });
  try {
    return logReader(connection).readStream(personStream(personId), 0, Number.POSITIVE_INFINITY) ?? [];
  } finally {
    connection.close();
  }
};

const removeFolders = (folder: string, names: readonly string[]): void => {
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
};

const forgetIn = async (folder: string, erased: readonly Erased[]): Promise<void> => {
  if (!hasPersonKeys(folder)) {
    // Nothing tells whose the pictures are. Whoever was erased before this was set aside is not in it.
    if (erased.some(({ finished }) => !finished))
      removeFolders(folder, [...readdirSync(folder).filter((name) => name.startsWith('read-model-')), 'media', 'documents']);
    return;
  }
  const vault = openPersonVault(folder);
  try {
    const reached = erased.filter(({ personId, finished }) => vault.state(personId) === 'active' || (vault.state(personId) === 'destroyed' && !finished));
    // Names stand in them as they are, and they can be made again.
    if (reached.length > 0)
      removeFolders(
        folder,
        readdirSync(folder).filter((name) => name.startsWith('read-model-')),
      );
    for (const { personId } of reached) {
      if (vault.state(personId) !== 'active') continue;
      try {
        await removeFilesOf(personId, factsOf(folder, personId), {
          vault,
          media: await openMediaStore(folder),
          documents: await openDocumentStore(folder, vault),
        });
      } catch {
        // A log may be set aside because it is damaged: no picture of the person may outlive that.
        removeFolders(folder, ['media', 'documents']);
      }
      vault.destroy(personId);
    }
  } finally {
    vault.close();
  }
};

/**
 * Takes what was set aside of erased persons: read models, photos, documents and the key. The facts stay, also there.
 * @param erased `finished`: of an earlier erasure, which may have reached the folder before it was set aside
 */
export const forgetInSetAside = async (dataDir: string, erased: readonly Erased[]): Promise<void> => {
  if (erased.length === 0) return;
  for (const name of setAsideFolders(dataDir)) await forgetIn(join(dataDir, name), erased);
};
