import { createHash, createPublicKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { readIfThereSync } from '../platform/durable-file.ts';
import type { StateFile } from './operations-state.ts';

/**
 * Which keys the log of this folder was kept with (docs/decisions/lost-keys.md). Nothing in a log tells whose `email.key` or `season.pem` it is, so the folder
 * notes a fingerprint of each. It is noted for one log: with another one, or after a restore or an import, the folder has only forgotten, and the next start
 * notes what is there.
 */

/** Those of persons are asked themselves (`knowsOneOf`); those of sessions and links may change at any time. */
const keptKeys = ['email.key', 'season.pem', 'address.key'] as const;

/** The first fact of one of these types names the log: its stream has an id that no other log has, it is never erased, and it goes with an export. */
export const namingTypes: readonly string[] = ['AdminCreated', 'TournamentCreated'];

/** What names the log that begins with these events. */
export const logNameIn = (events: Iterable<Pick<RecordedEvent, 'type' | 'stream'>>): string | undefined => {
  for (const { type, stream } of events) if (namingTypes.includes(type)) return stream;
  return undefined;
};

const keyBytes = 32;
/** What makes a key another one, however its file is written. Undefined for a file that is no key: its own opening says what is wrong with it. */
const materialOf = (file: string, bytes: Buffer): Buffer | undefined => {
  if (!file.endsWith('.pem')) return bytes.length === keyBytes ? bytes : undefined;
  try {
    const key = createPublicKey(bytes);
    return key.asymmetricKeyType === 'ed25519' ? key.export({ type: 'spki', format: 'der' }) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * SHA-256 (hex) of a key under the name of its file; undefined when it is not there or is no key. It tells nothing about the key, and is no hash that stands
 * anywhere else.
 */
const fingerprintOf = (dataDir: string, file: string): string | undefined => {
  const bytes = readIfThereSync(join(dataDir, 'keys', file));
  const material = bytes && materialOf(file, bytes);
  return material && createHash('sha256').update(`courtledger key fingerprint 1\n${file}\n`).update(material).digest('hex');
};

/** Files that are there and hold another key than the one that this log was kept with here. @param log by `logNameIn` */
export const exchangedKeys = (state: Pick<StateFile, 'get'>, dataDir: string, log: string | undefined): ReadonlySet<string> => {
  const { keys } = state.get();
  if (keys === undefined || keys.log !== log) return new Set();
  return new Set(
    keptKeys.filter((file) => {
      const [known, found] = [keys.fingerprints[file], fingerprintOf(dataDir, file)];
      return known !== undefined && found !== undefined && known !== found;
    }),
  );
};

/** Notes the keys that are there and are not noted yet, and forgets those that are gone. */
export const noteKeys = (state: StateFile, dataDir: string, log: string | undefined): void => {
  if (log === undefined) return;
  const { keys } = state.get();
  const known = keys?.log === log ? keys.fingerprints : {};
  const fingerprints = Object.fromEntries(
    keptKeys.flatMap((file): [string, string][] => {
      // A start makes one anew that the log does not need yet.
      const found = existsSync(join(dataDir, 'keys', file)) ? (known[file] ?? fingerprintOf(dataDir, file)) : undefined;
      return found === undefined ? [] : [[file, found]];
    }),
  );
  if (keys?.log !== log || keptKeys.some((file) => known[file] !== fingerprints[file])) state.change({ keys: { log, fingerprints } });
};

/**
 * For a node that runs: a new installation has its keys before its log has a name, and the next start is to find which they were. Cheap when all are noted;
 * another log's are left to the next start.
 * @param nameOf by `logNameIn`; asked only where it is needed
 */
export const noteNewKeys = (state: StateFile, dataDir: string, nameOf: () => string | undefined): void => {
  const { keys } = state.get();
  if (keptKeys.every((file) => keys?.fingerprints[file] !== undefined)) return;
  const name = nameOf();
  if (keys === undefined || keys.log === name) noteKeys(state, dataDir, name);
};

/**
 * The one that is there is this log's from now on, on purpose: a third one that is put in its place is another one again. Nothing is noted where nothing is
 * known of the log: the next start notes what is there.
 */
export const acceptKey = (state: StateFile, dataDir: string, file: string): void => {
  const { keys } = state.get();
  const found = keptKeys.some((kept) => kept === file) ? fingerprintOf(dataDir, file) : undefined;
  if (keys !== undefined && found !== undefined) state.change({ keys: { ...keys, fingerprints: { ...keys.fingerprints, [file]: found } } });
};

/** Whatever is there at the next start is the one: it is being made anew, on purpose. */
export const forgetKey = (state: StateFile, file: string): void => {
  const { keys } = state.get();
  if (keys?.fingerprints[file] !== undefined)
    state.change({ keys: { ...keys, fingerprints: Object.fromEntries(Object.entries(keys.fingerprints).filter(([name]) => name !== file)) } });
};
